//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// writePair writes a certificate for the name and its key.
func writePair(t *testing.T, certFile, keyFile, name string, until time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: certificate}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// line waits until the process has printed what matches, and returns the group.
func (p *process) line(t *testing.T, from *output, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile("(?m)" + pattern)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if found := wanted.FindStringSubmatch(from.String()); found != nil {
			return found[len(found)-1]
		}
		if p.hasEnded() {
			break
		}
	}
	t.Fatalf("no line %s: %s%s", pattern, &p.stdout, &p.stderr)
	return ""
}

// exit waits for the end and returns the code.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("does not end: %s%s", &p.stdout, &p.stderr)
	}
	return p.ProcessState.ExitCode()
}

// shown is the name in the certificate of a new connection.
func shown(t *testing.T, address string) string {
	t.Helper()
	connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	state := connection.ConnectionState()
	if state.NegotiatedProtocol != "http/1.1" {
		t.Errorf("speaks %q", state.NegotiatedProtocol)
	}
	return state.PeerCertificates[0].Subject.CommonName
}

func TestTLSOfItsOwn(t *testing.T) {
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writePair(t, cert, key, "first.example", time.Now().Add(time.Hour))
	p := startProcess(t, "--server", elsewhere(t).URL, "--port", "0", "--tls-cert", cert, "--tls-key", key)
	address := p.line(t, &p.stdout, `^Console  https://(127\.0\.0\.1:\d+)/$`)
	client := ownClient(settings{})
	for _, path := range []string{"", "api/health", "readyz"} {
		if code, _ := getWith(t, client, "https://"+address+"/"+path); code != 200 {
			t.Errorf("%s: %d", path, code)
		}
	}
	if code, text := get(t, "http://"+address+"/"); code != 400 || !strings.Contains(text, "HTTPS") {
		t.Errorf("plain http: %d %s", code, text)
	}
	if got := shown(t, address); got != "first.example" {
		t.Errorf("shows %s", got)
	}
	hangUp := func(line string) {
		t.Helper()
		p.stderr.Reset()
		if err := p.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		p.line(t, &p.stderr, line)
	}
	writePair(t, cert, key, "second.example", time.Now().Add(time.Hour))
	hangUp("^Read .*cert.pem again: valid until ")
	if got := shown(t, address); got != "second.example" {
		t.Errorf("shows %s", got)
	}
	// Each bad pair changes nothing and says why.
	writePair(t, cert, filepath.Join(folder, "other.pem"), "third.example", time.Now().Add(time.Hour))
	hangUp("^Warning: the certificate stays as it was: .*cert.pem.*key.pem are no pair: .*does not match")
	writePair(t, cert, key, "third.example", time.Now().Add(-time.Hour))
	hangUp("^Warning: the certificate stays as it was: .*was valid only until ")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	hangUp("^Warning: the certificate stays as it was: .*no such file")
	if got := shown(t, address); got != "second.example" {
		t.Errorf("shows %s", got)
	}
	if code, _ := getWith(t, client, "https://"+address+"/api/health"); code != 200 {
		t.Errorf("the connection from before: %d", code)
	}
}

func TestBadPairAtTheStart(t *testing.T) {
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	var stderr output
	if code := run(t.Context(), []string{"--tls-cert", cert, "--tls-key", key}, io.Discard, &stderr); code != exitSettings ||
		!strings.Contains(stderr.String(), "--tls-cert "+cert) {
		t.Errorf("%d: %s", code, &stderr)
	}
	writePair(t, cert, key, "old.example", time.Now().Add(-time.Hour))
	p := startProcess(t, "--server", elsewhere(t).URL, "--port", "0", "--tls-cert", cert, "--tls-key", key)
	p.line(t, &p.stderr, "^Warning: the certificate was valid only until .* Browsers will refuse it.$")
	p.line(t, &p.stdout, "^Console  https://")
}

func TestUnixSocket(t *testing.T) {
	var forwarded, told string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		forwarded, told = r.Header.Get("X-Forwarded-For"), r.Header.Get("X-Forwarded-User")
	}))
	t.Cleanup(server.Close)
	path := filepath.Join(t.TempDir(), "console.sock")
	args := []string{"--server", server.URL, "--socket", path, "--log-format", "json", "--trust-user-header", "X-Remote-User"}
	p := startProcess(t, args...)
	p.line(t, &p.stderr, `"msg":"Console  unix:.*console.sock:/"`)
	if about, err := os.Stat(path); err != nil || about.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	client := ownClient(settings{socket: path})
	// What the proxy at the other end has seen comes last in its header.
	for claimed, want := range map[string]string{
		"": "127.0.0.1", "192.0.2.7": "192.0.2.7", "10.1.1.1, 192.0.2.7": "10.1.1.1, 192.0.2.7", "10.1.1.1, odd": "10.1.1.1, odd, 127.0.0.1",
	} {
		r, err := http.NewRequest("GET", "http://localhost/api/db/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		if claimed != "" {
			r.Header.Set("X-Forwarded-For", claimed)
		}
		r.Header.Set("X-Remote-User", "ada")
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if forwarded != want || told != "ada" {
			t.Errorf("%q: told %q and %q", claimed, forwarded, told)
		}
		// A proxy's connection is never a browser's own.
		if claim := answer.Header.Get("Webconsole-Fresh"); claim != "" {
			t.Errorf("claims %q", claim)
		}
	}
	p.line(t, &p.stderr, `"path":"/api/db/state","from":"192.0.2.7","user":"ada","status":200`)
	var said output
	if code := run(t.Context(), []string{"healthcheck", "--socket", path}, &said, &said); code != 0 {
		t.Errorf("healthcheck: %d %s", code, &said)
	}
	if _, err := listenSocket(path); err == nil || !strings.Contains(err.Error(), "another program listens") {
		t.Error(err)
	}
	// What a killed process leaves behind does not block a start.
	p.Process.Kill()
	<-p.ended
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	again := startProcess(t, args...)
	again.line(t, &again.stderr, `"msg":"Console  unix:`)
	again.Process.Signal(syscall.SIGTERM)
	if code := again.exit(t); code != 0 {
		t.Errorf("ended with %d: %s", code, &again.stderr)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket stays behind")
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := listenSocket(path); err == nil || !strings.Contains(err.Error(), "is no socket") {
		t.Error(err)
	}
}

func TestIPv6(t *testing.T) {
	for _, address := range []string{"::1", "[::1]"} {
		p := startProcess(t, "--server", elsewhere(t).URL, "--port", "0", "--address", address)
		base := p.line(t, &p.stdout, `^Console  (http://\[::1\]:\d+/)$`)
		if code, _ := get(t, base+"readyz"); code != 200 {
			t.Errorf("%s: %d", base, code)
		}
	}
}

// An address of one network alone names it, with a sign that addresses of pages
// have to escape.
func TestIPv6OfOneNetwork(t *testing.T) {
	if at, err := url.Parse(ownURL(settings{prefix: "/ops"}, "[fe80::1%eth0]:8080")); err != nil || at.Host != "[fe80::1%eth0]:8080" {
		t.Errorf("%v, %v", at, err)
	}
}

// writeUnderWay begins a write that the server elsewhere holds back.
func writeUnderWay(t *testing.T) (p *process, base string, letEnd func(), answered chan string) {
	t.Helper()
	arrived, hold := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-hold
		io.WriteString(w, "committed")
	}))
	t.Cleanup(server.Close)
	p = startProcess(t, "--server", server.URL, "--port", "0")
	base = p.line(t, &p.stdout, `^Console  (http://\S+/)$`)
	answered = make(chan string, 1)
	go func() {
		r, _ := http.NewRequest("POST", base+"api/db/set", strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer x")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			answered <- err.Error()
			return
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		answered <- string(text)
	}()
	<-arrived
	return p, base, func() { close(hold) }, answered
}

// A write under way ends before the process does; nothing new is taken.
func TestEndWaitsForWrites(t *testing.T) {
	p, base, letEnd, answered := writeUnderWay(t)
	idle, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(idle, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	reader := bufio.NewReader(idle)
	if answer, err := http.ReadResponse(reader, nil); err != nil {
		t.Fatal(err)
	} else {
		io.Copy(io.Discard, answer.Body)
	}
	p.Process.Signal(syscall.SIGTERM)
	// The second signal of a terminal changes nothing.
	p.Process.Signal(syscall.SIGTERM)
	for {
		connection, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/"))
		if err != nil {
			break
		}
		connection.Close()
	}
	letEnd()
	if text := <-answered; text != "committed" {
		t.Errorf("answered %q", text)
	}
	if code := p.exit(t); code != 0 {
		t.Errorf("ended with %d: %s", code, &p.stderr)
	}
	idle.SetReadDeadline(time.Now().Add(patience))
	if text, err := io.ReadAll(reader); err != nil || len(text) != 0 {
		t.Errorf("a connection without a request: %q, %v", text, err)
	}
}

// A write that never ends does not keep the process for ever.
func TestEndHasABound(t *testing.T) {
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	server := newHTTPServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }), settings{}, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(connection, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	shutDown(ctx, server)
	connection.SetReadDeadline(time.Now().Add(patience))
	if text, err := io.ReadAll(connection); err != nil || len(text) != 0 {
		t.Errorf("%q, %v", text, err)
	}
}

// supervisor stands for systemd.
func supervisor(t *testing.T) (path string, heard func(string)) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "notify")
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return path, func(want string) {
		t.Helper()
		listener.SetReadDeadline(time.Now().Add(patience))
		var said []string
		for {
			text := make([]byte, 4096)
			n, err := listener.Read(text)
			if err != nil {
				t.Fatalf("never heard %s, but %q", want, said)
			}
			if len(said) == 0 || said[len(said)-1] != string(text[:n]) {
				said = append(said, string(text[:n]))
			}
			if regexp.MustCompile("^" + want + "$").Match(text[:n]) {
				return
			}
		}
	}
}

func TestSystemdIsTold(t *testing.T) {
	path, heard := supervisor(t)
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writePair(t, cert, key, "a.example", time.Now().Add(time.Hour))
	command := exec.Command(os.Args[0], "--server", elsewhere(t).URL, "--port", "0", "--tls-cert", cert, "--tls-key", key)
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "200000")
	p := launch(t, command, asBinary+"=1")
	heard("READY=1")
	heard("WATCHDOG=1")
	heard("WATCHDOG=1")
	p.Process.Signal(syscall.SIGHUP)
	heard(`RELOADING=1\nMONOTONIC_USEC=\d+\n`)
	heard("READY=1")
	p.Process.Signal(syscall.SIGTERM)
	heard("STOPPING=1")
	if code := p.exit(t); code != 0 {
		t.Errorf("ended with %d: %s", code, &p.stderr)
	}
}

// A reload without anything to read again does not end a service.
func TestReloadOfAServiceWithoutFiles(t *testing.T) {
	path, heard := supervisor(t)
	t.Setenv("NOTIFY_SOCKET", path)
	p := startProcess(t, "--server", elsewhere(t).URL, "--port", "0")
	heard("READY=1")
	p.Process.Signal(syscall.SIGHUP)
	heard(`RELOADING=1\nMONOTONIC_USEC=\d+\n`)
	heard("READY=1")
	if code, _ := get(t, p.console(t)+"readyz"); code != 200 {
		t.Errorf("%d", code)
	}
}

// The watchdog is fed only while the database answers.
func TestWatchdogOfADeadDatabase(t *testing.T) {
	path, heard := supervisor(t)
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "30000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := make(chan int, 100)
	times := 0
	isAlive := func(context.Context) bool {
		times++
		asked <- times
		return times >= 5
	}
	go feedWatchdog(ctx, isAlive)
	heard("WATCHDOG=1")
	if n := len(asked); n < 5 {
		t.Errorf("fed after %d questions", n)
	}
}

func TestExitCodes(t *testing.T) {
	for want, commands := range map[int][]string{
		exitEnded: {"--help", "--version", "healthcheck --help"},
		exitSettings: {
			"--nonsense", "--port x", "--servers /does/not/exist", "healthcheck --port 0", "healthcheck extra",
			"--server http://127.0.0.1:1 --port 0 --frame-ancestors a;b",
			"--port 0 --grpc-port 0 --metrics-port 0 --signing-key /does/not/exist --dir " + t.TempDir(),
			"--socket " + filepath.Join(t.TempDir(), strings.Repeat("x", 120)),
			"--socket /does/not/exist",
		},
		exitFailed: {
			fmt.Sprintf("--server http://127.0.0.1:1 --port %d", occupied(t)),
			fmt.Sprintf("healthcheck --port %d", unused(t)),
		},
	} {
		for _, command := range commands {
			var said output
			if code := run(t.Context(), strings.Fields(command), &said, &said); code != want || said.String() == "" {
				t.Errorf("%s: %d, want %d: %s", command, code, want, &said)
			}
		}
	}
}

func unused(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return portOf(listener.Addr())
}

func TestVersionsArePrinted(t *testing.T) {
	var said output
	run(t.Context(), []string{"--version"}, &said, io.Discard)
	if !regexp.MustCompile(`^webconsole \S.* \(\w+\), immudb 1\.11\.1\n$`).MatchString(said.String()) {
		t.Errorf("%q", said.String())
	}
}

// A file that the console needed at its start, and keeps what it had read of, is
// no reason to call it ill.
func TestHealthcheckReadsNoFiles(t *testing.T) {
	p := startProcess(t, "--server", elsewhere(t).URL, "--port", "0")
	port := p.line(t, &p.stdout, `^Console  http://127\.0\.0\.1:(\d+)/$`)
	for _, file := range []string{"--servers", "--admin-password-file"} {
		var said output
		if code := run(t.Context(), []string{"healthcheck", "--port", port, file, "/does/not/exist"}, &said, &said); code != 0 {
			t.Errorf("%s: %d %s", file, code, &said)
		}
	}
}

// Clients that take nothing use up the time of the end, but not that of writes
// that come over gRPC.
func TestEndLeavesTimeForTheDatabase(t *testing.T) {
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	arrived := make(chan struct{})
	server := newHTTPServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(arrived); <-hold }), settings{}, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprint(connection, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-arrived
	closed := false
	end(50*time.Millisecond, server, &source{close: func(ctx context.Context) { closed = ctx.Err() == nil }})
	if !closed {
		t.Error("no time is left for the database")
	}
}

func TestHealthcheck(t *testing.T) {
	for upstream, want := range map[string]int{elsewhere(t).URL: 0, "http://127.0.0.1:1": 1} {
		p := startProcess(t, "--server", upstream, "--port", "0", "--prefix", "/ops")
		port := p.line(t, &p.stdout, `^Console  http://127\.0\.0\.1:(\d+)/ops/$`)
		for _, address := range []string{"127.0.0.1", "0.0.0.0"} {
			var said output
			code := run(t.Context(), []string{"healthcheck", "--port", port, "--prefix", "/ops", "--address", address}, &said, &said)
			if code != want || !strings.Contains(said.String(), `"status"`) {
				t.Errorf("%s: %d %s", upstream, code, &said)
			}
		}
	}
}
