package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func probe(t *testing.T, handler http.Handler, method, url string) (int, map[string]string, http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(method, url, nil))
	var found map[string]string
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil {
		t.Fatalf("%s: %v: %s", url, err, w.Body)
	}
	return w.Code, found, w.Header()
}

func TestReadiness(t *testing.T) {
	state, asked := "full", 0
	var notes output
	h := &health{notes: &notes, checks: []check{
		{"disk", func(context.Context) string { asked++; return state }},
		{"database", func(context.Context) string { return fine }},
	}}
	behind := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	handler := h.beside("/ops", behind)

	// Under any host name, and without a login.
	code, found, header := probe(t, handler, "GET", "http://any.example/ops/readyz")
	if code != 503 || found["status"] != "not ready" || found["disk"] != "full" || found["database"] != "ok" || len(found) != 3 {
		t.Errorf("%d %v", code, found)
	}
	for name, want := range map[string]string{"Connection": "close", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
		if header.Get(name) != want {
			t.Errorf("%s: %q", name, header.Get(name))
		}
	}
	state = fine
	if code, _, _ := probe(t, handler, "HEAD", "http://localhost/ops/readyz"); code != 503 || asked != 1 {
		t.Errorf("asked again at once: %d, %d times", code, asked)
	}
	h.at = h.at.Add(-checkedFor)
	if code, found, _ := probe(t, handler, "GET", "http://localhost/ops/readyz"); code != 200 || found["status"] != "ready" {
		t.Errorf("%d %v", code, found)
	}
	if got := notes.String(); got != "Warning: not ready (disk: full)\nReady again.\n" {
		t.Errorf("noted %q", got)
	}
	if code, found, _ := probe(t, handler, "GET", "http://localhost/ops/healthz"); code != 200 || len(found) != 1 {
		t.Errorf("%d %v", code, found)
	}
	if code, _, _ := probe(t, handler, "POST", "http://localhost/ops/readyz"); code != 405 {
		t.Errorf("POST: %d", code)
	}
	h.isStopping.Store(true)
	if code, found, _ := probe(t, handler, "GET", "http://localhost/ops/readyz"); code != 503 || found["status"] != "stopping" {
		t.Errorf("%d %v", code, found)
	}
	for _, path := range []string{"/readyz", "/healthz", "/ops/readyz/", "/ops/readyz/x", "/ops/api/readyz", "/ops"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Code != http.StatusTeapot {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// A check that hangs costs the probe its patience and no more.
func TestReadinessOfAServerElsewhere(t *testing.T) {
	server := elsewhere(t)
	for _, c := range []struct {
		args []string
		name string
		want int
	}{
		{[]string{"--server", server.URL}, "database", 200},
		{[]string{"--server", "http://127.0.0.1:1"}, "database", 503},
		{[]string{"--server", "eu=" + server.URL, "--server", "us=http://127.0.0.1:1"}, "servers", 200},
		{[]string{"--server", "eu=http://127.0.0.1:1", "--server", "us=http://127.0.0.1:1"}, "servers", 503},
	} {
		source, err := openSource(t.Context(), parse(t, c.args...), &output{})
		if err != nil {
			t.Fatal(err)
		}
		h := &health{checks: source.checks, notes: &output{}}
		code, found, _ := probe(t, h.beside("", nil), "GET", "http://localhost/readyz")
		if code != c.want || (found[c.name] == fine) != (c.want == 200) {
			t.Errorf("%v: %d %v", c.args, code, found)
		}
		for _, value := range found {
			if strings.Contains(value, "127.0.0.1") {
				t.Errorf("tells an address: %v", found)
			}
		}
		if !source.isAlive(t.Context()) {
			t.Errorf("%v: a server elsewhere is no reason to start this process anew", c.args)
		}
	}
}

func TestWritesThatWait(t *testing.T) {
	w := &writeWatch{}
	begin := time.Now()
	w.note(0, 0, begin)
	if got := w.waitingAt(begin); got != 0 {
		t.Errorf("nothing waits: %s", got)
	}
	w.note(5, 2, begin)
	w.note(5, 2, begin.Add(20*time.Second))
	if got := w.waitingAt(begin.Add(31 * time.Second)); got != 31*time.Second {
		t.Errorf("%s", got)
	}
	// One of them ended: the other may be a long statement.
	w.note(6, 1, begin.Add(32*time.Second))
	if got := w.waitingAt(begin.Add(33 * time.Second)); got != time.Second {
		t.Errorf("%s", got)
	}
	w.note(7, 0, begin.Add(34*time.Second))
	if got := w.waitingAt(begin.Add(90 * time.Second)); got != 0 {
		t.Errorf("%s", got)
	}
}

// A probe whose body never comes does not hold its connection.
func TestProbeWithABodyThatNeverComes(t *testing.T) {
	h := &health{notes: &output{}}
	server := newHTTPServer(h.beside("", nil), settings{}, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(connection, "POST /readyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
	connection.SetReadDeadline(time.Now().Add(patience))
	if text, err := io.ReadAll(connection); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 405") {
		t.Errorf("%q, %v", text, err)
	}
}
