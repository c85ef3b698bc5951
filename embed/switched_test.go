package webconsole

import (
	"bufio"
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

// A server that switches the protocol would get the browser's connection, and
// with it the calls and tokens that are meant for other servers.
func TestNoStatusOfAServerTakesTheConnectionOver(t *testing.T) {
	url := listening(t, func(connection net.Conn) {
		defer connection.Close()
		r, err := http.ReadRequest(bufio.NewReader(connection))
		if err != nil {
			return
		}
		status := r.URL.Path[len(r.URL.Path)-3:]
		fmt.Fprintf(connection, "HTTP/1.1 %s Strange\r\nConnection: Upgrade\r\n", status)
		if status[0] == '1' {
			// What a tunnel would answer to whatever comes next.
			io.WriteString(connection, "\r\nHTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nstolen")
		} else {
			io.WriteString(connection, "Connection: close\r\nContent-Length: 2\r\n\r\n{}")
		}
		connection.SetReadDeadline(time.Now().Add(5 * time.Second))
		io.Copy(io.Discard, connection)
	})
	inFront(t, Server{URL: url, Metrics: url}, func(t *testing.T, handler http.Handler, prefix string) {
		server := httptest.NewServer(handler)
		defer server.Close()
		check := func(status int) {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			connection.SetDeadline(time.Now().Add(10 * time.Second))
			reader := bufio.NewReader(connection)
			ask := func(path string) (int, string) {
				t.Helper()
				fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", prefix+path)
				answer, err := http.ReadResponse(reader, nil)
				if err != nil {
					t.Fatalf("%03d: %v", status, err)
				}
				defer answer.Body.Close()
				body, err := io.ReadAll(answer.Body)
				if err != nil {
					t.Fatalf("%03d: %v", status, err)
				}
				if answer.Header.Get("Upgrade") != "" || strings.Contains(answer.Header.Get("Connection"), "Upgrade") {
					t.Errorf("%03d: %v", status, answer.Header)
				}
				return answer.StatusCode, string(body)
			}
			got, text := ask(fmt.Sprintf("/api/%03d", status))
			switch {
			case status == 100 || status == 103:
				// Interim answers, after which the real one comes.
				if got != 200 || text != "stolen" {
					t.Errorf("%03d: %d %s", status, got, text)
				}
			case status < 200, status >= 300 && status < 400 && status != 304:
				if got != 502 || !strings.Contains(text, "did not answer: ") {
					t.Errorf("%03d: %d %s", status, got, text)
				}
			case got != status:
				t.Errorf("%03d: %d %s", status, got, text)
			}
			// The connection is still the handler's.
			fmt.Fprintf(connection, "GET /nowhere.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			next, err := io.ReadAll(reader)
			if err != nil || strings.Contains(string(next), "stolen") || !strings.HasPrefix(string(next), "HTTP/1.1 404 ") {
				t.Errorf("%03d: what came next on the connection: %v %q", status, err, next)
			}
		}
		for status := range 1000 {
			check(status)
		}
	})
}

// A 101 on the connection that is asked for its id must not pass for an answer.
func TestIssuerThatSwitchesGetsNoToken(t *testing.T) {
	asked := make(chan string, 8)
	url := listening(t, func(connection net.Conn) {
		defer connection.Close()
		reader := bufio.NewReader(connection)
		for {
			r, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			asked <- r.URL.Path + r.Header.Get("Authorization")
			fmt.Fprintf(connection, "HTTP/1.1 101 Switching\r\n%s: one\r\n\r\n", IdentityHeader)
		}
	})
	inFront(t, Server{URL: url}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := withToken(handler, "GET", prefix+"/api/db/list", "one")
		if got := failureIn(t, answer.Code, answer.Body); got.reason != "broken" || got.sent {
			t.Errorf("%+v", got)
		}
		if first := <-asked; first != "/api/health" || len(asked) > 0 {
			t.Errorf("it was asked %q, and %d more", first, len(asked))
		}
	})
}

// Whatever answers a call, in this process too, gets no hold of the connection.
func TestNoHandlerTakesTheConnectionOver(t *testing.T) {
	for name, try := range map[string]func(http.ResponseWriter) error{
		"controller": func(w http.ResponseWriter) error {
			_, _, err := http.NewResponseController(w).Hijack()
			return err
		},
		"writer itself": func(w http.ResponseWriter) error {
			if _, is := w.(http.Hijacker); is {
				return nil
			}
			return http.ErrNotSupported
		},
		"unwrapped": func(w http.ResponseWriter) error {
			if _, is := w.(interface{ Unwrap() http.ResponseWriter }); is {
				return nil
			}
			return http.ErrNotSupported
		},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if err := try(w); !errors.Is(err, http.ErrNotSupported) {
				t.Errorf("%s: the connection can be taken over: %v", name, err)
			}
		})
		mounted(t, handler, func(t *testing.T, handler http.Handler, prefix string) {
			server := httptest.NewServer(handler)
			defer server.Close()
			for _, path := range []string{"/api/health", "/metrics"} {
				if answer, err := http.Get(server.URL + prefix + path); err == nil {
					answer.Body.Close()
				}
			}
		})
	}
	for status := range 200 {
		switching := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, "{}")
		})
		answer := ask(Guard(switching, GuardOptions{}), "GET", "http://localhost/api/health")
		checkDataHeaders(t, answer.Header(), fmt.Sprint(status))
		if status == 100 || status == 103 {
			if answer.Code != 200 || answer.Body.String() != "{}" {
				t.Errorf("%d: %d %s", status, answer.Code, answer.Body)
			}
			continue
		}
		if text, code := refusalIn(t, answer.Body); answer.Code != 502 || code != grpcUnavailable || !strings.Contains(text, fmt.Sprint(status)) {
			t.Errorf("%d: %d, code %d, %q", status, answer.Code, code, text)
		}
	}
}
