package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// elsewhere is a server that tells what it was asked.
func elsewhere(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("Grpc-Metadata-Immudb-Uuid", "abc")
		if r.URL.Path == "/api/teapot" {
			w.WriteHeader(http.StatusTeapot)
		}
		io.WriteString(w, r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+" "+string(body))
	}))
	t.Cleanup(server.Close)
	return server
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
		{[]string{"--server", server.URL}, "GET", "/api/db/get/a%2Fb==", 200, "GET /api/db/get/a%2Fb== Bearer x"},
		{[]string{"--server", server.URL}, "GET", "/api/teapot", 418, "GET /api/teapot"},
		{[]string{"--server", server.URL + "/below/"}, "GET", "/api/health", 200, "GET /below/api/health"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/ops/api/health", 200, "GET /api/health"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/api/health", 404, "404"},
		{[]string{"--server", server.URL, "--prefix", "/ops"}, "GET", "/", 404, "404"},
		{[]string{"--server", server.URL, "--metrics", server.URL + "/numbers"}, "GET", "/metrics", 200, "GET /numbers"},
	} {
		answer := ask(front(t, c.args...), c.method, c.path, "{}")
		if answer.Code != c.status || !strings.Contains(answer.Body.String(), c.body) {
			t.Errorf("%s %v: %d %q, want %d %q", c.path, c.args, answer.Code, answer.Body, c.status, c.body)
		}
	}
}

func TestProxyKeepsForeignRulesOut(t *testing.T) {
	server := elsewhere(t)
	handler := front(t, "--server", server.URL, "--metrics", server.URL)
	api, metrics := ask(handler, "GET", "/api/health", ""), ask(handler, "GET", "/metrics", "")
	if cache := api.Header().Values("Cache-Control"); len(cache) != 1 || cache[0] != "no-cache" {
		t.Errorf("Cache-Control %q", cache)
	}
	if api.Header().Get("Grpc-Metadata-Immudb-Uuid") != "abc" {
		t.Error("the server's own headers are lost")
	}
	for name, answer := range map[string]*httptest.ResponseRecorder{"api": api, "metrics": metrics} {
		if answer.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s may be read by every site", name)
		}
	}
}

func TestMissingServerIsBadGateway(t *testing.T) {
	server := elsewhere(t)
	handler := front(t, "--server", server.URL, "--metrics", server.URL)
	server.Close()
	for path, name := range map[string]string{"/api/health": "immudb server", "/metrics": "metrics server"} {
		answer := ask(handler, "GET", path, "")
		var body struct {
			Error string
			Code  int
		}
		err := json.Unmarshal(answer.Body.Bytes(), &body)
		if err != nil || answer.Code != 502 || body.Code != grpcUnavailable || !strings.Contains(body.Error, name) {
			t.Errorf("%s: %d %q, %v", path, answer.Code, answer.Body, err)
		}
	}
}

func TestUsualMetricsAddress(t *testing.T) {
	source := remoteSource(parse(t, "--server", "https://db.example:8443/immudb"))
	if source.metricsURL != "https://db.example:9497/metrics" {
		t.Errorf("metrics at %s", source.metricsURL)
	}
}
