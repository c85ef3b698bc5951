//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asBinary makes the test program behave as the binary, for tests that need a
// process of its own.
const asBinary = "WEBCONSOLE_TEST_AS_BINARY"

func TestMain(m *testing.M) {
	if os.Getenv(asBinary) != "" {
		os.Exit(run(withParent(context.Background()), os.Args[1:], os.Stdout, os.Stderr))
	}
	if dir := os.Getenv(asImmudb); dir != "" {
		fmt.Fprintln(os.Stderr, runImmudb(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// process is the binary, running.
type process struct {
	*exec.Cmd
	stdout, stderr output
	ended          chan struct{}
}

func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	return launch(t, exec.Command(os.Args[0], args...), asBinary+"=1")
}

// launch starts a process with one more variable.
func launch(t *testing.T, command *exec.Cmd, variable string) *process {
	t.Helper()
	p := &process{Cmd: command, ended: make(chan struct{})}
	p.Env = append(os.Environ(), variable)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
	})
	return p
}

var consoleLine = regexp.MustCompile(`(?m)^Console  (http://\S+/)$`)

// console waits until the console is ready and returns its address.
func (p *process) console(t *testing.T) string {
	t.Helper()
	isReady := func() bool { return p.hasEnded() || consoleLine.MatchString(p.stdout.String()) }
	for deadline := time.Now().Add(patience); !isReady() && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	if p.hasEnded() || !isReady() {
		t.Fatalf("not ready, ended %t: %s%s", p.hasEnded(), &p.stdout, &p.stderr)
	}
	return consoleLine.FindStringSubmatch(p.stdout.String())[1]
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

func (p *process) signal(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := p.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func namesAt(t *testing.T, console string) string {
	t.Helper()
	_, body := get(t, console+"servers.json")
	var list struct{ Servers []struct{ Name string } }
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, server := range list.Servers {
		names = append(names, server.Name)
	}
	return strings.Join(names, " ")
}

func TestReadyLinesNameTheServers(t *testing.T) {
	p := startProcess(t, "--port", "0", "--server", "eu=http://127.0.0.1:1", "--server", "us=http://127.0.0.1:2/below")
	console := p.console(t)
	if want := "Console  " + console + "\nServer   eu http://127.0.0.1:1\nServer   us http://127.0.0.1:2/below\n"; p.stdout.String() != want {
		t.Errorf("%q, want %q", &p.stdout, want)
	}
	for _, path := range []string{"api/health", "api/db/set", "metrics"} {
		code, body := get(t, console+path)
		if code != 404 || !strings.Contains(body, `"code":5`) || !strings.Contains(body, "s/NAME") {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
}

func TestSIGHUPReadsTheServersAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "servers.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`[{"name":"eu","url":"http://127.0.0.1:1"}]`)
	p := startProcess(t, "--port", "0", "--servers", file)
	console := p.console(t)
	if names := namesAt(t, console); names != "eu" {
		t.Errorf("servers %s", names)
	}
	for _, c := range []struct{ text, names, log string }{
		{`[{"name":"eu","url":"http://127.0.0.1:1"},{"name":"us","url":"http://127.0.0.1:2"}]`, "eu us", "Server   us http://127.0.0.1:2"},
		{`[{"name":"eu"`, "eu us", "stays as it was: " + file + ": want a JSON list of servers: unexpected EOF"},
		{`[]`, "eu us", "Warning: the list of servers stays as it was: the list of servers is empty"},
		{`[{"name":"eu","url":"http://a"},{"name":"eu","url":"http://b"}]`, "eu us", `two servers have the name "eu"`},
		{`[{"name":"a/b","url":"http://a"}]`, "eu us", `server name "a/b"`},
		{`[{"name":"us","url":"http://127.0.0.1:3"}]`, "us", "Server   us http://127.0.0.1:3"},
	} {
		write(c.text)
		p.signal(t, syscall.SIGHUP)
		eventually(t, c.log, func() bool { return strings.Contains(p.stderr.String(), c.log) })
		if names := namesAt(t, console); names != c.names {
			t.Errorf("%s: servers %s", c.text, names)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGHUP)
	eventually(t, "the missing file is named", func() bool { return strings.Contains(p.stderr.String(), "no such file") })
	if p.hasEnded() {
		t.Error("ended")
	}
	p.signal(t, syscall.SIGTERM)
	<-p.ended
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("ended with %d: %s", code, &p.stderr)
	}
}

func TestSIGHUPEndsAConsoleWithoutAFile(t *testing.T) {
	for _, args := range [][]string{
		{"--server", "http://127.0.0.1:1"},
		{"--server", "eu=http://127.0.0.1:1"},
	} {
		p := startProcess(t, append([]string{"--port", "0"}, args...)...)
		p.console(t)
		p.signal(t, syscall.SIGHUP)
		<-p.ended
		if code := p.ProcessState.ExitCode(); code != 0 {
			t.Errorf("%v: ended with %d: %s", args, code, &p.stderr)
		}
	}
}

// The server itself refuses these, before any handler runs.
func TestHeadersAreLimited(t *testing.T) {
	p := startProcess(t, "--port", "0", "--server", "eu=http://127.0.0.1:1")
	console := p.console(t)
	for size, status := range map[int]int{32 << 10: 502, 128 << 10: 431} {
		r, err := http.NewRequest("GET", console+"s/eu/api/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Large", strings.Repeat("x", size))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != status {
			t.Errorf("%d bytes: %d", size, answer.StatusCode)
		}
	}
	if limit := newHTTPServer(nil, settings{}, nil).ReadHeaderTimeout; limit <= 0 || limit > 10*time.Second {
		t.Errorf("headers may take %s", limit)
	}
}

// onServer speaks to one server of the demo through the console in front.
func onServer(t *testing.T, console, name string) *demoClient {
	t.Helper()
	client, err := demoLogin(t.Context(), plainClient, console+"s/"+name+"/", "")
	if err != nil {
		t.Fatal(err)
	}
	return client
}

type demoState struct{ TxID, TxHash string }

// state is that of the database in use.
func (c *demoClient) state(t *testing.T) (state demoState) {
	t.Helper()
	if err := c.call("GET", "db/state", nil, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

type replicationSettings struct {
	Replica, SyncReplication struct{ Value bool }
	SyncAcks                 struct{ Value int }
}

func (c *demoClient) replicationOf(t *testing.T, database string) replicationSettings {
	t.Helper()
	var list struct {
		Databases []struct {
			Name     string
			Settings struct{ ReplicationSettings replicationSettings }
		}
	}
	if err := c.call("POST", "db/list/v2", body{}, &list); err != nil {
		t.Fatal(err)
	}
	for _, known := range list.Databases {
		if known.Name == database {
			return known.Settings.ReplicationSettings
		}
	}
	t.Fatalf("no database %s", database)
	return replicationSettings{}
}

// Twice on one folder: the second start has other ports and has to tell the
// replicas, which then take what was written while they were away.
func TestDemoWithReplicas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for start := range 2 {
		p := startProcess(t, "--demo", "--replicas", "2", "--dir", dir, "--port", "0")
		console := p.console(t)
		if names := namesAt(t, console); names != "primary replica-1 replica-2" {
			t.Fatalf("servers %s", names)
		}
		primary, first, second := onServer(t, console, "primary"), onServer(t, console, "replica-1"), onServer(t, console, "replica-2")
		for _, c := range []struct {
			client   *demoClient
			database string
			want     replicationSettings
		}{
			{primary, "bakery", settingsOf(false, true, 1)},
			{primary, "shiplog", settingsOf(false, false, 0)},
			{first, "bakery", settingsOf(true, true, 0)},
			{first, "shiplog", settingsOf(true, false, 0)},
			{second, "bakery", settingsOf(true, false, 0)},
			{second, "shiplog", settingsOf(true, false, 0)},
		} {
			if got := c.client.replicationOf(t, c.database); got != c.want {
				t.Errorf("%s of %s: %+v, want %+v", c.database, c.client.api, got, c.want)
			}
		}
		for _, database := range []string{"bakery", "shiplog"} {
			if err := primary.use(database); err != nil {
				t.Fatal(err)
			}
			pair := body{"key": []byte("replicated"), "value": []byte(fmt.Sprint(start))}
			if err := primary.call("POST", "db/set", body{"KVs": []body{pair}}, nil); err != nil {
				t.Fatal(err)
			}
			want := primary.state(t)
			for _, replica := range []*demoClient{first, second} {
				// An asynchronous replica with nothing to do asks less and less
				// often, after minutes in the end. New settings make it ask at once.
				same := body{"database": database, "settings": body{"replicationSettings": body{}}}
				if err := replica.call("POST", "db/update/v2", same, nil); err != nil {
					t.Fatal(err)
				}
				if err := replica.use(database); err != nil {
					t.Fatal(err)
				}
				eventually(t, database+" arrives at "+replica.api, func() bool { return replica.state(t) == want })
			}
			err := first.call("POST", "db/set", body{"KVs": []body{pair}}, nil)
			if err == nil || !strings.Contains(err.Error(), "replica") {
				t.Errorf("a replica takes a write: %v", err)
			}
		}
		// The demo users can log in everywhere.
		auditor := &demoClient{ctx: t.Context(), http: plainClient, api: console + "s/replica-2/api/"}
		if err := auditor.callForToken("POST", "login", body{"user": []byte("auditor"), "password": []byte("Read-only-7")}); err != nil {
			t.Error(err)
		}
		if code, metrics := get(t, console+"s/replica-1/metrics"); code != 200 || !strings.Contains(metrics, "immudb_replication_") {
			t.Errorf("metrics of a replica: %d", code)
		}
		// Asked to end, and killed: none of its servers stays behind.
		ending := []os.Signal{syscall.SIGTERM, syscall.SIGKILL}[start]
		p.signal(t, ending)
		<-p.ended
		if code := p.ProcessState.ExitCode(); ending == syscall.SIGTERM && code != 0 {
			t.Errorf("ended with %d: %s", code, &p.stderr)
		}
		for _, name := range []string{"primary", "replica-1", "replica-2"} {
			eventually(t, name+" ends", func() bool {
				unlock, err := lockDirectory(filepath.Join(dir+"-servers", name))
				if err == nil {
					unlock()
				}
				return err == nil
			})
		}
	}
}

func settingsOf(isReplica, isSync bool, acks int) (s replicationSettings) {
	s.Replica.Value, s.SyncReplication.Value, s.SyncAcks.Value = isReplica, isSync, acks
	return s
}

// A server of the demo that cannot start is named, and the others end.
func TestDemoServersGetTheFlagsOfTheDatabase(t *testing.T) {
	none := func(string) string { return "" }
	given := []string{"--token-expiry-time", "5", "--signing-key", "key.pem", "--audit-log", "--audit-log-events", "write"}
	outer, err := parseFlags(append([]string{"--demo", "--replicas", "1"}, given...), none, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := parseFlags(demoArguments(outer, "primary"), none, &strings.Builder{})
	if err != nil || inner.tokenMinutes != 5 || inner.signingKey != "key.pem" || !inner.auditLog || inner.auditEvents != "write" {
		t.Errorf("%+v, %v", inner, err)
	}
}

func TestDemoServerThatDoesNotStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.MkdirAll(dir+"-servers", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"-servers/replica-1", []byte("not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, "--demo", "--replicas", "2", "--dir", dir, "--port", "0")
	<-p.ended
	if code := p.ProcessState.ExitCode(); code != 1 || !strings.Contains(p.stderr.String(), "webconsole: replica-1: ended before it was ready") {
		t.Errorf("code %d: %s", code, &p.stderr)
	}
}
