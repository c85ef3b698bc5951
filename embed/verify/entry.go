package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Entry is one entry of a transaction, in its order.
type Entry struct {
	Key       []byte // as stored (3.2)
	Meta      Meta
	ValueHash [32]byte
	Value     []byte // as stored; nil if it did not come along
}

// Meta is the metadata of an entry.
type Meta struct {
	Deleted      bool
	ExpiresAt    *int64 // seconds since 1970; nil: never
	NonIndexable bool
}

// isSet says whether there is any.
func (m Meta) isSet() bool { return m.Deleted || m.ExpiresAt != nil || m.NonIndexable }

// readMeta reads the field metadata of an entry. expiration without expiresAt is
// an expiration at 0 (3.2). Other fields are refused in a request, too.
func readMeta(m *message) Meta {
	md := m.strictSub("metadata", "deleted", "expiration", "nonIndexable")
	meta := Meta{Deleted: md.flag("deleted"), NonIndexable: md.flag("nonIndexable")}
	expiration := md.strictSub("expiration", "expiresAt")
	if at := expiration.i64("expiresAt"); md.has("expiration") {
		meta.ExpiresAt = &at
	}
	return meta
}

// digest is what a transaction's tree holds of an entry (3.2), by the version of
// its proven header. In version 0 an entry has no metadata.
func (e *Entry) digest(version uint16) (d digest, ok bool) {
	if version == 0 {
		return sha256.Sum256(append(append(make([]byte, 0, 256), e.Key...), e.ValueHash[:]...)), !e.Meta.isSet()
	}
	var em []byte
	if e.Meta.Deleted {
		em = append(em, 0)
	}
	if e.Meta.ExpiresAt != nil {
		em = binary.BigEndian.AppendUint64(append(em, 1), uint64(*e.Meta.ExpiresAt))
	}
	if e.Meta.NonIndexable {
		em = append(em, 2)
	}
	b := binary.BigEndian.AppendUint16(make([]byte, 0, 256), uint16(len(em)))
	b = append(b, em...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(e.Key)))
	b = append(b, e.Key...)
	return sha256.Sum256(append(b, e.ValueHash[:]...)), len(e.Key) <= math.MaxUint16
}

// Stored keys and values (3.2).

func plainKey(key []byte) []byte { return append([]byte{0}, key...) }

func plainValue(value []byte) []byte { return append([]byte{0}, value...) }

func referenceValue(atTx uint64, key []byte) []byte {
	return append(append(binary.BigEndian.AppendUint64([]byte{1}, atTx), 0), key...)
}

func setKey(set []byte, score float64, key []byte, atTx uint64) []byte {
	b := binary.BigEndian.AppendUint64([]byte{1}, uint64(len(set)))
	b = append(b, set...)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(score))
	b = binary.BigEndian.AppendUint64(b, uint64(len(key))+1)
	b = append(append(b, 0), key...)
	return binary.BigEndian.AppendUint64(b, atTx)
}

// rowKey is the key of a row (prefix 2) or of a document (prefix 3).
func rowKey(prefix byte, table uint32, primaryKey []byte) []byte {
	b := append([]byte{prefix}, "R."...)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, table)
	b = binary.BigEndian.AppendUint32(b, 0)
	return append(b, primaryKey...)
}
