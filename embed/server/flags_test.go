package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	webconsole "immudb-webconsole/embed"
)

func noEnvironment(string) string { return "" }

func parse(t *testing.T, args ...string) settings {
	t.Helper()
	s, err := parseFlags(args, noEnvironment, io.Discard)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return s
}

func TestDefaults(t *testing.T) {
	want := settings{
		address:      "127.0.0.1",
		port:         8080,
		dir:          "./.immudb",
		grpcPort:     portWish{number: 3322},
		metricsPort:  portWish{number: 9497},
		auth:         true,
		tokenMinutes: 1440,
		auditEvents:  "all",
	}
	if got := parse(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestFlags(t *testing.T) {
	got := parse(t, "--address", "::1", "--port=0", "--grpc-port", "0", "--metrics-port=9000",
		"--prefix", "ops/immudb/", "--allow-host", "a.example", "--allow-host", "b.example",
		"--auth=false", "--maintenance", "--signing-key", "k.pem", "--token-expiry-time", "5",
		"--audit-log", "--audit-log-events", "write", "--tls-cert", "c.pem", "--tls-key", "k.pem",
		"--log-format", "json", "--trust-user-header", "X-Remote-User")
	want := settings{
		tlsCert:      "c.pem",
		tlsKey:       "k.pem",
		logFormat:    "json",
		userHeader:   "X-Remote-User",
		address:      "::1",
		dir:          "./.immudb",
		grpcPort:     portWish{asked: true},
		metricsPort:  portWish{number: 9000, asked: true},
		prefix:       "/ops/immudb",
		allowHosts:   []string{"a.example", "b.example"},
		maintenance:  true,
		signingKey:   "k.pem",
		tokenMinutes: 5,
		auditLog:     true,
		auditEvents:  "write",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestFlagsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		args   string
		reason string
	}{
		{"--nonsense", "--help"},
		{"extra", "unexpected argument"},
		{"--port 70000", "not a port number"},
		{"--grpc-port -1", "not a port number"},
		{"--metrics-port http", "not a port number"},
		{"--prefix /a/../b", "not a plain path"},
		{"--address fe80::1%eth0", "one network alone"},
		{"--prefix /a?b", "not a plain path"},
		{"--prefix //a", "not a plain path"},
		{"--socket /x --port 1", "--port"},
		{"--tls-cert x", "--tls-key"},
		{"--tls-key x", "--tls-cert"},
		{"--log-format xml", "not text or json"},
		{"--trust-user-header a:b", "not a header"},
		{"--trust-user-header authorization", "not a header"},
		{"--trust-user-header webconsole-token", "not a header"},
		{"--trust-user-header sessionid", "not a header"},
		{"--trust-user-header proxy-authorization", "not a header"},
		{"--trust-user-header connection", "not a header"},
		{"--allow-host https://immudb.example", "not the name of a host"},
		{"--allow-host a.example,b.example", "once for each"},
		{"--allow-host immudb.example/console", "not the name of a host"},
		{"--allow-host *.example", "not the name of a host"},
		{"--maintenance", "--auth=false"},
		{"--demo --auth=false", "login"},
		{"--token-expiry-time 0", "at least 1 minute"},
		{"--audit-log --audit-log-events read", "not all, write or admin"},
		{"--audit-log-events write", "needs --audit-log"},
		{"--server http://db.example --audit-log", "does not go with --server"},
		{"--server db.example:8080", "want an address"},
		{"--server ftp://db.example", "want an address"},
		{"--metrics 9497", "want an address"},
		{"--server http://db.example --dir x", "--dir"},
		{"--server http://db.example --demo", "--demo"},
		{"--server http://db.example --grpc-port 0", "--grpc-port"},
		{"--admin-password-file /does/not/exist", "--admin-password-file"},
		{"--server eu=db.example:8080", "want an address"},
		{"--server =http://db.example", "name before the equals sign"},
		{"--server a/b=http://db.example", `server name "a/b"`},
		{"--server ..=http://db.example", `server name ".."`},
		{"--server eu=http://a --server eu=http://b", `two servers have the name "eu"`},
		{"--server eu=http://a --server Eu=http://b", `two servers have the name "Eu"`},
		{"--server http://a --server http://b", "each needs a name"},
		{"--server http://a --server eu=http://b", "each needs a name"},
		{"--server eu=http://a --metrics http://a:1", "--servers FILE"},
		{"--server eu=http://user:pw@a", "user name"},
		{"--server eu=http://a --dir x", "--dir"},
		{"--server eu=http://a --servers x", "do not go together"},
		{"--servers /does/not/exist", "--servers"},
		{"--servers x --demo", "--demo"},
		{"--servers x --replicas 2", "--replicas"},
		{"--replicas 2", "--demo"},
		{"--demo --replicas 0", "1 to 5"},
		{"--demo --replicas 6", "1 to 5"},
		{"--demo --replicas x", "--help"},
		{"--demo --replicas 2 --grpc-port 1", "--grpc-port"},
		{"--demo --replicas 2 --metrics http://a", "--metrics"},
	} {
		_, err := parseFlags(strings.Fields(c.args), noEnvironment, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: error %v, want one about %q", c.args, err, c.reason)
		}
	}
}

func TestServersOnTheCommandLine(t *testing.T) {
	alone := parse(t, "--server", "http://db1/a=b", "--metrics", "http://db1:1")
	if alone.server != "http://db1/a=b" || alone.servers != nil {
		t.Errorf("%+v", alone)
	}
	named := parse(t, "--server", "eu=https://db1:8080", "--server=us.2=http://db2/a=b")
	want := []webconsole.Server{{Name: "eu", URL: "https://db1:8080"}, {Name: "us.2", URL: "http://db2/a=b"}}
	if got := named.servers.List(); named.server != "" || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	file := filepath.Join(t.TempDir(), "servers.json")
	for text, reason := range map[string]string{
		`[{"name":"eu","url":"https://db1:8080"},{"name":"us.2","url":"http://db2/a=b"}]`: "",
		`[]`:              "the list of servers is empty",
		`null`:            "the list of servers is empty",
		`[{"name":"eu"}]`: "server eu: want an address",
		`{`:               file,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := parseFlags([]string{"--servers", file}, noEnvironment, io.Discard)
		if reason != "" {
			if err == nil || !strings.Contains(err.Error(), reason) || !strings.HasPrefix(err.Error(), "--servers: ") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(s.servers.List(), want) {
			t.Errorf("%+v, %v", s.servers, err)
		}
	}
}

// Every flag is in the help, and the help names no flag that is not there.
func TestHelp(t *testing.T) {
	var out bytes.Buffer
	if _, err := parseFlags([]string{"--help"}, noEnvironment, &out); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	(&settings{}).define(flags)
	flags.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(out.String(), "  --"+f.Name) {
			t.Errorf("--%s is not in the help", f.Name)
		}
	})
	for _, named := range regexp.MustCompile(`(?m)^  --([a-z-]+)`).FindAllStringSubmatch(out.String(), -1) {
		if flags.Lookup(named[1]) == nil {
			t.Errorf("the help speaks of --%s", named[1])
		}
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if utf8.RuneCountInString(line) > 84 {
			t.Errorf("too wide: %s", line)
		}
	}
	for _, name := range embeddedOnly {
		if flags.Lookup(name) == nil {
			t.Errorf("embeddedOnly speaks of --%s", name)
		}
	}
}

func TestAdminPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(" with spaces \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := func(name string) string {
		if name == passwordVariable {
			return "from the environment"
		}
		return ""
	}
	for _, c := range []struct {
		args []string
		want string
		from string
	}{
		{nil, "from the environment", passwordVariable},
		{[]string{"--admin-password-file", file}, " with spaces ", "--admin-password-file"},
	} {
		s, err := parseFlags(c.args, environment, io.Discard)
		if err != nil || s.adminPassword != c.want || s.passwordFrom != c.from {
			t.Errorf("%v: %q, %v", c.args, s.adminPassword, err)
		}
	}
}
