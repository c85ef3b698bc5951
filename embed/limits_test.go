package webconsole

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// reading reads the whole body as immudb's gateway does, and reports a body
// that cannot be read as a malformed request, as it does too.
var reading = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%d bytes", n)
})

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func refusalIn(t *testing.T, body io.Reader) (text string, code int) {
	t.Helper()
	var refusal struct {
		Error, Message string
		Code           int
	}
	if err := json.NewDecoder(body).Decode(&refusal); err != nil || refusal.Message != refusal.Error {
		t.Errorf("not an error as immudb writes them: %+v, %v", refusal, err)
	}
	return refusal.Error, refusal.Code
}

func TestBodiesAreLimitedByRoute(t *testing.T) {
	mounted(t, reading, func(t *testing.T, handler http.Handler, prefix string) {
		for path, limit := range map[string]int64{
			"/api/login":                              64 << 10,
			"/api/v2/login":                           64 << 10,
			"/api/v2/authorization/session/open":      64 << 10,
			"/api/authorization/session/open":         64 << 10,
			"/api/%6cogin":                            64 << 10,
			"/api/db/set":                             48 << 20,
			"/api/v2/collection/a/documents":          48 << 20,
			"/api/v2/authorization/session/keepalive": 48 << 20,
		} {
			for _, isDeclared := range []bool{true, false} {
				for _, size := range []int64{limit, limit + 1} {
					isCostly := limit == callLimit && (size == limit || !isDeclared)
					if isCostly && prefix != "" && prefix != "/s/eu.1" {
						continue
					}
					if isCostly && path != "/api/db/set" {
						continue // reads 48 MiB to show the same again
					}
					r := httptest.NewRequest("POST", "http://localhost"+prefix+path, io.LimitReader(zeros{}, size))
					r.ContentLength = -1
					if isDeclared {
						r.ContentLength = size
					}
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, r)
					about := fmt.Sprintf("%s with %d bytes, declared %t", path, size, isDeclared)
					if size == limit {
						if w.Code != 200 {
							t.Errorf("%s: %d %s", about, w.Code, w.Body)
						}
						continue
					}
					if w.Code != 413 || w.Header().Get("Connection") != "close" {
						t.Errorf("%s: %d, Connection %q", about, w.Code, w.Header().Get("Connection"))
					}
					checkDataHeaders(t, w.Header(), about)
					text, code := refusalIn(t, w.Body)
					if code != 3 || !strings.Contains(text, inBytes(limit)) {
						t.Errorf("%s: code %d, %q", about, code, text)
					}
				}
			}
		}
	})
}

func TestBodiesOfOthersAreNotLimited(t *testing.T) {
	r := httptest.NewRequest("POST", "http://localhost/upload", io.LimitReader(zeros{}, 49<<20))
	w := httptest.NewRecorder()
	Guard(reading, GuardOptions{}).ServeHTTP(w, r)
	if w.Code != 200 {
		t.Errorf("status %d", w.Code)
	}
}

// shortWaits makes what takes half a minute take a moment.
func shortWaits(t *testing.T, moment time.Duration) {
	stallBefore, leftoverBefore := stall, leftover
	stall, leftover = moment, moment
	t.Cleanup(func() { stall, leftover = stallBefore, leftoverBefore })
}

func dial(t *testing.T, handler http.Handler) net.Conn {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(20 * time.Second))
	return connection
}

// A body that stands still ends the request and its connection, whether
// anybody reads it or not.
func TestStalledBodyIsRefused(t *testing.T) {
	shortWaits(t, 50*time.Millisecond)
	ignoring := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for name, c := range map[string]struct {
		path   string
		next   http.Handler
		status int
	}{
		"read":     {"/api/db/set", reading, 400},
		"not read": {"/api/db/set", ignoring, 418},
		"refused":  {"/metrics", reading, 405},
		"a page":   {"/query", ignoring, 418},
	} {
		mounted(t, c.next, func(t *testing.T, handler http.Handler, prefix string) {
			connection := dial(t, handler)
			fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Length: 1000\r\n\r\n{", prefix+c.path)
			reader := bufio.NewReader(connection)
			answer, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			if answer.StatusCode != c.status {
				t.Errorf("status %d %s", answer.StatusCode, body)
			}
			if name == "read" {
				text, _ := refusalIn(t, strings.NewReader(string(body)))
				if !strings.Contains(text, "nothing was executed") {
					t.Errorf("%q", text)
				}
			}
			if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("the connection stays open: %v", err)
			}
		})
	}
}

// The limit is on standing still: neither a slow upload nor a long query ends,
// and the connection serves the next request. The moment is long, because a
// busy machine may hold up what is sent.
func TestSlowUploadAndLongQueryPass(t *testing.T) {
	const moment = 2 * time.Second
	shortWaits(t, moment)
	connection := dial(t, Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		wait := moment * 5 / 4
		if r.URL.Path == "/api/health" {
			wait = 0
		}
		select {
		case <-r.Context().Done():
			http.Error(w, "cancelled", http.StatusServiceUnavailable)
		case <-time.After(wait):
			fmt.Fprintf(w, "%d bytes", len(body))
		}
	}), GuardOptions{}))
	reader := bufio.NewReader(connection)
	answered := func(want string) {
		t.Helper()
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := io.ReadAll(answer.Body); string(body) != want {
			t.Errorf("%d %s", answer.StatusCode, body)
		}
	}
	fmt.Fprint(connection, "POST /api/db/sqlquery HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n")
	for range 6 {
		time.Sleep(moment / 5)
		io.WriteString(connection, "x")
	}
	answered("6 bytes")
	fmt.Fprint(connection, "POST /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx")
	answered("1 bytes")
}
