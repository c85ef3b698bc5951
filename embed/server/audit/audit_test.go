package audit

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	webconsole "immudb-webconsole/embed"
	"immudb-webconsole/embed/verify"
)

func TestFollowsAHistory(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 40)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	events := a.want(ExitInPart)
	if list := of(events, "first-contact"); len(list) != 1 || list[0].To != 40 {
		t.Errorf("%+v", events)
	}
	// A state that was kept before and is stated again.
	if events := a.want(ExitVerified); len(of(events, "advanced")) != 0 {
		t.Errorf("%+v", events)
	}
	h.write(numbered("later", 1, 3)...)
	events = a.want(ExitVerified)
	if list := of(events, "advanced"); len(list) != 1 || list[0].From != 40 || list[0].To != 43 {
		t.Errorf("%+v", events)
	}
	k := a.kept("", "defaultdb")
	if k.Trusted.TxID != 43 || k.FirstContact.TxID != 40 || k.Walk.At() != k.Trusted.state() || k.Read.Transactions != 43 || k.Read.Entries != 86 {
		t.Errorf("%+v", k)
	}
	// Nothing was read twice.
	if l.count("db/tx") != 2 {
		t.Errorf("%d pages", l.count("db/tx"))
	}
}

func TestReadsValuesInPagesThatTheServerCanSend(t *testing.T) {
	texts := append(numbered("tx", 1, 30), "# large", "# larger", "after")
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, texts...)})
	a := auditorOf(t, l)
	a.settings.Values = true
	a.want(ExitInPart)
	k := a.kept("", "defaultdb")
	if k.Read.Values != 66 || k.Read.Withheld != 0 || k.Walk.At().TxID != 33 {
		t.Errorf("%+v", k.Read)
	}
}

func TestValuesThatAreGoneAreCounted(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 1300)...)})
	l.instead = func(w http.ResponseWriter, r *http.Request, call string) bool {
		if call != "db/tx" {
			return false
		}
		body := new(bytes.Buffer)
		_, _ = body.ReadFrom(r.Body)
		r.Body = http.NoBody
		var asked struct{ InitialTx string }
		_ = json.Unmarshal(body.Bytes(), &asked)
		first, _ := strconv.Atoi(asked.InitialTx)
		if strings.Contains(body.String(), "RAW_VALUE") && first <= 1100 {
			w.WriteHeader(500)
			fmt.Fprint(w, `{"error":"EOF","code":2}`)
			return true
		}
		r.Body = nopCloser{body}
		return false
	}
	a := auditorOf(t, l)
	a.settings.Values = true
	a.want(ExitInPart)
	if k := a.kept("", "defaultdb"); k.Read.Values != 400 || k.Read.Withheld != 2200 || k.Walk.At().TxID != 1300 {
		t.Errorf("%+v", k.Read)
	}
	if calls := l.count("db/tx"); calls > 200 {
		t.Errorf("%d calls for 1300 transactions", calls)
	}
}

func mustParse(text string) *url.URL {
	address, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return address
}

type nopCloser struct{ *bytes.Buffer }

func (nopCloser) Close() error { return nil }

// Every kind of lie is a contradiction: evidence is kept, nothing moves on, the
// other database does.
func TestLies(t *testing.T) {
	type world struct {
		l    *liar
		h, g *history // of defaultdb, which lies, and of honest
	}
	change := func(call string, edit func(map[string]any)) func(string, []byte) []byte {
		return func(now string, answer []byte) []byte {
			if now != call {
				return answer
			}
			var fields map[string]any
			if json.Unmarshal(answer, &fields) != nil {
				return answer
			}
			edit(fields)
			text, _ := json.Marshal(fields)
			return text
		}
	}
	for name, lie := range map[string]struct {
		reason string
		kind   string
		tell   func(w *world)
	}{
		"rolled back": {"rolled-back", "state", func(w *world) {
			w.l.lie(func() { w.l.databases["defaultdb"] = startHistory(t, numbered("tx", 1, 9)...) })
		}},
		"emptied": {"rolled-back", "state", func(w *world) {
			w.l.lie(func() { w.l.databases["defaultdb"] = startHistory(t) })
		}},
		"other data at the same length": {"history-changed", "state", func(w *world) {
			w.l.lie(func() { w.l.databases["defaultdb"] = startHistory(t, numbered("other", 1, 20)...) })
		}},
		"replaced behind the address": {"", "state", func(w *world) {
			w.l.lie(func() {
				w.l.databases["defaultdb"] = startHistory(t, numbered("other", 1, 30)...)
				w.l.uuid = "another"
			})
		}},
		"a fork that goes on": {"", "state", func(w *world) {
			w.l.lie(func() {
				w.l.databases["defaultdb"] = startHistory(t, append(numbered("tx", 1, 15), numbered("fork", 16, 30)...)...)
			})
		}},
		"rolled back, states copied": {"", "state", func(w *world) {
			w.h.write("later")
			w.l.lie(func() {
				w.l.databases["defaultdb"] = startHistory(t, numbered("tx", 1, 9)...)
				w.l.changed = change("db/state", func(f map[string]any) {
					if f["db"] == "defaultdb" {
						_, alh := w.h.store.CommittedAlh()
						f["txId"], f["txHash"] = "21", inBase64(alh[:])
					}
				})
			})
		}},
		"another transaction in the list": {"", "audit", func(w *world) {
			w.h.write(numbered("later", 1, 5)...)
			w.l.lie(func() {
				w.l.changed = change("db/tx", func(f map[string]any) {
					if txs, _ := f["txs"].([]any); len(txs) > 3 {
						entries := txs[2].(map[string]any)["entries"].([]any)
						entries[0].(map[string]any)["hValue"] = inBase64(bytes.Repeat([]byte{7}, 32))
					}
				})
			})
		}},
		"a transaction left out": {"", "audit", func(w *world) {
			w.h.write(numbered("later", 1, 5)...)
			w.l.lie(func() {
				w.l.changed = change("db/tx", func(f map[string]any) {
					if txs, _ := f["txs"].([]any); len(txs) > 3 {
						f["txs"] = append(txs[:1], txs[2:]...)
					}
				})
			})
		}},
		"no transactions": {"", "audit", func(w *world) {
			w.h.write(numbered("later", 1, 5)...)
			w.l.lie(func() {
				w.l.changed = change("db/tx", func(f map[string]any) { delete(f, "txs") })
			})
		}},
		"transactions twice": {"", "audit", func(w *world) {
			w.h.write(numbered("later", 1, 5)...)
			w.l.lie(func() {
				w.l.changed = change("db/tx", func(f map[string]any) {
					if txs, _ := f["txs"].([]any); len(txs) > 3 {
						f["txs"] = append(txs, txs...)
					}
				})
			})
		}},
		"another value": {"", "audit", func(w *world) {
			w.h.write(numbered("later", 1, 5)...)
			w.l.lie(func() {
				w.l.changed = change("db/tx", func(f map[string]any) {
					if txs, _ := f["txs"].([]any); len(txs) > 3 {
						entry := txs[2].(map[string]any)["entries"].([]any)[0].(map[string]any)
						if entry["value"] != nil {
							entry["value"] = inBase64([]byte("\x00999 EUR"))
						}
					}
				})
			})
		}},
		"another database": {"wrong-database", "state", func(w *world) {
			w.l.lie(func() {
				w.l.changed = change("db/state", func(f map[string]any) {
					if f["db"] == "defaultdb" {
						f["db"] = "other"
					}
				})
			})
		}},
		"malformed": {"malformed", "state", func(w *world) {
			w.l.lie(func() {
				w.l.changed = change("db/state", func(f map[string]any) {
					if f["db"] == "defaultdb" {
						f["txHash"] = "AAAA"
					}
				})
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{h: startHistory(t, numbered("tx", 1, 20)...), g: startHistory(t, numbered("honest", 1, 5)...)}
			w.l = startLiar(t, map[string]*history{"defaultdb": w.h, "honest": w.g})
			a := auditorOf(t, w.l)
			a.settings.Values = true
			if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
				t.Fatal(err)
			}
			a.want(ExitInPart)
			before, _ := os.ReadFile(a.folder().stateFile("", "defaultdb"))
			lie.tell(w)
			// Only the one that lies about defaultdb: its lists differ by their length.
			events := a.want(ExitContradicted)
			found := of(events, "finding")
			if len(found) != 1 || found[0].Database != "defaultdb" || found[0].Kind != lie.kind || (lie.reason != "" && found[0].Reason != lie.reason) {
				t.Fatalf("%+v", events)
			}
			text, err := os.ReadFile(found[0].Finding)
			if err != nil || checksum(text) != found[0].SHA256 {
				t.Fatal(err)
			}
			checkEvidence(t, text)
			record(t, name, text)
			after, _ := os.ReadFile(a.folder().stateFile("", "defaultdb"))
			if lie.kind == "state" && !bytes.Equal(before, after) {
				t.Errorf("the state moved on:\n%s\n%s", before, after)
			}
			if k := a.kept("", "defaultdb"); k.Walk.At().TxID != 20 {
				t.Errorf("the walk moved on to %d", k.Walk.At().TxID)
			}

			// The lie ends, and nothing of the database moves on. The other one does.
			w.l.lie(func() { w.l.databases["defaultdb"], w.l.changed = w.h, nil })
			w.g.write("more")
			kept, _ := os.ReadFile(a.folder().stateFile("", "defaultdb"))
			events = a.want(ExitContradicted)
			if len(of(events, "finding")) != 0 || len(of(events, "advanced")) != 1 {
				t.Errorf("%+v", events)
			}
			if now, _ := os.ReadFile(a.folder().stateFile("", "defaultdb")); !bytes.Equal(kept, now) {
				t.Error("it moved on before anybody accepted the finding")
			}

			// A person moves it away: it goes on from the kept state.
			if err := os.Rename(found[0].Finding, filepath.Join(t.TempDir(), "seen")); err != nil {
				t.Fatal(err)
			}
			w.h.write("and on")
			a.want(ExitVerified)
		})
	}
}

// recordings has findings for the tests of the console, which opens them, too.
// WEBCONSOLE_RECORD=1 writes them again.
const recordings = "../../../test/fixtures/findings"

func record(t *testing.T, name string, text []byte) {
	t.Helper()
	if os.Getenv("WEBCONSOLE_RECORD") == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(recordings, strings.NewReplacer(" ", "-", ",", "").Replace(name)+".json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRecordedFindingsStillHold(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.json"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkEvidence(t, text)
	}
}

// checkEvidence checks a file as `webconsole verify` and the console do.
func checkEvidence(t *testing.T, text []byte) {
	t.Helper()
	var file struct {
		Format                             string
		Version                            int
		What, Kind, CheckedAt              string
		Context, Request, Response, Server json.RawMessage
		Outcome                            struct{ Verdict, Reason string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Format != evidenceFormat || file.Version != evidenceVersion || file.What == "" {
		t.Errorf("%+v", file)
	}
	if _, err := time.Parse(time.RFC3339, file.CheckedAt); err != nil {
		t.Error(err)
	}
	if string(file.Response) == "null" {
		// The answer fits no file, so there is nothing to check.
		if file.Outcome.Verdict != "unproven" {
			t.Errorf("%+v", file.Outcome)
		}
		return
	}
	result := verify.Answer(file.Kind, file.Context, file.Request, file.Response)
	if string(result.Verdict) != file.Outcome.Verdict || result.Reason != file.Outcome.Reason {
		t.Errorf("recorded %+v, checked again %+v", file.Outcome, result)
	}
}

// What brings no answer is no contradiction, and never moves anything.
func TestServersThatDoNotAnswer(t *testing.T) {
	for name, fault := range map[string]func(w http.ResponseWriter, r *http.Request) bool{
		"hangs": func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		},
		"drips": func(w http.ResponseWriter, r *http.Request) bool {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(5 * time.Millisecond):
				}
			}
			return true
		},
		"64 MiB": func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"txs":["`))
			for range 64 {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
					return true
				}
			}
			_, _ = w.Write([]byte(`"]}`))
			return true
		},
		"breaks off": func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"txs":[`))
			return true
		},
		"a page of a proxy": func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("<html>Log in</html>"))
			return true
		},
		"leads elsewhere": func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
			return true
		},
		"says error": func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(500)
			_, _ = w.Write([]byte(`{"error":"already closed","code":2}`))
			return true
		},
	} {
		for _, where := range []string{"login", "db/list", "db/use", "db/state", "db/verifiable/tx", "db/tx"} {
			t.Run(name+" at "+where, func(t *testing.T) {
				t.Parallel()
				h := startHistory(t, numbered("tx", 1, 5)...)
				l := startLiar(t, map[string]*history{"defaultdb": h})
				a := auditorOf(t, l)
				a.want(ExitInPart)
				h.write("later")
				l.lie(func() {
					l.instead = func(w http.ResponseWriter, r *http.Request, call string) bool {
						if call != where {
							return false
						}
						// Else a handler does not notice that its caller is gone.
						_, _ = io.Copy(io.Discard, r.Body)
						return fault(w, r)
					}
				})
				a.settings.patience = 150 * time.Millisecond
				before := a.kept("", "defaultdb")
				events := a.want(ExitInPart)
				if len(of(events, "trouble")) == 0 || len(of(events, "finding")) != 0 {
					t.Errorf("%+v", events)
				}
				if now := a.kept("", "defaultdb"); now.Walk.At() != before.Walk.At() || now.Trusted.TxID < before.Trusted.TxID {
					t.Errorf("%+v", now)
				}
				l.lie(func() { l.instead = nil })
				a.settings.patience = 20 * time.Second
				a.want(ExitVerified)
			})
		}
	}
}

func TestAnotherPasswordIsNeverSaidAndNeverTriedFast(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "one")})
	a := auditorOf(t, l)
	a.settings.Password, a.settings.Once = "wrong horse ! staple", false
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	var stderr safeBuffer
	Run(ctx, a.settings, &a.stdout, &stderr)
	if count := l.count("login"); count != 1 {
		t.Errorf("%d logins within 3 seconds, a look each second", count)
	}
	text := a.stdout.take() + stderr.take()
	if strings.Contains(text, "horse") || !strings.Contains(text, "invalid user name or password") {
		t.Error(text)
	}
}

func TestALoginThatEndsIsMadeAgainOnce(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	ended := false
	l.instead = func(w http.ResponseWriter, _ *http.Request, call string) bool {
		if call == "db/state" && !ended {
			// As after a restart of the server: its keys are gone.
			l.lie(func() { ended, l.tokens = true, map[string]string{} })
		}
		return false
	}
	a.want(ExitInPart)
	if l.count("login") != 2 {
		t.Errorf("%d logins", l.count("login"))
	}
	// One that never lasts is not asked for for ever.
	l.lie(func() {
		l.instead = func(_ http.ResponseWriter, _ *http.Request, call string) bool {
			if call == "db/state" {
				l.lie(func() { l.tokens = map[string]string{} })
			}
			return false
		}
	})
	before := l.count("login")
	a.want(ExitInPart)
	if count := l.count("login") - before; count > 3 {
		t.Errorf("%d logins", count)
	}
}

func TestSaysWhatTheUserMayDoBeyondReading(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "one")})
	a := auditorOf(t, l)
	if events := a.want(ExitInPart); len(of(events, "rights")) != 0 {
		t.Errorf("%+v", events)
	}
	l.lie(func() { l.rights = 2 })
	if list := of(a.want(ExitVerified), "rights"); len(list) != 1 || !strings.Contains(list[0].Words, "write to defaultdb") {
		t.Errorf("%+v", list)
	}
}

func TestNewAndRemovedDatabases(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "one"), "gone": startHistory(t, "two")})
	a := auditorOf(t, l)
	a.want(ExitInPart)
	gone := l.databases["gone"]
	l.lie(func() {
		delete(l.databases, "gone")
		l.databases["new"] = startHistory(t, "three")
		l.databases["../../outside"] = startHistory(t, "four")
	})
	events := a.want(ExitInPart)
	if list := of(events, "first-contact"); len(list) != 1 || list[0].Database != "new" {
		t.Errorf("%+v", events)
	}
	troubles := fmt.Sprint(of(events, "trouble"))
	if !strings.Contains(troubles, "does not list this database") || !strings.Contains(troubles, "outside") {
		t.Errorf("%s", troubles)
	}
	if files, _ := filepath.Glob(filepath.Join(a.settings.Dir, "..", "*outside*")); files != nil {
		t.Errorf("written outside: %v", files)
	}
	// With other data, it is no new database.
	l.lie(func() {
		delete(l.databases, "../../outside")
		l.databases["gone"] = startHistory(t, "other", "data")
	})
	events = a.want(ExitContradicted)
	if list := of(events, "finding"); len(list) != 1 || list[0].Database != "gone" {
		t.Errorf("%+v", events)
	}
	_ = gone
	// One that was named and is not there.
	b := auditorOf(t, l)
	b.settings.Databases = []string{"new", "nowhere"}
	events = b.want(ExitInPart)
	if len(of(events, "first-contact")) != 1 || len(of(events, "trouble")) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestADatabaseThatIsDeletedAndMadeAgainWhileItIsFollowed(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, "one", "two")})
	a := auditorOf(t, l)
	a.settings.Once, a.settings.Every = false, 10*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan int)
	go func() { ended <- Run(ctx, a.settings, &a.stdout, &safeBuffer{}) }()
	eventually(t, func() bool { k, _ := a.folder().load("", "defaultdb"); return k != nil && k.Walk.At().TxID == 2 })
	other := startHistory(t, "other", "data", "of", "one", "name")
	l.lie(func() {
		l.databases["defaultdb"] = other
		old := map[string]bool{}
		for token, database := range l.tokens {
			old[token] = database != ""
		}
		l.logins++ // so that the next token is another one
		l.instead = func(w http.ResponseWriter, r *http.Request, _ string) bool {
			if !old[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] {
				return false
			}
			w.WriteHeader(500)
			fmt.Fprint(w, `{"error":"database does not exist","code":2}`)
			return true
		}
	})
	eventually(t, func() bool { list, _ := a.folder().findings(); return len(list) == 1 })
	stop()
	<-ended
}

func TestAnEmptyDatabase(t *testing.T) {
	h := startHistory(t)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	a.want(ExitInPart)
	a.want(ExitVerified)
	// Nothing can be proven from an empty database: its first state is a first
	// contact again.
	h.write("one", "two")
	if events := a.want(ExitInPart); len(of(events, "first-contact")) != 1 {
		t.Errorf("%+v", events)
	}
	a.want(ExitVerified)
}

func TestADamagedStateIsNoFirstContact(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h, "other": startHistory(t, "one")})
	a := auditorOf(t, l)
	a.want(ExitInPart)
	path := a.folder().stateFile("", "defaultdb")
	text, _ := os.ReadFile(path)
	text[len(text)/2] ^= 1
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		events := a.want(ExitUnreadable)
		if len(of(events, "first-contact")) != 0 || len(of(events, "finding")) != 1-i {
			t.Errorf("%d: %+v", i, events)
		}
	}
	asides, _ := filepath.Glob(path + ".damaged-*")
	if len(asides) != 1 {
		t.Fatalf("%v", asides)
	}
	if kept, _ := os.ReadFile(asides[0]); !bytes.Equal(kept, text) {
		t.Error("the damaged file is not as it was")
	}
	list, _ := a.folder().findings()
	if _, err := Accept(a.settings.Dir, list[0].name); err != nil {
		t.Fatal(err)
	}
	if events := a.want(ExitInPart); len(of(events, "first-contact")) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestALostStateIsTheLastCheckpoint(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	a.want(ExitInPart)
	old, _ := os.ReadFile(a.folder().stateFile("", "defaultdb"))
	h.write("more")
	a.want(ExitVerified)
	if err := os.Remove(a.folder().stateFile("", "defaultdb")); err != nil {
		t.Fatal(err)
	}
	events := a.want(ExitVerified)
	if len(of(events, "recovered")) != 1 || len(of(events, "first-contact")) != 0 {
		t.Errorf("%+v", events)
	}
	if k := a.kept("", "defaultdb"); k.UUID != "c0ffee" || k.Walk.At().TxID != 6 {
		t.Errorf("%+v", k)
	}
	// The folder's state comes from a backup.
	if err := os.WriteFile(a.folder().stateFile("", "defaultdb"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	events = a.want(ExitUnreadable)
	if !strings.Contains(fmt.Sprint(events), "copy from a backup") {
		t.Errorf("%+v", events)
	}
	// And with another history behind the address, a lost state is a contradiction.
	if err := os.Remove(a.folder().stateFile("", "defaultdb")); err != nil {
		t.Fatal(err)
	}
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, numbered("other", 1, 9)...) })
	if events := a.want(ExitContradicted); len(of(events, "finding")) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestAcceptingBeginsAnewAndKeepsEverything(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 5)...)})
	a := auditorOf(t, l)
	if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	a.want(ExitInPart)
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, "restored") })
	found := of(a.want(ExitContradicted), "finding")[0]
	if _, err := Accept(a.settings.Dir, "no such finding"); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Error(err)
	}
	kept, err := Accept(a.settings.Dir, found.Finding)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(kept); err != nil || checksum(text) != found.SHA256 {
		t.Error(err)
	}
	for _, pattern := range []string{"states/defaultdb.json.until-*", "checkpoints/defaultdb.until-*"} {
		if files, _ := filepath.Glob(filepath.Join(a.settings.Dir, pattern)); len(files) != 1 {
			t.Errorf("%s: %v", pattern, files)
		}
	}
	if events := a.want(ExitInPart); len(of(events, "first-contact")) != 1 {
		t.Errorf("%+v", events)
	}
	a.want(ExitVerified)
}

// The disk is full at one operation after the other. Nothing is lost, nothing is
// said that is not kept, and it goes on once there is room.
func TestAFullDisk(t *testing.T) {
	for at := 0; ; at++ {
		h := startHistory(t, numbered("tx", 1, 5)...)
		l := startLiar(t, map[string]*history{"defaultdb": h})
		a := auditorOf(t, l)
		if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
			t.Fatal(err)
		}
		a.want(ExitInPart)
		h.write("more")
		count, isReached := 0, false
		full := func(string, string) error {
			if count++; count > at {
				isReached = true
				return os.ErrPermission
			}
			return nil
		}
		a.settings.fault = full
		code, events := a.once()
		if isReached && code != ExitUnreadable {
			t.Fatalf("at %d: %d %+v", at, code, events)
		}
		k := a.kept("", "defaultdb")
		if k.Trusted.TxID < 5 || k.Walk.At().TxID < 5 {
			t.Fatalf("at %d: moved back: %+v", at, k)
		}
		// A lie while there is no room: no finding is claimed, and none is lost.
		l.lie(func() { l.databases["defaultdb"] = startHistory(t, "rolled back") })
		count = 0
		code, events = a.once()
		list, _ := a.folder().findings()
		if code != ExitContradicted || len(of(events, "finding")) > len(list) {
			t.Fatalf("at %d: %d %+v, %d kept", at, code, events, len(list))
		}
		a.settings.fault = nil
		events = a.want(ExitContradicted)
		if list, _ = a.folder().findings(); len(list) != 1 {
			t.Fatalf("at %d: %d findings", at, len(list))
		}
		if text, err := os.ReadFile(a.folder().findingFile(list[0].name)); err != nil {
			t.Fatal(err)
		} else {
			checkEvidence(t, text)
		}
		if !isReached {
			break
		}
	}
}

func TestClocksThatJump(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	at := time.Now()
	a.settings.clock = func() time.Time { return at }
	a.want(ExitInPart)
	for _, jump := range []time.Duration{-50 * 365 * 24 * time.Hour, 80 * 365 * 24 * time.Hour, -time.Hour} {
		at = at.Add(jump)
		h.write("more")
		a.want(ExitVerified)
	}
	if k := a.kept("", "defaultdb"); k.Trusted.TxID != 8 {
		t.Errorf("%+v", k)
	}
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, "other") })
	a.want(ExitContradicted)
}

func TestKeepsOnlyStatesWithThePinnedSignature(t *testing.T) {
	l := startLiar(t, map[string]*history{"defaultdb": startHistory(t, numbered("tx", 1, 5)...)})
	a := auditorOf(t, l)
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a.settings.Key = &pair.PublicKey
	events := a.want(ExitContradicted)
	if list := of(events, "finding"); len(list) != 1 || list[0].Reason != "signature" {
		t.Errorf("%+v", events)
	}
	if k, _ := a.folder().load("", "defaultdb"); k != nil {
		t.Errorf("%+v", k)
	}
}

func TestTLSThatIsNotTrusted(t *testing.T) {
	h := startHistory(t, "one")
	l := startLiar(t, map[string]*history{"defaultdb": h})
	secure := httptest.NewTLSServer(http.HandlerFunc(l.serve))
	defer secure.Close()
	a := auditorOf(t, l)
	a.settings.Servers = []webconsole.Server{{URL: secure.URL}}
	events := a.want(ExitInPart)
	if !strings.Contains(fmt.Sprint(events), "certificate") || l.count("login") != 0 {
		t.Errorf("%+v", events)
	}
}

func TestSeveralServersHaveOneHistoryOrAFork(t *testing.T) {
	texts := numbered("tx", 1, 40)
	one, two := startHistory(t, texts...), startHistory(t, texts[:33]...)
	first := startLiar(t, map[string]*history{"defaultdb": one, "mine": startHistory(t, "a", "b")})
	second := startLiar(t, map[string]*history{"defaultdb": two, "mine": startHistory(t, "c")})
	second.uuid = "5ec0nd"
	a := auditorOf(t, first, second)
	events := a.want(ExitInPart)
	if list := of(events, "same-history"); len(list) != 1 || list[0].From != 33 || list[0].To != 40 {
		t.Errorf("%+v", events)
	}
	if list := of(events, "unrelated"); len(list) != 1 || list[0].Database != "mine" {
		t.Errorf("%+v", events)
	}
	a.want(ExitVerified)
	// The replica goes on alone: for this client it tells another story.
	two.write(numbered("fork", 34, 50)...)
	calls := first.count("db/verifiable/tx") + second.count("db/verifiable/tx")
	events = a.want(ExitContradicted)
	if calls = first.count("db/verifiable/tx") + second.count("db/verifiable/tx") - calls; calls > 2+2*6+3 {
		// A proof of each new state, then at most 2·log₂ 33 + 3 headers.
		t.Errorf("%d questions for the first of 40 transactions that differs", calls)
	}
	found := of(events, "finding")
	if len(found) != 1 || found[0].Kind != "fork" || !strings.Contains(found[0].Words, "after transaction 33") {
		t.Fatalf("%+v", events)
	}
	text, _ := os.ReadFile(found[0].Finding)
	checkEvidence(t, text)
	record(t, "fork", text)
	// On both servers nothing of it moves on.
	one.write("more")
	two.write("more")
	events = a.want(ExitContradicted)
	if len(of(events, "advanced")) != 0 || len(of(events, "finding")) != 0 {
		t.Errorf("%+v", events)
	}
}

func TestForksAreFoundWhereverTheyAre(t *testing.T) {
	texts := numbered("tx", 1, 12)
	for after := 1; after < 12; after++ {
		first := startLiar(t, map[string]*history{"defaultdb": startHistory(t, texts...)})
		second := startLiar(t, map[string]*history{"defaultdb": startHistory(t, append(texts[:after:after], numbered("fork", after+1, 12+after%3-1)...)...)})
		a := auditorOf(t, first, second)
		events := a.want(ExitContradicted)
		found := of(events, "finding")
		if len(found) != 1 || !strings.HasSuffix(found[0].Words, fmt.Sprintf("after transaction %d.", after)) {
			t.Fatalf("after %d: %+v", after, events)
		}
		text, _ := os.ReadFile(found[0].Finding)
		checkEvidence(t, text)
	}
}

func TestFiguresAndHealth(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	s := auditorOf(t, l).settings
	a, err := newAuditor(s, &safeBuffer{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	a.now = func() time.Time { return at }
	serving := httptest.NewServer(a.handler())
	defer serving.Close()
	get := func(path string) (int, string) {
		answer, err := http.Get(serving.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text := new(bytes.Buffer)
		_, _ = text.ReadFrom(answer.Body)
		return answer.StatusCode, text.String()
	}
	if code, _ := get("/healthz"); code != 503 {
		t.Errorf("%d before the first look", code)
	}
	a.round(t.Context(), 0)
	if code, text := get("/healthz"); code != 200 || !strings.Contains(text, `"proven_transaction":5`) {
		t.Errorf("%d %s", code, text)
	}
	at = at.Add(90 * time.Second)
	_, text := get("/metrics")
	for _, line := range []string{
		`webconsole_audit_proven_transaction{database="defaultdb",server=""} 5`,
		`webconsole_audit_proven_age_seconds{database="defaultdb",server=""} 90`,
		`webconsole_audit_behind_transactions{database="defaultdb",server=""} 0`,
		`webconsole_audit_read_transactions_total{database="defaultdb",server=""} 5`,
		`webconsole_audit_contradictions{database="defaultdb",server=""} 0`,
		`webconsole_audit_errors_total{database="defaultdb",server=""} 0`,
		`webconsole_audit_untold_findings 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in %s", line, text)
		}
	}
	if code, text := get("/healthz"); code != 503 || !strings.Contains(text, `"status":"behind"`) {
		t.Errorf("%d %s", code, text)
	}
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, "other") })
	a.round(t.Context(), 0)
	if code, text := get("/healthz"); code != 503 || !strings.Contains(text, `"status":"contradicted"`) {
		t.Errorf("%d %s", code, text)
	}
	if _, text := get("/metrics"); !strings.Contains(text, `webconsole_audit_contradictions{database="defaultdb",server=""} 1`) {
		t.Error(text)
	}
}

// As a service it looks again and again, and tells within a moment.
func TestFollowsForEver(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 5)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	a.settings.Once, a.settings.Every = false, 20*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var isTold atomic.Bool
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { isTold.Store(true) }))
	defer hook.Close()
	a.settings.Webhook = mustParse(hook.URL)
	ended := make(chan int)
	go func() { ended <- Run(ctx, a.settings, &a.stdout, &safeBuffer{}) }()
	eventually(t, func() bool { k, _ := a.folder().load("", "defaultdb"); return k != nil && k.Walk.At().TxID == 5 })
	h.write("more", "and more")
	eventually(t, func() bool { k, _ := a.folder().load("", "defaultdb"); return k.Walk.At().TxID == 7 })
	l.lie(func() { l.databases["defaultdb"] = startHistory(t, "other") })
	eventually(t, isTold.Load)
	stop()
	if code := <-ended; code != ExitVerified {
		t.Errorf("code %d", code)
	}
	if events := a.events(); len(of(events, "finding")) != 1 {
		t.Errorf("%+v", events)
	}
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came to that")
		}
	}
}

func TestATransactionWithMoreEntriesThanAnAnswerHolds(t *testing.T) {
	h := startHistory(t, numbered("tx", 1, 9)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	l.instead = func(w http.ResponseWriter, r *http.Request, call string) bool {
		if call != "db/tx" {
			return false
		}
		body := new(bytes.Buffer)
		_, _ = body.ReadFrom(r.Body)
		r.Body = nopCloser{body}
		var asked struct {
			InitialTx string
			Limit     int
		}
		_ = json.Unmarshal(body.Bytes(), &asked)
		if strings.Contains(body.String(), "EXCLUDE") || !(asked.InitialTx <= "5" && int(asked.InitialTx[0]-'0')+asked.Limit > 5) {
			return false
		}
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":"grpc: received message larger than max (5000000 vs. 4194304)","code":8}`)
		return true
	}
	l.changed = func(call string, answer []byte) []byte {
		var list map[string][]map[string]any
		if call != "db/tx" || json.Unmarshal(answer, &list) != nil || len(list["txs"]) != 1 || list["txs"][0]["header"].(map[string]any)["id"] != "5" {
			return answer
		}
		delete(list["txs"][0], "entries")
		text, _ := json.Marshal(list)
		return text
	}
	a := auditorOf(t, l)
	events := a.want(ExitInPart)
	if !strings.Contains(fmt.Sprint(of(events, "trouble")), "entries of transaction 5") {
		t.Errorf("%+v", events)
	}
	if k := a.kept("", "defaultdb"); k.Walk.At().TxID != 9 || k.Read.Unlisted != 1 || k.Read.Entries != 18 {
		t.Errorf("%+v", k)
	}
	a.want(ExitVerified)
}
