package verify

import (
	"encoding/binary"
	"testing"
)

// leavesOf are n different hashes, as a chain would have them.
func leavesOf(n int) []digest {
	out := make([]digest, n)
	for i := range out {
		out[i] = sha(binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	return out
}

// The prover of these tests is RFC 6962 as it is written there, over all leaves.

func half(n int) int {
	k := 1
	for k*2 < n {
		k *= 2
	}
	return k
}

func rfcRoot(d []digest) digest {
	switch len(d) {
	case 0:
		return digest{}
	case 1:
		return leaf(d[0])
	}
	k := half(len(d))
	return node(rfcRoot(d[:k]), rfcRoot(d[k:]))
}

func rfcPath(i int, d []digest) []digest {
	if len(d) == 1 {
		return nil
	}
	if k := half(len(d)); i < k {
		return append(rfcPath(i, d[:k]), rfcRoot(d[k:]))
	} else {
		return append(rfcPath(i-k, d[k:]), rfcRoot(d[:k]))
	}
}

// rfcProof is the proof of consistency with immudb's difference: the root of the
// older tree stands in it also where RFC 6962 leaves it out.
func rfcProof(m int, d []digest) []digest {
	if m == len(d) {
		return []digest{rfcRoot(d)}
	}
	if k := half(len(d)); m <= k {
		return append(rfcProof(m, d[:k]), rfcRoot(d[k:]))
	} else {
		return append(rfcProof(m-k, d[k:]), rfcRoot(d[:k]))
	}
}

const trees = 34

func TestAPathIsRightForOnePlaceOnly(t *testing.T) {
	all := leavesOf(trees)
	for n := 1; n <= trees; n++ {
		root := rfcRoot(all[:n])
		for i := range n {
			path := rfcPath(i, all[:n])
			for at := range n + 2 {
				if isIncluded(all[i], uint64(at), uint64(n), path, root) != (at == i) {
					t.Errorf("%d of %d at %d", i, n, at)
				}
			}
			longer := append(append([]digest{}, path...), root)
			if isIncluded(all[i], uint64(i), uint64(n), longer, node(root, root)) {
				t.Errorf("%d of %d takes a longer path", i, n)
			}
			if len(path) > 0 && isIncluded(path[len(path)-1], uint64(i), uint64(n), path[:0], leaf(path[len(path)-1])) {
				t.Errorf("%d of %d takes a shorter path", i, n)
			}
		}
	}
}

func TestGrowingIsWhatTheRFCHas(t *testing.T) {
	all := leavesOf(trees)
	var grown tree
	for n := 1; n <= trees; n++ {
		grown.add(all[n-1])
		if grown.root(digest{}) != rfcRoot(all[:n]) {
			t.Errorf("%d leaves", n)
		}
		if !isLast(all[n-1], rfcPath(n-1, all[:n]), rfcRoot(all[:n])) {
			t.Errorf("the last of %d", n)
		}
	}
}

func TestATreeIsTheBeginningOfItsOwnGrowthOnly(t *testing.T) {
	all := leavesOf(trees)
	other := leavesOf(trees)
	for n := 1; n <= trees; n++ {
		for i := 1; i < n; i++ {
			path := rfcProof(i, all[:n])
			was, is := rfcRoot(all[:i]), rfcRoot(all[:n])
			if !isConsistent(uint64(i), was, uint64(n), is, path) {
				t.Errorf("%d to %d", i, n)
			}
			for at := range path {
				bent := append([]digest{}, path...)
				bent[at][7] ^= 1
				if isConsistent(uint64(i), was, uint64(n), is, bent) {
					t.Errorf("%d to %d with a wrong term %d", i, n, at)
				}
			}
			if isConsistent(uint64(i), was, uint64(n), is, path[1:]) || isConsistent(uint64(i), was, uint64(n), is, nil) {
				t.Errorf("%d to %d with too few terms", i, n)
			}
			other[i-1][0] ^= 1 // another transaction in the older tree
			if isConsistent(uint64(i), rfcRoot(other[:i]), uint64(n), is, path) {
				t.Errorf("%d to %d from another tree", i, n)
			}
			other[i-1][0] ^= 1
		}
		root := rfcRoot(all[:n])
		if !isConsistent(uint64(n), root, uint64(n), root, nil) || isConsistent(uint64(n), root, uint64(n), leaf(root), nil) {
			t.Errorf("%d to itself", n)
		}
	}
}

// A tree made for it puts the old one too deep, with another transaction where
// the old one was. The length of the path gives it away (3.4).
func TestAnOldTreeCannotBePutTooDeep(t *testing.T) {
	all := leavesOf(8)
	old := rfcRoot(all[:5])
	deep := node(node(old, leaf(all[6])), leaf(all[7]))
	if isConsistent(5, old, 8, deep, []digest{old, leaf(all[6]), leaf(all[7])}) {
		t.Error("an old tree was found too deep")
	}
}
