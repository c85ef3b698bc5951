// Package verify checks answers of immudb against a trusted state, offline.
//
// It was written from src/proof/VERIFY.md and FORMAT.md alone, so that it and
// the console's own verifier can disagree. Comments cite sections of VERIFY.md.
// It imports only the standard library, opens nothing and asks nobody.
package verify

import (
	"crypto/ecdsa"
)

// State is a state of a database: the trusted one, or the one that an answer
// leads to. In JSON it is {"txId": "42", "txHash": "<base64>"}.
type State struct {
	TxID   uint64
	TxHash [32]byte
}

// Context is what is known before an answer is read (1). As JSON, for Answer,
// its fields are db, trusted, publicKey, schema, collectionId, isOnlySeen,
// hasNewerForm, readFrom and readTo.
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
	// ReadFrom to ReadTo are the transactions that an audit read (7.8); 0: none.
	ReadFrom, ReadTo uint64
}

// Verdict is what came of a check (9).
type Verdict string

const (
	Verified Verdict = "ok"       // right, but see FirstUse and Open
	Unproven Verdict = "unproven" // neither right nor wrong
	Refused  Verdict = "refused"  // contradicts what is known, or is no proof
)

// Result is what came of one check. Only a verified one has Next and Facts.
type Result struct {
	Verdict Verdict
	Why     string // a sentence for people; its words may change
	// Reason is the code of section 9 for a refusal, such as history-changed. For
	// an unproven answer it is no-proof, not-tied or older-form.
	Reason string
	// Step is the one that failed: value, entry, header, link or signature.
	Step string
	// Part is the place in the answer, such as dualProof.targetTxHeader.
	Part               string
	Expected, Received string   // what was compared, where it was
	Next               *State   // the trusted state that the answer leads to (6)
	FirstUse           bool     // there was no trusted state to compare with
	Signed             bool     // a signature was checked with the pinned key
	Lags               bool     // the tree of the newer header lags behind its chain (4.2)
	Open               []string // what stays unproven: description, entries, tree
	Facts              any      // made of proven bytes only
}

// Answer checks one answer of a server. kind is state, tx, get, write, row,
// document, audit, fork, none or error; the other three are JSON as it came. It
// never panics, and whatever is not a proof is refused (1).
func Answer(kind string, context, request, response []byte) Result {
	return Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// CheckState is the door for a program that follows a database (7.1). state is
// the answer of GET /db/state, proof that of GET
// /db/verifiable/tx/{state}?proveSinceTx={trusted}, or nil when none was asked
// for. A verified result has Next: keep it in place of known.Trusted, but only
// if that is still what is kept (6).
func CheckState(known Context, state, proof []byte) Result {
	return Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// CheckTx checks an answer of GET /db/verifiable/tx/{txID}?proveSinceTx={trusted}
// (7.2). Facts is a *TxFacts.
func CheckTx(known Context, txID uint64, response []byte) Result {
	return Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// TxFacts is what is proven of a transaction (7.2).
type TxFacts struct {
	Header  Header
	Entries []Entry // nil if the answer left all of them out
}

// Header is a transaction's header (3.1). Alh is calculated, never read.
type Header struct {
	ID            uint64
	PrevAlh       [32]byte
	Ts            int64
	Version       uint16
	NEntries      uint32
	EH            [32]byte
	BlTxID        uint64
	BlRoot        [32]byte
	TruncatedTxID uint64
	Extra         []byte
	Alh           [32]byte
}

// Entry is one entry of a transaction, in its order.
type Entry struct {
	Key          []byte // as stored (3.2)
	Deleted      bool
	ExpiresAt    *int64 // seconds since 1970, nil: never
	NonIndexable bool
	ValueHash    [32]byte
	Value        []byte // as stored; nil if it did not come along
	HasValue     bool
}

// Schema is the description of a table (7.6).
type Schema struct {
	TableID uint32
	PKIDs   []uint32
	Columns []Column
}

// Column is one column of a table.
type Column struct {
	ID     uint32
	Name   string
	Type   string
	MaxLen uint32
}

// Walk reads a whole history, page by page, in bounded memory (7.8): at most 64
// peaks of the tree and the hashes that the tree lags behind. JSON of it can be
// kept, and the walk resumed from it.
type Walk struct {
	// unexported fields
}

// NewWalk stands before transaction 1.
func NewWalk() *Walk { return &Walk{} }

// WalkBehind stands behind the trusted transaction of known, whose tree it takes
// from response: the answer of GET /db/verifiable/tx/{N}?proveSinceTx={N} for the
// trusted N. It needs blTxId = N - 1; the result says why where it cannot.
func WalkBehind(known Context, response []byte) (*Walk, Result) {
	return nil, Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// Page takes one answer of POST /db/tx, which continues where At is. The result
// is Verified where the page ends at known.Trusted, Unproven where it does not
// get there yet (nothing is proven then, only consistent), and Refused where the
// page is wrong or passes the trusted state with another hash; a refused page
// leaves the walk as it was. see, if not nil, is called for each transaction in
// order before the page is known to be right.
func (w *Walk) Page(known Context, response []byte) Result {
	return Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// Values takes the second answer for the last page, the same list with values
// (entriesSpec … RAW_VALUE): each value must have the hash that Page saw. Facts
// is a *ValueFacts.
func (w *Walk) Values(known Context, response []byte) Result {
	return Result{Verdict: Refused, Reason: "malformed", Why: "Not written yet."}
}

// ValueFacts counts what a list with values held.
type ValueFacts struct {
	Entries, Seen, Withheld uint64 // of the page
	Bytes                   uint64 // of the values seen
}

// At is the last transaction that the walk went through; txId 0 before the first.
func (w *Walk) At() State { return State{} }

// MarshalJSON keeps the walk between two pages.
func (w *Walk) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// UnmarshalJSON resumes it. A damaged record is an error.
func (w *Walk) UnmarshalJSON(data []byte) error { return nil }

// ReadKey reads a public key (5): PEM, base64 of its 91 bytes, or base64 of the
// point 04 || x || y.
func ReadKey(text string) (*ecdsa.PublicKey, error) { return nil, nil }

// Fingerprint is SHA-256 of the key's 91 bytes, in hex (5).
func Fingerprint(key *ecdsa.PublicKey) string { return "" }
