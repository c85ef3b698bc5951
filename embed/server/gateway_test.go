package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// ownFront is the whole handler with the gateway of this process, in front of
// a database that only notes what it is told.
func ownFront(t *testing.T, told *metadata.MD, args ...string) http.Handler {
	t.Helper()
	gateway := gatewayTo(t, func(stream grpc.ServerStream) {
		*told, _ = metadata.FromIncomingContext(stream.Context())
	})
	return inFrontOf(t, gateway, args...)
}

// gatewayTo is our gateway to a database that knows no one.
func gatewayTo(t *testing.T, called func(grpc.ServerStream)) http.Handler {
	t.Helper()
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		called(stream)
		return status.Error(codes.Unknown, "not logged in")
	}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	gateway, err := newGateway(connection)
	if err != nil {
		t.Fatal(err)
	}
	return gateway
}

func inFrontOf(t *testing.T, gateway http.Handler, args ...string) http.Handler {
	t.Helper()
	s := parse(t, args...)
	console, err := newConsole(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "immudb_uptime_hours 1") })
	return newHandler(s, console, &source{api: gateway, metrics: metrics})
}

// immudb's audit log takes the first of these for the caller's address
// (pkg/server/request_metadata_interceptor.go).
func TestDatabaseIsToldWhoCalls(t *testing.T) {
	var told metadata.MD
	handler := ownFront(t, &told)
	for forwarded, want := range map[string]string{"": "192.0.2.7", "10.1.1.1": "10.1.1.1, 192.0.2.7"} {
		r := httptest.NewRequest("GET", "http://localhost/api/db/state", nil)
		r.RemoteAddr = "192.0.2.7:5000"
		r.Header.Set("Grpc-Metadata-X-Forwarded-For", "10.9.8.7")
		r.Header.Set("Grpc-Metadata-X-Real-Ip", "10.9.8.7")
		r.Header.Set("Grpc-Metadata-Tenant", "a")
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if got := told.Get("x-forwarded-for"); len(got) != 1 || got[0] != want || told.Get("x-real-ip") != nil || told.Get("tenant") != nil {
			t.Errorf("told %q and %q, want %q alone", got, told.Get("x-real-ip"), want)
		}
	}
}

// The rules of the guard hold for the database in this process as they do for
// a server elsewhere, below any prefix.
func TestRulesHoldInAllModes(t *testing.T) {
	var told metadata.MD
	server := elsewhere(t)
	type mode struct {
		name, prefix string
		handler      http.Handler
	}
	modes := []mode{
		{"own", "", ownFront(t, &told)},
		{"own", "/ops/immudb", ownFront(t, &told, "--prefix", "/ops/immudb")},
	}
	for _, m := range mountsOf(t, server.URL, server.URL+"/metrics") {
		modes = append(modes, mode{m.name, m.prefix, front(t, m.args...)})
	}
	for _, m := range modes {
		{
			name, prefix, handler := m.name, m.prefix, m.handler
			for _, c := range []struct {
				method, path, body string
				headers            []string
				status             int // 0: what the database says
			}{
				{"GET", "/api/health", "", nil, 0},
				{"POST", "/api/db/set", "{}", nil, 0},
				{"GET", "/metrics", "", nil, 200},
				{"HEAD", "/metrics", "", nil, 200},
				{"POST", "/metrics", "", nil, 405},
				{"GET", "/metrics", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
				{"POST", "/api/db/set", "{}", []string{"Sec-Fetch-Site", "cross-site"}, 403},
				{"GET", "/api/%2e%2e/metrics", "", nil, 400},
				{"GET", "/api/db/get/a%2Fb", "", nil, 400},
				{"GET", "/api/health", "", []string{"Host", "evil.example"}, 421},
				{"GET", "/metrics", "", []string{"Host", "evil.example"}, 421},
				{"GET", "/api/db/flushindex", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
				{"POST", "/api/login", strings.Repeat(" ", 65<<10), nil, 413},
				{"POST", "/api/v2/authorization/session/open", strings.Repeat(" ", 65<<10), nil, 413},
			} {
				r := httptest.NewRequest(c.method, "http://localhost"+prefix+c.path, strings.NewReader(c.body))
				for i := 0; i+1 < len(c.headers); i += 2 {
					r.Header.Set(c.headers[i], c.headers[i+1])
				}
				if host := r.Header.Get("Host"); host != "" {
					r.Host = host
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				if c.status != 0 && w.Code != c.status {
					t.Errorf("%s %s%s: %d, want %d", name, prefix, c.path, w.Code, c.status)
				}
				for header, want := range map[string]string{
					"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
					"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
				} {
					if got := w.Header().Get(header); got != want {
						t.Errorf("%s %s%s: %s %q", name, prefix, c.path, header, got)
					}
				}
				if got := w.Header().Get("Content-Type"); w.Code >= 400 && w.Code < 500 && got != "application/json" {
					t.Errorf("%s %s%s: an error of type %q", name, prefix, c.path, got)
				}
			}
		}
	}
}

// Whatever the gateway executes as one of these calls, the guard takes for that
// call, too: no other site reaches it, and no large body.
func TestGuardKnowsWhatTheGatewayExecutes(t *testing.T) {
	executed := ""
	gateway := gatewayTo(t, func(stream grpc.ServerStream) {
		method, _ := grpc.MethodFromServerStream(stream)
		executed = method[strings.LastIndex(method, "/")+1:]
	})
	guarded := inFrontOf(t, gateway)
	large := strings.Repeat(" ", 65<<10) + "{}"
	send := func(handler http.Handler, method, path, body string, headers ...string) (string, int) {
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		executed = ""
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return executed, w.Code
	}
	for _, c := range []struct {
		call, name, method, body string
		refused                  int
	}{
		{"/db/flushindex", "FlushIndex", "GET", "", 403},
		{"/db/compactindex", "CompactIndex", "GET", "", 403},
		{"/login", "Login", "POST", large, 413},
		{"/authorization/session/open", "OpenSession", "POST", large, 413},
	} {
		forms := 0
		for _, folder := range []string{"/api", "/api/v2", "/api/V2", "/api//v2", "/api/v2/v2"} {
			for _, part := range []string{"", ":", "::", ":x", "%3a", "%3A", "%253a", "/", "//", "/:", ":/", ";", ";a=b", "%20", "%00", "%2e", "?a", "?:", "?/:"} {
				for at := 0; at <= len(c.call); at++ {
					if at > 1 && at < len(c.call) && c.call[at-1] != '/' && c.call[at] != '/' {
						continue // inside a word
					}
					for _, call := range []string{
						c.call[:at] + part + c.call[at:],
						c.call[:at] + part + strings.ToUpper(c.call[at:]),
						c.call[:at] + part + escaped(c.call[at:]),
						c.call[:at] + part + c.call[at:] + ":",
					} {
						path := folder + call
						if name, _ := send(gateway, c.method, path, c.body); name != c.name {
							continue
						}
						forms++
						headers := []string{"Authorization", "Bearer x"}
						if c.refused == 403 {
							headers = append(headers, "Sec-Fetch-Site", "cross-site")
						}
						if name, status := send(guarded, c.method, path, c.body, headers...); name != "" || status != c.refused {
							t.Errorf("%s: %d, executed %q", path, status, name)
						}
					}
				}
			}
		}
		if forms < 10 {
			t.Errorf("%s: the gateway executes only %d forms", c.call, forms)
		}
	}
	// What the gateway makes of a form.
	form := []string{"Content-Type", "application/x-www-form-urlencoded", "Authorization", "Bearer x"}
	for _, override := range []string{"", "GET", "get", "DELETE"} {
		headers := append([]string{"X-HTTP-Method-Override", override}, form...)
		for _, path := range []string{"/api/db/flushindex", "/api/db/compactindex:", "/api/collection/a"} {
			bare, _ := send(gateway, "POST", path, "{}", headers...)
			name, status := send(guarded, "POST", path, "{}", headers...)
			if strings.HasSuffix(bare, "Index") && (name != "" || status != 405) || override == "DELETE" && name == "DeleteCollection" {
				t.Errorf("%s as a form, method %q: %d, executed %q", path, override, status, name)
			}
		}
	}
}

// escaped has each letter as its escape.
func escaped(text string) string {
	var all strings.Builder
	for _, b := range []byte(text) {
		if b == '/' {
			all.WriteByte(b)
			continue
		}
		fmt.Fprintf(&all, "%%%02x", b)
	}
	return all.String()
}
