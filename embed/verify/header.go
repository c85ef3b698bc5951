package verify

import (
	"crypto/sha256"
	"encoding/binary"
)

// Header is a transaction's header (3.1). Alh is calculated, never read.
type Header struct {
	ID            uint64
	PrevAlh       [32]byte
	Ts            int64 // seconds since 1970
	Version       uint16
	NEntries      uint32
	EH            [32]byte
	BlTxID        uint64
	BlRoot        [32]byte
	TruncatedTxID uint64
	Extra         []byte
	Alh           [32]byte
}

var headerFields = []string{"id", "prevAlh", "ts", "version", "nentries", "eH", "blTxId", "blRoot", "metadata"}

// readHeader reads a header and calculates its alh (3.1).
func readHeader(m *message) Header {
	meta := m.sub("metadata", "truncatedTxID", "extra")
	version := m.whole("version", maxInt32)
	h := Header{
		ID: m.u64("id"), PrevAlh: m.digest("prevAlh"), Ts: m.i64("ts"),
		NEntries: m.whole("nentries", maxInt32), EH: m.digest("eH"),
		BlTxID: m.u64("blTxId"), BlRoot: m.digest("blRoot"),
		TruncatedTxID: meta.u64("truncatedTxID"), Extra: meta.bytes("extra"),
	}
	switch {
	case version > 1:
		m.wrong("version", "This version is unknown.")
	case h.ID < 1:
		m.wrong(m.name, "There is no transaction 0.")
	case h.NEntries < 1 && h.TruncatedTxID == 0:
		m.wrong(m.name, "A transaction has entries.")
	case h.BlTxID >= h.ID:
		m.wrong(m.name, "A tree holds only earlier transactions.")
	case len(h.Extra) > 256:
		m.wrong(m.name, "This is over 256 bytes.")
	case version == 0 && (h.TruncatedTxID > 0 || len(h.Extra) > 0):
		m.wrong("version", "Version 0 has no metadata.")
	case version == 0 && h.NEntries > 65535:
		m.wrong("version", "Version 0 counts to 65535.")
	}
	h.Version = uint16(version)
	h.Alh = chain(h.ID, h.PrevAlh, h.inner())
	return h
}

// inner is the hash that a linear proof has for a transaction (3.1).
func (h *Header) inner() digest {
	b := make([]byte, 0, 512)
	b = binary.BigEndian.AppendUint64(b, uint64(h.Ts))
	b = binary.BigEndian.AppendUint16(b, h.Version)
	if h.Version == 0 {
		b = binary.BigEndian.AppendUint16(b, uint16(h.NEntries))
	} else {
		var md []byte
		if h.TruncatedTxID > 0 {
			md = binary.BigEndian.AppendUint64(append(md, 0), h.TruncatedTxID)
		}
		if len(h.Extra) > 0 {
			md = binary.BigEndian.AppendUint16(append(md, 1), uint16(len(h.Extra)))
			md = append(md, h.Extra...)
		}
		b = binary.BigEndian.AppendUint16(b, uint16(len(md)))
		b = append(b, md...)
		b = binary.BigEndian.AppendUint32(b, h.NEntries)
	}
	b = append(b, h.EH[:]...)
	b = binary.BigEndian.AppendUint64(b, h.BlTxID)
	return sha256.Sum256(append(b, h.BlRoot[:]...))
}

// chain is H( u64(id) || prevAlh || inner ), the alh of transaction id (3.1, 4.1).
func chain(id uint64, prevAlh, inner digest) digest {
	var b [72]byte
	binary.BigEndian.PutUint64(b[:], id)
	copy(b[8:], prevAlh[:])
	copy(b[40:], inner[:])
	return sha256.Sum256(b[:])
}
