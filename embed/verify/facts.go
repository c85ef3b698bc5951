package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
)

func sha(b []byte) digest { return sha256.Sum256(b) }

func hexOf(d digest) string { return hex.EncodeToString(d[:]) }

// The facts of an answer, made of proven bytes. In JSON they have the form of the
// recorded vectors: bytes in hex, numbers of 64 bits as strings.

// StateFacts is what is proven of a state (7.1).
type StateFacts struct {
	TxID string `json:"txId"`
	Alh  string `json:"alh"`
}

// TxFacts is what is proven of a transaction (7.2).
type TxFacts struct {
	Header   Header
	Entries  []Entry
	IsListed bool // false if the answer left all entries out
}

type txJSON struct {
	ID            string   `json:"id"`
	Ts            string   `json:"ts"`
	Version       uint16   `json:"version"`
	NEntries      uint32   `json:"nentries"`
	PrevAlh       string   `json:"prevAlh"`
	Alh           string   `json:"alh"`
	BlTxID        string   `json:"blTxId"`
	TruncatedTxID string   `json:"truncatedTxID"`
	Extra         string   `json:"extra"`
	Entries       *[]Entry `json:"entries,omitempty"`
}

func (f TxFacts) MarshalJSON() ([]byte, error) {
	h := &f.Header
	out := txJSON{decimal(h.ID), strconv.FormatInt(h.Ts, 10), h.Version, h.NEntries, hexOf(h.PrevAlh), hexOf(h.Alh),
		decimal(h.BlTxID), decimal(h.TruncatedTxID), hex.EncodeToString(h.Extra), nil}
	if f.IsListed {
		entries := append([]Entry{}, f.Entries...)
		out.Entries = &entries
	}
	return json.Marshal(out)
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

type metaJSON struct {
	Deleted      bool    `json:"deleted"`
	ExpiresAt    *string `json:"expiresAt"`
	NonIndexable bool    `json:"nonIndexable"`
}

func (m Meta) MarshalJSON() ([]byte, error) {
	out := metaJSON{Deleted: m.Deleted, NonIndexable: m.NonIndexable}
	if m.ExpiresAt != nil {
		at := strconv.FormatInt(*m.ExpiresAt, 10)
		out.ExpiresAt = &at
	}
	return json.Marshal(out)
}

type entryJSON struct {
	Key       string  `json:"key"`
	Meta      Meta    `json:"meta"`
	ValueHash string  `json:"valueHash"`
	Value     *string `json:"value,omitempty"`
}

func (e Entry) MarshalJSON() ([]byte, error) {
	out := entryJSON{Key: hex.EncodeToString(e.Key), Meta: e.Meta, ValueHash: hexOf(e.ValueHash)}
	if e.Value != nil {
		value := hex.EncodeToString(e.Value)
		out.Value = &value
	}
	return json.Marshal(out)
}

// KeyFacts is what is proven of a key (7.3). Kind is value, reference or hidden.
type KeyFacts struct {
	Key            string  `json:"key"`
	Tx             string  `json:"tx"`
	Ts             string  `json:"ts"`
	Position       uint32  `json:"position"`
	Meta           Meta    `json:"meta"`
	Kind           string  `json:"kind"`
	Value          *string `json:"value,omitempty"`
	ValueHash      string  `json:"valueHash,omitempty"`
	ReferencedKey  string  `json:"referencedKey,omitempty"`
	ReferencedAtTx string  `json:"referencedAtTx,omitempty"`
}

// AuditFacts is how far an audit read (7.8).
type AuditFacts struct {
	TxID    string `json:"txId"`
	Alh     string `json:"alh"`
	Entries uint64 `json:"entries"`
}

// ForkFacts is what a certificate shows (7.9).
type ForkFacts struct {
	After   string      `json:"after"`
	PrevAlh string      `json:"prevAlh"`
	Sides   [2]ForkSide `json:"sides"`
	Before  [32]byte    `json:"-"` // PrevAlh
}

// ForkSide is one of the two histories. Key is null where nobody signed.
type ForkSide struct {
	DB        string  `json:"db"`
	StateTx   string  `json:"stateTx"`
	StateHash string  `json:"stateHash"`
	Alh       string  `json:"alh"`
	Ts        string  `json:"ts"`
	NEntries  uint32  `json:"nentries"`
	Key       *string `json:"key"`
	State     State   `json:"-"` // StateTx and StateHash
}

// Double is a number of a row or document. JSON lacks NaN and infinity; they are
// null there (FORMAT.md 3).
type Double float64

func (d Double) MarshalJSON() ([]byte, error) {
	if f := float64(d); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(d))
}
