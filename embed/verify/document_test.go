package verify

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// A Struct by hand: field is a tag with bytes, entry a name with a value.

func field(number byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	return append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(content))), content...)
}

func entryOf(name string, value ...[]byte) []byte {
	return field(1, field(1, []byte(name)), field(2, value...))
}

func textValue(text string) []byte { return field(3, []byte(text)) }

func TestADocumentHoldsWhatAStructCan(t *testing.T) {
	number := func(f float64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{17}, math.Float64bits(f))
	}
	content := bytes.Join([][]byte{
		entryOf("", field(5)), entryOf("number", number(-0.25)), entryOf("yes", []byte{32, 1}), entryOf("no", []byte{32, 0}),
		entryOf("null", []byte{8, 0}), entryOf("unset"), entryOf("list", field(6, field(1, []byte{8, 0}), field(1, textValue("x")))),
		entryOf("text", textValue("\ufeff✓")), field(1, field(1, []byte("bare"))), entryOf("nan", number(math.NaN())),
	}, nil)
	document, ok := readStruct(content, 1)
	got, err := json.Marshal(document)
	want := `{"":{},"bare":null,"list":[null,"x"],"nan":null,"no":false,"null":null,"number":-0.25,"text":"` + "\ufeff✓" + `","unset":null,"yes":true}`
	if !ok || err != nil || string(got) != want {
		t.Errorf("%v %v\n%s\n%s", ok, err, got, want)
	}
}

func TestADocumentThatIsNoStructIsRefused(t *testing.T) {
	long := bytes.Repeat([]byte{0xff}, 12)
	for name, content := range map[string][]byte{
		"a field twice":             append(entryOf("a", textValue("1")), entryOf("a", textValue("2"))...),
		"a value of two kinds":      entryOf("a", textValue("1"), textValue("2")),
		"an unknown kind":           entryOf("a", field(7, []byte("x"))),
		"a text that is a number":   entryOf("a", []byte{24, 1}),
		"an entry with more":        field(1, field(3, []byte("x"))),
		"a name twice":              field(1, field(1, []byte("a")), field(1, []byte("b"))),
		"another field":             field(2, []byte("x")),
		"a length that is too long": {10, 5, 1},
		"a length without end":      append([]byte{10}, long...),
		"a varint without end":      entryOf("a", append([]byte{8}, long...)),
		"a varint that is cut off":  entryOf("a", []byte{8, 0x80}),
		"a varint beyond 64 bits":   entryOf("a", append(append([]byte{32}, bytes.Repeat([]byte{0x80}, 9)...), 2)),
		"a text that is no UTF-8":   entryOf("a", field(3, []byte{0xc3, 0x28})),
		"a name that is no UTF-8":   field(1, field(1, []byte{0xff})),
		"half a number":             entryOf("a", []byte{17, 1, 2}),
		"a group":                   {11, 12},
		"a fixed32":                 entryOf("a", []byte{13, 1, 2, 3, 4}),
		"the field 0":               {2, 0},
	} {
		if document, ok := readStruct(content, 1); ok {
			t.Errorf("%s: %v", name, document)
		}
	}
}

func nested(depth int) []byte {
	value := textValue("end")
	for at := range depth {
		if at%2 == 0 {
			value = field(6, field(1, value))
		} else {
			value = field(5, entryOf("a", value))
		}
	}
	return entryOf("a", value)
}

func TestADocumentMayBeNestedDeep(t *testing.T) {
	document, ok := readStruct(nested(5_000), 1)
	if text, err := json.Marshal(document); !ok || err != nil || !strings.Contains(string(text), "end") {
		t.Errorf("5,000 levels: %v %v", ok, err)
	}
	if _, ok := readStruct(nested(10_500), 1); ok {
		t.Error("10,500 levels")
	}
}

// Before the field of the id was renamed, the id had another name (7.7).
func TestADocumentHasItsIDInAField(t *testing.T) {
	id, _ := hex.DecodeString("6b0169990000000000000023c9ab04f5")
	own := entryOf("_id", textValue(strings.ToUpper(hex.EncodeToString(id))))
	cell := func(column uint32, b []byte) []byte {
		return append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, column), uint32(len(b))), b...)
	}
	row := func(cells ...[]byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(cells))), bytes.Join(cells, nil)...)
	}
	and := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	renamed := and(own, entryOf("key", textValue("own")))
	for name, one := range map[string]struct {
		row   []byte
		field string
		part  string
	}{
		"as it is":                   {row(cell(1, id), cell(2, own)), "_id", ""},
		"another id in the row":      {row(cell(1, id[1:]), cell(2, own)), "_id", "documentId"},
		"no id in the row":           {row(cell(2, own)), "_id", "documentId"},
		"no content":                 {row(cell(1, id)), "_id", "encodedDocument"},
		"another id":                 {row(cell(1, id), cell(2, entryOf("_id", textValue("00")))), "_id", "documentIdFieldName"},
		"renamed":                    {row(cell(1, id), cell(2, renamed)), "key", ""},
		"renamed and missing":        {row(cell(1, id), cell(2, own)), "new", ""},
		"indexed":                    {row(cell(1, id), cell(2, renamed), cell(3, []byte("own"))), "key", "documentIdFieldName"},
		"another is indexed":         {row(cell(1, id), cell(2, and(renamed, entryOf("title", textValue("own")))), cell(3, []byte("own"))), "key", ""},
		"another within is indexed":  {row(cell(1, id), cell(2, and(renamed, entryOf("title", field(5, entryOf("city", textValue("own")))))), cell(3, []byte("own"))), "key", ""},
		"both are indexed":           {row(cell(1, id), cell(2, and(renamed, entryOf("title", textValue("own")))), cell(3, []byte("own")), cell(4, []byte("own"))), "key", "documentIdFieldName"},
		"bytes behind the last cell": {append(row(cell(1, id), cell(2, own)), 0), "_id", "encodedDocument"},
	} {
		facts := DocumentFacts{Indexed: map[string]string{}}
		bad := facts.read(one.row, id, one.field)
		if part := map[bool]string{true: "", false: "refused"}[bad == nil]; bad != nil && bad.part != one.part || bad == nil && one.part != part {
			t.Errorf("%s: %+v, want %q", name, bad, one.part)
		}
	}
}
