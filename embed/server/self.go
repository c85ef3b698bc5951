package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ownClient calls a console on this machine, over TLS and a Unix socket, too. It
// ignores proxy settings, and does not look at the certificate: that is made for
// the name that browsers use, and nothing leaves this machine.
func ownClient(s settings) *http.Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	if s.socket != "" {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", s.socket)
		}
	}
	return &http.Client{Transport: transport}
}

// ownURL is the address under which ownClient finds the console. It ends in a
// slash. A Unix socket has no host, but a request needs one.
func ownURL(s settings, at string) string {
	if s.socket != "" {
		at = "localhost"
	}
	scheme := "http"
	if s.tlsCert != "" {
		scheme = "https"
	}
	// The zone of an address of one network, as in [fe80::1%eth0].
	return scheme + "://" + strings.Replace(at, "%", "%25", 1) + s.prefix + "/"
}

// healthcheckPatience is less than the shortest usual limit of a supervisor.
const healthcheckPatience = 4 * time.Second

// healthcheck asks the console that runs with the same flags and variables
// whether it is ready. A container without a shell has nothing else that could.
func healthcheck(ctx context.Context, s settings, stdout, stderr io.Writer) int {
	if s.port == 0 && s.socket == "" {
		fmt.Fprintln(stderr, "webconsole: healthcheck needs the --port of the console, or its --socket")
		return exitSettings
	}
	host := s.address
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckPatience)
	defer cancel()
	url := ownURL(s, net.JoinHostPort(host, strconv.Itoa(s.port))) + "readyz"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		fmt.Fprintf(stderr, "webconsole: %v\n", err)
		return exitFailed
	}
	answer, err := ownClient(s).Do(r)
	if err != nil {
		fmt.Fprintf(stderr, "webconsole: %v\n", err)
		return exitFailed
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	fmt.Fprintf(stdout, "%s\n", bytes.TrimSpace(text))
	if answer.StatusCode != http.StatusOK {
		return exitFailed
	}
	return exitEnded
}
