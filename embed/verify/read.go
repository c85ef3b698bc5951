package verify

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"math"
	"strconv"
)

// refusal is why an answer is refused (9).
type refusal struct {
	reason, step, part, why string
	expected, received      string
}

func refuse(reason, step, part, why string) *refusal {
	return &refusal{reason: reason, step: step, part: part, why: why}
}

// with adds the two hashes that were compared.
func (r *refusal) with(expected, received digest) *refusal {
	r.expected, r.received = hexOf(expected), hexOf(received)
	return r
}

// reading keeps the first thing that is wrong with a text; what is read after
// that is zero and of no use. step says whose text it is: answer, request or
// context.
type reading struct {
	step string
	name string // of the message at the top; "": the step
	bad  *refusal
}

// message is a JSON object with the fields that are known of it (2).
type message struct {
	in     *reading
	name   string
	names  []string
	values [][]byte
}

// root reads a whole text, which may be anyone's.
func (in *reading) root(text []byte, names ...string) *message {
	m := &message{in: in, name: cmp.Or(in.name, in.step)}
	text = bytes.TrimSpace(text)
	if in.step == "request" && (len(text) == 0 || string(text) == "null") {
		return m // nothing was asked for
	}
	if why := WellFormed(text); why != "" {
		m.wrong(m.name, why)
		return m
	}
	m.fill(text, in.step == "answer", names)
	return m
}

// fill finds the fields. A strict message has no others, unless they are null.
func (m *message) fill(object []byte, isStrict bool, names []string) {
	m.names, m.values = names, make([][]byte, len(names))
	if object[0] != '{' {
		m.wrong(m.name, "This is no object.")
		return
	}
	members(object, func(quoted, value []byte) bool {
		if string(value) == "null" {
			return true
		}
		name := meant(quoted)
		for i := range names {
			if names[i] == string(name) {
				m.values[i] = value
				return true
			}
		}
		if isStrict {
			m.wrong(m.name+"."+string(name), "This field is unknown.")
		}
		return !isStrict
	})
}

// wrong refuses the whole text for a field (9).
func (m *message) wrong(field, why string) {
	if m.in.bad == nil {
		m.in.bad = refuse("malformed", m.in.step, field, why)
	}
}

// raw is the text of a field, nil where it is missing or null.
func (m *message) raw(field string) []byte {
	for i := range m.names {
		if m.names[i] == field && m.values != nil {
			return m.values[i]
		}
	}
	return nil
}

func (m *message) has(field string) bool { return m.raw(field) != nil }

// otherNames are messages whose name in a refusal (9) is another one than that of
// their field.
var otherNames = map[string]string{"header": "tx.header", "proof": "verifiableTx"}

// sub is a message in a field; a missing one has no fields. Those of an answer
// are strict.
func (m *message) sub(field string, names ...string) *message {
	return m.below(field, m.in.step == "answer", names)
}

func (m *message) strictSub(field string, names ...string) *message {
	return m.below(field, true, names)
}

func (m *message) below(field string, isStrict bool, names []string) *message {
	below := &message{in: m.in, name: cmp.Or(otherNames[field], field)}
	if raw := m.raw(field); raw != nil {
		below.fill(raw, isStrict, names)
	}
	return below
}

// need is sub for one that must be there.
func (m *message) need(field string, names ...string) *message {
	if !m.has(field) {
		m.wrong(cmp.Or(otherNames[field], field), "This is missing.")
	}
	return m.sub(field, names...)
}

// text is a string; a missing one is empty.
func (m *message) text(field string) []byte {
	raw := m.raw(field)
	if raw == nil {
		return nil
	}
	if raw[0] != '"' {
		m.wrong(field, "This is no text.")
		return nil
	}
	return meant(raw)
}

func (m *message) flag(field string) bool {
	switch string(m.raw(field)) {
	case "true":
		return true
	case "false", "":
	default:
		m.wrong(field, "This is neither true nor false.")
	}
	return false
}

// u64 is a decimal string without leading zeros, sign or fraction.
func (m *message) u64(field string) uint64 {
	text := m.text(field)
	if text == nil {
		return 0
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || !isPlain(text) {
		m.wrong(field, "This is no number of 64 bits.")
		return 0
	}
	return n
}

func (m *message) i64(field string) int64 {
	text := m.text(field)
	if text == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || !isPlain(bytes.TrimPrefix(text, []byte("-"))) || (n == 0 && text[0] == '-') {
		m.wrong(field, "This is no number of 64 bits.")
		return 0
	}
	return n
}

func isPlain(digits []byte) bool {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) == 1 || len(digits) > 1 && digits[0] != '0'
}

// whole is a JSON number of 32 bits, not negative and at most max.
func (m *message) whole(field string, max uint32) uint32 {
	raw := m.raw(field)
	if raw == nil {
		return 0
	}
	n, ok := wholeNumber(raw, max)
	if !ok {
		m.wrong(field, "This is no number of the right size.")
	}
	return n
}

const (
	maxInt32  = math.MaxInt32  // of a count
	maxUint32 = math.MaxUint32 // of a table, a column or a collection
)

func wholeNumber(raw []byte, max uint32) (uint32, bool) {
	n, ok := number(raw)
	if !ok || n != math.Trunc(n) || n < 0 || n > float64(max) {
		return 0, false
	}
	return uint32(n), true
}

// number is a JSON number as a double.
func number(raw []byte) (float64, bool) {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}

// txID is a transaction in a request: those are our own, and a safe integer does.
func (m *message) txID(field string) uint64 {
	n, ok := number(m.raw(field))
	if !ok {
		return m.u64(field)
	}
	if n != math.Trunc(n) || n < 0 || n > 1<<53-1 {
		m.wrong(field, "This is no number of a transaction.")
		return 0
	}
	return uint64(n)
}

var base64Strict = base64.StdEncoding.Strict()

// decode reads base64 with padding, without line breaks or bits left over.
func decode(text []byte) ([]byte, bool) {
	if bytes.ContainsAny(text, "\r\n") {
		return nil, false
	}
	out := make([]byte, base64Strict.DecodedLen(len(text)))
	n, err := base64Strict.Decode(out, text)
	return out[:n], err == nil
}

func (m *message) bytes(field string) []byte {
	out, ok := decode(m.text(field))
	if !ok {
		m.wrong(field, "This is not base64.")
		return nil
	}
	return out
}

type digest = [32]byte

// readDigest reads exactly 32 bytes; the Go client cuts or fills others.
func readDigest(raw []byte) (digest, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return digest{}, false
	}
	out, ok := decode(meant(raw))
	if !ok || len(out) != 32 {
		return digest{}, false
	}
	return digest(out), true
}

func (m *message) digest(field string) digest {
	d, ok := readDigest(m.raw(field))
	if !ok {
		m.wrong(field, "This is no hash of 32 bytes.")
	}
	return d
}

// list calls each with the text of every item.
func (m *message) list(field string, each func(item []byte) bool) {
	raw := m.raw(field)
	if raw == nil {
		return
	}
	if raw[0] != '[' {
		m.wrong(field, "This is no list.")
		return
	}
	elements(raw, each)
}

func (m *message) digests(field string) []digest {
	var out []digest
	m.list(field, func(item []byte) bool {
		d, ok := readDigest(item)
		if !ok {
			m.wrong(field, "This is no hash of 32 bytes.")
		}
		out = append(out, d)
		return ok
	})
	return out
}

// subs calls each with every message of a list, which has a name of its own.
func (m *message) subs(field, name string, each func(item *message) bool, names ...string) {
	m.list(field, func(raw []byte) bool {
		item := &message{in: m.in, name: name}
		item.fill(raw, m.in.step == "answer", names)
		return m.in.bad == nil && each(item)
	})
}
