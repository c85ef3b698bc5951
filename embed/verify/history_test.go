package verify

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
)

// history is a database for tests that gives proofs like immudb. It builds its
// trees as RFC 6962 has them, over all leaves, with nothing of what is tested but
// the hashes of a header and of an entry.
type history struct {
	db      string
	headers []Header
	entries [][]Entry
}

// grow adds a transaction whose tree has the first size transactions.
func (h *history) grow(size int, entries ...Entry) {
	n := len(h.headers)
	header := Header{ID: uint64(n + 1), PrevAlh: emptyHash, Ts: int64(1_700_000_000 + n), Version: 1,
		NEntries: uint32(len(entries)), BlTxID: uint64(size), BlRoot: rfcRoot(h.alhs()[:size])}
	if n > 0 {
		header.PrevAlh = h.headers[n-1].Alh
	}
	digests := make([]digest, len(entries))
	for i := range entries {
		digests[i], _ = entries[i].digest(1)
	}
	header.EH = rfcRoot(digests)
	header.Alh = chain(header.ID, header.PrevAlh, header.inner())
	h.headers, h.entries = append(h.headers, header), append(h.entries, entries)
}

// plain is an entry of a key.
func plain(key, value string) Entry {
	stored := plainValue([]byte(value))
	return Entry{Key: plainKey([]byte(key)), Value: stored, ValueHash: sha(stored)}
}

// historyOf has n transactions with an entry each; word tells branches apart.
func historyOf(n int, word string) *history {
	h := &history{db: "db"}
	for i := range n {
		h.grow(i, plain(fmt.Sprintf("k%d", i), word))
	}
	return h
}

func (h *history) alhs() []digest {
	out := make([]digest, len(h.headers))
	for i := range out {
		out[i] = h.headers[i].Alh
	}
	return out
}

func (h *history) state(tx int) State { return State{uint64(tx), h.headers[tx-1].Alh} }

func (h *history) known(tx int) Context {
	state := h.state(tx)
	return Context{Database: h.db, Trusted: &state}
}

type object = map[string]any

func b64(d digest) string { return base64.StdEncoding.EncodeToString(d[:]) }

func b64s(list []digest) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = b64(list[i])
	}
	return out
}

func headerObject(h *Header) object {
	return object{"id": decimal(h.ID), "prevAlh": b64(h.PrevAlh), "ts": decimal(uint64(h.Ts)), "version": h.Version,
		"nentries": h.NEntries, "eH": b64(h.EH), "blTxId": decimal(h.BlTxID), "blRoot": b64(h.BlRoot), "metadata": object{}}
}

func (h *history) tx(tx int, withValues bool) object {
	var entries []object
	for _, e := range h.entries[tx-1] {
		one := object{"key": base64.StdEncoding.EncodeToString(e.Key), "hValue": b64(e.ValueHash), "vLen": len(e.Value)}
		if withValues {
			one["value"] = base64.StdEncoding.EncodeToString(e.Value)
		}
		entries = append(entries, one)
	}
	return object{"header": headerObject(&h.headers[tx-1]), "entries": entries}
}

func (h *history) page(from, to int, withValues bool) []byte {
	var txs []object
	for tx := from; tx <= to; tx++ {
		txs = append(txs, h.tx(tx, withValues))
	}
	return text(object{"txs": txs})
}

func text(value any) []byte {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return out
}

// chainOf are the terms of a linear proof.
func (h *history) chainOf(from, to int) []digest {
	terms := []digest{h.headers[from-1].Alh}
	for tx := from + 1; tx <= to; tx++ {
		terms = append(terms, h.headers[tx-1].inner())
	}
	return terms
}

func (h *history) dualProof(source, target int) object {
	all, S, T := h.alhs(), &h.headers[source-1], &h.headers[target-1]
	size := int(T.BlTxID)
	tree := all[:size]
	proof := object{"sourceTxHeader": headerObject(S), "targetTxHeader": headerObject(T), "targetBlTxAlh": b64(digest{})}
	from, end := source, size
	if source < size {
		proof["inclusionProof"] = b64s(rfcPath(source-1, tree))
		from, end = size, source
	}
	if S.BlTxID > 0 {
		proof["consistencyProof"] = b64s(rfcProof(int(S.BlTxID), tree))
	}
	if size > 0 {
		proof["targetBlTxAlh"] = b64(all[size-1])
		proof["lastInclusionProof"] = b64s(rfcPath(size-1, tree))
	}
	proof["linearProof"] = object{"sourceTxId": decimal(uint64(from)), "TargetTxId": decimal(uint64(target)), "terms": b64s(h.chainOf(from, target))}
	if start := int(S.BlTxID); end > start+1 {
		var paths []object
		for tx := start + 1; tx < end; tx++ {
			paths = append(paths, object{"terms": b64s(rfcPath(tx-1, tree))})
		}
		proof["LinearAdvanceProof"] = object{"linearProofTerms": b64s(h.chainOf(start+1, end)), "inclusionProofs": paths}
	}
	return proof
}

// proof is the answer about transaction tx for one who trusts another.
func (h *history) proof(tx, since int) []byte {
	return text(object{"tx": h.tx(tx, false), "dualProof": h.dualProof(min(tx, since), max(tx, since))})
}

func (h *history) stateAnswer(tx int) []byte {
	return text(object{"db": h.db, "txId": decimal(uint64(tx)), "txHash": b64(h.headers[tx-1].Alh)})
}

func TestAnyTransactionIsProvenFromAnyOther(t *testing.T) {
	lagging := &history{db: "db"}
	for i := range 24 {
		lagging.grow(map[bool]int{true: i, false: min(i, 9)}[i < 10 || i > 19], plain(fmt.Sprint(i), "v"))
	}
	for name, h := range map[string]*history{"of today": historyOf(21, "a"), "that lagged": lagging} {
		n := len(h.headers)
		for since := 1; since <= n; since++ {
			for tx := 1; tx <= n; tx++ {
				found := CheckTx(h.known(since), uint64(tx), h.proof(tx, since))
				next := h.state(max(tx, since))
				if found.Verdict != Verified || *found.Next != next {
					t.Errorf("a history %s: %d from %d is %s %s (%s)", name, tx, since, found.Verdict, found.Reason, found.Part)
				}
			}
		}
	}
}

func TestAStateAdvancesOnlyInItsHistory(t *testing.T) {
	h, other := historyOf(20, "a"), historyOf(20, "b")
	for since := 1; since <= 20; since++ {
		for tx := 1; tx <= 20; tx++ {
			found := CheckState(h.known(since), h.stateAnswer(tx), h.proof(tx, since))
			switch {
			case tx < since && found.Reason != "rolled-back", tx >= since && (found.Verdict != Verified || *found.Next != h.state(tx)):
				t.Errorf("%d to %d: %s %s", since, tx, found.Verdict, found.Reason)
			}
			if found := CheckState(h.known(since), other.stateAnswer(tx), other.proof(tx, since)); found.Verdict != Refused {
				t.Errorf("%d to %d of another history: %s", since, tx, found.Verdict)
			}
			if found := CheckState(h.known(since), other.stateAnswer(tx), h.proof(tx, since)); found.Verdict != Refused {
				t.Errorf("%d to %d with the proof of another state: %s", since, tx, found.Verdict)
			}
		}
	}
	if found := CheckState(h.known(3), h.stateAnswer(4), nil); found.Reason != "malformed" {
		t.Errorf("without a proof: %s", found.Reason)
	}
	if found := CheckState(Context{Database: "db"}, h.stateAnswer(4), nil); found.Verdict != Verified || !found.FirstUse {
		t.Errorf("a first contact: %s", found.Verdict)
	}
	if found := CheckState(h.known(3), []byte(`{"db":"db"},"proof":{}`), nil); found.Reason != "malformed" {
		t.Errorf("more than a state: %s", found.Reason)
	}
}

// A tree that lags may take in other transactions than the chain has. What it
// shows must not become what is trusted (4.2, 6).
func TestATreeThatLagsMovesNothing(t *testing.T) {
	h := historyOf(10, "a")
	for range 10 { // 11 to 20 have the tree of 9
		h.grow(9, plain("x", "v"))
	}
	h.grow(14, plain("y", "v"))
	found := CheckTx(h.known(20), 21, h.proof(21, 20))
	if found.Verdict != Unproven || found.Reason != "untied" || *found.Next != h.state(20) || found.Facts != nil {
		t.Errorf("%s %s", found.Verdict, found.Reason)
	}
	h.grow(21, plain("z", "v"))
	if found := CheckTx(h.known(20), 22, h.proof(22, 20)); found.Verdict != Verified || *found.Next != h.state(22) {
		t.Errorf("a tree with all of it: %s %s", found.Verdict, found.Reason)
	}
}

func TestTwoEntriesOfOneKeyAreRefused(t *testing.T) {
	h := historyOf(3, "a")
	h.grow(3, plain("balance", "100"), plain("balance", "999"))
	if found := CheckTx(h.known(4), 4, h.proof(4, 4)); found.Reason != "duplicate-key" {
		t.Errorf("%s %s", found.Verdict, found.Reason)
	}
	walk := NewWalk()
	if found := walk.Page(h.known(4), h.page(1, 4, false)); found.Reason != "duplicate-key" || walk.At().TxID != 0 {
		t.Errorf("%s %s", found.Verdict, found.Reason)
	}
}
