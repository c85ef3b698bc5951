package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"immudb-webconsole/embed/verify/files"
)

// Ways in which a server could keep an auditor from finding, keeping or saying
// something, and have it say that all is well.

func TestAServerWithoutDatabasesIsNotVerified(t *testing.T) {
	for _, list := range []string{`{}`, `{"databases":[]}`, `{"databases":[{"databaseName":"No-Name"}]}`} {
		l := startLiar(t, map[string]*history{})
		l.changed = func(call string, answer []byte) []byte {
			if call == "db/list" {
				return []byte(list)
			}
			return answer
		}
		if events := auditorOf(t, l).want(ExitInPart); len(of(events, "trouble")) == 0 {
			t.Errorf("%s: %+v", list, events)
		}
	}
}

// An answer that no file may hold is refused like any other, and its evidence has
// no more of it than fits.
func TestAnAnswerThatNoFileCanHold(t *testing.T) {
	for name, odd := range map[string]string{
		"as deep as JSON is read": strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990),
		"as deep as a file is":    strings.Repeat("[", 499) + strings.Repeat("]", 499),
		"deep and wide":           strings.Repeat("[", 9_000) + strings.Repeat("0,", 200_000) + "0" + strings.Repeat("]", 9_000),
	} {
		h := startHistory(t, numbered("tx", 1, 5)...)
		l := startLiar(t, map[string]*history{"defaultdb": h})
		a := auditorOf(t, l)
		a.want(ExitInPart)
		l.lie(func() {
			l.changed = func(call string, answer []byte) []byte {
				if call == "db/state" {
					return []byte(strings.TrimSuffix(string(answer), "}") + `,"odd":` + odd + "}")
				}
				return answer
			}
		})
		events := a.want(ExitContradicted)
		found := of(events, "finding")
		if len(found) != 1 {
			t.Fatalf("%s: %+v", name, events)
		}
		text, err := os.ReadFile(found[0].Finding)
		if err != nil || len(text) > 1<<20 {
			t.Fatalf("%s: %d bytes, %v", name, len(text), err)
		}
		checkEvidence(t, text)
		record(t, "too deep for a file", text)
		read, err := files.ReadEvidence(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if report := read.Check(files.Given{}); report.Word != files.Failed && report.Word != files.Unproven || report.Is == "altered" {
			t.Errorf("%s: %s %s", name, report.Word, report.Is)
		}
	}
}

func TestSignsThatJSONMayEscapeMakeNoEvidenceTooLarge(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "tx")})
	a := auditorOf(t, l)
	l.changed = func(call string, answer []byte) []byte {
		if call == "db/tx" {
			return []byte(`{"txs":"` + strings.Repeat("<", 20<<20) + `"}`)
		}
		return answer
	}
	found := of(a.want(ExitContradicted), "finding")
	if about, err := os.Stat(found[0].Finding); err != nil || about.Size() > files.MaxSize {
		t.Errorf("%v %v", about, err)
	}
}

// Without a pinned key no signature of a state is looked at. A wrong one must not
// keep a fork from being kept.
func TestAWrongSignatureHidesNoFork(t *testing.T) {
	texts := numbered("tx", 1, 12)
	for name, signature := range map[string]string{
		"no key":      `{}`,
		"no point":    `{"publicKey":"AAAA","signature":"AAAA"}`,
		"wrong":       `{"publicKey":"BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=","signature":"MAYCAQECAQE="}`,
		"not even so": `null`,
	} {
		for lying := range 2 {
			first := startLiar(t, map[string]*history{"defaultdb": startHistory(t, texts...)})
			second := startLiar(t, map[string]*history{"defaultdb": startHistory(t, append(texts[:7:7], numbered("fork", 8, 14)...)...)})
			side := []*liar{first, second}[lying]
			side.changed = func(call string, answer []byte) []byte {
				if call == "db/state" {
					return []byte(strings.TrimSuffix(string(answer), "}") + `,"signature":` + signature + "}")
				}
				return answer
			}
			a := auditorOf(t, first, second)
			events := a.want(ExitContradicted)
			found := of(events, "finding")
			if len(found) != 1 || found[0].Kind != "fork" {
				t.Fatalf("%s: %+v", name, events)
			}
			text, _ := os.ReadFile(found[0].Finding)
			checkEvidence(t, text)
		}
	}
}

// A finding that could not be written is written as soon as there is room, also
// when the server answers no longer.
func TestAnUnwrittenFindingDoesNotWaitForTheServer(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	s := auditorOf(t, l).settings
	var isFull atomic.Bool
	s.fault = func(operation, path string) error {
		if isFull.Load() && strings.Contains(path, findingsDir) {
			return errors.New("no space left")
		}
		return nil
	}
	var stdout safeBuffer
	a, err := newAuditor(s, &stdout)
	if err != nil {
		t.Fatal(err)
	}
	a.round(t.Context(), 0)
	isFull.Store(true)
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, "other") })
	if worst, _ := a.round(t.Context(), 0); worst != isContradicted {
		t.Errorf("%v", worst)
	}
	l.lie(func() {
		l.instead = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	if worst, _ := a.round(t.Context(), 0); worst != isContradicted {
		t.Errorf("%v while it cannot be written", worst)
	}
	if now := a.healthNow(); now.Status != "contradicted" {
		t.Errorf("%+v", now)
	}
	isFull.Store(false)
	a.round(t.Context(), 0)
	if list, err := a.folder.findings(); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
}

// Health is no better than what was proven and read.
func TestHealthOfAServerThatOnlyStates(t *testing.T) {
	for name, silent := range map[string]string{"lists nothing": "db/tx", "proves nothing": "db/verifiable/tx"} {
		h := startHistory(t, numbered("tx", 1, 5)...)
		l := startLiar(t, map[string]*history{"defaultdb": h})
		a, err := newAuditor(auditorOf(t, l).settings, &safeBuffer{})
		if err != nil {
			t.Fatal(err)
		}
		at := time.Now()
		a.now = func() time.Time { return at }
		a.round(t.Context(), 0)
		if now := a.healthNow(); now.Status != "ok" {
			t.Fatalf("%+v", now)
		}
		h.write("later")
		l.lie(func() {
			l.instead = func(w http.ResponseWriter, _ *http.Request, call string) bool {
				if call == silent {
					w.WriteHeader(http.StatusBadGateway)
				}
				return call == silent
			}
		})
		for range 5 {
			at = at.Add(time.Minute)
			a.round(t.Context(), 0)
		}
		if now := a.healthNow(); now.Status != "behind" {
			t.Errorf("%s: %+v", name, now)
		}
	}
}

// A server that hangs at every call keeps no other from being looked at.
func TestAServerThatHangsDelaysNoOther(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	first := startLiar(t, map[string]*history{"defaultdb": h})
	second := startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 5)...)})
	second.instead = func(_ http.ResponseWriter, r *http.Request, call string) bool {
		if call == "db/state" {
			<-r.Context().Done()
		}
		return call == "db/state"
	}
	a := auditorOf(t, first, second)
	a.settings.Once, a.settings.Every = false, 10*time.Millisecond
	a.settings.patience, a.settings.waits = time.Hour, 50*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() { ended <- Run(ctx, a.settings, &a.stdout, io.Discard) }()
	defer func() {
		stop()
		<-ended
	}()
	read := func(tx uint64) func() bool {
		return func() bool {
			k, _ := a.folder().load("s1", "defaultdb")
			return k != nil && k.Walk.At().TxID == tx
		}
	}
	eventually(t, read(5))
	h.write("later")
	eventually(t, read(6))
	first.lie(func() { first.databases["defaultdb"] = startHistory(t, "other") })
	eventually(t, func() bool { list, _ := a.folder().findings(); return len(list) == 1 })
}

func TestHealthOfServersThatCannotBeCompared(t *testing.T) {
	texts := numbered("tx", 1, 12)
	first := startLiar(t, map[string]*history{"defaultdb": startHistory(t, texts...)})
	second := startLiar(t, map[string]*history{"defaultdb": startHistory(t, append(texts[:7:7], numbered("fork", 8, 14)...)...)})
	second.instead = func(w http.ResponseWriter, _ *http.Request, call string) bool {
		if call == "db/verifiable/tx" {
			w.WriteHeader(http.StatusBadGateway)
		}
		return call == "db/verifiable/tx"
	}
	a, err := newAuditor(auditorOf(t, first, second).settings, &safeBuffer{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	a.now = func() time.Time { return at }
	for range 5 {
		a.round(t.Context(), 0)
		at = at.Add(time.Minute)
	}
	a.round(t.Context(), 0)
	if now := a.healthNow(); now.Status != "behind" {
		t.Errorf("%+v", now)
	}
}

// After a restart a finding counts before the server is asked, and so does a clock
// that was ahead.
func TestHealthAfterARestart(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 5)...)})
	l.changed = func(call string, answer []byte) []byte {
		if call == "db/state" {
			return []byte(strings.Replace(string(answer), `"txHash":"`, `"txHash":"AA`, 1))
		}
		return answer
	}
	s := auditorOf(t, l)
	s.want(ExitContradicted)
	l.Close()
	a, err := newAuditor(s.settings, &safeBuffer{})
	if err != nil {
		t.Fatal(err)
	}
	a.round(t.Context(), 0)
	if now := a.healthNow(); now.Status != "contradicted" {
		t.Errorf("%+v", now)
	}

	l = startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 5)...)})
	s = auditorOf(t, l)
	s.settings.clock = func() time.Time { return time.Now().AddDate(10, 0, 0) }
	s.want(ExitInPart)
	s.settings.clock = nil
	if a, err = newAuditor(s.settings, &safeBuffer{}); err != nil {
		t.Fatal(err)
	}
	l.lie(func() {
		l.instead = func(w http.ResponseWriter, _ *http.Request, call string) bool {
			if call == "db/state" {
				w.WriteHeader(http.StatusBadGateway)
			}
			return call == "db/state"
		}
	})
	at := time.Now()
	a.now = func() time.Time { return at }
	for range 5 {
		a.round(t.Context(), 0)
		at = at.Add(time.Minute)
	}
	if now := a.healthNow(); now.Status != "behind" {
		t.Errorf("%+v", now)
	}
}

// A server, or something in front of it, may repeat what it was sent.
func TestAServerThatRepeatsThePassword(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "tx")})
	l.instead = func(w http.ResponseWriter, r *http.Request, _ string) bool {
		body, _ := io.ReadAll(r.Body)
		var sent struct{ Password []byte }
		_ = json.Unmarshal(body, &sent)
		w.WriteHeader(500)
		said, _ := json.Marshal(fmt.Sprintf("bad request: %s %s", body, sent.Password))
		fmt.Fprintf(w, `{"error":%s,"code":2}`, said)
		return true
	}
	var stdout safeBuffer
	a := auditorOf(t, l)
	Run(context.Background(), a.settings, &stdout, io.Discard)
	said := stdout.take()
	for _, secret := range []string{testPassword, inBase64([]byte(testPassword))} {
		if strings.Contains(said, secret) {
			t.Errorf("%s is in %s", secret, said)
		}
	}
}

// “All that is new was read” needs the values where they were asked for.
func TestValuesThatAreNotSentAreNotVerified(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	a.settings.Values = true
	a.want(ExitInPart)
	h.write("later")
	l.changed = func(call string, answer []byte) []byte {
		if call != "db/tx" {
			return answer
		}
		var list struct {
			Txs []map[string]any `json:"txs"`
		}
		_ = json.Unmarshal(answer, &list)
		for _, tx := range list.Txs {
			for _, entry := range tx["entries"].([]any) {
				delete(entry.(map[string]any), "value")
			}
		}
		text, _ := json.Marshal(list)
		return text
	}
	if events := a.want(ExitInPart); len(of(events, "trouble")) != 1 {
		t.Errorf("%+v", events)
	}
	a.want(ExitVerified)
}

// The two files of a database were written one after the other. Where they do not
// agree, one of them is not what was written.
func TestAKeptStateThatIsNotItsCheckpoint(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	a.want(ExitInPart)
	k := a.kept("", "defaultdb")
	k.Trusted.TxHash[0] ^= 1
	text, err := k.seal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.folder().stateFile("", "defaultdb"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if events := a.want(ExitUnreadable); len(of(events, "trouble")) != 1 || !strings.Contains(events[0].Words, "two hashes") {
		t.Errorf("%+v", events)
	}
}
