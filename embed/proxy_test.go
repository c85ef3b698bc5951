package webconsole

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// inFront checks a server through the mount beside the console and through that
// of a name. What holds for one has to hold for the other.
func inFront(t *testing.T, server Server, check func(t *testing.T, handler http.Handler, prefix string)) {
	t.Helper()
	proxy, err := NewProxy(server)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", proxy.API)
	mux.Handle("/metrics", proxy.Metrics)
	t.Run("alone", func(t *testing.T) { check(t, Guard(mux, GuardOptions{}), "") })
	named := server
	named.Name = "eu"
	t.Run("named", func(t *testing.T) { check(t, behindGuard(t, listOf(t, named)), "/s/eu") })
}

// failure is an error about a server that did not answer.
type failure struct {
	status       int
	text         string
	reason, name string
	sent         bool
}

func failureIn(t *testing.T, status int, body io.Reader) failure {
	t.Helper()
	var answer struct {
		Error, Message string
		Code           int
		Details        []struct {
			Type           string `json:"@type"`
			Reason, Server string
			Sent           *bool
		}
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil || answer.Error == "" || answer.Error != answer.Message ||
		answer.Code != 14 || len(answer.Details) != 1 || answer.Details[0].Type != "webconsole.Unanswered" || answer.Details[0].Sent == nil {
		t.Fatalf("%d: %+v, %v", status, answer, err)
	}
	detail := answer.Details[0]
	return failure{status, answer.Error, detail.Reason, detail.Server, *detail.Sent}
}

// checkFailure compares everything but the text, which must contain a part.
func checkFailure(t *testing.T, got, want failure, prefix string) {
	t.Helper()
	if prefix != "" {
		want.name = "eu"
	}
	text := got.text
	got.text = want.text
	if got != want || !strings.Contains(text, want.text) {
		t.Errorf("%+v %q, want %+v", got, text, want)
	}
	if prefix != "" && !strings.HasPrefix(text, "eu did not answer: ") || prefix == "" && !strings.HasPrefix(text, "The immudb server at ") {
		t.Errorf("the text begins with %q", text)
	}
	outcome := strings.HasSuffix(text, " Nothing was executed.")
	if outcome == got.sent {
		t.Errorf("sent is %t, but %q", got.sent, text)
	}
}

func post(handler http.Handler, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(`{"sql":"x"}`))
	r.Header.Set("Authorization", "Bearer x")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// listening accepts connections and hands them to the test.
func listening(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(connection)
		}
	}()
	return "http://" + listener.Addr().String()
}

func TestUnreachableServer(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, c := range map[string]struct {
		url, text string
	}{
		"nothing listens": {"http://" + closed.Addr().String(), "nothing listens at " + closed.Addr().String()},
		"no such host":    {"http://no-such-host.invalid:8080", "no-such-host.invalid"},
	} {
		inFront(t, Server{URL: c.url}, func(t *testing.T, handler http.Handler, prefix string) {
			answer := post(handler, prefix+"/api/db/set")
			checkDataHeaders(t, answer.Header(), name)
			checkFailure(t, failureIn(t, answer.Code, answer.Body), failure{status: 502, text: c.text, reason: "unreachable"}, prefix)
		})
	}
}

// A server that breaks off before its answer: one attempt, and no more.
func TestServerThatBreaksOff(t *testing.T) {
	for name, said := range map[string]string{
		"at once":           "",
		"in its headers":    "HTTP/1.1 200 OK\r\nContent-Le",
		"after its headers": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
	} {
		var calls atomic.Int64
		url := listening(t, func(connection net.Conn) {
			defer connection.Close()
			if _, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
				calls.Add(1)
				io.WriteString(connection, said)
			}
		})
		inFront(t, Server{URL: url}, func(t *testing.T, handler http.Handler, prefix string) {
			calls.Store(0)
			answer := post(handler, prefix+"/api/db/set")
			want := failure{status: 502, text: "Whether it was executed is not known.", reason: "broken", sent: true}
			checkFailure(t, failureIn(t, answer.Code, answer.Body), want, prefix)
			if calls.Load() != 1 {
				t.Errorf("%s: %d calls", name, calls.Load())
			}
			read := ask(handler, "GET", "http://localhost"+prefix+"/api/db/state")
			if got := failureIn(t, read.Code, read.Body); strings.Contains(got.text, "executed") {
				t.Errorf("%s: a read asks %q", name, got.text)
			}
		})
	}
}

// A server closes kept connections as it likes. Go's client repeats some calls
// then: not those that change something.
func TestNoCallThatChangesSomethingIsRepeated(t *testing.T) {
	var calls, connections atomic.Int64
	url := listening(t, func(connection net.Conn) {
		connections.Add(1)
		defer connection.Close()
		reader := bufio.NewReader(connection)
		for i := 0; ; i++ {
			r, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			if r.URL.Path == "/api/health" && i == 0 {
				io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				continue
			}
			calls.Add(1)
			return // executed, and no answer
		}
	})
	inFront(t, Server{URL: url}, func(t *testing.T, handler http.Handler, prefix string) {
		for _, c := range []struct {
			method, path string
			header       []string
			isFresh      bool
		}{
			{"POST", "/api/db/set", nil, false},
			{"POST", "/api/db/set", []string{FreshHeader, "1"}, true},
			{"POST", "/api/db/set", []string{"Idempotency-Key", "a", "X-Idempotency-Key", "a"}, false},
			{"GET", "/api/db/flushindex", []string{WriteHeader, "flush" + prefix}, true},
			{"GET", "/api/v2/db/compactindex", []string{"Authorization", "Bearer x"}, true},
			{"DELETE", "/api/v2/collection/a", nil, false},
		} {
			// A connection that is kept, and may be used again.
			if answer := ask(handler, "GET", "http://localhost"+prefix+"/api/health"); answer.Code != 200 {
				t.Fatalf("%d %s", answer.Code, answer.Body)
			}
			calls.Store(0)
			before := connections.Load()
			answer := ask(handler, c.method, "http://localhost"+prefix+c.path, c.header...)
			if got := failureIn(t, answer.Code, answer.Body); got.reason != "broken" || !got.sent {
				t.Errorf("%s: %+v", c.path, got)
			}
			if calls.Load() != 1 {
				t.Errorf("%s %s %v: executed %d times", c.method, c.path, c.header, calls.Load())
			}
			if isFresh := connections.Load() > before; isFresh != c.isFresh {
				t.Errorf("%s %s %v: on a new connection: %t", c.method, c.path, c.header, isFresh)
			}
		}
	})
}

// hanging is a server that says something and then nothing more.
func hanging(t *testing.T, said string) string {
	ended := make(chan bool)
	t.Cleanup(func() { close(ended) })
	return listening(t, func(connection net.Conn) {
		defer connection.Close()
		if _, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
			io.WriteString(connection, said)
			<-ended
		}
	})
}

func TestServerThatHangs(t *testing.T) {
	const limit = 100 * time.Millisecond
	headers := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
	for name, said := range map[string]string{"before its headers": "", "after its headers": headers} {
		inFront(t, Server{URL: hanging(t, said), Timeout: limit}, func(t *testing.T, handler http.Handler, prefix string) {
			answer := post(handler, prefix+"/api/db/set")
			want := failure{status: 504, text: "it was silent for 100ms", reason: "timeout", sent: true}
			checkFailure(t, failureIn(t, answer.Code, answer.Body), want, prefix)
			if length := answer.Header().Get("Content-Length"); length != "" {
				t.Errorf("%s: the length of the lost answer: %s", name, length)
			}
		})
	}
	// An answer that has begun cannot become an error, so it must not look whole.
	inFront(t, Server{URL: hanging(t, headers+`{"a":`), Timeout: limit}, func(t *testing.T, handler http.Handler, prefix string) {
		server := httptest.NewServer(handler)
		defer server.Close()
		r, err := http.NewRequest("POST", server.URL+prefix+"/api/db/set", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer x")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return // broken before anything was sent: the outcome is open as well
		}
		defer answer.Body.Close()
		if body, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("a whole answer: %d %s", answer.StatusCode, body)
		}
	})
}

// Without a limit of its own, an answer may begin late but not stop in between.
func TestServerWithoutATimeLimit(t *testing.T) {
	before := bodySilence
	bodySilence = 100 * time.Millisecond
	t.Cleanup(func() { bodySilence = before })
	late := listening(t, func(connection net.Conn) {
		defer connection.Close()
		if _, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
			time.Sleep(3 * bodySilence)
			io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		}
	})
	inFront(t, Server{URL: late}, func(t *testing.T, handler http.Handler, prefix string) {
		if answer := post(handler, prefix+"/api/db/sqlquery"); answer.Code != 200 || answer.Body.String() != "{}" {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
	})
	inFront(t, Server{URL: hanging(t, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := post(handler, prefix+"/api/db/set")
		if got := failureIn(t, answer.Code, answer.Body); got.reason != "timeout" {
			t.Errorf("%+v", got)
		}
	})
}

// The limit is for the server: neither a client that sends slowly nor one that
// reads slowly makes it look silent.
func TestSlowClientIsNotASlowServer(t *testing.T) {
	const limit = 1500 * time.Millisecond
	large := strings.Repeat("x", 8<<20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%d %s", len(body), large)
	}))
	t.Cleanup(server.Close)
	inFront(t, Server{URL: server.URL, Timeout: limit}, func(t *testing.T, handler http.Handler, prefix string) {
		t.Parallel()
		connection := dial(t, handler)
		fmt.Fprintf(connection, "POST %s/api/db/set HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Length: 2\r\n\r\n", prefix)
		for range 2 {
			time.Sleep(limit * 3 / 4)
			io.WriteString(connection, "x")
		}
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(limit * 5 / 4)
		if body, err := io.ReadAll(answer.Body); err != nil || len(body) != 2+len(large) {
			t.Errorf("%d, %d bytes, %v", answer.StatusCode, len(body), err)
		}
	})
}

func shortUntaken(t *testing.T, moment time.Duration) {
	before := untaken
	untaken = moment
	t.Cleanup(func() { untaken = before })
}

// A client that takes nothing of an answer soon holds nothing of the server
// behind either.
func TestClientThatTakesNothing(t *testing.T) {
	shortUntaken(t, 200*time.Millisecond)
	released := make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		piece := make([]byte, 1<<20)
		for {
			if _, err := w.Write(piece); err != nil {
				released <- true
				return
			}
		}
	}))
	defer server.Close()
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		connection := dial(t, handler)
		fmt.Fprintf(connection, "GET %s/api/db/scan HTTP/1.1\r\nHost: localhost\r\n\r\n", prefix)
		select {
		case <-released:
		case <-time.After(15 * time.Second):
			t.Error("the server behind still sends")
		}
	})
}

// The deadline for one answer must not end the next on the same connection.
func TestNextAnswerHasItsOwnTime(t *testing.T) {
	const moment = 200 * time.Millisecond
	shortUntaken(t, moment)
	leftoverBefore := leftover
	leftover = 0
	t.Cleanup(func() { leftover = leftoverBefore })
	perMount(t, func(t *testing.T, prefix string) {
		s := newFreshServer(t, prefix, GuardOptions{}, true)
		for _, path := range []string{"/api/health", "/", "/api/health"} {
			s.do(t, "GET", path)
			time.Sleep(moment * 4 / 3)
		}
		if s.dials.Load() != 1 {
			t.Errorf("%d connections", s.dials.Load())
		}
	})
}

// When the proxy ends during a write, the client sees an open outcome, and the
// write has reached the server once.
func TestRestartDuringAWrite(t *testing.T) {
	var calls atomic.Int64
	reached, release := make(chan bool, 8), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		calls.Add(1)
		reached <- true
		<-release
		io.WriteString(w, "{}")
	}))
	defer server.Close()
	defer close(release)
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		calls.Store(0)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := listener.Addr().String()
		serve := func(listener net.Listener) *http.Server {
			front := &http.Server{Handler: handler, ConnContext: ConnContext}
			go front.Serve(listener)
			return front
		}
		front := serve(listener)
		failed := make(chan error)
		go func() {
			r, err := http.NewRequest("POST", "http://"+address+prefix+"/api/db/set", strings.NewReader("{}"))
			if err == nil {
				r.Header.Set(FreshHeader, "1")
				r.Header.Set(WriteHeader, "one")
				r.Header.Set("Authorization", "Bearer x")
				var answer *http.Response
				if answer, err = http.DefaultClient.Do(r); err == nil {
					answer.Body.Close()
				}
			}
			failed <- err
		}()
		<-reached
		front.Close()
		if listener, err = net.Listen("tcp", address); err != nil {
			t.Fatal(err)
		}
		again := serve(listener)
		defer again.Close()
		if err := <-failed; err == nil {
			t.Error("the client was told an outcome")
		}
		health, err := http.Get("http://" + address + prefix + "/")
		if err != nil {
			t.Fatal(err)
		}
		health.Body.Close()
		if calls.Load() != 1 {
			t.Errorf("the write reached the server %d times", calls.Load())
		}
	})
}

// A client that goes away ends the call to the server, too.
func TestClientThatGoesAway(t *testing.T) {
	reached, ended := make(chan bool, 1), make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/begun" {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
		}
		reached <- true
		<-r.Context().Done()
		ended <- true
	}))
	defer server.Close()
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		for _, path := range []string{"/api/silent", "/api/begun"} {
			connection := dial(t, handler)
			fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", prefix+path)
			<-reached
			connection.Close()
			select {
			case <-ended:
			case <-time.After(15 * time.Second):
				t.Errorf("%s: the server still works on it", path)
			}
		}
	})
}

func TestLargeHeadersOfAServer(t *testing.T) {
	server := httptest.NewServer(answering("{}", "Content-Type", strings.Repeat("x", 200<<10)))
	defer server.Close()
	inFront(t, Server{URL: server.URL}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := ask(handler, "GET", "http://localhost"+prefix+"/api/health")
		if got := failureIn(t, answer.Code, answer.Body); got.reason != "broken" || !strings.Contains(got.text, "too large") {
			t.Errorf("%+v", got)
		}
	})
}

// immudb's gRPC port is easily named by mistake.
func TestPortThatSpeaksSomethingElse(t *testing.T) {
	url := hanging(t, "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00\x40\x00\r\n\r\n")
	inFront(t, Server{URL: url}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := ask(handler, "GET", "http://localhost"+prefix+"/api/health")
		if got := failureIn(t, answer.Code, answer.Body); got.reason != "broken" || !strings.Contains(got.text, "name its web port") {
			t.Errorf("%+v", got)
		}
	})
}

// authority makes certificates in a folder.
type authority struct {
	t           *testing.T
	folder      string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string
}

func newAuthority(t *testing.T, name string) *authority {
	a := &authority{t: t, folder: t.TempDir()}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	var der []byte
	der, a.key = a.sign(template, template, nil)
	a.certificate, _ = x509.ParseCertificate(der)
	a.file = a.write(name+".pem", "CERTIFICATE", der)
	return a
}

func (a *authority) sign(template, parent *x509.Certificate, by *ecdsa.PrivateKey) ([]byte, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	if by == nil {
		by = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	return der, key
}

func (a *authority) write(name, kind string, der []byte) string {
	a.t.Helper()
	file := filepath.Join(a.folder, name)
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return file
}

// issue returns the files of a certificate for 127.0.0.1 or another name.
func (a *authority) issue(name string, until time.Time) (certificate, key string) {
	a.t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, private := a.sign(template, a.certificate, a.key)
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.write(name+".crt", "CERTIFICATE", der), a.write(name+".key", "EC PRIVATE KEY", encoded)
}

// serving is a server with such a certificate that counts its calls.
func (a *authority) serving(name string, until time.Time, clients *authority, version uint16, calls *atomic.Int64) string {
	a.t.Helper()
	pair, err := tls.LoadX509KeyPair(a.issue(name, until))
	if err != nil {
		a.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.Header().Set(IdentityHeader, "issuer")
		io.WriteString(w, "{}")
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MaxVersion: version}
	if clients != nil {
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		server.TLS.ClientCAs.AddCert(clients.certificate)
	}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	a.t.Cleanup(server.Close)
	return server.URL
}

func TestCertificates(t *testing.T) {
	ours, others := newAuthority(t, "ours"), newAuthority(t, "others")
	later := time.Now().Add(time.Hour)
	certificate, key := ours.issue("client", later)
	foreign, foreignKey := others.issue("client", later)
	var calls atomic.Int64
	at := func(name string, until time.Time, clients *authority, version uint16) string {
		return ours.serving(name, until, clients, version, &calls)
	}
	plain := httptest.NewServer(answering("{}"))
	defer plain.Close()
	good := at("127.0.0.1", later, nil, 0)
	for name, c := range map[string]struct {
		server Server
		text   string // "" for an answer
	}{
		"trusted":            {Server{URL: good, CA: ours.file}, ""},
		"unknown authority":  {Server{URL: good}, "no authority that is trusted here"},
		"another authority":  {Server{URL: good, CA: others.file}, "no authority that is trusted here"},
		"another name":       {Server{URL: at("db.example", later, nil, 0), CA: ours.file}, "is not for 127.0.0.1"},
		"expired":            {Server{URL: at("127.0.0.1", time.Now().Add(-time.Minute), nil, 0), CA: ours.file}, "not valid now"},
		"client certificate": {Server{URL: at("127.0.0.1", later, ours, 0), CA: ours.file, Certificate: certificate, Key: key}, ""},
		"none":               {Server{URL: at("127.0.0.1", later, ours, tls.VersionTLS12), CA: ours.file}, "handshake failure"},
		"a foreign one":      {Server{URL: at("127.0.0.1", later, ours, tls.VersionTLS12), CA: ours.file, Certificate: foreign, Key: foreignKey}, "handshake failure"},
		"no TLS there":       {Server{URL: strings.Replace(plain.URL, "http:", "https:", 1), CA: ours.file}, "does not speak TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, c.server, func(t *testing.T, handler http.Handler, prefix string) {
				for issuer, wanted := range map[string]int64{"": 1, "issuer": 2} {
					calls.Store(0)
					answer := withToken(handler, "POST", prefix+"/api/db/set", issuer)
					if c.text == "" {
						if answer.Code != 200 || calls.Load() != wanted {
							t.Errorf("%d %s", answer.Code, answer.Body)
						}
						continue
					}
					checkFailure(t, failureIn(t, answer.Code, answer.Body), failure{status: 502, text: c.text, reason: "certificate"}, prefix)
					if calls.Load() != 0 {
						t.Error("the call was executed")
					}
				}
			})
		})
	}
}

// With TLS 1.3 the call may be on its way when the server refuses the client's
// certificate. The reason can get lost then, and the outcome is called open.
func TestRefusedClientCertificateOfTLS13(t *testing.T) {
	ours := newAuthority(t, "ours")
	var calls atomic.Int64
	url := ours.serving("127.0.0.1", time.Now().Add(time.Hour), ours, tls.VersionTLS13, &calls)
	inFront(t, Server{URL: url, CA: ours.file}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := post(handler, prefix+"/api/db/set")
		got := failureIn(t, answer.Code, answer.Body)
		isNamed := got.reason == "certificate" && !got.sent && strings.Contains(got.text, "certificate required")
		if !isNamed && (got.reason != "broken" || !got.sent) || calls.Load() != 0 {
			t.Errorf("%+v, %d calls", got, calls.Load())
		}
	})
}

// The metrics take the same certificates.
func TestCertificatesOfMetrics(t *testing.T) {
	ours := newAuthority(t, "ours")
	var calls atomic.Int64
	metrics := ours.serving("127.0.0.1", time.Now().Add(time.Hour), nil, 0, &calls)
	for file, status := range map[string]int{ours.file: 200, "": 502} {
		inFront(t, Server{URL: "http://127.0.0.1:1", Metrics: metrics, CA: file}, func(t *testing.T, handler http.Handler, prefix string) {
			answer := ask(handler, "GET", "http://localhost"+prefix+"/metrics")
			if answer.Code != status {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	}
}

// One silent server among fifty holds up none of the others.
func TestDeadServersBlockNoOthers(t *testing.T) {
	list := []Server{{Name: "good", URL: telling(t, "good").URL}}
	silent := hanging(t, "")
	for i := range 49 {
		list = append(list, Server{Name: fmt.Sprintf("silent-%d", i), URL: silent})
	}
	handler := behindGuard(t, listOf(t, list...))
	ctx, cancel := context.WithCancel(t.Context())
	for _, server := range list[1:] {
		r := httptest.NewRequest("GET", "http://localhost/s/"+server.Name+"/api/health", nil).WithContext(ctx)
		go func() {
			defer func() { _ = recover() }() // how an answer is dropped when the client is gone
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
	}
	for range 100 {
		if answer := ask(handler, "GET", "http://localhost/s/good/api/health"); answer.Code != 200 {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
	cancel()
}
