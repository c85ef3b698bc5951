package verify

import "crypto/sha256"

// emptyHash is H(""): of an empty database, of the entries of a transaction
// without any, and of an entry without a value (3).
var emptyHash = sha256.Sum256(nil)

// leaf is H(0x00 || d) (3).
func leaf(d digest) digest {
	var b [33]byte
	copy(b[1:], d[:])
	return sha256.Sum256(b[:])
}

// node is H(0x01 || l || r) (3).
func node(l, r digest) digest {
	var b [65]byte
	b[0] = 1
	copy(b[1:], l[:])
	copy(b[33:], r[:])
	return sha256.Sum256(b[:])
}

// tree grows leaf by leaf and keeps its peaks: the roots of its perfect
// subtrees, largest first, one for each bit of its size (3.3, 3.4).
type tree struct {
	size  uint64
	peaks []digest
}

// add appends leaf(d).
func (t *tree) add(d digest) {
	acc := leaf(d)
	for size := t.size; size&1 == 1; size >>= 1 {
		last := len(t.peaks) - 1
		acc, t.peaks = node(t.peaks[last], acc), t.peaks[:last]
	}
	t.size++
	t.peaks = append(t.peaks, acc)
}

// root joins the peaks from the right; empty is the root of no leaves, which is
// H("") for entries (3.3) and zero for the history (3.4).
func (t *tree) root(empty digest) digest {
	if len(t.peaks) == 0 {
		return empty
	}
	last := len(t.peaks) - 1
	acc := t.peaks[last]
	for i := last - 1; i >= 0; i-- {
		acc = node(t.peaks[i], acc)
	}
	return acc
}

// climb takes a path from the leaf at place i of a tree of the width, counted
// from 0 (3.3). left is called for a term that is a left child, right for the
// others. It says whether the path is as long as the tree is high there.
func climb(i, width uint64, path []digest, left, right func(term digest)) bool {
	r := width - 1
	isAsLong := true
	for _, term := range path {
		isAsLong = isAsLong && r != 0 // not before the last term
		if i&1 == 0 && i != r {
			right(term)
		} else {
			left(term)
			for i&1 == 0 && i != 0 {
				i, r = i>>1, r>>1
			}
		}
		i, r = i>>1, r>>1
	}
	return isAsLong && r == 0
}

// rootOf is the root of a tree of the width that has leaf(d) at place i, counted
// from 0 (3.3, 3.4); not ok if the path has another length than that place.
func rootOf(d digest, i, width uint64, path []digest) (acc digest, ok bool) {
	acc = leaf(d)
	ok = i < width && climb(i, width, path,
		func(term digest) { acc = node(term, acc) },
		func(term digest) { acc = node(acc, term) })
	return acc, ok
}

// isIncluded says whether that is the root.
func isIncluded(d digest, i, width uint64, path []digest, root digest) bool {
	acc, ok := rootOf(d, i, width, path)
	return ok && acc == root
}

// isLast says whether leaf(d) is the last leaf of the tree: every term is a left
// child (3.4).
func isLast(d digest, path []digest, root digest) bool {
	acc := leaf(d)
	for _, term := range path {
		acc = node(term, acc)
	}
	return acc == root
}

// isConsistent says whether the tree of size i is the beginning of the one of
// size n, with 1 <= i <= n (3.4).
func isConsistent(i uint64, rootI digest, n uint64, rootN digest, path []digest) bool {
	if len(path) == 0 {
		return i == n && rootI == rootN
	}
	a, b := i-1, n-1
	for a&1 == 1 {
		a, b = a>>1, b>>1
	}
	ra, rb := path[0], path[0]
	isAsLong := climb(a, b+1, path[1:],
		func(term digest) { ra, rb = node(term, ra), node(term, rb) },
		func(term digest) { rb = node(rb, term) })
	return ra == rootI && rb == rootN && (isAsLong || i == n)
}
