package webconsole

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// identified is an immudb that can be another one from the next connection on.
type identified struct {
	*httptest.Server
	mutex sync.Mutex
	id    string
	calls []string // such as "POST /api/db/set Bearer x"
	ends  bool     // every connection after its answer
}

func newIdentified(t *testing.T, id string, start func(*httptest.Server)) *identified {
	t.Helper()
	s := &identified{id: id}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.calls = append(s.calls, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get(IssuerHeader)))
		id, ends := s.id, s.ends
		s.mutex.Unlock()
		if id != "" {
			w.Header().Set(IdentityHeader, id)
		}
		if ends {
			w.Header().Set("Connection", "close")
		}
		io.WriteString(w, "{}")
	}))
	start(s.Server)
	t.Cleanup(s.Close)
	return s
}

// become has the next connection lead to another server.
func (s *identified) become(id string) {
	s.mutex.Lock()
	s.id = id
	s.mutex.Unlock()
	s.CloseClientConnections()
}

// since returns the calls since it was asked last.
func (s *identified) since() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

func withToken(handler http.Handler, method, path, issuer string) *httptest.ResponseRecorder {
	return ask(handler, method, "http://localhost"+path, "Authorization", "Bearer x", IssuerHeader, issuer)
}

func TestTokenGoesOnlyToItsIssuer(t *testing.T) {
	for scheme, start := range map[string]func(*httptest.Server){
		"http": (*httptest.Server).Start, "https": (*httptest.Server).StartTLS,
	} {
		t.Run(scheme, func(t *testing.T) {
			server := newIdentified(t, "first", start)
			named := Server{URL: server.URL}
			if own := server.Certificate(); own != nil {
				named.CA = newAuthority(t, "ours").write("own.pem", "CERTIFICATE", own.Raw)
			}
			inFront(t, named, func(t *testing.T, handler http.Handler, prefix string) {
				server.become("first")
				server.since()
				for range 3 {
					if answer := withToken(handler, "GET", prefix+"/api/db/list", "first"); answer.Code != 200 {
						t.Fatalf("%d %s", answer.Code, answer.Body)
					}
				}
				want := []string{"GET /api/health", "GET /api/db/list Bearer x", "GET /api/db/list Bearer x", "GET /api/db/list Bearer x"}
				if got := server.since(); !slices.Equal(got, want) {
					t.Errorf("the server got %q, want %q", got, want)
				}

				server.become("second")
				for _, method := range []string{"GET", "POST"} {
					answer := withToken(handler, method, prefix+"/api/db/list", "first")
					if answer.Code != 421 || answer.Header().Get(IdentityHeader) != "second" ||
						!strings.Contains(answer.Body.String(), `"not logged in: another immudb answers at `) {
						t.Errorf("%s: %d %v %s", method, answer.Code, answer.Header(), answer.Body)
					}
				}
				for _, call := range server.since() {
					if call != "GET /api/health" {
						t.Errorf("the other server got %q", call)
					}
				}
				if answer := withToken(handler, "GET", prefix+"/api/db/list", "second"); answer.Code != 200 {
					t.Errorf("a token of the new one: %d %s", answer.Code, answer.Body)
				}
			})
		})
	}
}

func TestWritesGoToTheIssuerOnConnectionsOfTheirOwn(t *testing.T) {
	server := newIdentified(t, "first", (*httptest.Server).Start)
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		server.become("first")
		server.since()
		for range 2 {
			answer := ask(handler, "POST", "http://localhost"+prefix+"/api/db/set",
				"Authorization", "Bearer x", IssuerHeader, "first", FreshHeader, "1")
			if answer.Code != 200 {
				t.Fatalf("%d %s", answer.Code, answer.Body)
			}
		}
		want := []string{"GET /api/health", "POST /api/db/set Bearer x", "GET /api/health", "POST /api/db/set Bearer x"}
		if got := server.since(); !slices.Equal(got, want) {
			t.Errorf("the server got %q, want %q", got, want)
		}
	})
}

func TestServerBehindAnotherProxy(t *testing.T) {
	t.Run("that ends connections", func(t *testing.T) {
		server := newIdentified(t, "first", (*httptest.Server).Start)
		server.ends = true
		inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
			if answer := withToken(handler, "GET", prefix+"/api/db/list", "first"); answer.Code != 200 {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	})
	t.Run("below a path", func(t *testing.T) {
		server := newIdentified(t, "first", (*httptest.Server).Start)
		inFront(t, Server{URL: server.URL + "/below/"}, func(t *testing.T, handler http.Handler, prefix string) {
			server.since()
			withToken(handler, "GET", prefix+"/api/db/list", "first")
			if got := server.since(); !slices.Equal(got, []string{"GET /below/api/health", "GET /below/api/db/list Bearer x"}) {
				t.Errorf("the server got %q", got)
			}
		})
	})
	t.Run("that hides the id", func(t *testing.T) {
		server := newIdentified(t, "", (*httptest.Server).Start)
		inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
			server.since()
			answer := withToken(handler, "GET", prefix+"/api/db/list", "first")
			checkFailure(t, failureIn(t, answer.Code, answer.Body), failure{
				status: 502, text: "does not say which immudb it is", reason: "broken",
			}, prefix)
			if got := server.since(); !slices.Equal(got, []string{"GET /api/health"}) {
				t.Errorf("the server got %q", got)
			}
			// Without a token of a known issuer there is nothing to keep back.
			if answer := ask(handler, "GET", "http://localhost"+prefix+"/api/health"); answer.Code != 200 {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	})
}

func TestIssuerThatBreaksOffIsUnanswered(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"ends at once":   func(c net.Conn) { c.Close() },
		"speaks no HTTP": func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n"); c.Close() },
		"endless headers": func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for err := error(nil); err == nil; {
				_, err = io.WriteString(c, "X-Filler: "+strings.Repeat("x", 4_000)+"\r\n")
			}
			c.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, Server{URL: listening(t, serve)}, func(t *testing.T, handler http.Handler, prefix string) {
				answer := withToken(handler, "GET", prefix+"/api/db/list", "first")
				if got := failureIn(t, answer.Code, answer.Body); got.status != 502 || got.sent {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}
