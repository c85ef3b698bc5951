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

// Schema is the description of a table (7.6). No proof covers it.
type Schema struct {
	Table    string
	TableID  uint32
	PK       []uint32 // ids of the primary key's columns, in its order
	Columns  []Column // in any order
	MaxColID uint32

	byID map[uint32]*Column
}

// Column is one column of a table.
type Column struct {
	ID     uint32
	Name   string
	Type   string
	MaxLen uint32
}

// equals compares all of two descriptions (7.6).
func (s *Schema) equals(o *Schema) bool {
	if s.Table != o.Table || s.TableID != o.TableID || s.MaxColID != o.MaxColID ||
		len(s.PK) != len(o.PK) || len(s.Columns) != len(o.Columns) {
		return false
	}
	for i := range s.PK {
		if s.PK[i] != o.PK[i] {
			return false
		}
	}
	columns := map[uint32]Column{}
	for _, c := range s.Columns {
		columns[c.ID] = c
	}
	for _, c := range o.Columns {
		if columns[c.ID] != c {
			return false
		}
	}
	return len(columns) == len(o.Columns)
}

// readSchema reads the pinned schema of a context. What cannot be read is equal
// to no schema.
func readSchema(raw []byte) *Schema {
	if raw == nil {
		return nil
	}
	in := &reading{step: "context"}
	fields := []string{"table", "tableId", "pk", "cols", "maxColId"}
	m := in.root(raw, fields...)
	m.all(fields)
	s := &Schema{Table: string(m.text("table")), TableID: m.whole("tableId", maxUint32), MaxColID: m.whole("maxColId", maxUint32)}
	s.PK = m.wholes("pk")
	column := []string{"id", "name", "type", "maxLen"}
	m.subs("cols", "cols", func(c *message) bool {
		c.all(column)
		s.Columns = append(s.Columns, Column{c.whole("id", maxUint32), string(c.text("name")), string(c.text("type")), c.whole("maxLen", maxUint32)})
		return true
	}, column...)
	if in.bad != nil {
		return &Schema{}
	}
	return s
}

// all demands that no field is missing.
func (m *message) all(fields []string) {
	for _, field := range fields {
		if !m.has(field) {
			m.wrong(field, "This is missing.")
		}
	}
}

// wholes is a list of numbers of columns.
func (m *message) wholes(field string) []uint32 {
	var out []uint32
	m.list(field, func(raw []byte) bool {
		n, ok := wholeNumber(raw, maxUint32)
		if !ok {
			m.wrong(field, "This is no list of columns.")
		}
		out = append(out, n)
		return ok
	})
	return out
}

// byColumn calls each with the number and text of every item of an object whose
// names are ids of columns.
func (m *message) byColumn(field string, each func(id uint32, raw []byte) bool) {
	raw := m.raw(field)
	if raw == nil {
		return
	}
	if raw[0] != '{' {
		m.wrong(field, "This is no object.")
		return
	}
	members(raw, func(quoted, value []byte) bool {
		name := meant(quoted)
		id, err := strconv.ParseUint(string(name), 10, 32)
		if err != nil || !isPlain(name) || !each(uint32(id), value) {
			m.wrong("schema", "This does not describe columns.")
			return false
		}
		return true
	})
}

// types are the types of columns and the size of their cells; 0 is any (7.6).
var types = map[string]int{"INTEGER": 8, "TIMESTAMP": 8, "FLOAT": 8, "BOOLEAN": 1, "UUID": 16, "VARCHAR": 0, "BLOB": 0, "JSON": 0}

var claimFields = []string{"sqlEntry", "verifiableTx", "inclusionProof", "DatabaseId", "TableId", "PKIDs",
	"ColNamesById", "ColIdsByName", "ColTypesById", "ColLenById", "MaxColId"}

// claimedSchema reads what the server says of a table. It must be consistent
// (7.6). isOlder: it has the form of immudb 1.5 and before.
func claimedSchema(m *message, db, table string) (s *Schema, isOlder bool) {
	m.whole("DatabaseId", maxUint32)
	s = &Schema{Table: table, TableID: m.whole("TableId", maxUint32), PK: m.wholes("PKIDs"), MaxColID: m.whole("MaxColId", maxUint32)}
	isOlder = s.MaxColID == 0
	lengths, typeOf, ids := map[uint32]uint32{}, map[uint32]string{}, map[string]uint32{}
	m.byColumn("ColLenById", func(id uint32, raw []byte) bool {
		n, ok := wholeNumber(raw, maxUint32)
		lengths[id] = n
		return ok || string(raw) == "null"
	})
	m.byColumn("ColTypesById", func(id uint32, raw []byte) bool {
		if raw[0] == '"' {
			typeOf[id] = string(meant(raw))
		}
		_, ok := types[typeOf[id]]
		return ok
	})
	if raw := m.raw("ColIdsByName"); raw != nil && raw[0] != '{' {
		m.wrong("schema", "This is no object.")
	} else if raw != nil {
		members(raw, func(quoted, value []byte) bool {
			id, ok := wholeNumber(value, maxUint32)
			if !ok {
				m.wrong("schema", "This does not describe columns.")
			}
			ids[string(meant(quoted))] = id
			return ok
		})
	}
	prefix, olderPrefix := "("+table+".", "("+db+"."+table+"."
	highest := uint32(0)
	m.byColumn("ColNamesById", func(id uint32, raw []byte) bool {
		if raw[0] != '"' || typeOf[id] == "" {
			return false
		}
		c := Column{id, string(meant(raw)), typeOf[id], lengths[id]}
		delete(lengths, id)
		byName, ok := ids[prefix+c.Name+")"]
		if !ok && isOlder {
			byName, ok = ids[olderPrefix+c.Name+")"]
		}
		if !ok || byName != id || id == 0 {
			return false
		}
		s.Columns, highest = append(s.Columns, c), max(highest, id)
		return true
	})
	if isOlder {
		s.MaxColID = highest
	}
	s.byID = make(map[uint32]*Column, len(s.Columns))
	for i := range s.Columns {
		s.byID[s.Columns[i].ID] = &s.Columns[i]
	}
	inKey := map[uint32]bool{}
	for _, id := range s.PK {
		if c := s.byID[id]; c == nil || c.Name == "" || inKey[id] {
			m.wrong("schema", "This is no primary key of the table.")
			break
		}
		inKey[id] = true
	}
	switch {
	case len(s.PK) == 0:
		m.wrong("schema", "The table has no primary key.")
	case len(s.Columns) != len(typeOf) || len(s.Columns) != len(ids) || len(lengths) > 0:
		m.wrong("schema", "The descriptions of the columns contradict each other.")
	case highest > s.MaxColID:
		m.wrong("schema", "A column lies beyond the last one.")
	}
	return s, isOlder
}

// RowFacts is what is proven of a row (7.6). Named has the names that the server
// or the pinned schema gives to columns.
type RowFacts struct {
	TableID  uint32               `json:"tableId"`
	Deleted  bool                 `json:"deleted"`
	Key      string               `json:"key"`
	Tx       string               `json:"tx"`
	Ts       string               `json:"ts"`
	Position uint32               `json:"position"`
	Raw      map[string]string    `json:"raw"`
	Named    map[string]*CellFact `json:"named"`
	Hidden   []uint32             `json:"hidden"` // dropped columns that still have a cell
}

// CellFact is one cell, as text by its type and as bytes in hex.
type CellFact struct {
	Type    string `json:"type"`
	Value   any    `json:"value"`
	Raw     string `json:"raw"`
	IsBytes bool   `json:"isBytes,omitempty"`
}

// verifyRow is 7.6.
func verifyRow(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	req := asked.root(request, "sqlGetRequest").need("sqlGetRequest", "table", "pkValues", "atTx")
	table, atTx := string(req.text("table")), req.txID("atTx")
	if string(req.raw("pkValues")) == "[]" {
		req.wrong("pkValues", "No row was asked for.")
	}
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer"}
	m := in.root(response, claimFields...)
	e := m.need("sqlEntry", "tx", "key", "value", "metadata")
	tx, value, meta := e.u64("tx"), e.bytes("value"), readMeta(e)
	e.bytes("key") // an index key, of no use
	at := readInclusion(m)
	schema, isOlder := claimedSchema(m, known.Database, table)
	vtx := m.need("verifiableTx", vtxFields...)
	if in.bad != nil {
		return Result{}, in.bad
	}
	primary, cells, bad := schema.key(req)
	if bad != nil {
		return Result{}, bad
	}
	p, bad := prove(known, vtx, tx, dualProof)
	if bad != nil {
		return Result{}, bad
	}
	mismatch := func(part, why string) (Result, *refusal) {
		return Result{}, refuse("answer-mismatch", "request", part, why)
	}
	switch {
	case atTx > 0 && atTx != tx:
		return mismatch("atTx", "The answer is of another transaction.")
	case meta.ExpiresAt != nil || meta.NonIndexable || meta.Deleted && atTx == 0:
		return mismatch("metadata", "A row has no such metadata.")
	}
	stored := Entry{Key: rowKey(2, schema.TableID, primary), Meta: meta, ValueHash: sha(value)}
	if bad := p.holds(stored, at); bad != nil {
		return Result{}, bad
	}
	// A deletion of immudb up to 1.4 has no cells.
	if isBare := isOlder && meta.Deleted && len(value) == 0; isBare {
		value, cells = []byte{0, 0, 0, 0}, nil
	}
	facts := RowFacts{TableID: schema.TableID, Deleted: meta.Deleted, Key: hex.EncodeToString(stored.Key), Tx: decimal(tx),
		Ts: strconv.FormatInt(p.Header.Ts, 10), Position: at.leaf}
	if bad := facts.read(schema, value, cells); bad != nil {
		return Result{}, bad
	}
	if known.Schema != nil && !schema.equals(known.Schema) {
		return Result{}, refuse("schema-changed", "content", "schema", "The table is described otherwise than the pinned schema.")
	}
	if known.Schema == nil || known.IsOnlySeen {
		p.result.Open = append(p.result.Open, "description")
	}
	if isOlder {
		if known.HasNewerForm {
			return Result{}, refuse("older-form", "answer", "MaxColId", "The server gave rows in the newer form before.")
		}
		p.result.Verdict, p.result.Reason = Unproven, "older-form"
		p.result.Why = "immudb up to 1.5 does not say enough of a table to prove a row."
	}
	return p.done(facts), nil
}

// key is the primary key that a request asks for, as it stands in the stored key
// and as it must stand in the cells of the row (7.6).
func (s *Schema) key(req *message) (primary []byte, cells map[uint32][]byte, bad *refusal) {
	cells = map[uint32][]byte{}
	n := 0
	req.subs("pkValues", "pkValues", func(value *message) bool {
		if n < len(s.PK) {
			c := s.byID[s.PK[n]]
			cell, inKey, ok := c.keyPart(value)
			if !ok && bad == nil {
				bad = refuse("entry-not-included", "value", "pkValues", "This is no value of the key's column.")
			}
			primary, cells[c.ID] = append(append(primary, 0x80), inKey...), cell
		}
		n++
		return true
	}, "n", "ts", "f", "b", "s", "bs")
	if req.in.bad != nil {
		return nil, nil, req.in.bad
	}
	if n != len(s.PK) {
		bad = refuse("answer-mismatch", "request", "PKIDs", "The primary key has another number of columns.")
	}
	return primary, cells, bad
}

// keyPart is a value as a cell and in a key (7.6).
func (c *Column) keyPart(value *message) (cell, inKey []byte, ok bool) {
	inverted := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n^1<<63) }
	switch c.Type {
	case "INTEGER":
		n := uint64(value.i64("n"))
		return binary.BigEndian.AppendUint64(nil, n), inverted(n), value.has("n")
	case "TIMESTAMP":
		micros := uint64(value.i64("ts"))
		return binary.BigEndian.AppendUint64(nil, micros), inverted(micros * 1000), value.has("ts")
	case "FLOAT":
		f, ok := number(value.raw("f"))
		bits := math.Float64bits(f)
		cell = binary.BigEndian.AppendUint64(nil, bits)
		if bits>>63 == 1 {
			return cell, binary.BigEndian.AppendUint64(nil, ^bits), ok
		}
		return cell, inverted(bits), ok
	case "BOOLEAN":
		cell = []byte{0}
		if value.flag("b") {
			cell[0] = 1
		}
		return cell, cell, value.has("b")
	case "UUID":
		cell, ok = readUUID(value.text("s"))
		return cell, cell, ok
	case "VARCHAR", "BLOB":
		field := map[string]string{"VARCHAR": "s", "BLOB": "bs"}[c.Type]
		if cell = value.text(field); c.Type == "BLOB" {
			cell = value.bytes(field)
		}
		if !value.has(field) || uint64(len(cell)) > uint64(c.MaxLen) || c.MaxLen > 1<<16-1 {
			return nil, nil, false
		}
		inKey = append(append(inKey, cell...), make([]byte, int(c.MaxLen)-len(cell))...)
		return cell, binary.BigEndian.AppendUint32(inKey, uint32(len(cell))), true
	}
	return nil, nil, false // JSON cannot be in a key
}

func readUUID(text []byte) ([]byte, bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil, false
	}
	out, err := hex.DecodeString(strings.ReplaceAll(string(text), "-", ""))
	return out, err == nil && len(out) == 16
}

// readCells reads a row: u32(cells), then u32(column) || u32(length) || bytes for
// each, nothing behind it and no column twice (7.6).
func readCells(row []byte, each func(id uint32, cell []byte)) bool {
	u32 := func() (n uint32, ok bool) {
		if len(row) < 4 {
			return 0, false
		}
		n, row = binary.BigEndian.Uint32(row), row[4:]
		return n, true
	}
	seen := map[uint32]bool{}
	left, ok := u32()
	for ; ok && left > 0; left-- {
		id, isID := u32()
		size, isSize := u32()
		if !isID || !isSize || uint64(size) > uint64(len(row)) || seen[id] {
			return false
		}
		seen[id] = true
		each(id, row[:size])
		row = row[size:]
	}
	return ok && len(row) == 0
}

// read fills in the cells of a row. Those of the primary key must be the ones
// that were asked for.
func (f *RowFacts) read(s *Schema, value []byte, primary map[uint32][]byte) *refusal {
	f.Raw, f.Named, f.Hidden = map[string]string{}, map[string]*CellFact{}, []uint32{}
	for i := range s.Columns {
		f.Named[s.Columns[i].Name] = nil
	}
	got, order := map[uint32][]byte{}, []uint32{}
	if !readCells(value, func(id uint32, cell []byte) { got[id], order = cell, append(order, id) }) {
		return refuse("row-encoding", "content", "value", "The bytes are no row.")
	}
	for id, cell := range primary {
		if there, ok := got[id]; !ok || !bytes.Equal(there, cell) {
			return refuse("answer-mismatch", "request", "pkValues", "The row has another primary key inside.")
		}
	}
	for _, id := range order {
		cell := got[id]
		raw := hex.EncodeToString(cell)
		f.Raw[decimal(uint64(id))] = raw
		c := s.byID[id]
		if c == nil {
			if id < 1 || id > s.MaxColID {
				return refuse("row-encoding", "content", "MaxColId", "The row has a column that the table never had.")
			}
			f.Hidden = append(f.Hidden, id)
			continue
		}
		size := types[c.Type]
		if size > 0 && len(cell) != size || c.Type == "BOOLEAN" && cell[0] > 1 {
			return refuse("row-encoding", "content", c.Name, "The cell does not fit its type.")
		}
		fact := &CellFact{Type: c.Type, Raw: raw}
		fact.Value, fact.IsBytes = shownCell(c.Type, cell)
		f.Named[c.Name] = fact
	}
	return nil
}

func shownCell(kind string, cell []byte) (value any, isBytes bool) {
	switch kind {
	case "INTEGER", "TIMESTAMP":
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(cell)), 10), false
	case "FLOAT":
		return Double(math.Float64frombits(binary.BigEndian.Uint64(cell))), false
	case "BOOLEAN":
		return cell[0] == 1, false
	case "UUID":
		h := hex.EncodeToString(cell)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], false
	case "BLOB":
		return hex.EncodeToString(cell), false
	}
	if !utf8.Valid(cell) {
		return hex.EncodeToString(cell), true
	}
	return string(cell), false
}
