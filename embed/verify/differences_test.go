package verify

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// In these places a run of mutated answers through both verifiers found one of
// them, or the text that they are written from, wrong. Each case changes one
// thing in an answer that is right.
func TestWhereTheTwoVerifiersOnceDiffered(t *testing.T) {
	type parts struct{ Kind, Context, Request, Response string }
	fromFile := func(name string) parts {
		var read struct {
			Kind                       string
			Context, Request, Response json.RawMessage
		}
		text, err := os.ReadFile("../../test/fixtures/files/" + name)
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		if err != nil {
			t.Fatal(err)
		}
		return parts{read.Kind, compact(t, read.Context), compact(t, read.Request), compact(t, read.Response)}
	}
	fromVector := func(file, name string) parts {
		for _, v := range readVectors(t)[file] {
			if v.Name == name {
				return parts{v.Verify, compact(t, v.Context), compact(t, v.Request), compact(t, v.Response)}
			}
		}
		t.Fatal(name)
		return parts{}
	}
	fork := fromFile("fork.json")
	pinned := fromVector("06-sql.json", "all-types-pinned-schema")
	document := fromVector("07-document.json", "document")
	write := fromVector("04-write.json", "set-meta")
	audit := fromVector("09-audit.json", "full-history")
	for _, one := range []struct {
		what     string
		base     parts
		change   func(*parts)
		verdict  Verdict
		reason   string
		wasWrong string // the text, Go, or both
	}{
		{"the context of a fork names a key beside the curve", fork, func(p *parts) {
			p.Context = replaced(t, p.Context, `"publicKey":"BImQ`, `"publicKey":"BImR`)
		}, Refused, "answer-mismatch", "Go"},
		{"the state of a side is of another database", fork, func(p *parts) {
			p.Response = replaced(t, p.Response, `"state":{"db":"db"`, `"state":{"db":"other"`)
		}, Refused, "wrong-database", "the text"},
		{"a side says more of its server", fork, func(p *parts) {
			p.Response = replaced(t, p.Response, `"server":{`, `"server":{"more":1,`)
		}, Verified, "", "the text"},
		{"a pinned column has no length", pinned, func(p *parts) {
			p.Context = replaced(t, p.Context, `"maxLen":0`, `"maxLen":null`)
		}, Refused, "schema-changed", "Go"},
		{"a length of 0 is null", pinned, func(p *parts) {
			p.Response = replaced(t, p.Response, `"ColLenById":{"1":8,"10":8,"11":0`, `"ColLenById":{"1":8,"10":8,"11":null`)
		}, Verified, "", "the text"},
		{"the chain before a document is another one than its tree", document, func(p *parts) {
			at := strings.Index(p.Response, `"targetTxHeader"`)
			header := p.Response[at:]
			p.Response = p.Response[:at] + replaced(t, header, `"prevAlh":"J8EJ`, `"prevAlh":"K8EJ`)
		}, Refused, "dual-proof", "the text"},
		{"what is sent has metadata that entries do not have", write, func(p *parts) {
			p.Request = replaced(t, p.Request, `"metadata":{`, `"metadata":{"truncatedTxID":"1",`)
		}, Refused, "malformed", "the text"},
		{"values come resolved", audit, func(p *parts) {
			p.Response = replaced(t, p.Response, `{"txs":`, `{"values":[{"zEntries":[{}]}],"txs":`)
		}, Refused, "malformed", "the text"},
	} {
		changed := one.base
		if found := answerOf(changed.Kind, changed.Context, changed.Request, changed.Response); found.Verdict != Verified {
			t.Errorf("%s: the unchanged answer is %s %s", one.what, found.Verdict, found.Reason)
		}
		one.change(&changed)
		found := answerOf(changed.Kind, changed.Context, changed.Request, changed.Response)
		if found.Verdict != one.verdict || found.Reason != one.reason {
			t.Errorf("%s: %s %s (%s at %s), want %s %s", one.what, found.Verdict, found.Reason, found.Why, found.Part, one.verdict, one.reason)
		}
	}
}

func answerOf(kind, context, request, response string) Result {
	return Answer(kind, []byte(context), []byte(request), []byte(response))
}

// compact is JSON with its names in order and without spaces.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func replaced(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in %s", from, text[:min(len(text), 300)])
	}
	return strings.Replace(text, from, to, 1)
}
