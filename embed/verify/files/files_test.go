package files

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"immudb-webconsole/embed/verify"
)

// Files of every kind, as the console writes them, and the word for each beside
// some states and keys (FORMAT.md 7.3).
const fixtures = "../../../test/fixtures"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestEveryFileGetsItsWord(t *testing.T) {
	var index []struct {
		File   string
		States []struct{ Database, TxID, TxHash, Server, Address string }
		Keys   []string
		Word   string
	}
	if err := json.Unmarshal(fixture(t, "files/index.json"), &index); err != nil {
		t.Fatal(err)
	}
	if len(index) < 100 {
		t.Fatalf("only %d cases", len(index))
	}
	for i, one := range index {
		given := Given{}
		for _, s := range one.States {
			known := Known{Database: s.Database, Server: Server{s.Server, s.Address}}
			if err := json.Unmarshal([]byte(`{"txId":"`+s.TxID+`","txHash":"`+s.TxHash+`"}`), &known.State); err != nil {
				t.Fatal(err)
			}
			given.States = append(given.States, known)
		}
		for _, text := range one.Keys {
			key, err := verify.ReadKey(text)
			if err != nil { // another key, in these cases
				key = otherKey(t)
			}
			given.Keys = append(given.Keys, key)
		}
		e, err := ReadEvidence(fixture(t, "files/"+one.File))
		if err != nil {
			t.Errorf("case %d, %s: %v", i, one.File, err)
			continue
		}
		report := e.Check(given)
		if word := strings.ReplaceAll(string(report.Word), " ", "-"); word != one.Word {
			t.Errorf("case %d, %s: %s (%s %s), want %s\n%+v\n%+v", i, one.File, word, report.Is, e.Words(&report), one.Word, one.States, one.Keys)
		}
	}
}

// A refusal is recorded with its step, its part and the hashes that were compared.
// Both verifiers name the same, so that people who read both see one thing.
func TestARefusalIsTheOneThatTheConsoleRecorded(t *testing.T) {
	for _, name := range []string{"refused.json", "row-redescribed.json"} {
		e, err := ReadEvidence(fixture(t, "files/"+name))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Outcome struct {
				Verdict, Reason, Step, Part string
				Expected, Received          *string
			}
		}
		if err := json.Unmarshal(fixture(t, "files/"+name), &file); err != nil || file.Outcome.Verdict != "refused" {
			t.Fatal(name, err)
		}
		found, recorded := e.Check(Given{}).Result, file.Outcome
		if found.Reason != recorded.Reason || found.Step != recorded.Step || found.Part != recorded.Part ||
			found.Expected != of(recorded.Expected) || found.Received != of(recorded.Received) {
			t.Errorf("%s: %+v, recorded %+v", name, found, recorded)
		}
	}
}

func of(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func otherKey(t *testing.T) *ecdsa.PublicKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &key.PublicKey
}
