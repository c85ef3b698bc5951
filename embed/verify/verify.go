// Package verify checks answers of immudb against a trusted state, offline.
//
// It was written from src/proof/VERIFY.md alone and not from the console's own
// verifier, so that the two can disagree. Comments cite sections of that text. It
// imports only the standard library, opens nothing and asks nobody.
//
// The files in the order of the text: verify.go has what is known, what comes of a
// check, and the entrance (1, 9); json.go and read.go the forms (2); tree.go,
// header.go and entry.go the hashes (3); proof.go the proofs (4); sign.go
// signatures (5); anchor.go the trusted state (6); state.go, tx.go, get.go,
// write.go, row.go, document.go, audit.go and fork.go the procedures (7). facts.go
// gives results their form. To believe a state (7.1) is to believe the
// files up to tx.go. Package files, below this one, is about files
// and words.
package verify

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
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
