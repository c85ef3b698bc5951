package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	webconsole "immudb-webconsole/embed"
)

// elsewhere is a server that tells what it was asked.
func elsewhere(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("Grpc-Metadata-Immudb-Uuid", "abc")
		w.Header().Set(webconsole.FreshHeader, "kept")
		if r.Header.Get(webconsole.FreshHeader) != "" {
			t.Errorf("%s was passed on with its mark", r.URL.Path)
		}
		if r.URL.Path == "/api/teapot" {
			w.WriteHeader(http.StatusTeapot)
		}
		io.WriteString(w, r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+" "+string(body))
	}))
	t.Cleanup(server.Close)
	return server
}

// mount is a way to put the console in front of a server.
type mount struct {
	name   string
	args   []string
	prefix string // what stands before /api and /metrics
	who    string // how errors begin
}

// mountsOf are all ways. What holds for one has to hold for all.
func mountsOf(t *testing.T, server, metrics string) []mount {
	t.Helper()
	list := filepath.Join(t.TempDir(), "servers.json")
	entries := fmt.Sprintf(`[{"name":"us","url":"http://127.0.0.1:1"},{"name":"eu","url":%q,"metrics":%q}]`, server, metrics)
	if err := os.WriteFile(list, []byte(entries), 0o600); err != nil {
		t.Fatal(err)
	}
	alone := []string{"--server", server, "--metrics", metrics}
	named := []string{"--servers", list}
	below := []string{"--prefix", "/ops/immudb"}
	return []mount{
		{"alone", alone, "", "The "},
		{"alone below a prefix", append(below, alone...), "/ops/immudb", "The "},
		{"named", named, "/s/eu", ""},
		{"named below a prefix", append(below, named...), "/ops/immudb/s/eu", ""},
	}
}

// front is the whole handler in front of another server.
func front(t *testing.T, args ...string) http.Handler {
	t.Helper()
	s := parse(t, args...)
	source, err := openSource(t.Context(), s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	console, err := newConsole(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return newHandler(s, console, source)
}

func ask(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer x")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestProxy(t *testing.T) {
	server := elsewhere(t)
	for _, c := range []struct {
		args   []string
		method string
		path   string
		status int
		body   string
	}{
		{[]string{"--server", server.URL}, "POST", "/api/db/set?a=b", 200, "POST /api/db/set?a=b Bearer x {}"},
		{[]string{"--server", server.URL}, "GET", "/api/v2/collections", 200, "GET /api/v2/collections Bearer x"},
		{[]string{"--server", server.URL}, "GET", "/api/db/get/_-8A_w==", 200, "GET /api/db/get/_-8A_w== Bearer x"},
		{[]string{"--server", server.URL}, "GET", "/api/teapot", 418, "GET /api/teapot"},
		{[]string{"--server", server.URL + "/below/"}, "GET", "/api/health", 200, "GET /below/api/health"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/ops/api/health", 200, "GET /api/health"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/api/health", 404, "404"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/", 404, "404"},
		{[]string{"--server", server.URL, "--metrics", server.URL + "/numbers"}, "GET", "/metrics", 200, "GET /numbers"},
		{[]string{"--server", server.URL, "--metrics", server.URL + "/"}, "GET", "/metrics", 200, "GET /metrics"},
	} {
		answer := ask(front(t, c.args...), c.method, c.path, "{}")
		if answer.Code != c.status || !strings.Contains(answer.Body.String(), c.body) {
			t.Errorf("%s %v: %d %q, want %d %q", c.path, c.args, answer.Code, answer.Body, c.status, c.body)
		}
	}
}

// hostile is a server that tries to speak for the console's origin. What it
// was asked is kept.
func hostile(t *testing.T, asked *http.Header) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = r.Header.Clone()
		for name, value := range map[string]string{
			"Access-Control-Allow-Credentials": "true",
			"Access-Control-Allow-Origin":      "*",
			"Alt-Svc":                          `h3="evil.example:443"`,
			"Cache-Control":                    "max-age=60",
			"Clear-Site-Data":                  `"storage"`,
			"Content-Security-Policy":          "script-src *",
			"Content-Type":                     "text/html",
			"Grpc-Metadata-Immudb-Uuid":        "abc",
			"Link":                             "<https://evil.example>; rel=preload",
			"Refresh":                          "0; url=https://evil.example",
			"Service-Worker-Allowed":           "/",
			"Set-Cookie":                       "a=b",
			"Strict-Transport-Security":        "max-age=9",
			"Webconsole-Token":                 "taken",
			"Www-Authenticate":                 "Basic",
			"X-Frame-Options":                  "ALLOWALL",
		} {
			w.Header().Set(name, value)
		}
		switch r.URL.Path {
		case "/api/away", "/away":
			w.Header().Set("Location", "https://evil.example/")
			w.WriteHeader(http.StatusTemporaryRedirect)
		case "/api/near":
			w.Header().Set("Location", "/api/health")
			w.WriteHeader(http.StatusMovedPermanently)
		case "/api/hints":
			w.WriteHeader(http.StatusEarlyHints)
		}
		io.WriteString(w, "<script>alert(1)</script>")
	}))
	t.Cleanup(server.Close)
	return server
}

// The whole set of headers, so that nothing new slips through.
func TestProxyKeepsForeignRulesOut(t *testing.T) {
	var asked http.Header
	server := hostile(t, &asked)
	for _, m := range mountsOf(t, server.URL, server.URL+"/metrics") {
		handler := front(t, m.args...)
		for _, path := range []string{"/api/health", "/api/hints", "/metrics"} {
			answer := ask(handler, "GET", m.prefix+path, "")
			want := map[string]string{
				"Cache-Control":                "no-store",
				"Content-Length":               "25",
				"Content-Security-Policy":      "sandbox; default-src 'none'; frame-ancestors 'none'",
				"Content-Type":                 "text/html",
				"Cross-Origin-Resource-Policy": "same-origin",
				"Date":                         answer.Header().Get("Date"),
				"Grpc-Metadata-Immudb-Uuid":    "abc",
				"Referrer-Policy":              "no-referrer",
				"X-Content-Type-Options":       "nosniff",
				"X-Frame-Options":              "DENY",
			}
			if path != "/metrics" {
				// Of the guard: the server behind says something else of it.
				want["Webconsole-Token"] = "known"
			}
			version := answer.Header().Get("Webconsole-Servers")
			if (version != "") != strings.Contains(m.prefix, "/s/") {
				t.Errorf("%s: the version of the list is %q", m.name, version)
			}
			answer.Header().Del("Webconsole-Servers")
			for name, values := range answer.Header() {
				if len(values) != 1 || values[0] != want[name] {
					t.Errorf("%s: %s is %q, want %q", path, name, values, want[name])
				}
				delete(want, name)
			}
			if len(want) != 0 {
				t.Errorf("%s: lost %v", path, want)
			}
		}
	}
}

func TestRedirectsOfTheServerAreNotFollowed(t *testing.T) {
	var asked http.Header
	server := hostile(t, &asked)
	for _, c := range []struct{ metrics, path string }{
		{"/metrics", "/api/away"},
		{"/metrics", "/api/near"},
		{"/away", "/metrics"},
	} {
		for _, m := range mountsOf(t, server.URL, server.URL+c.metrics) {
			answer := ask(front(t, m.args...), "GET", m.prefix+c.path, "")
			failed := unansweredIn(t, answer)
			if answer.Code != 502 || failed.Reason != "redirect" || !failed.Sent || answer.Header().Get("Location") != "" ||
				!strings.HasPrefix(failed.text, m.begins(c.path)) {
				t.Errorf("%s: %s: %d %s", m.name, c.path, answer.Code, answer.Body)
			}
		}
	}
}

// begins is how the sentence about an unanswered call to a path begins.
func (m mount) begins(path string) string {
	isMetrics := strings.HasSuffix(path, "/metrics")
	switch {
	case m.who == "" && isMetrics:
		return "The metrics of eu did not answer: "
	case m.who == "":
		return "eu did not answer: "
	case isMetrics:
		return "The metrics server at 127.0.0.1:"
	}
	return "The immudb server at 127.0.0.1:"
}

// unanswered is the detail of an error about a server that did not answer.
type unanswered struct {
	Type   string `json:"@type"`
	Server string
	Reason string
	Sent   bool
	text   string
}

func unansweredIn(t *testing.T, answer *httptest.ResponseRecorder) unanswered {
	t.Helper()
	var body struct {
		Error, Message string
		Code           int
		Details        []unanswered
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil || body.Code != 14 || body.Error != body.Message ||
		len(body.Details) != 1 || body.Details[0].Type != "webconsole.Unanswered" {
		t.Errorf("%v: %s", err, answer.Body)
		return unanswered{}
	}
	body.Details[0].text = body.Error
	return body.Details[0]
}

func TestProxyTellsTheServerWhoCalls(t *testing.T) {
	var asked http.Header
	server := hostile(t, &asked)
	for _, m := range mountsOf(t, server.URL, server.URL+"/metrics") {
		t.Run(m.name, func(t *testing.T) { tellsWhoCalls(t, front(t, m.args...), m.prefix, &asked) })
	}
}

func tellsWhoCalls(t *testing.T, handler http.Handler, prefix string, asked *http.Header) {
	call := func(path string, forwarded ...string) http.Header {
		r := httptest.NewRequest("GET", "http://localhost"+prefix+path, nil)
		r.RemoteAddr = "192.0.2.7:5000"
		for _, name := range []string{
			"Authorization", "Cookie", "X-Real-Ip", "Forwarded", "X-Forwarded-Host", "Proxy-Authorization",
			"Proxy-Trace", "Proxy-Connection", "Grpc-Metadata-X-Forwarded-For", "Grpc-Metadata-X-Real-Ip",
			"Grpc-Metadata-Tenant", "X-Hop", "Sessionid", "Idempotency-Key", "X-Idempotency-Key", "Keep-Alive",
			"Te", "Trailer", "Transfer-Encoding", "Proxy-Authenticate",
		} {
			r.Header.Set(name, "10.9.8.7")
		}
		r.Header.Set("Connection", "X-Hop, Upgrade")
		r.Header.Set("Upgrade", "websocket")
		r.Header.Set("Webconsole-Fresh", "1")
		r.Header.Set("Te", "trailers")
		r.Header["X-Forwarded-For"] = forwarded
		handler.ServeHTTP(httptest.NewRecorder(), r)
		return *asked
	}
	for _, c := range []struct {
		before []string
		want   string
	}{
		{nil, "192.0.2.7"},
		{[]string{"10.1.1.1"}, "10.1.1.1, 192.0.2.7"},
		{[]string{"10.1.1.1", "10.2.2.2, 10.3.3.3"}, "10.1.1.1, 10.2.2.2, 10.3.3.3, 192.0.2.7"},
	} {
		header := call("/api/health", c.before...)
		for name, want := range map[string]string{
			"X-Forwarded-For": c.want, "Authorization": "10.9.8.7", "Sessionid": "10.9.8.7",
			// Ours: a marked write goes on a connection of its own here too.
			"Connection": "close",
		} {
			if got := header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
			header.Del(name)
		}
		if len(header) != 0 {
			t.Errorf("the API also gets %v", header)
		}
	}
	if header := call("/metrics", "10.1.1.1"); len(header) != 0 {
		t.Errorf("the metrics server gets %v", header)
	}
}

func TestTooLargeCallsNeverReachTheServer(t *testing.T) {
	server := elsewhere(t)
	for _, m := range mountsOf(t, server.URL, server.URL) {
		handler, prefix := front(t, m.args...), m.prefix
		for _, isDeclared := range []bool{true, false} {
			r := httptest.NewRequest("POST", "http://localhost"+prefix+"/api/login", strings.NewReader(strings.Repeat(" ", 65<<10)))
			if !isDeclared {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != 413 || !strings.Contains(w.Body.String(), `"code":3`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
	}
}

// The rule is about the browser's connections to us, in front of another server
// too; what that one claims is about our connections to it.
func TestProxyRunsMarkedWritesFirst(t *testing.T) {
	upstream := elsewhere(t)
	for _, m := range mountsOf(t, upstream.URL, upstream.URL) {
		handler, prefix := front(t, m.args...), m.prefix
		server := newHTTPServer(handler, settings{}, nil)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go server.Serve(listener)
		t.Cleanup(func() { server.Close() })
		checkFresh(t, "http://"+listener.Addr().String()+prefix+"/")
		unclaimed := ask(handler, "GET", prefix+"/api/health", "")
		if claim := unclaimed.Header().Get(webconsole.FreshHeader); claim != "" {
			t.Errorf("the upstream's claim %q is passed back", claim)
		}
	}
}

func TestMissingServerIsBadGateway(t *testing.T) {
	server := elsewhere(t)
	mounts := mountsOf(t, server.URL, server.URL)
	server.Close()
	for _, m := range mounts {
		handler := front(t, m.args...)
		for _, path := range []string{"/api/health", "/metrics"} {
			answer := ask(handler, "GET", m.prefix+path, "")
			failed := unansweredIn(t, answer)
			if answer.Code != 502 || failed.Reason != "unreachable" || failed.Sent || !strings.HasPrefix(failed.text, m.begins(path)) ||
				!strings.HasSuffix(failed.text, " Nothing was executed.") {
				t.Errorf("%s: %s: %d %s", m.name, path, answer.Code, answer.Body)
			}
		}
	}
}

func TestUsualMetricsAddress(t *testing.T) {
	source, err := remoteSource(parse(t, "--server", "https://db.example:8443/immudb"))
	if err != nil || !strings.Contains(source.lines, "Metrics  https://db.example:9497/metrics\n") {
		t.Errorf("%+v, %v", source, err)
	}
}
