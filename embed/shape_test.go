package webconsole

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestShapesOfBodies(t *testing.T) {
	mb := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		body string
		want string // part of the refusal; "" for none
	}{
		"one value":                {`{"KVs":[{"key":"YQ==","value":"` + strings.Repeat("A", 44<<20) + `"}]}`, ""},
		"documents of the console": {`{"documents":[{"a":[` + strings.Repeat("1,", 1_999_990) + `1]}]}`, ""},
		"params":                   {`{"params":[` + strings.Repeat(`{"name":"p","value":{"n":"1"}},`, 300_000) + `{}]}`, ""},
		"text that looks like it":  {`{"a":"` + strings.Repeat(`[{,\"`, 500_000) + `"}`, ""},
		"backslash at the end":     {`{"a":"\\","b":` + strings.Repeat("[", 98) + strings.Repeat("]", 98) + `}`, ""},
		"as deep as may be":        {strings.Repeat("[", mostNesting) + strings.Repeat("]", mostNesting), ""},
		"one after another":        {`[` + strings.Repeat("[],", 500_000) + `[]]`, ""},
		"no JSON":                  {strings.Repeat("]}", 1_000_000), ""},
		"too deep":                 {strings.Repeat("[", mostNesting+1), "nested more than 10000"},
		"too deep in objects":      {strings.Repeat(`{"a":`, mostNesting+1), "nested more than 10000"},
		"too deep after a text":    {`["\\\"",` + strings.Repeat("[", mostNesting), "nested more than 10000"},
		"too many objects":         {`{"KVs":[` + strings.Repeat("{},", 1_000_001), "more than 2000000 values"},
		"too many members":         {"{" + strings.Repeat(`"":0,`, 2_000_001), "more than 2000000 values"},
		"too much at a depth":      {strings.Repeat("[", 99) + `"` + strings.Repeat(mb, 4), "deep inside"},
	} {
		for _, piece := range []int{1 << 30, 4096, 7} {
			s, rest, fits := &shape{}, c.body, true
			for rest != "" && fits {
				n := min(piece, len(rest))
				fits = s.fits([]byte(rest[:n]))
				rest = rest[n:]
			}
			if fits != (c.want == "") || !strings.Contains(s.excess, c.want) || s.fits([]byte(" ")) != fits {
				t.Errorf("%s, pieces of %d: fits %t, %q", name, piece, fits, s.excess)
			}
		}
	}
}

// A gateway that reads a body beyond the bounds gets an error in place of the
// rest, and the caller ours in place of the gateway's.
func TestBodyOfABadShapeIsRefused(t *testing.T) {
	server := &gated{}
	inAllWays(t, server, func(t *testing.T, handler http.Handler, prefix string) {
		body := `{"documents":[{"a":` + strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000) + `}]}`
		for _, size := range []int64{int64(len(body)), -1} {
			answer := sending(handler, prefix+"/api/v2/collection/a/documents", strings.NewReader(body), size, "Authorization", "Bearer good")
			text, code := refusalIn(t, answer.Body)
			if answer.Code != 413 || code != grpcInvalidArgument || !strings.HasSuffix(text, "; nothing was executed") {
				t.Errorf("%d, code %d, %q", answer.Code, code, text)
			}
			checkDataHeaders(t, answer.Header(), "a bad shape")
		}
	})
}

// What fits in one piece fits in all, and its numbers are those of Go's parser.
func FuzzShape(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,{"b":"\\\"]"}]}`, `[[],{},""]`, `"\u005b["`, `[`, ``, `]]`, `{"a":"`} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		whole := &shape{}
		whole.fits([]byte(text))
		if piece > 0 {
			parts := &shape{}
			for rest := text; rest != ""; rest = rest[min(piece, len(rest)):] {
				parts.fits([]byte(rest[:min(piece, len(rest))]))
			}
			if whole.excess == "" && *parts != *whole {
				t.Errorf("%+v in pieces of %d, %+v in one", parts, piece, whole)
			}
		}
		if !json.Valid([]byte(text)) || whole.excess != "" {
			return
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		deepest, nesting, most := 0, 0, 0
		for {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			most++
			switch token {
			case json.Delim('['), json.Delim('{'):
				nesting++
				deepest = max(deepest, nesting)
			case json.Delim(']'), json.Delim('}'):
				nesting--
			}
		}
		if whole.nesting != 0 || whole.isText || deepest > mostNesting || whole.values > most {
			t.Errorf("%+v, but %d deep with %d tokens", whole, deepest, most)
		}
	})
}

func BenchmarkShape(b *testing.B) {
	body := []byte(`{"KVs":[{"key":"YQ==","value":"` + strings.Repeat("A", 1<<20) + `"}]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		(&shape{}).fits(body)
	}
}
