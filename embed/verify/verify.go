// Package verify checks answers of immudb against a trusted state, offline.
//
// It was written from src/proof/VERIFY.md alone and not from the console's own
// verifier, so that the two can disagree. Comments cite sections of that text. It
// imports only the standard library, opens nothing and asks nobody.
package verify

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// State is a state of a database: the trusted one, or the one that an answer
// leads to. In JSON it is {"txId": "42", "txHash": "<base64>"}.
type State struct {
	TxID   uint64
	TxHash [32]byte
}

// MarshalJSON writes the form of the console's files.
func (s State) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"txId":"%d","txHash":"%s"}`, s.TxID, base64.StdEncoding.EncodeToString(s.TxHash[:])), nil
}

// UnmarshalJSON reads that form strictly (2). A state without transactions has
// the hash of an empty database (6).
func (s *State) UnmarshalJSON(text []byte) error {
	in := &reading{step: "context"}
	*s = readState(in.root(text, stateFields...))
	if in.bad != nil {
		return fmt.Errorf("%s: %s", in.bad.part, in.bad.why)
	}
	return nil
}

var stateFields = []string{"txId", "txHash"}

func readState(m *message) State {
	s := State{m.u64("txId"), m.digest("txHash")}
	if s.TxID == 0 && s.TxHash != emptyHash {
		m.wrong("txHash", "An empty database has another hash.")
	}
	return s
}

// Context is what is known before an answer is read (1). As JSON, for Answer,
// its fields are db, trusted, publicKey, schema, collectionId, isOnlySeen,
// hasNewerForm, mayLackAdvance, readFrom and readTo.
type Context struct {
	Database string
	Trusted  *State           // nil: none yet, so an answer is a first contact
	Key      *ecdsa.PublicKey // nil: none pinned, and no signature is checked (5)
	Schema   *Schema          // nil: none pinned (7.6)
	// CollectionID is the pinned number of a collection (7.7), or nil.
	CollectionID *uint32
	// IsOnlySeen says that Schema or CollectionID was pinned from an earlier
	// answer and not derived by an audit (7.6).
	IsOnlySeen bool
	// HasNewerForm says that a row of this database was verified in the form of
	// immudb 1.6 or later (7.6).
	HasNewerForm bool
	// MayLackAdvance says that the server has no id and never sent the proof of
	// 4.2.6, as those before 1.4.1: where it is missing, nothing is proven.
	MayLackAdvance bool
	// ReadFrom to ReadTo are the transactions that an audit read (7.8). ReadTo 0:
	// none; ReadFrom 0: from the first.
	ReadFrom, ReadTo uint64

	hasWrongKey bool   // a key is pinned that is no point of the curve
	keyPoint    []byte // the 65 bytes of the key, as they came
}

// hasKey says whether a key is pinned.
func (c *Context) hasKey() bool { return c.Key != nil || c.hasWrongKey }

// trusted is the state to compare with. From an empty database nothing can be
// proven, so it counts as none (6).
func (c *Context) trusted() *State {
	if c.Trusted == nil || c.Trusted.TxID == 0 {
		return nil
	}
	return c.Trusted
}

// ReadContext reads a context as JSON, as Answer does.
func ReadContext(text []byte) (Context, error) {
	known, bad := readContext(text)
	if bad != nil {
		return known, fmt.Errorf("%s: %s", bad.part, bad.why)
	}
	return known, nil
}

func readContext(text []byte) (Context, *refusal) {
	in := &reading{step: "context"}
	m := in.root(text, "db", "trusted", "publicKey", "schema", "collectionId", "isOnlySeen", "hasNewerForm", "mayLackAdvance", "readFrom", "readTo")
	known := Context{
		Database: string(m.text("db")), IsOnlySeen: m.flag("isOnlySeen"), HasNewerForm: m.flag("hasNewerForm"),
		MayLackAdvance: m.flag("mayLackAdvance"),
		ReadFrom:       m.u64("readFrom"), ReadTo: m.u64("readTo"), Schema: readSchema(m.raw("schema")),
	}
	if known.Database == "" || !utf8.ValidString(known.Database) {
		m.wrong("db", "This is no name of a database.")
	}
	if m.has("trusted") {
		trusted := readState(m.sub("trusted", stateFields...))
		known.Trusted = &trusted
	}
	if m.has("publicKey") {
		// A point beside the curve is found out where a signature is looked at.
		var err error
		point := m.bytes("publicKey")
		known.keyPoint = point
		if len(point) != 65 || point[0] != 4 {
			m.wrong("publicKey", "This is no public key.")
		} else if known.Key, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point); err != nil {
			known.hasWrongKey = true
		}
	}
	if m.has("collectionId") {
		id := m.whole("collectionId", maxUint32)
		known.CollectionID = &id
	}
	return known, in.bad
}

// Verdict is what came of a check (9).
type Verdict string

const (
	Verified Verdict = "ok"       // right, but see FirstUse and Open
	Unproven Verdict = "unproven" // neither right nor wrong
	Refused  Verdict = "refused"  // contradicts what is known, or is no proof
)

// Result is what came of one check. A refused one has neither Next nor Facts; an
// unproven one leaves Next where it was.
type Result struct {
	Verdict Verdict
	Why     string // a sentence for people; its words may change
	// Reason is the code of section 9 for a refusal, such as history-changed. For
	// an unproven answer it is none, untied or older-form.
	Reason string
	// Step is the one that failed: value, entry, header, link, signature, content,
	// or the text that cannot be read: answer, request, context.
	Step string
	// Part is the place in the answer, such as dualProof.targetTxHeader.
	Part               string
	Expected, Received string   // what was compared, where it was
	Next               *State   // the trusted state that the answer leads to (6)
	FirstUse           bool     // there was no trusted state to compare with
	Signed             bool     // a signature was checked with the pinned key
	Lags               bool     // the tree of the newer header lags behind its chain (4.2)
	Open               []string // what stays unproven: tree, entries, description, before
	Facts              any      // made of proven bytes only
	// Content are the transactions that were proven beside Next, with their hashes
	// (FORMAT.md 7.2): that of the content, or the first of each side of a fork.
	Content []State
	// Walked are those of an audit, and the one that it began behind. Nothing
	// vouches for them.
	Walked []State
}

func refused(r *refusal) Result {
	return Result{Verdict: Refused, Why: r.why, Reason: r.reason, Step: r.step, Part: r.part,
		Expected: r.expected, Received: r.received}
}

func unproven(known *Context, reason, why string) Result {
	return Result{Verdict: Unproven, Reason: reason, Why: why, Next: known.Trusted}
}

// procedures are those of section 7. A nil refusal comes with a result.
var procedures = map[string]func(known *Context, request, response []byte) (Result, *refusal){
	"state": verifyState, "tx": verifyTx, "get": verifyGet, "write": verifyWrite,
	"row": verifyRow, "document": verifyDocument, "audit": verifyAudit, "fork": verifyFork,
}

// Answer checks one answer of a server. kind is state, tx, get, write, row,
// document, audit, fork, none or error; the other three are JSON as it came. It
// never panics, and whatever is not a proof is refused (1).
func Answer(kind string, context, request, response []byte) Result {
	if kind == "none" || kind == "error" { // 7.5
		known, bad := readContext(context)
		if bad != nil {
			known = Context{}
		}
		if kind == "error" && saysIllegalState(response) { // 7.1
			return refused(refuse("rolled-back", "answer", "message", "The server lacks the transaction to prove from."))
		}
		return unproven(&known, "none", "An answer of this kind carries no proof.")
	}
	verify := procedures[kind]
	if verify == nil {
		return refused(refuse("malformed", "request", "kind", "This kind is unknown."))
	}
	known, bad := readContext(context)
	if bad != nil {
		return refused(bad)
	}
	asked := &reading{step: "request"}
	if asked.root(request); asked.bad != nil { // FORMAT.md 3
		return refused(asked.bad)
	}
	return finish(verify(&known, request, response))
}

func finish(found Result, bad *refusal) Result {
	if bad != nil {
		return refused(bad)
	}
	return found
}

// proven is what all procedures with a dual proof have in common (7).
type proven struct {
	Header   Header
	entries  []Entry
	isListed bool // all entries are there (7.2)
	result   Result
}

// prove checks the dual proof of an answer about transaction x, its anchor, its
// transaction and its signature.
func prove(known *Context, vtx *message, x uint64, check func(*message) (*dual, *refusal)) (*proven, *refusal) {
	signature := readSignature(vtx)
	d, bad := check(vtx)
	if bad != nil {
		return nil, bad
	}
	if d.lacks != nil && !known.MayLackAdvance {
		return nil, d.lacks
	}
	p := &proven{result: Result{Verdict: Verified, Signed: known.hasKey(), Lags: d.T.BlTxID != d.T.ID-1}}
	if bad := p.anchor(known, d, x, vtx); bad != nil {
		return nil, bad
	}
	if bad := p.readTx(vtx); bad != nil {
		return nil, bad
	}
	return p, signature.check(known, State{d.T.ID, d.T.Alh})
}

// anchor compares S and T with what is known (6).
func (p *proven) anchor(known *Context, d *dual, x uint64, vtx *message) *refusal {
	part := vtx.where("dualProof")
	trusted := known.trusted()
	source, target := x, x
	switch {
	case trusted == nil && d.isV2:
		source = 1
	case trusted != nil && trusted.TxID <= x:
		source = trusted.TxID
	case trusted != nil:
		target = trusted.TxID
	}
	if d.S.ID != source || d.T.ID != target {
		bad := refuse("not-anchored", "link", part, "The proof is between other transactions than it must be.")
		bad.expected = strconv.FormatUint(source, 10) + " to " + strconv.FormatUint(target, 10)
		bad.received = strconv.FormatUint(d.S.ID, 10) + " to " + strconv.FormatUint(d.T.ID, 10)
		return bad
	}
	p.Header = d.T
	next := State{x, d.T.Alh}
	switch {
	case trusted == nil:
		p.result.FirstUse = true
		if d.S.ID == 1 && d.S.PrevAlh != emptyHash {
			return refuse("not-anchored", "link", "prevAlh", "The first transaction has one before it.")
		}
	case trusted.TxID <= x:
		if d.S.Alh != trusted.TxHash {
			return changed(part, trusted.TxHash, d.S.Alh)
		}
		if d.lags {
			next = *trusted
		}
		// An answer above the trusted state is verified only when next reaches it.
		if next.TxID < x {
			p.result.Verdict, p.result.Reason = Unproven, "untied"
			p.result.Why = "The tree lags behind, so that this cannot be tied to the trusted state yet."
		}
	default:
		if d.T.Alh != trusted.TxHash {
			return changed(part, trusted.TxHash, d.T.Alh)
		}
		p.Header, next = d.S, *trusted
		if x < d.T.BlTxID && !known.hasRead(x, trusted.TxID) { // 1
			p.result.Open = append(p.result.Open, "tree")
		}
	}
	if d.lacks != nil && trusted != nil {
		next = *trusted
		p.result.Verdict, p.result.Reason = Unproven, "older-form"
		p.result.Why = "The tree lagged behind there, and immudb before 1.4.1 does not send the proof for that."
	}
	p.result.Next = &next
	return nil
}

// hasRead says whether an audit read everything from a transaction to the
// trusted one, so that the chain was compared with the tree (7.8).
func (c *Context) hasRead(from, to uint64) bool { return c.ReadFrom <= from && c.ReadTo >= to }

func changed(part string, expected, received digest) *refusal {
	bad := refuse("history-changed", "link", part, "The transaction has another hash than the trusted state.")
	bad.expected, bad.received = hexOf(expected), hexOf(received)
	return bad
}

// readTx compares the transaction beside the proof with the proven header, if it
// is there (7, 7.2).
func (p *proven) readTx(vtx *message) *refusal {
	if !vtx.has("tx") {
		return nil
	}
	tx := vtx.sub("tx", txFields...)
	h := readHeader(tx.need("header", headerFields...))
	if tx.in.bad != nil {
		return tx.in.bad
	}
	if h.Alh != p.Header.Alh {
		bad := refuse("tx-mismatch", "header", tx.where("header"), "The transaction has another header than the proven one.")
		bad.expected, bad.received = hexOf(p.Header.Alh), hexOf(h.Alh)
		return bad
	}
	var bad *refusal
	p.entries, p.isListed, bad = readEntries(tx, &h)
	return bad
}

var txFields = []string{"header", "entries", "kvEntries", "zEntries"}

// readEntries reads the entries of a transaction. They are all of them, in
// order, or none (7.2).
func readEntries(tx *message, h *Header) (entries []Entry, isListed bool, bad *refusal) {
	noResolved(tx)
	var grown tree
	tx.subs("entries", func(m *message) bool {
		e := Entry{Key: m.bytes("key"), Meta: readMeta(m), ValueHash: m.digest("hValue"), Value: m.bytes("value")}
		m.whole("vLen", maxInt32)
		d, ok := e.digest(h.Version)
		if !ok {
			m.wrong("", "This version of a transaction has no such entry.")
		}
		if len(e.Value) == 0 {
			e.Value = nil
		} else if m.in.bad == nil && sha(e.Value) != e.ValueHash {
			bad = refuse("value-mismatch", "value", m.where("value"), "The value has another hash than the entry.")
			bad.expected, bad.received = hexOf(e.ValueHash), hexOf(sha(e.Value))
		}
		grown.add(d)
		entries = append(entries, e)
		return bad == nil
	}, "key", "hValue", "vLen", "metadata", "value")
	switch {
	case tx.in.bad != nil:
		return nil, false, tx.in.bad
	case bad != nil:
		return nil, false, bad
	case len(entries) == 0 && h.NEntries > 0:
		return nil, false, nil
	case uint64(len(entries)) != uint64(h.NEntries) || grown.root(emptyHash) != h.EH:
		bad := refuse("tx-mismatch", "entry", tx.where("entries"), "The entries are not those of the transaction.")
		bad.expected, bad.received = hexOf(h.EH), hexOf(grown.root(emptyHash))
		return nil, false, bad
	}
	return entries, true, noKeyTwice(entries, tx)
}

// noResolved refuses resolved entries, which no proof covers (7.2).
func noResolved(tx *message) {
	for _, field := range []string{"kvEntries", "zEntries"} {
		tx.list(field, func(int, []byte) bool {
			tx.wrong(field, "Resolved entries are not covered by a proof.")
			return false
		})
	}
}

// noKeyTwice refuses a transaction that has two entries with one key. immudb
// writes none, and either of them could be shown (7.2).
func noKeyTwice(entries []Entry, tx *message) *refusal {
	if len(entries) < 2 {
		return nil
	}
	seen := make(map[string]struct{}, len(entries))
	for i := range entries {
		key := string(entries[i].Key)
		if _, isTwice := seen[key]; isTwice {
			return refuse("duplicate-key", "entry", tx.where("entries"), "The transaction has two entries with one key.")
		}
		seen[key] = struct{}{}
	}
	return nil
}

// inclusion is the place of an entry in its transaction (3.3).
type inclusion struct {
	leaf, width uint32
	terms       []digest
	where       string
}

func readInclusion(m *message) inclusion {
	proof := m.need("inclusionProof", "leaf", "width", "terms")
	return inclusion{proof.whole("leaf", maxInt32), proof.whole("width", maxInt32), proof.digests("terms"), proof.where("")}
}

// holds refuses an entry that is not in the proven transaction (3.3). A get and a
// row tell by open that the other entries were left out.
func (p *proven) holds(e Entry, at inclusion) *refusal {
	d, ok := e.digest(p.Header.Version)
	if !ok {
		return refuse("malformed", "answer", "metadata", "This version of a transaction has no such entry.")
	}
	if at.width != p.Header.NEntries || !isIncluded(d, uint64(at.leaf), uint64(at.width), at.terms, p.Header.EH) {
		bad := refuse("entry-not-included", "entry", at.where, "The entry is not in the transaction.")
		bad.expected = hexOf(p.Header.EH)
		return bad
	}
	if !p.isListed {
		p.result.Open = append(p.result.Open, "entries")
	}
	return nil
}

// done is the result with its facts. An unproven one has none, and nothing is
// open in it.
func (p *proven) done(facts any) Result {
	if p.result.Verdict == Verified {
		p.result.Facts, p.result.Content = facts, []State{{p.Header.ID, p.Header.Alh}}
	} else {
		p.result.Open = nil
	}
	return p.result
}
