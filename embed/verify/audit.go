package verify

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
)

// Walk reads a whole history, page by page (7.8). It keeps at most 64 peaks of
// the tree and the hashes that the tree lags behind. JSON of it (FORMAT.md 4.1)
// can be kept, and the walk resumed from it.
type Walk struct {
	at      State
	began   uint64 // the transaction that the walk began behind
	entries uint64
	tree    tree
	queue   []digest   // hashes that are not in the tree yet, oldest first
	page    []WalkedTx // the last one, for Values
}

// WalkedTx is one transaction of the last page, with its entries.
type WalkedTx struct {
	Header  Header
	Entries []Entry
}

// NewWalk stands before transaction 1.
func NewWalk() *Walk { return &Walk{at: State{TxHash: emptyHash}} }

// At is the last transaction that the walk went through; txId 0 before the first.
func (w *Walk) At() State { return w.at }

// Began is the transaction that the walk began behind, 0 for one from the first.
func (w *Walk) Began() uint64 { return w.began }

// Entries counts those of all transactions that the walk went through.
func (w *Walk) Entries() uint64 { return w.entries }

// Last are the transactions of the last page, in order.
func (w *Walk) Last() []WalkedTx { return w.page }

// step goes over one transaction (7.8), which need not list its entries if alone.
func (w *Walk) step(tx *message, alone bool) *refusal {
	h := readHeader(tx.need("header", headerFields...))
	if tx.in.bad != nil {
		return tx.in.bad
	}
	switch {
	case h.ID != w.at.TxID+1:
		bad := refuse("audit", "link", "id", "This is not the next transaction.")
		bad.expected, bad.received = decimal(w.at.TxID+1), decimal(h.ID)
		return bad
	case h.PrevAlh != w.at.TxHash:
		return refuse("audit", "link", "prevAlh", "The transaction does not continue the one before.").with(h.PrevAlh, w.at.TxHash)
	case h.BlTxID < w.tree.size:
		return refuse("audit", "link", "blTxId", "The tree became smaller.")
	}
	for w.tree.size < h.BlTxID { // blTxId < id, so the queue holds them
		w.tree.add(w.queue[0])
		w.queue = w.queue[1:]
	}
	if root := w.tree.root(digest{}); root != h.BlRoot {
		return refuse("audit", "link", "blRoot", "The tree does not hold the transactions of the chain.").with(h.BlRoot, root)
	}
	entries, isListed, bad := readEntries(tx, &h)
	if bad != nil {
		return bad
	}
	if !isListed && !alone {
		return refuse("tx-mismatch", "entry", "entries", "The entries are missing.")
	}
	w.queue = append(w.queue, h.Alh)
	w.at, w.entries = State{h.ID, h.Alh}, w.entries+uint64(h.NEntries)
	w.page = append(w.page, WalkedTx{h, entries})
	return nil
}

// pages goes over the transactions of an answer. If one is refused, the walk
// stays where it was.
func (w *Walk) pages(m *message, alone bool) (bad *refusal) {
	before := *w
	// What is appended to the queue does not reach what is kept of it; adding to
	// the tree would.
	w.tree.peaks, w.page = slices.Clone(w.tree.peaks), nil
	m.subs("txs", "tx", func(tx *message) bool {
		bad = w.step(tx, alone)
		return bad == nil
	}, txFields...)
	if bad == nil {
		bad = m.in.bad
	}
	if bad != nil {
		*w = before
	}
	return bad
}

// Page takes one answer of POST /db/tx, which continues where At is, all entries
// listed. The result is Verified where the page ends at known.Trusted: all
// transactions of the walk are proven then. It is Unproven where it does not get
// there yet: nothing is proven, only consistent. It is Refused where the page is
// wrong, empty, ends with another hash or goes beyond the trusted state; a
// refused page leaves the walk as it was.
func (w *Walk) Page(known Context, response []byte) Result { return w.take(known, response, false) }

// Headers is Page for transactions whose entries are more than an answer holds:
// it takes them without. The headers are proven then, with the number of entries
// and the root over them, and none of the entries.
func (w *Walk) Headers(known Context, response []byte) Result { return w.take(known, response, true) }

func (w *Walk) take(known Context, response []byte, alone bool) Result {
	in := &reading{step: "answer"}
	m := in.root(response, "txs")
	before := *w
	if bad := w.pages(m, alone); bad != nil {
		return refused(bad)
	}
	if w.at == before.at {
		return refused(refuse("audit", "link", "txs", "The page holds no transaction."))
	}
	trusted := known.trusted()
	if trusted == nil || w.at.TxID < trusted.TxID {
		return unproven(&known, "untied", "The walk has not come to the trusted state yet.")
	}
	if bad := w.endsAt(trusted); bad != nil {
		*w = before
		return refused(bad)
	}
	found := Result{Verdict: Verified, Next: trusted, Facts: w.facts()}
	if w.began > 0 {
		found.Open = []string{"before"}
	}
	return found
}

func (w *Walk) endsAt(trusted *State) *refusal {
	if w.at == *trusted {
		return nil
	}
	return refuse("audit", "link", "trusted", "The walk does not end at the trusted state.").with(trusted.TxHash, w.at.TxHash)
}

func (w *Walk) facts() AuditFacts {
	count := uint64(0)
	for i := range w.page {
		count += uint64(len(w.page[i].Entries))
	}
	return AuditFacts{decimal(w.at.TxID), hexOf(w.at.TxHash), count}
}

// WalkBehind stands behind the trusted transaction N of known, and takes the
// peaks of its tree from response: the answer of GET
// /db/verifiable/tx/{N}?proveSinceTx={N}. It needs blTxId = N - 1 (7.8).
func WalkBehind(known Context, response []byte) (*Walk, Result) {
	trusted := known.trusted()
	if trusted == nil {
		return nil, refused(refuse("malformed", "context", "trusted", "There is no trusted state to begin behind."))
	}
	in := &reading{step: "answer"}
	vtx := in.root(response, vtxFields...)
	p, bad := prove(&known, vtx, trusted.TxID, dualProof)
	if bad != nil {
		return nil, refused(bad)
	}
	if p.result.Lags {
		return nil, unproven(&known, "untied", "The tree lags behind there, so a walk has to begin at the first transaction.")
	}
	d, _ := dualProof(vtx)
	size, path := d.T.BlTxID, d.last
	w := &Walk{at: *trusted, began: trusted.TxID, queue: []digest{trusted.TxHash}, tree: tree{size: size}}
	if size > 0 {
		// The last perfect subtree has as many terms of the path as it is high; the
		// other terms are the peaks before it, the smallest first.
		high := bits.TrailingZeros64(size)
		if len(path) != high+bits.OnesCount64(size)-1 {
			return nil, refused(proofFailed("dual-proof", "lastInclusionProof", "The path has not the length of the tree."))
		}
		peak := leaf(d.blTxAlh)
		for _, term := range path[:high] {
			peak = node(term, peak)
		}
		w.tree.peaks = slices.Clone(path[high:])
		slices.Reverse(w.tree.peaks)
		w.tree.peaks = append(w.tree.peaks, peak)
	}
	return w, p.done(nil)
}

// ValueFacts counts what a list with values held of the last page.
type ValueFacts struct {
	Entries uint64 // proven entries of the page
	Seen    uint64 // of them, with a value that has the proven hash
	Bytes   uint64 // of those values
}

// Values takes the second answer for the last page, the same list with values
// (entriesSpec … RAW_VALUE). Its entries must be some of the proven ones, in
// their order and each once; a value must have its hash (7.2). see, if not nil,
// is called for every proven entry, with its value or nil. Facts is a ValueFacts.
func (w *Walk) Values(response []byte, see func(tx *Header, e *Entry, value []byte)) Result {
	in := &reading{step: "answer"}
	m := in.root(response, "txs")
	facts, i := ValueFacts{}, 0
	var bad *refusal
	m.subs("txs", "tx", func(tx *message) bool {
		if i == len(w.page) {
			bad = refuse("tx-mismatch", "entry", "entries", "There are values for more transactions than there are.")
			return false
		}
		values, found := matchValues(tx, w.page[i].Entries)
		bad = found
		for j := range w.page[i].Entries {
			e := &w.page[i].Entries[j]
			facts.Entries++
			if values[j] != nil || e.ValueHash == emptyHash {
				facts.Seen++
				facts.Bytes += uint64(len(values[j]))
			}
			if see != nil && bad == nil {
				see(&w.page[i].Header, e, values[j])
			}
		}
		i++
		return bad == nil
	}, txFields...)
	if bad == nil && in.bad == nil && i < len(w.page) {
		bad = refuse("tx-mismatch", "entry", "entries", "There are values for fewer transactions than there are.")
	}
	if bad == nil {
		bad = in.bad
	}
	if bad != nil {
		return refused(bad)
	}
	return Result{Verdict: Verified, Facts: facts}
}

// matchValues finds the values of proven entries in a second list (7.2).
func matchValues(tx *message, entries []Entry) (values [][]byte, bad *refusal) {
	values = make([][]byte, len(entries))
	next := 0
	noResolved(tx)
	tx.subs("entries", "entry", func(m *message) bool {
		key, hash, value := m.bytes("key"), m.digest("hValue"), m.bytes("value")
		readMeta(m)
		m.whole("vLen", maxInt32)
		for next < len(entries) && !(string(entries[next].Key) == string(key) && entries[next].ValueHash == hash) {
			next++
		}
		switch {
		case m.in.bad != nil:
			return false
		case next == len(entries):
			bad = refuse("tx-mismatch", "entry", "entries", "This is none of the transaction's entries, or not in their order.")
		case len(value) > 0 && sha(value) != hash:
			bad = refuse("value-mismatch", "value", "value", "The value has another hash than the entry.")
		case len(value) > 0:
			values[next] = value
		}
		next++
		return bad == nil
	}, "key", "hValue", "vLen", "metadata", "value")
	if bad == nil {
		bad = tx.in.bad
	}
	return values, bad
}

// verifyAudit is the kind audit of 7.8: a whole history, or the rest of a walk.
func verifyAudit(known *Context, request, response []byte) (Result, *refusal) {
	if known.hasKey() && known.trusted() == nil { // 5
		return Result{}, refuse("signature", "signature", "txs", "Pages of transactions have no signature.")
	}
	asked := &reading{step: "request"}
	w := NewWalk()
	after := asked.root(request, "after")
	if after.has("after") {
		if bad := w.read(after.raw("after")); bad != nil {
			return Result{}, bad
		}
	}
	began := w.at
	in := &reading{step: "answer"}
	m := in.root(response, "txs", "values")
	if bad := w.pages(m, false); bad != nil {
		return Result{}, bad
	}
	i := 0
	var bad *refusal
	m.list("values", func(raw []byte) bool {
		if i == len(w.page) {
			bad = refuse("malformed", "answer", "values", "There are values for more transactions than there are.")
		} else if string(raw) != "null" {
			tx := &message{in: in, name: "tx"}
			tx.fill(raw, true, txFields) // but for entries, nothing of them is read
			_, bad = matchValues(tx, w.page[i].Entries)
		}
		i++
		return bad == nil && in.bad == nil
	})
	trusted := known.trusted()
	switch {
	case bad != nil:
		return Result{}, bad
	case in.bad != nil:
		return Result{}, in.bad
	case after.has("after") && len(w.page) == 0:
		return Result{}, refuse("audit", "link", "trusted", "The walk goes over no transaction.")
	case trusted != nil && *trusted != w.at:
		return Result{}, w.endsAt(trusted)
	}
	next := w.at
	found := Result{Verdict: Verified, Next: &next, FirstUse: trusted == nil, Facts: w.facts()}
	if after.has("after") {
		found.Open, found.Walked = []string{"before"}, []State{began}
	}
	for i := range w.page {
		found.Walked = append(found.Walked, State{w.page[i].Header.ID, w.page[i].Header.Alh})
	}
	return found, nil
}

// MarshalJSON keeps the walk between two pages (FORMAT.md 4.1), and where it began.
func (w *Walk) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"txId": decimal(w.at.TxID), "alh": base64.StdEncoding.EncodeToString(w.at.TxHash[:]), "entries": w.entries,
		"size": w.tree.size, "peaks": inBase64(w.tree.peaks), "queue": inBase64(w.queue), "began": decimal(w.began),
	})
}

func inBase64(list []digest) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = base64.StdEncoding.EncodeToString(list[i][:])
	}
	return out
}

// UnmarshalJSON resumes it. A record that cannot be right is an error.
func (w *Walk) UnmarshalJSON(text []byte) error {
	if bad := w.read(text); bad != nil {
		return fmt.Errorf("%s: %s", bad.part, bad.why)
	}
	return nil
}

func (w *Walk) read(text []byte) *refusal {
	in := &reading{step: "context"}
	m := in.root(text, "txId", "alh", "entries", "size", "peaks", "queue", "began")
	if !m.has("txId") {
		m.wrong("txId", "This is missing.")
	}
	*w = Walk{at: State{m.u64("txId"), m.digest("alh")}, entries: m.safe("entries"), began: m.u64("began"),
		tree: tree{m.safe("size"), m.digests("peaks")}, queue: m.digests("queue")}
	switch {
	case w.at.TxID != w.tree.size+uint64(len(w.queue)):
		m.wrong("txId", "The walk has another length than its parts.")
	case len(w.tree.peaks) != bits.OnesCount64(w.tree.size):
		m.wrong("peaks", "The tree has another number of peaks.")
	}
	return in.bad
}

// safe is a JSON number, whole and at most 2^53 - 1.
func (m *message) safe(field string) uint64 {
	if m.has(field) && m.raw(field)[0] == '"' {
		m.wrong(field, "This is no number.")
	}
	return m.txID(field)
}
