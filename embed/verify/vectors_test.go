package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// vectors are the recorded answers that the console's own verifier is tested
// with. The files are read where they are.
const vectors = "../../test/fixtures/proofs"

type vector struct {
	Name     string          `json:"name"`
	Verify   string          `json:"verify"`
	Context  json.RawMessage `json:"context"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
	Expect   struct {
		Verdict  string          `json:"verdict"`
		Reason   string          `json:"reason"`
		FirstUse *bool           `json:"firstUse"`
		Signed   *bool           `json:"signed"`
		Next     *State          `json:"next"`
		Facts    json.RawMessage `json:"facts"`
	} `json:"expect"`
}

func readVectors(t testing.TB) map[string][]vector {
	t.Helper()
	var index []struct {
		File    string `json:"file"`
		Vectors int    `json:"vectors"`
	}
	readJSON(t, "index.json", &index)
	found := map[string][]vector{}
	for _, file := range index {
		if file.Vectors == 0 {
			continue
		}
		var read struct{ Vectors []vector }
		readJSON(t, file.File, &read)
		if len(read.Vectors) != file.Vectors {
			t.Fatalf("%s has %d vectors, index.json says %d", file.File, len(read.Vectors), file.Vectors)
		}
		found[file.File] = read.Vectors
	}
	return found
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(vectors, name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryRecordedAnswerGetsItsVerdict(t *testing.T) {
	count := 0
	for file, list := range readVectors(t) {
		for _, v := range list {
			count++
			t.Run(file+" "+v.Name, func(t *testing.T) {
				found := Answer(v.Verify, v.Context, v.Request, v.Response)
				wanted := map[string]Verdict{"ok": Verified, "fail": Refused, "unproven": Unproven}[v.Expect.Verdict]
				if found.Verdict != wanted {
					t.Fatalf("got %s %s at %s %s (%s), want %s %s", found.Verdict, found.Reason, found.Step, found.Part, found.Why, wanted, v.Expect.Reason)
				}
				if wanted == Refused {
					if found.Reason != v.Expect.Reason {
						t.Errorf("refused with %s (%s), want %s", found.Reason, found.Why, v.Expect.Reason)
					}
					return
				}
				if next := v.Expect.Next; next != nil && (found.Next == nil || *found.Next != *next) {
					t.Errorf("next is %v, want %v", found.Next, next)
				}
				if v.Expect.FirstUse != nil && found.FirstUse != *v.Expect.FirstUse {
					t.Errorf("firstUse is %v", found.FirstUse)
				}
				if v.Expect.Signed != nil && found.Signed != *v.Expect.Signed {
					t.Errorf("signed is %v", found.Signed)
				}
				if v.Expect.Facts != nil {
					got, err := json.Marshal(found.Facts)
					if err != nil {
						t.Fatal(err)
					}
					if !isSameJSON(t, got, v.Expect.Facts) {
						t.Errorf("facts are\n%s\nwant\n%s", got, v.Expect.Facts)
					}
				}
			})
		}
	}
	if count < 270 {
		t.Errorf("only %d answers", count)
	}
}

func isSameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatal("not JSON")
	}
	return reflect.DeepEqual(x, y)
}
