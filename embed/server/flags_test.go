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
	}
	if got := parse(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestFlags(t *testing.T) {
	got := parse(t, "--address", "::1", "--port=0", "--grpc-port", "0", "--metrics-port=9000",
		"--prefix", "ops/immudb/", "--allow-host", "a.example", "--allow-host", "b.example",
		"--auth=false", "--maintenance", "--signing-key", "k.pem", "--token-expiry-time", "5")
	want := settings{
		address:      "::1",
		dir:          "./.immudb",
		grpcPort:     portWish{asked: true},
		metricsPort:  portWish{number: 9000, asked: true},
		prefix:       "/ops/immudb",
		allowHosts:   []string{"a.example", "b.example"},
		maintenance:  true,
		signingKey:   "k.pem",
		tokenMinutes: 5,
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
		{"--prefix /a?b", "not a plain path"},
		{"--prefix //a", "not a plain path"},
		{"--maintenance", "--auth=false"},
		{"--demo --auth=false", "login"},
		{"--token-expiry-time 0", "at least 1 minute"},
		{"--server db.example:8080", "want an address"},
		{"--server ftp://db.example", "want an address"},
		{"--metrics 9497", "want an address"},
		{"--server http://db.example --dir x", "--dir"},
		{"--server http://db.example --demo", "--demo"},
		{"--server http://db.example --grpc-port 0", "--grpc-port"},
		{"--admin-password-file /does/not/exist", "--admin-password-file"},
	} {
		_, err := parseFlags(strings.Fields(c.args), noEnvironment, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: error %v, want one about %q", c.args, err, c.reason)
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
		if len(line) > 84 {
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
