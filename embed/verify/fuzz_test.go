package verify

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"
)

func FuzzWellFormed(f *testing.F) {
	for _, text := range []string{`{}`, `[1,-0.5e+7,"\ud83d\ude00\ud800",null,true]`, `{"a":1,"\u0061":2}`, `"`, `{"a":[[[]]]}`, "\ufeff{}", `{"a":01}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if WellFormed(text) != "" {
			return
		}
		// What is taken is JSON, and reading it again names the same parts.
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON", text)
		}
		in := &reading{step: "answer"}
		m := in.root(text, "a", "b")
		m.digests("a")
		m.subs("b", "b", func(*message) bool { return true }, "a")
		m.u64("a")
		m.i64("a")
		m.text("b")
	})
}

func FuzzAnswer(f *testing.F) {
	for _, list := range readVectors(f) {
		for i, v := range list {
			if i%4 == 0 {
				f.Add(v.Verify, []byte(v.Context), []byte(v.Request), []byte(v.Response))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind string, context, request, response []byte) {
		found := Answer(kind, context, request, response)
		switch found.Verdict {
		case Verified:
			if found.Next == nil {
				t.Fatal("verified without a next state")
			}
			if _, err := json.Marshal(found.Facts); err != nil {
				t.Fatal(err)
			}
		case Refused:
			if found.Next != nil || found.Facts != nil || found.Reason == "" || found.Step == "" {
				t.Fatalf("refused with %+v", found)
			}
		case Unproven:
			if found.Facts != nil {
				t.Fatal("unproven with facts")
			}
		default:
			t.Fatalf("the verdict %q", found.Verdict)
		}
		if again := Answer(kind, context, request, response); again.Verdict != found.Verdict || again.Reason != found.Reason {
			t.Fatalf("%s %s, then %s %s", found.Verdict, found.Reason, again.Verdict, again.Reason)
		}
	})
}

// FuzzDocument reads what a document is made of, which a proof covers and which
// its author chose.
func FuzzDocument(f *testing.F) {
	f.Add([]byte("\n\x0a\n\x01a\x12\x05\x1a\x03abc"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if document, ok := readStruct(content, 1); ok {
			if _, err := json.Marshal(document); err != nil {
				t.Fatal(err)
			}
		}
		readCells(content, func(uint32, []byte) {})
	})
}

func TestAHostileTextCostsLittle(t *testing.T) {
	const size = 8 << 20
	fill := func(part string) []byte {
		return bytes.Repeat([]byte(part), size/len(part))
	}
	wrap := func(before string, middle []byte, after string) []byte {
		return append(append([]byte(before), middle...), after...)
	}
	long := strings.Repeat("k", 60)
	names := &bytes.Buffer{}
	for i := 0; names.Len() < size; i++ {
		names.WriteString(`,"` + long + decimal(uint64(i)) + `":1`)
	}
	texts := map[string][]byte{
		"lists":        wrap(`{"txs":[`, fill("[],"), `[]]}`),
		"open lists":   fill("["),
		"open objects": fill(`{"a":`),
		"zeros":        wrap(`{"dualProof":{"inclusionProof":[`, fill("0,"), `0]}}`),
		"one string":   wrap(`{"a":"`, fill("x"), `"}`),
		"escapes":      wrap(`{"a":"`, fill(`\u0041`), `"}`),
		"entries":      wrap(`{"txs":[{"entries":[`, fill(`{},`), `{}]}]}`),
		"spaces":       fill(" "),
		"names":        wrap(`{"a":1`, names.Bytes(), `}`),
		"digits":       wrap(`{"txs":`, fill("1"), `}`),
		"too long":     bytes.Repeat([]byte(" "), maxText+1),
	}
	for name, text := range texts {
		kind := map[bool]string{true: "tx", false: "audit"}[name == "zeros"]
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		found := Answer(kind, []byte(`{"db":"db","trusted":null,"publicKey":null}`), []byte(`{"tx":"1"}`), text)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if found.Verdict != Refused {
			t.Errorf("%s: %s", name, found.Verdict)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 3*size && len(text) <= maxText {
			t.Errorf("%s: %d MiB for a text of %d MiB", name, used>>20, len(text)>>20)
		}
		if took > 20*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}
