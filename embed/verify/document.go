package verify

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DocumentFacts is what is proven of a document (7.7).
type DocumentFacts struct {
	CollectionID uint32            `json:"collectionId"`
	DocumentID   string            `json:"documentId"`
	Tx           string            `json:"tx"`
	Ts           string            `json:"ts"`
	Deleted      bool              `json:"deleted"`
	Document     map[string]any    `json:"document"`
	Indexed      map[string]string `json:"indexed"`
}

// verifyDocument is 7.7.
func verifyDocument(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	req := asked.root(request, "documentId", "transactionId")
	id, err := hex.DecodeString(string(req.text("documentId")))
	if err != nil || len(id) == 0 || len(id) > 32 {
		req.wrong("documentId", "This is no id of a document.")
	}
	atTx := req.txID("transactionId")
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer"}
	m := in.root(response, "database", "collectionId", "documentIdFieldName", "encodedDocument", "verifiableTx")
	database, collection := m.text("database"), m.whole("collectionId", maxUint32)
	idField, encoded := string(m.text("documentIdFieldName")), m.bytes("encodedDocument")
	vtx := m.need("verifiableTx", vtxFields...)
	x := vtx.need("tx", txFields...).need("header", headerFields...).u64("id")
	if in.bad != nil {
		return Result{}, in.bad
	}
	switch {
	case string(database) != known.Database:
		return Result{}, refuse("wrong-database", "request", "database", "The answer is of another database.")
	case known.CollectionID != nil && *known.CollectionID != collection:
		return Result{}, refuse("schema-changed", "content", "collectionId", "The collection has another number than the pinned one.")
	case atTx > 0 && atTx != x:
		return Result{}, refuse("answer-mismatch", "request", "transactionId", "The answer is of another transaction.")
	}
	p, bad := prove(known, vtx, x, dualProofV2)
	if bad != nil {
		return Result{}, bad
	}
	if !p.isListed {
		return Result{}, refuse("tx-mismatch", "entry", "entries", "The entries are missing.")
	}
	// No key is there twice (7.2), so at most one entry has it.
	padded := append(append([]byte{0x80}, id...), make([]byte, 32-len(id))...)
	key := rowKey(3, collection, binary.BigEndian.AppendUint32(padded, uint32(len(id))))
	var stored *Entry
	for i := range p.entries {
		if bytes.Equal(p.entries[i].Key, key) {
			stored = &p.entries[i]
		}
	}
	if stored == nil {
		return Result{}, refuse("entry-not-included", "entry", "documentId", "The document is not in the transaction.")
	}
	if hash := sha(encoded); stored.ValueHash != hash {
		return Result{}, refuse("entry-not-included", "value", "encodedDocument", "The transaction has another document.").with(stored.ValueHash, hash)
	}
	if stored.Meta.ExpiresAt != nil || stored.Meta.NonIndexable {
		return Result{}, refuse("answer-mismatch", "request", "metadata", "A document has no such metadata.")
	}
	facts := DocumentFacts{CollectionID: collection, DocumentID: hex.EncodeToString(id), Tx: decimal(x),
		Ts: strconv.FormatInt(p.Header.Ts, 10), Deleted: stored.Meta.Deleted, Indexed: map[string]string{}}
	if bad := facts.read(encoded, id, idField); bad != nil {
		return Result{}, bad
	}
	if known.CollectionID == nil || known.IsOnlySeen {
		p.result.Open = append(p.result.Open, "description")
	}
	return p.done(facts), nil
}

// read fills in the document: cell 1 is its id, cell 2 a Struct, the others are
// indexed fields (7.7).
func (f *DocumentFacts) read(encoded, id []byte, idField string) *refusal {
	bad := func(part, why string) *refusal { return refuse("document-encoding", "content", part, why) }
	var ownID, content []byte
	hasContent := false
	indexed := map[string]int{}
	if !readCells(encoded, func(column uint32, cell []byte) {
		switch column {
		case 1:
			ownID = cell
		case 2:
			content, hasContent = cell, true
		default:
			f.Indexed[decimal(uint64(column))] = hex.EncodeToString(cell)
			indexed[string(cell)]++
		}
	}) || !hasContent && ownID != nil {
		return bad("encodedDocument", "The bytes are no document.")
	}
	if !bytes.Equal(ownID, id) {
		return bad("documentId", "The document has another id inside.")
	}
	document, ok := readStruct(content, 1)
	if !ok {
		return bad("encodedDocument", "The content is no document.")
	}
	f.Document = document
	// The field that the answer names, or another one if that one is missing or not
	// indexed: before the field was renamed, the id had another name.
	isID := func(value any) bool {
		text, isText := value.(string)
		return isText && strings.EqualFold(text, hex.EncodeToString(id))
	}
	named, isThere := document[idField]
	if isID(named) {
		return nil
	}
	if text, isText := named.(string); isThere && isText && indexed[text] > countText(document, text)-1 {
		return bad("documentIdFieldName", "The field of the id holds something else.")
	}
	for _, value := range document {
		if isID(value) {
			return nil
		}
	}
	return bad("documentIdFieldName", "No field holds the id.")
}

// countText counts the fields that hold a text, at any depth.
func countText(value any, text string) (n int) {
	switch value := value.(type) {
	case string:
		if value == text {
			n = 1
		}
	case map[string]any:
		for _, below := range value {
			n += countText(below, text)
		}
	}
	return n
}

// maxStruct bounds how deep a document is nested: as protobuf in Go does.
const maxStruct = 10_000

// readStruct reads a google.protobuf.Struct strictly (7.7).
func readStruct(b []byte, depth int) (map[string]any, bool) {
	out := map[string]any{}
	ok := depth <= maxStruct && fields(b, func(number, wire int, _ uint64, entry []byte) bool {
		var name, value []byte
		hasName, hasValue := false, false
		if number != 1 || wire != 2 || !fields(entry, func(number, wire int, _ uint64, part []byte) bool {
			switch {
			case number == 1 && wire == 2 && !hasName:
				name, hasName = part, true
			case number == 2 && wire == 2 && !hasValue:
				value, hasValue = part, true
			default:
				return false
			}
			return true
		}) || !utf8.Valid(name) {
			return false
		}
		if _, isTwice := out[string(name)]; isTwice {
			return false
		}
		read, ok := readValue(value, depth)
		out[string(name)] = read
		return ok
	})
	return out, ok
}

// readValue reads a google.protobuf.Value; one that is not set is null.
func readValue(b []byte, depth int) (value any, ok bool) {
	if depth > maxStruct {
		return nil, false
	}
	n := 0
	ok = fields(b, func(number, wire int, bits uint64, part []byte) bool {
		n++
		ok := n == 1
		switch number<<3 | wire {
		case 1<<3 | 0:
		case 2<<3 | 1:
			value = Double(math.Float64frombits(bits))
		case 3<<3 | 2:
			value, ok = string(part), ok && utf8.Valid(part)
		case 4<<3 | 0:
			value = bits != 0
		case 5<<3 | 2:
			var isRead bool
			value, isRead = readStruct(part, depth+1)
			ok = ok && isRead
		case 6<<3 | 2:
			items := []any{}
			ok = ok && fields(part, func(number, wire int, _ uint64, item []byte) bool {
				read, isRead := readValue(item, depth+1)
				items = append(items, read)
				return isRead && number == 1 && wire == 2
			})
			value = items
		default:
			return false
		}
		return ok
	})
	return value, ok
}

// fields calls each for every field of a protobuf message: of wire type 0 and 1
// with its bits, of type 2 with its bytes. Other types are refused.
func fields(b []byte, each func(number, wire int, bits uint64, part []byte) bool) bool {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 15 {
			return false
		}
		b = b[n:]
		var bits uint64
		var part []byte
		switch tag & 7 {
		case 0:
			if bits, n = binary.Uvarint(b); n <= 0 {
				return false
			}
		case 1:
			if n = 8; len(b) < 8 {
				return false
			}
			bits = binary.LittleEndian.Uint64(b) // doubles are little-endian
		case 2:
			size, m := binary.Uvarint(b)
			if m <= 0 || size > uint64(len(b)-m) {
				return false
			}
			b, n = b[m:], int(size)
			part = b[:size]
		default:
			return false
		}
		if b = b[n:]; !each(int(tag>>3), int(tag&7), bits, part) {
			return false
		}
	}
	return true
}
