//go:build unix

package main

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"immudb-webconsole/embed/server/audit"
)

// auditor runs `webconsole audit` with the read-only user of the demo.
type auditor struct {
	t    *testing.T
	dir  string
	args []string
}

func newAuditor(t *testing.T, server string, args ...string) *auditor {
	t.Helper()
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("Read-only-7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return &auditor{t, dir, append([]string{
		"audit", "--server", server, "--user", "auditor", "--password-file", password, "--dir", dir, "--values",
	}, args...)}
}

func (a *auditor) once(want int) string {
	a.t.Helper()
	var stdout, stderr output
	if code := run(a.t.Context(), append(a.args, "--once"), &stdout, &stderr); code != want {
		a.t.Fatalf("exit code %d, want %d: %s%s", code, want, &stdout, &stderr)
	}
	return stdout.String()
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// A whole immudb, an auditor, the console between them, and other data behind the
// same address.
func TestAuditsARealServer(t *testing.T) {
	port := freePort(t)
	flags := []string{"--port", port, "--grpc-port", "0", "--metrics-port", "0", "--demo", "--dir"}
	server := startProcess(t, append(flags, filepath.Join(t.TempDir(), "data"))...)
	address := server.console(t)
	server.line(t, &server.stdout, `user auditor`)
	a := newAuditor(t, address, "--database", "bakery", "--database", "shiplog")
	if text := a.once(audit.ExitInPart); strings.Count(text, `"first-contact"`) != 2 || strings.Contains(text, `"rights"`) {
		t.Errorf("%s", text)
	}
	a.once(audit.ExitVerified)

	t.Run("also through a console, and through one of several", func(t *testing.T) {
		one := startProcess(t, "--port", "0", "--server", address)
		several := startProcess(t, "--port", "0", "--server", "eu="+address)
		for _, through := range []string{one.console(t), several.console(t) + "s/eu/"} {
			b := newAuditor(t, through, "--database", "bakery")
			b.once(audit.ExitInPart)
			b.once(audit.ExitVerified)
		}
	})
	t.Run("a user who may do more", func(t *testing.T) {
		b := newAuditor(t, address, "--database", "bakery", "--user", "immudb")
		if err := os.WriteFile(filepath.Join(b.dir, "password"), []byte("immudb"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.args = append(b.args, "--password-file", filepath.Join(b.dir, "password"))
		if text := b.once(audit.ExitInPart); !strings.Contains(text, "may also administer the server") {
			t.Errorf("%s", text)
		}
	})
	t.Run("two auditors in one folder", func(t *testing.T) {
		b := newAuditor(t, address, "--database", "bakery")
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan int)
		var first output
		go func() { ended <- run(ctx, b.args, &first, &first) }()
		eventually(t, "the first looks", func() bool { return strings.Contains(first.String(), "first-contact") })
		var stdout, stderr output
		if code := run(t.Context(), append(b.args, "--once"), &stdout, &stderr); code != audit.ExitUnreadable || !strings.Contains(stderr.String(), "two auditors in one folder") {
			t.Errorf("%d %s%s", code, &stdout, &stderr)
		}
		stop()
		if code := <-ended; code != audit.ExitVerified {
			t.Errorf("code %d", code)
		}
	})

	server.signal(t, os.Interrupt)
	if code := server.exit(t); code != exitEnded {
		t.Fatalf("code %d: %s", code, &server.stderr)
	}
	if text := a.once(audit.ExitInPart); !strings.Contains(text, "no answer") {
		t.Errorf("%s", text)
	}
	// The same demo, written at another time.
	other := startProcess(t, append(flags, filepath.Join(t.TempDir(), "other"))...)
	other.console(t)
	other.line(t, &other.stdout, `user auditor`)
	text := a.once(audit.ExitContradicted)
	if strings.Count(text, `"event":"finding"`) != 2 {
		t.Fatalf("%s", text)
	}
	for line := range strings.Lines(text) {
		var event audit.Event
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event == "finding" {
			var stdout, stderr output
			if code := run(t.Context(), []string{"audit", "--dir", a.dir, "--accept", event.Finding}, &stdout, &stderr); code != 0 {
				t.Fatalf("%d %s%s", code, &stdout, &stderr)
			}
		}
	}
	a.once(audit.ExitInPart)
	a.once(audit.ExitVerified)
}

func TestSettingsOfAnAuditorThatCannotWork(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	password := write("password", "secret horse\n")
	whole := map[string]string{
		"--server": "http://127.0.0.1:1", "--user": "auditor", "--password-file": password, "--dir": filepath.Join(dir, "audit"),
	}
	for name, each := range map[string]struct {
		change map[string]string
		want   string
	}{
		"no server":        {map[string]string{"--server": ""}, "--server is missing"},
		"no address":       {map[string]string{"--server": "db:8080"}, "want an address"},
		"a login in it":    {map[string]string{"--server": "http://a:secret horse@db"}, "want an address"},
		"a user in it":     {map[string]string{"--server": "http://a:secret@db"}, "has a user name"},
		"no user":          {map[string]string{"--user": ""}, "--user and --password-file are missing"},
		"no password":      {map[string]string{"--password-file": filepath.Join(dir, "nowhere")}, "--password-file: open"},
		"empty password":   {map[string]string{"--password-file": write("empty", "\n")}, "is empty"},
		"no folder":        {map[string]string{"--dir": ""}, "--dir is missing"},
		"folder is a file": {map[string]string{"--dir": password}, "not a directory"},
		"too often":        {map[string]string{"--every": "1ms"}, "--every"},
		"no database":      {map[string]string{"--database": "../x"}, "--database"},
		"no key":           {map[string]string{"--key": password}, "--key"},
		"no webhook":       {map[string]string{"--webhook": "secret horse"}, "--webhook: want"},
		"no metrics":       {map[string]string{"--metrics-address": "256.0.0.1:0"}, "--metrics-address"},
		"no such flag":     {map[string]string{"--demo": "true"}, "see --help"},
		"two at once":      {map[string]string{"--new-key": "a", "--accept": "b"}, "do not go together"},
		"no such finding":  {map[string]string{"--accept": "b"}, "nothing was changed"},
		"name of a key":    {map[string]string{"--new-key": "a b"}, "does not fit"},
		"no servers":       {map[string]string{"--servers": filepath.Join(dir, "nowhere"), "--server": ""}, "--servers"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"audit", "--once"}
			wanted := maps.Clone(whole)
			maps.Copy(wanted, each.change)
			for flag, value := range wanted {
				if value != "" {
					args = append(args, flag+"="+value)
				}
			}
			var stdout, stderr output
			code := run(t.Context(), args, &stdout, &stderr)
			said := stderr.String()
			if code != audit.ExitUnreadable || !strings.Contains(said, each.want) || strings.Contains(said, "secret") {
				t.Errorf("%d %s%s", code, &stdout, said)
			}
		})
	}
}

func TestUsageOfAnAuditorNamesEveryFlag(t *testing.T) {
	var stdout, stderr output
	if code := run(t.Context(), []string{"audit", "--help"}, &stdout, &stderr); code != 0 {
		t.Fatalf("%d %s", code, &stderr)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	(&auditFlags{}).define(flags)
	flags.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(stdout.String(), "\n  --"+f.Name+" ") {
			t.Errorf("not in the usage: --%s", f.Name)
		}
	})
}

func TestAKeyForCheckpointsIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr output
	if code := run(t.Context(), []string{"audit", "--dir", dir, "--new-key", "audit.example.org"}, &stdout, &stderr); code != 0 {
		t.Fatalf("%d %s", code, &stderr)
	}
	if !strings.HasPrefix(stdout.String(), "audit.example.org+") || strings.Contains(stdout.String(), "PRIVATE") {
		t.Errorf("%s", &stdout)
	}
	if code := run(t.Context(), []string{"audit", "--dir", dir, "--new-key", "other"}, &stdout, &stderr); code != audit.ExitUnreadable || !strings.Contains(stderr.String(), "nothing was changed") {
		t.Errorf("%d %s", code, &stderr)
	}
}
