package webconsole

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// gated is a server like immudb: it reads a body before it looks at the token,
// and knows the tokens "good" and, without a database, "free".
type gated struct {
	isOpen       bool // --auth=false
	isMaintained bool // --maintenance

	mutex sync.Mutex
	calls []string // such as "POST /api/db/set good 2"
}

func (s *gated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("Sessionid")
	n, err := io.Copy(io.Discard, r.Body)
	s.mutex.Lock()
	s.calls = append(s.calls, fmt.Sprintf("%s %s %s %d", r.Method, r.URL.Path, token, n))
	s.mutex.Unlock()
	isState := strings.HasSuffix(r.URL.Path, "/db/state")
	switch {
	case err != nil:
		refuse(w, true, http.StatusBadRequest, grpcInvalidArgument, "the body broke off")
	case strings.HasSuffix(r.URL.Path, "/login"), s.isOpen, token == "good", token == "free" && !isState:
		io.WriteString(w, "{}")
	case token == "free", s.isMaintained:
		refuse(w, true, http.StatusInternalServerError, 2, "please select a database first")
	case token == "old":
		refuse(w, true, http.StatusForbidden, grpcPermissionDenied, "token has expired: token validation error")
	case token != "":
		refuse(w, true, http.StatusInternalServerError, grpcInternal, "invalid token")
	default:
		refuse(w, true, http.StatusInternalServerError, 2, "not logged in")
	}
}

// since returns the calls since it was asked last.
func (s *gated) since() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	calls := strings.Join(s.calls, ", ")
	s.calls = nil
	return calls
}

// inAllWays has the guard before a handler, and before proxies to a server.
func inAllWays(t *testing.T, server *gated, check func(t *testing.T, handler http.Handler, prefix string)) {
	t.Helper()
	t.Run("here", func(t *testing.T) { mounted(t, server, check) })
	elsewhere := httptest.NewServer(server)
	t.Cleanup(elsewhere.Close)
	t.Run("elsewhere", func(t *testing.T) { inFront(t, Server{URL: elsewhere.URL}, check) })
}

// unread fails the test when someone reads it.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func sending(handler http.Handler, path string, body io.Reader, size int64, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost"+path, body)
	r.ContentLength = size
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestBodyWithoutALoginIsNotRead(t *testing.T) {
	server := &gated{}
	inAllWays(t, server, func(t *testing.T, handler http.Handler, prefix string) {
		for _, path := range []string{"/api/db/set", "/api/db/sqlexec", "/api/v2/collection/a/documents", "/api/db/set:", "/api/logout"} {
			for _, size := range []int64{2, 40 << 20, -1} {
				for about, headers := range map[string][]string{
					"no token":          nil,
					"browser's own":     {"Authorization", "Basic eDp4"},
					"lower-case scheme": {"Authorization", "bearer good"},
				} {
					answer := sending(handler, prefix+path, unread{t}, size, headers...)
					text, code := refusalIn(t, answer.Body)
					if answer.Code != 401 || code != grpcUnauthenticated || text != "Please login" {
						t.Errorf("%s, %s: %d, code %d, %q", path, about, answer.Code, code, text)
					}
					checkDataHeaders(t, answer.Header(), path)
				}
				// A token that is made up, or has ended, is told what immudb says.
				for token, status := range map[string]int{"x": 500, "old": 403} {
					if size == 2 {
						continue // no more than anyone may send at login
					}
					body := strings.NewReader(strings.Repeat(" ", loginLimit+1))
					answer := sending(handler, prefix+path, body, size, "Authorization", "Bearer "+token)
					if text, _ := refusalIn(t, answer.Body); answer.Code != status || !strings.Contains(text, "token") {
						t.Errorf("%s, %s: %d %q", path, token, answer.Code, text)
					}
					if body.Len() > 0 {
						t.Errorf("%s, %s: a client that sends all of it first gets no answer", path, token)
					}
				}
			}
		}
		for call := range strings.SplitSeq(server.since(), ", ") {
			if !strings.HasPrefix(call, "GET ") || !strings.HasSuffix(call, " 0") {
				t.Errorf("the server got %s", call)
			}
		}
	})
}

func TestLoginsMaySendLargeBodies(t *testing.T) {
	server := &gated{}
	inAllWays(t, server, func(t *testing.T, handler http.Handler, prefix string) {
		large := strings.Repeat(" ", loginLimit+1)
		for _, headers := range [][]string{{"Authorization", "Bearer good"}, {"Authorization", "good"}, {"Sessionid", "good"}, {"Authorization", "Bearer free"}} {
			for _, size := range []int64{int64(len(large)), -1} {
				if answer := sending(handler, prefix+"/api/db/set", strings.NewReader(large), size, headers...); answer.Code != 200 {
					t.Errorf("%v: %d %s", headers, answer.Code, answer.Body)
				}
			}
		}
		server.since()
		// What is small, has no body or logs in, is not asked about.
		sending(handler, prefix+"/api/db/set", strings.NewReader("{}"), 2, "Authorization", "Bearer x")
		sending(handler, prefix+"/api/v2/login", strings.NewReader("{}"), 2)
		ask(handler, "POST", "http://localhost"+prefix+"/api/db/list")
		calls := server.since()
		if strings.Contains(calls, "/db/state") || strings.Count(calls, "POST") != 3 {
			t.Errorf("the server got %s", calls)
		}
	})
}

// A server without a login is asked once in a while.
func TestServerWithoutALoginTakesAll(t *testing.T) {
	server := &gated{isOpen: true}
	inAllWays(t, server, func(t *testing.T, handler http.Handler, prefix string) {
		server.since()
		for range 3 {
			if answer := sending(handler, prefix+"/api/db/set", strings.NewReader(strings.Repeat(" ", loginLimit+1)), -1); answer.Code != 200 {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		}
		if calls := server.since(); strings.Count(calls, "/db/state") > 1 || strings.Count(calls, " 65537") != 3 {
			t.Errorf("the server got %s", calls)
		}
		answer := sending(handler, prefix+"/api/db/set", strings.NewReader(strings.Repeat("[", mostNesting+1)), mostNesting+1)
		if text, _ := refusalIn(t, answer.Body); answer.Code != 413 || !strings.Contains(text, "nested") {
			t.Errorf("its bodies have no bounds: %d %q", answer.Code, text)
		}
	})
}

// In maintenance mode anyone gets a token, once told to select a database.
func TestMaintainedServerSaysWhatIsMissing(t *testing.T) {
	inAllWays(t, &gated{isMaintained: true}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := sending(handler, prefix+"/api/db/scan", strings.NewReader("{}"), 2)
		if text, _ := refusalIn(t, answer.Body); answer.Code != 500 || text != "please select a database first" {
			t.Errorf("%d %s", answer.Code, text)
		}
	})
}

// The name of a write stays free when the write was refused for its login.
func TestRefusalForTheLoginLeavesTheNameFree(t *testing.T) {
	handler := Guard(&gated{}, GuardOptions{})
	for _, c := range []struct {
		token  string
		status int
	}{{"", 401}, {"Bearer good", 200}, {"Bearer good", 503}} {
		answer := sending(handler, "/api/db/set", strings.NewReader("{}"), 2, "Authorization", c.token, WriteHeader, "one")
		if answer.Code != c.status {
			t.Errorf("%q: %d, want %d", c.token, answer.Code, c.status)
		}
	}
}

// When no one answers the question, the caller gets to know why, and that the
// call itself was not sent.
func TestQuestionThatNoOneAnswers(t *testing.T) {
	for name, url := range map[string]string{
		"unreachable": "http://127.0.0.1:1",
		"broken":      hanging(t, "HTTP/1.1 101 Switching\r\n\r\n"),
	} {
		inFront(t, Server{URL: url}, func(t *testing.T, handler http.Handler, prefix string) {
			answer := sending(handler, prefix+"/api/db/set", unread{t}, 40<<20)
			checkFailure(t, failureIn(t, answer.Code, answer.Body), failure{status: 502, reason: name}, prefix)
		})
	}
}

// The question takes a token where the call would, and no one else gets it.
func TestQuestionGoesToTheIssuer(t *testing.T) {
	server := newIdentified(t, "first", (*httptest.Server).Start)
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		server.since()
		send := func(issuer string) *httptest.ResponseRecorder {
			return sending(handler, prefix+"/api/db/set", strings.NewReader("{}"), -1, "Authorization", "Bearer x", IssuerHeader, issuer)
		}
		if answer := send("first"); answer.Code != 200 {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
		if calls := strings.Join(server.since(), ", "); !strings.Contains(calls, "GET /api/db/state Bearer x, POST /api/db/set Bearer x") {
			t.Errorf("the server got %s", calls)
		}
		answer := send("second")
		if answer.Code != 421 || answer.Header().Get(IdentityHeader) != "first" {
			t.Errorf("%d %v", answer.Code, answer.Header())
		}
		if calls := strings.Join(server.since(), ", "); strings.Contains(calls, "Bearer") {
			t.Errorf("another server got %s", calls)
		}
	})
}
