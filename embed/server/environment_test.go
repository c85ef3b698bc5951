package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

func environmentOf(variables ...string) func(string) string {
	return func(name string) string {
		for _, variable := range variables {
			if key, value, _ := strings.Cut(variable, "="); key == name {
				return value
			}
		}
		return ""
	}
}

// One rule for all flags, and the command line goes first.
func TestVariablesStandForFlags(t *testing.T) {
	getenv := environmentOf("WEBCONSOLE_ADDRESS=0.0.0.0", "WEBCONSOLE_TLS_CERT=c.pem", "WEBCONSOLE_TLS_KEY=k.pem",
		"WEBCONSOLE_ALLOW_HOST=a.example b.example", "WEBCONSOLE_AUTH=false", "WEBCONSOLE_PREFIX=ops",
		"WEBCONSOLE_GRPC_PORT=0", "WEBCONSOLE_LOG_FORMAT=", "WEBCONSOLE_VERSION=0.1.0")
	s, err := parseFlags([]string{"--prefix", "/mine", "--dir", "x"}, getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if s.address != "0.0.0.0" || s.tlsCert != "c.pem" || s.tlsKey != "k.pem" || s.auth || s.prefix != "/mine" || s.dir != "x" ||
		!slices.Equal(s.allowHosts, []string{"a.example", "b.example"}) || s.grpcPort != (portWish{asked: true}) {
		t.Errorf("%+v", s)
	}
	several, err := parseFlags(nil, environmentOf("WEBCONSOLE_SERVER=eu=http://a us=http://b"), io.Discard)
	if err != nil || len(several.servers.List()) != 2 {
		t.Errorf("%+v, %v", several, err)
	}
	given, err := parseFlags([]string{"--allow-host", "c.example"}, getenv, io.Discard)
	if err != nil || !slices.Equal(given.allowHosts, []string{"c.example"}) {
		t.Errorf("%+v, %v", given, err)
	}
}

func TestVariablesThatAreWrong(t *testing.T) {
	for variable, reason := range map[string]string{
		"WEBCONSOLE_PORT=http":            "WEBCONSOLE_PORT: ",
		"WEBCONSOLE_SERVER=db:8080":       "WEBCONSOLE_SERVER: ",
		"WEBCONSOLE_AUTH=perhaps":         "WEBCONSOLE_AUTH: ",
		"WEBCONSOLE_TLS_CERT=c.pem":       "--tls-key",
		"WEBCONSOLE_MAINTENANCE=true":     "--auth=false",
		"WEBCONSOLE_AUDIT_LOG_EVENTS=all": "needs --audit-log",
	} {
		if _, err := parseFlags(nil, environmentOf(variable), io.Discard); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", variable, err, reason)
		}
	}
	// Kubernetes says where its services "webconsole", "webconsole-grpc" and "webconsole-metrics" are.
	for _, name := range []string{"PORT", "GRPC_PORT", "METRICS_PORT"} {
		getenv := environmentOf("WEBCONSOLE_" + name + "=tcp://10.0.0.1:8000")
		s, err := parseFlags(nil, getenv, io.Discard)
		if err != nil || s.port != 8080 || s.grpcPort.number != 3322 || s.metricsPort.number != 9497 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// A process of the demo must not take the settings of the one that starts it.
func TestOtherProcessesGetNoSettings(t *testing.T) {
	kept := withoutSettings([]string{"PATH=/bin", "WEBCONSOLE_REPLICAS=2", "WEBCONSOLE_TLS_CERT=c", "NOTIFY_SOCKET=/s", "WEBCONSOLE_TEST_X=1"})
	if !slices.Equal(kept, []string{"PATH=/bin", "WEBCONSOLE_TEST_X=1"}) {
		t.Errorf("%q", kept)
	}
}
