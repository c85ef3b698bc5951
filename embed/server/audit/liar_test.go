package audit

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codenotary/immudb/embedded/logger"
	"github.com/codenotary/immudb/embedded/store"
	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	webconsole "immudb-webconsole/embed"
)

// history is a real one, in a store of immudb.
type history struct {
	t     testing.TB
	store *store.ImmuStore
	mutex sync.Mutex
}

// startHistory writes a transaction for each text: equal texts make equal
// histories, to the last hash.
func startHistory(t testing.TB, texts ...string) *history {
	t.Helper()
	dir, err := os.MkdirTemp("", "history-")
	if err != nil {
		t.Fatal(err)
	}
	h := &history{t: t}
	second := int64(1_790_000_000)
	options := store.DefaultOptions().WithSynced(false).WithMultiIndexing(true).WithLogger(logger.NewMemoryLoggerWithLevel(logger.LogError)).
		WithMaxConcurrency(1).WithMaxActiveTransactions(10).WithWriteBufferSize(1 << 16).WithFileSize(1 << 22).WithMaxValueLen(1 << 20).
		WithTimeFunc(func() time.Time {
			second++
			return time.Unix(second, 0)
		})
	if h.store, err = store.Open(dir, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = h.store.Close()
		_ = os.RemoveAll(dir)
	})
	h.write(texts...)
	return h
}

// write adds a transaction for each text; one that begins with # is a large one.
func (h *history) write(texts ...string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, text := range texts {
		tx, err := h.store.NewWriteOnlyTx(context.Background())
		if err != nil {
			h.t.Fatal(err)
		}
		value := []byte("\x00" + text)
		if strings.HasPrefix(text, "#") {
			value = append(value, bytes.Repeat([]byte("x"), 100_000)...)
		}
		for _, key := range []string{"\x00key", "\x00other of " + text} {
			if err := tx.Set([]byte(key), nil, value); err != nil {
				h.t.Fatal(err)
			}
		}
		if _, err := tx.AsyncCommit(context.Background()); err != nil {
			h.t.Fatal(err)
		}
	}
}

func numbered(word string, from, to int) (texts []string) {
	for i := from; i <= to; i++ {
		texts = append(texts, fmt.Sprintf("%s %d", word, i))
	}
	return texts
}

// liar is a server as the auditor sees it. It tells the truth until a test makes
// it do otherwise.
type liar struct {
	*httptest.Server
	mutex     sync.Mutex
	databases map[string]*history
	uuid      string
	tokens    map[string]string // token → database
	logins    int
	calls     map[string]int // by the path
	bytes     int
	rights    int // of the user on each database

	// instead answers in place of the server, and returns true when it did.
	instead func(w http.ResponseWriter, r *http.Request, call string) bool
	// changed changes a true answer of a call.
	changed func(call string, answer []byte) []byte
}

const testUser, testPassword = "auditor", "correct horse ! battery"

func startLiar(t testing.TB, databases map[string]*history) *liar {
	t.Helper()
	l := &liar{databases: databases, uuid: "c0ffee", tokens: map[string]string{}, calls: map[string]int{}, rights: 1}
	l.Server = httptest.NewServer(http.HandlerFunc(l.serve))
	t.Cleanup(l.Close)
	return l
}

// lie sets what the server does from now on.
func (l *liar) lie(change func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	change()
}

func (l *liar) count(call string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.calls[call]
}

var gateway = &runtime.JSONPb{OrigName: true}

type refusedCall struct {
	status, code int
	text         string
}

func (l *liar) serve(w http.ResponseWriter, r *http.Request) {
	call := strings.TrimPrefix(r.URL.Path, "/api/")
	name := call
	for _, begin := range []string{"db/use/", "db/verifiable/tx/"} {
		if strings.HasPrefix(call, begin) {
			name = strings.TrimSuffix(begin, "/")
		}
	}
	l.mutex.Lock()
	l.calls[name]++
	instead, changed, uuid := l.instead, l.changed, l.uuid
	l.mutex.Unlock()
	if instead != nil && instead(w, r, name) {
		return
	}
	w.Header().Set(webconsole.IdentityHeader, uuid)
	w.Header().Set("Content-Type", "application/json")
	message, refused := l.answer(call, r)
	if refused != nil {
		w.WriteHeader(refused.status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": refused.text, "code": refused.code, "message": refused.text})
		return
	}
	text, isText := message.([]byte)
	if !isText {
		var err error
		if text, err = gateway.Marshal(message); err != nil {
			panic(err)
		}
	}
	if changed != nil {
		text = changed(name, text)
	}
	l.mutex.Lock()
	l.bytes += len(text)
	l.mutex.Unlock()
	_, _ = w.Write(text)
}

func (l *liar) answer(call string, r *http.Request) (any, *refusedCall) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if call == "login" {
		var given struct{ User, Password []byte }
		_ = json.NewDecoder(r.Body).Decode(&given)
		if string(given.User) != testUser || string(given.Password) != testPassword {
			return nil, &refusedCall{500, 2, "invalid user name or password"}
		}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.logins++
		token := fmt.Sprintf("login-%d", l.logins)
		l.tokens[token] = ""
		return fmt.Appendf(nil, `{"token":%q}`, token), nil
	}
	l.mutex.Lock()
	database, isIn := l.tokens[token]
	h := l.databases[database]
	l.mutex.Unlock()
	if !isIn {
		return nil, &refusedCall{500, 2, "not logged in"}
	}
	switch {
	case call == "logout":
		return []byte("{}"), nil
	case call == "db/list":
		list := &schema.DatabaseListResponse{}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		for name := range l.databases {
			list.Databases = append(list.Databases, &schema.Database{DatabaseName: name})
		}
		return list, nil
	case call == "user/list":
		l.mutex.Lock()
		defer l.mutex.Unlock()
		return fmt.Appendf(nil, `{"users":[{"user":%q,"permissions":[{"database":"defaultdb","permission":%d}]}]}`,
			base64.StdEncoding.EncodeToString([]byte(testUser)), l.rights), nil
	case strings.HasPrefix(call, "db/use/"):
		name := path.Base(call)
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if l.databases[name] == nil {
			return nil, &refusedCall{404, 5, "'" + name + "' does not exist"}
		}
		token := "in " + name
		token = strings.ReplaceAll(token, " ", "-") + fmt.Sprintf("-%d", l.logins)
		l.tokens[token] = name
		return fmt.Appendf(nil, `{"token":%q}`, token), nil
	case h == nil:
		return nil, &refusedCall{500, 2, "please select a database first"}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case call == "db/state":
		id, alh := h.store.CommittedAlh()
		return &schema.ImmutableState{Db: database, TxId: id, TxHash: alh[:]}, nil
	case strings.HasPrefix(call, "db/verifiable/tx/"):
		return h.proof(path.Base(call), r.URL.Query().Get("proveSinceTx"))
	case call == "db/tx":
		var asked struct {
			InitialTx   string
			Limit       int
			EntriesSpec json.RawMessage
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &asked); err != nil {
			return nil, &refusedCall{400, 3, err.Error()}
		}
		return h.page(asked.InitialTx, asked.Limit, asked.EntriesSpec != nil)
	}
	return nil, &refusedCall{404, 5, "Not Found"}
}

func (h *history) proof(txText, sinceText string) (any, *refusedCall) {
	id, _ := strconv.ParseUint(txText, 10, 64)
	since, _ := strconv.ParseUint(sinceText, 10, 64)
	last := h.store.LastCommittedTxID()
	if since > last {
		return nil, &refusedCall{400, 3, "illegal state"}
	}
	if id == 0 || id > last {
		return nil, &refusedCall{500, 2, "tx not found"}
	}
	if since == 0 {
		since = id
	}
	header, err := h.store.ReadTxHeader(id, false, false)
	if err != nil {
		h.t.Fatal(err)
	}
	from, err := h.store.ReadTxHeader(since, false, false)
	if err != nil {
		h.t.Fatal(err)
	}
	source, target := from, header
	if since > id {
		source, target = header, from
	}
	proof, err := h.store.DualProof(source, target)
	if err != nil {
		h.t.Fatal(err)
	}
	return &schema.VerifiableTx{Tx: &schema.Tx{Header: schema.TxHeaderToProto(header)}, DualProof: schema.DualProofToProto(proof)}, nil
}

// mostSent is immudb's limit, made smaller so that tests are quick.
const mostSent = 400_000

func (h *history) page(firstText string, limit int, withValues bool) (any, *refusedCall) {
	first, _ := strconv.ParseUint(firstText, 10, 64)
	list := &schema.TxList{}
	size := 0
	for id := first; id <= h.store.LastCommittedTxID() && len(list.Txs) < limit; id++ {
		pool, err := h.store.NewTxHolderPool(1, false)
		if err != nil {
			h.t.Fatal(err)
		}
		tx, err := pool.Alloc()
		if err != nil {
			h.t.Fatal(err)
		}
		if err := h.store.ReadTx(id, false, tx); err != nil {
			h.t.Fatal(err)
		}
		each := schema.TxToProto(tx)
		if withValues {
			for i, entry := range tx.Entries() {
				if each.Entries[i].Value, err = h.store.ReadValue(entry); err != nil {
					h.t.Fatal(err)
				}
				size += len(each.Entries[i].Value)
			}
		}
		list.Txs = append(list.Txs, each)
		size += 300
	}
	if size > mostSent {
		return nil, &refusedCall{429, 8, fmt.Sprintf("grpc: received message larger than max (%d vs. %d)", size, mostSent)}
	}
	return list, nil
}

// auditing is an auditor under test.
type auditing struct {
	t        testing.TB
	settings Settings
	stdout   safeBuffer
}

type safeBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) take() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	text := b.text.String()
	b.text.Reset()
	return text
}

func auditorOf(t testing.TB, servers ...*liar) *auditing {
	t.Helper()
	s := Settings{
		User: testUser, Password: testPassword, Every: time.Second, Once: true,
		Dir: t.TempDir(), patience: 20 * time.Second, Environment: os.Environ(),
	}
	for i, each := range servers {
		server := webconsole.Server{URL: each.URL}
		if len(servers) > 1 {
			server.Name = fmt.Sprintf("s%d", i+1)
		}
		s.Servers = append(s.Servers, server)
	}
	return &auditing{t: t, settings: s}
}

// once looks once, and returns the exit code and the events.
func (a *auditing) once() (int, []Event) {
	a.t.Helper()
	var stderr safeBuffer
	code := Run(context.Background(), a.settings, &a.stdout, &stderr)
	if text := stderr.take(); text != "" {
		a.t.Log(text)
	}
	return code, a.events()
}

func (a *auditing) events() (events []Event) {
	a.t.Helper()
	for line := range strings.Lines(a.stdout.take()) {
		if strings.Contains(line, testPassword) {
			a.t.Errorf("the password is in %s", line)
		}
		var event Event
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			a.t.Fatalf("%v: %s", err, line)
		}
		events = append(events, event)
	}
	return events
}

func (a *auditing) want(code int) []Event {
	a.t.Helper()
	got, events := a.once()
	if got != code {
		a.t.Fatalf("exit code %d, want %d: %+v", got, code, events)
	}
	return events
}

func of(events []Event, kind string) (list []Event) {
	for _, event := range events {
		if event.Event == kind {
			list = append(list, event)
		}
	}
	return list
}

func (a *auditing) folder() *folder { return &folder{dir: a.settings.Dir} }

func (a *auditing) kept(server, database string) *kept {
	a.t.Helper()
	k, err := a.folder().load(server, database)
	if err != nil || k == nil {
		a.t.Fatalf("kept of %s: %v %v", database, k, err)
	}
	return k
}
