package webconsole

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// freshServer is a guarded server that counts what gets past the guard, and a
// client with one connection that stays open.
type freshServer struct {
	*httptest.Server
	prefix string // before /api
	client *http.Client
	dials  atomic.Int64
	passed atomic.Int64
	marks  atomic.Int64
}

// perMount runs a test for the API beside the console and for that of a server
// with a name.
func perMount(t *testing.T, check func(t *testing.T, prefix string)) {
	for _, prefix := range []string{"", "/s/eu"} {
		t.Run("at "+prefix+"/api", func(t *testing.T) { check(t, prefix) })
	}
}

func newFreshServer(t *testing.T, prefix string, options GuardOptions, counts bool) *freshServer {
	t.Helper()
	s := &freshServer{prefix: prefix}
	options.Servers = listOf(t, Server{Name: "eu", URL: "http://127.0.0.1:1"}, Server{Name: "us", URL: "http://127.0.0.1:2"})
	s.Server = httptest.NewUnstartedServer(Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.passed.Add(1)
		if r.Header.Get(FreshHeader) != "" {
			s.marks.Add(1)
		}
		io.WriteString(w, "{}")
	}), options))
	if counts {
		s.Config.ConnContext = ConnContext
	}
	s.Start()
	t.Cleanup(s.Close)
	var dialer net.Dialer
	s.client = &http.Client{Transport: &http.Transport{
		MaxConnsPerHost: 1,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			s.dials.Add(1)
			return dialer.DialContext(ctx, network, address)
		},
	}}
	return s
}

// do sends one request and returns the answer with its body read.
func (s *freshServer) do(t *testing.T, method, path string, header ...string) (*http.Response, string) {
	t.Helper()
	if strings.HasPrefix(path, "/api") {
		path = s.prefix + path
	}
	r, err := http.NewRequest(method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// A write that the browser may repeat by itself is refused before it runs, and
// runs when it comes again on a connection of its own.
func TestMarkedWriteRunsOnlyFirst(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		for _, before := range []string{"/assets/app.js", "/api/health", "/"} {
			s := newFreshServer(t, prefix, GuardOptions{}, true)
			s.do(t, "GET", before)
			answer, body := s.do(t, "POST", "/api/db/set", FreshHeader, "1")
			if answer.StatusCode != 409 || answer.Header.Get(FreshHeader) != "required" || !answer.Close {
				t.Errorf("after %s: %s, %s %q, close %t", before, answer.Status,
					FreshHeader, answer.Header.Get(FreshHeader), answer.Close)
			}
			var told struct {
				Error, Message string
				Code           int
			}
			if json.Unmarshal([]byte(body), &told) != nil || told.Error == "" || told.Error != told.Message || told.Code != 10 {
				t.Errorf("after %s: body %s", before, body)
			}
			if s.passed.Load() != 1 {
				t.Errorf("after %s: the refused write was passed on", before)
			}
			if answer, _ = s.do(t, "POST", "/api/db/set", FreshHeader, "1"); answer.StatusCode != 200 {
				t.Errorf("after %s: sent again: %s", before, answer.Status)
			}
			if s.passed.Load() != 2 || s.dials.Load() != 2 || s.marks.Load() != 0 {
				t.Errorf("after %s: %d passed, %d connections, %d marks seen behind the guard",
					before, s.passed.Load(), s.dials.Load(), s.marks.Load())
			}
		}
	})
}

func TestMarkedWriteBelowAPrefix(t *testing.T) {
	s := newFreshServer(t, "", GuardOptions{APIPath: "/ops/api"}, true)
	s.do(t, "GET", "/ops/")
	if answer, _ := s.do(t, "POST", "/ops/api/db/set", FreshHeader, "1"); answer.StatusCode != 409 {
		t.Errorf("%s", answer.Status)
	}
}

func TestUnmarkedRequestsAreAsBefore(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		for range 5 {
			if answer, _ := s.do(t, "POST", "/api/db/set"); answer.StatusCode != 200 || answer.Close {
				t.Errorf("%s, close %t", answer.Status, answer.Close)
			}
		}
		if s.dials.Load() != 1 {
			t.Errorf("%d connections", s.dials.Load())
		}
	})
}

// The console tells that a write ran once at most only where it reads both.
func TestClaimIsOnAnswersOfTheAPI(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		answer, _ := s.do(t, "GET", "/api/health")
		if answer.Header.Get(FreshHeader) != "kept" || answer.Header.Get("Connection") != FreshHeader {
			t.Errorf("api: %v", answer.Header)
		}
		if answer, _ = s.do(t, "GET", "/"); answer.Header.Get(FreshHeader) != "" {
			t.Errorf("page: %v", answer.Header)
		}
	})
}

// A write leaves no connection behind: the next one could not use it.
func TestMarkedWriteEndsItsConnection(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		address := strings.TrimPrefix(s.URL, "http://")
		for range 2 {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			fmt.Fprintf(connection, "POST %s/api/db/set HTTP/1.1\r\nHost: %s\r\n%s: 1\r\nContent-Length: 0\r\n\r\n", prefix, address, FreshHeader)
			answer, err := io.ReadAll(connection)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range []string{"HTTP/1.1 200 OK", "Connection: close", "Connection: " + FreshHeader} {
				if !strings.Contains(string(answer), line+"\r\n") {
					t.Errorf("no %q in %s", line, answer)
				}
			}
		}
	})
}

func TestWritesMayComeApartOnlyAtTheOutermostGuard(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		for outermost, want := range map[bool]string{true: "apart", false: "kept"} {
			s := newFreshServer(t, prefix, GuardOptions{Outermost: outermost}, true)
			answer, _ := s.do(t, "GET", "/api/health")
			if got := answer.Header.Get(FreshHeader); got != want {
				t.Errorf("outermost %t: %q", outermost, got)
			}
			answer, _ = s.do(t, "GET", "/api/health", "X-Forwarded-For", "10.0.0.1")
			if got := answer.Header.Get(FreshHeader); got != "" {
				t.Errorf("outermost %t, behind a front: %q", outermost, got)
			}
		}
	})
}

// Where nothing can be promised, nothing is claimed and nothing refused.
func TestNoClaimWithoutKnowledge(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		check := func(name string, counts bool, header ...string) {
			s := newFreshServer(t, prefix, GuardOptions{}, counts)
			s.do(t, "GET", "/api/health", header...)
			answer, _ := s.do(t, "POST", "/api/db/set", append([]string{FreshHeader, "1"}, header...)...)
			if answer.StatusCode != 200 || answer.Header.Get(FreshHeader) != "" {
				t.Errorf("%s: %s, %s %q", name, answer.Status, FreshHeader, answer.Header.Get(FreshHeader))
			}
			if s.marks.Load() != 0 {
				t.Errorf("%s: the mark was passed on", name)
			}
		}
		check("no ConnContext", false)
		for _, name := range []string{"Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip"} {
			check(name, true, name, "1.1 front")
		}
		check("connection closed by the client", true, "Connection", "close")
	})
}

func TestNoClaimForOtherVersionsOfHTTP(t *testing.T) {
	for _, version := range [][2]int{{1, 0}, {2, 0}} {
		ctx := ConnContext(context.Background(), nil)
		for place := range 2 {
			r := httptest.NewRequest("POST", "/api/db/set", nil).WithContext(ctx)
			r.Host, r.ProtoMajor, r.ProtoMinor = "localhost", version[0], version[1]
			r.Header.Set(FreshHeader, "1")
			w := httptest.NewRecorder()
			guarded(GuardOptions{}).ServeHTTP(w, r)
			if w.Code != 204 || w.Header().Get(FreshHeader) != "" {
				t.Errorf("HTTP/%d.%d, request %d: %d, %v", version[0], version[1], place+1, w.Code, w.Header())
			}
		}
	}
}

// The refusal reaches a client that is still sending a large body.
func TestRefusalOfALargeBody(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		address := strings.TrimPrefix(s.URL, "http://")
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprintf(connection, "GET %s/api/health HTTP/1.1\r\nHost: %s\r\n\r\n", prefix, address)
		head := make([]byte, 4096)
		if _, err := connection.Read(head); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST %s/api/db/set HTTP/1.1\r\nHost: %s\r\n%s: 1\r\nContent-Length: 40000000\r\n\r\n{", prefix, address, FreshHeader)
		n, err := connection.Read(head)
		if err != nil || !strings.HasPrefix(string(head[:n]), "HTTP/1.1 409 ") {
			t.Errorf("%v %s", err, head[:n])
		}
	})
}

func TestNamedWriteRunsOnce(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		for _, counts := range []bool{true, false} {
			t.Run(fmt.Sprintf("connections counted: %v", counts), func(t *testing.T) {
				s := newFreshServer(t, prefix, GuardOptions{}, counts)
				send := func(header ...string) (int, string) {
					t.Helper()
					s.client.CloseIdleConnections()
					answer, _ := s.do(t, http.MethodPost, "/api/db/set", header...)
					return answer.StatusCode, answer.Header.Get(FreshHeader)
				}
				if status, _ := send(WriteHeader, "one"); status != http.StatusOK {
					t.Fatalf("the first delivery got %d", status)
				}
				for range 3 {
					status, said := send(WriteHeader, "one", FreshHeader, "1")
					if status != http.StatusServiceUnavailable || said != "repeated" {
						t.Errorf("a repetition got %d, %q", status, said)
					}
				}
				if got := s.passed.Load(); got != 1 {
					t.Errorf("it ran %d times", got)
				}
				for _, header := range [][]string{{WriteHeader, "two"}, {}, {}, {WriteHeader, strings.Repeat("x", 65)}, {WriteHeader, strings.Repeat("x", 65)}} {
					if status, _ := send(header...); status != http.StatusOK {
						t.Errorf("%v got %d", header, status)
					}
				}
			})
		}
	})
}

// The page counts its writes, and two servers may get the same name.
func TestNamesOfWritesAreKeptPerServer(t *testing.T) {
	s := newFreshServer(t, "", GuardOptions{}, true)
	for path, status := range map[string]int{"/s/eu/api/db/set": 200, "/s/us/api/db/set": 200, "/api/db/set": 200} {
		if answer, _ := s.do(t, http.MethodPost, path, WriteHeader, "one"); answer.StatusCode != status {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

func TestRefusalForTheConnectionLeavesTheNameFree(t *testing.T) {
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		s.do(t, http.MethodGet, "/api/health")
		answer, _ := s.do(t, http.MethodPost, "/api/db/set", WriteHeader, "one", FreshHeader, "1")
		if answer.Header.Get(FreshHeader) != "required" {
			t.Fatalf("it was not refused: %d", answer.StatusCode)
		}
		answer, _ = s.do(t, http.MethodPost, "/api/db/set", WriteHeader, "one", FreshHeader, "1")
		if answer.StatusCode != http.StatusOK {
			t.Errorf("sent again it got %d", answer.StatusCode)
		}
	})
}

func TestNamesOfWritesAreForgotten(t *testing.T) {
	var ids writeIDs
	start := time.Now()
	for i := range mostIDs + 10 {
		if !ids.isFirst(fmt.Sprint(i), start) {
			t.Fatalf("%d is not the first", i)
		}
	}
	if len(ids.known) != mostIDs || len(ids.order) != mostIDs {
		t.Errorf("%d names, %d in order", len(ids.known), len(ids.order))
	}
	if ids.isFirst(fmt.Sprint(mostIDs), start.Add(idsAge)) {
		t.Error("a name was forgotten too soon")
	}
	if !ids.isFirst(fmt.Sprint(mostIDs), start.Add(idsAge+time.Second)) || len(ids.known) != 1 {
		t.Errorf("%d names are kept for ever", len(ids.known))
	}
}

// The repeat of the oldest write must not make room for itself.
func TestRepeatsAreKnownWhenNamesFillTheStore(t *testing.T) {
	var ids writeIDs
	now := time.Now()
	for i := range mostIDs {
		ids.isFirst(fmt.Sprint(i), now)
	}
	for _, i := range []int{0, mostIDs / 2, mostIDs - 1, 0} {
		if ids.isFirst(fmt.Sprint(i), now) {
			t.Errorf("the repeat of write %d passes", i)
		}
	}
	if len(ids.known) != mostIDs || len(ids.order) != mostIDs {
		t.Errorf("%d names, %d in order", len(ids.known), len(ids.order))
	}
}
