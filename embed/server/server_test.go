package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codenotary/immudb/pkg/api/schema"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	webconsole "immudb-webconsole/embed"
)

// output collects what a running server prints.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

// Reset forgets what was printed.
func (o *output) Reset() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.text.Reset()
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// running is a server that the test started.
type running struct {
	stdout, stderr output
	stop           context.CancelFunc
	code           chan int
	console        string
	metrics        string
}

var ready = regexp.MustCompile(`(?m)^Console  (http://\S+/)\nMetrics  (http://\S+/metrics)\ngRPC     127\.0\.0\.1:\d+\n\z`)

// patience is how long a loaded machine may take for anything.
const patience = 3 * time.Minute

func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r := &running{stop: stop, code: make(chan int, 1)}
	args = append([]string{"--port", "0", "--grpc-port", "0", "--metrics-port", "0"}, args...)
	go func() { r.code <- run(ctx, args, &r.stdout, &r.stderr) }()
	deadline := time.After(patience)
	for {
		if found := ready.FindStringSubmatch(r.stdout.String()); found != nil {
			r.console, r.metrics = found[1], found[2]
			return r
		}
		select {
		case code := <-r.code:
			t.Fatalf("ended with %d: %s%s", code, &r.stdout, &r.stderr)
		case <-deadline:
			t.Fatalf("not ready: %s%s", &r.stdout, &r.stderr)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	return getWith(t, http.DefaultClient, url)
}

func getWith(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	answer, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// The real database runs once, below a prefix and with demo data; immudb keeps
// state in package variables, so tests must not start it side by side.
func TestRealServer(t *testing.T) {
	dir := t.TempDir()
	r := start(t, "--dir", dir, "--prefix", "/ops/immudb", "--demo")
	t.Run("version is stamped", func(t *testing.T) {
		for path, want := range map[string]string{
			"api/health":        `"version":"1.11.1"`,
			"api/v2/health":     `"version":"1.11.1"`,
			"api/serverinfo":    `"version":"1.11.1"`,
			"api/no/such/thing": "Not Found",
		} {
			if _, body := get(t, r.console+path); !strings.Contains(body, want) {
				t.Errorf("%s: %s", path, body)
			}
		}
	})
	t.Run("metrics", func(t *testing.T) {
		for _, url := range []string{r.console + "metrics", r.metrics} {
			if code, body := get(t, url); code != 200 || !strings.Contains(body, "immudb_uptime_hours") {
				t.Errorf("%s: %d", url, code)
			}
		}
	})
	t.Run("ready, and says what the metrics of immudb do not", func(t *testing.T) {
		want := `{"database":"ok","disk":"ok","status":"ready","writes":"ok"}`
		if code, body := get(t, r.console+"readyz"); code != 200 || strings.TrimSpace(body) != want {
			t.Errorf("%d %s", code, body)
		}
		_, body := get(t, r.console+"metrics?name[]=webconsole_disk_free_bytes&name[]=webconsole_writes_waiting_seconds")
		for _, line := range []string{`(?m)^webconsole_disk_free_bytes [1-9]`, `(?m)^webconsole_writes_waiting_seconds 0$`} {
			if !regexp.MustCompile(line).MatchString(body) {
				t.Errorf("no %s: %s", line, body)
			}
		}
	})
	t.Run("nothing outside the prefix", func(t *testing.T) {
		root := strings.TrimSuffix(r.console, "ops/immudb/")
		for _, path := range []string{"", "api/health", "metrics"} {
			if code, _ := get(t, root+path); code != 404 {
				t.Errorf("/%s: %d", path, code)
			}
		}
	})
	t.Run("a marked write runs only as the first request of its connection", func(t *testing.T) {
		checkFresh(t, r.console)
	})
	t.Run("demo data", func(t *testing.T) { checkDemo(t, r) })
	t.Run("one server for each directory", func(t *testing.T) {
		var stderr output
		code := run(t.Context(), []string{"--dir", dir, "--port", "0", "--grpc-port", "0", "--metrics-port", "0"}, io.Discard, &stderr)
		if code != 1 || !strings.Contains(stderr.String(), "--dir") {
			t.Errorf("code %d: %s", code, &stderr)
		}
	})
	endDuringWrite(t, r)
	// A copy of the folder of a server that has ended is a whole backup.
	backup := filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	again := start(t, "--dir", backup, "--demo")
	if !strings.Contains(again.stdout.String(), "nothing was added") {
		t.Errorf("demo data twice: %s", &again.stdout)
	}
	if n := countOf(t, again.console, slowRows); n != mostRows {
		t.Errorf("%d rows are left of the write that was under way", n)
	}
	again.stop()
	<-again.code
	if _, err := os.Stat(filepath.Join(dir, "immulog")); err != nil {
		t.Error(err)
	}
}

const (
	slowRows = "ending"
	mostRows = 900
)

// endDuringWrite stops the server while a client of its gRPC port writes. The
// write gets its answer, and is there when the next server opens the folder.
func endDuringWrite(t *testing.T, r *running) {
	t.Helper()
	address := regexp.MustCompile(`gRPC +(\S+)`).FindStringSubmatch(r.stdout.String())[1]
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	client := schema.NewImmuServiceClient(connection)
	login, err := client.Login(t.Context(), &schema.LoginRequest{User: []byte("immudb"), Password: []byte("immudb")})
	if err != nil {
		t.Fatal(err)
	}
	as := func(token string) context.Context {
		return metadata.AppendToOutgoingContext(t.Context(), "authorization", token)
	}
	used, err := client.UseDatabase(as(login.Token), &schema.Database{DatabaseName: "bakery"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := as(used.Token)
	if _, err := client.SQLExec(ctx, &schema.SQLExecRequest{Sql: "CREATE TABLE " + slowRows + " (id INTEGER, PRIMARY KEY id);"}); err != nil {
		t.Fatal(err)
	}
	insert := "INSERT INTO " + slowRows + " (id) VALUES (0)"
	for i := 1; i < mostRows; i++ {
		insert += fmt.Sprintf(", (%d)", i)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := client.SQLExec(ctx, &schema.SQLExecRequest{Sql: insert + ";"})
		answered <- err
	}()
	counter, err := newWriteCounter()
	if err != nil {
		t.Fatal(err)
	}
	for _, underWay := counter.count(); underWay == 0; _, underWay = counter.count() {
	}
	r.stop()
	if err := <-answered; err != nil {
		t.Errorf("the write under way: %v", err)
	}
	if code := <-r.code; code != 0 {
		t.Errorf("ended with %d: %s", code, &r.stderr)
	}
}

func countOf(t *testing.T, console, table string) int {
	t.Helper()
	client, err := demoLogin(t.Context(), plainClient, console, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := client.use("bakery"); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Rows []struct{ Values []struct{ N string } }
	}
	if err := client.call("POST", "db/sqlquery", body{"sql": "SELECT COUNT(*) FROM " + table + ";"}, &answer); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(answer.Rows[0].Values[0].N)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkDemo signs in as a demo user with two databases and reads from both.
func checkDemo(t *testing.T, r *running) {
	for _, want := range []string{"database bakery", "database shiplog", "user auditor"} {
		if !strings.Contains(r.stdout.String(), want) {
			t.Errorf("not reported: %s", want)
		}
	}
	client := &demoClient{ctx: t.Context(), http: plainClient, api: r.console + "api/"}
	request := body{"user": []byte("auditor"), "password": []byte("Read-only-7")}
	if err := client.callForToken("POST", "login", request); err != nil {
		t.Fatal(err)
	}
	for database, sql := range map[string]string{
		"bakery":  "SELECT COUNT(*) FROM sales;",
		"shiplog": "SELECT COUNT(*) FROM log WHERE wind_knots > 30;",
	} {
		if err := client.use(database); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Rows []struct{ Values []map[string]json.RawMessage }
		}
		if err := client.call("POST", "db/sqlquery", body{"sql": sql}, &answer); err != nil {
			t.Fatal(err)
		}
		if len(answer.Rows) != 1 || string(answer.Rows[0].Values[0]["n"]) == `"0"` {
			t.Errorf("%s: %+v", sql, answer)
		}
	}
}

func TestVersionIsThatOfTheModule(t *testing.T) {
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(module), "github.com/codenotary/immudb v"+immudbVersion+"\n") {
		t.Errorf("go.mod requires another immudb than %s", immudbVersion)
	}
}

// The demo's users and grants must keep to what addUser can restore.
func TestDemoPlanGrants(t *testing.T) {
	plan, err := readDemoPlan()
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range plan.Users {
		for _, grant := range user.Grants {
			if demoLevels[grant.Level] == "" || (len(user.Grants) > 1 && grant.Level != 1) {
				t.Errorf("%s: level %d", user.Name, grant.Level)
			}
		}
	}
}

// One server after the other on one data directory: what an operator should
// know is said, and only that.
func TestWarningsAtStart(t *testing.T) {
	folder := t.TempDir()
	write := func(name, password string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	first, other := write("first", "F1rst-password"), write("other", "0ther-password")
	secured, open := filepath.Join(folder, "secured"), filepath.Join(folder, "open")
	const unused, known, noLogin = "--admin-password-file was not used", "default password", "login is off"
	for _, c := range []struct {
		name string
		args []string
		want string // "" for silence
	}{
		{"first password", []string{"--dir", secured, "--admin-password-file", first}, ""},
		{"the same again", []string{"--dir", secured, "--admin-password-file", first}, ""},
		{"another one", []string{"--dir", secured, "--admin-password-file", other}, unused},
		{"public with a password", []string{"--dir", secured, "--address", "0.0.0.0"}, ""},
		{"default password at home", []string{"--dir", open}, ""},
		{"default password in public", []string{"--dir", open, "--address", "0.0.0.0"}, known},
		{"no login at home", []string{"--dir", open, "--auth=false"}, ""},
		{"no login in public", []string{"--dir", open, "--auth=false", "--address", "0.0.0.0"}, noLogin},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, c.args...)
			r.stop()
			<-r.code
			warnings := regexp.MustCompile(`(?m)^Warning: .*$`).FindAllString(r.stderr.String(), -1)
			if c.want == "" && len(warnings) != 0 {
				t.Errorf("warned: %q", warnings)
			}
			if c.want != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], c.want)) {
				t.Errorf("warned %q, want one about %q", warnings, c.want)
			}
		})
	}
}

// checkFresh sends a read and then a marked log-out on one connection: refused
// by the guard, it comes back on the next one and is answered from behind it.
func checkFresh(t *testing.T, console string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	var statuses []int
	for _, path := range []string{"api/health", "api/logout", "api/logout"} {
		request, err := http.NewRequest("POST", console+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if path == "api/health" {
			request.Method, request.Body, request.ContentLength = "GET", nil, 0
		} else {
			request.Header.Set(webconsole.FreshHeader, "1")
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		want := "apart"
		if answer.StatusCode == 409 {
			want = "required"
		}
		if claims := answer.Header.Values(webconsole.FreshHeader); len(claims) != 1 || claims[0] != want {
			t.Errorf("%s: %d, %s %q", path, answer.StatusCode, webconsole.FreshHeader, claims)
		}
		statuses = append(statuses, answer.StatusCode)
	}
	if statuses[0] != 200 || statuses[1] != 409 || statuses[2] == 409 {
		t.Errorf("statuses %v", statuses)
	}
}
