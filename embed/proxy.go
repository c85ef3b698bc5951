package webconsole

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Proxy passes calls on to one immudb that runs elsewhere: those that a Guard has
// checked, and no others.
//
//	mux.Handle("/api/", proxy.API)
//	mux.Handle("/metrics", proxy.Metrics)
type Proxy struct {
	// API takes calls whose path begins with /api.
	API http.Handler
	// Metrics takes any call for the metrics, at a path that the guard knows: see
	// GuardOptions.MetricsPath.
	Metrics http.Handler
	// MetricsURL is where the metrics come from.
	MetricsURL string

	ways silenceLimit
}

const connectTimeout = 5 * time.Second

// NewProxy checks the addresses and files of a server, and does not connect to
// it. Without a name, errors name the host.
func NewProxy(server Server) (*Proxy, error) {
	address, err := parseServerURL(server.URL)
	if err != nil {
		return nil, err
	}
	metrics := usualMetrics(address)
	if server.Metrics != "" {
		if metrics, err = parseAddress(server.Metrics); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
		if strings.Trim(metrics.Path, "/") == "" {
			metrics.Path = "/metrics"
		}
	}
	if server.Timeout < 0 {
		return nil, fmt.Errorf("the timeout %s is negative", server.Timeout)
	}
	trust, err := server.trust(address, metrics)
	if err != nil {
		return nil, err
	}
	forAPI := origin{name: server.Name, who: server.Name, host: address.Host}
	forMetrics := origin{name: server.Name, who: "The metrics of " + server.Name, host: metrics.Host}
	if server.Name == "" {
		forAPI.who = "The immudb server at " + address.Host
		forMetrics.who = "The metrics server at " + metrics.Host
	}
	plain := newTransport(trust)
	ways := silenceLimit{
		anyone:  newPools(plain),
		issuers: &issuers{plain: plain, health: healthOf(address)},
		silence: server.Timeout,
	}
	return &Proxy{
		API:        onlyGuarded(onlyCalls(forward(forAPI, ways, rewriteCall(address)))),
		Metrics:    onlyGuarded(forward(forMetrics, ways, rewriteMetrics(metrics))),
		MetricsURL: metrics.Redacted(),
		ways:       ways,
	}, nil
}

// healthOf is a call that needs no token.
func healthOf(server *url.URL) *url.URL {
	health := *server
	if health.Path == "" {
		health.Path = "/"
	}
	return health.JoinPath("api", "health")
}

// usualMetrics is where immudb puts its metrics unless told otherwise. TLS
// covers the web and the metrics port together, so the scheme is the same.
func usualMetrics(server *url.URL) *url.URL {
	return &url.URL{Scheme: server.Scheme, Host: net.JoinHostPort(server.Hostname(), "9497"), Path: "/metrics"}
}

// trust reads the files about certificates.
func (s Server) trust(addresses ...*url.URL) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	isNamed := s.CA != "" || s.Certificate != "" || s.Key != ""
	usesTLS := slices.ContainsFunc(addresses, func(u *url.URL) bool { return u.Scheme == "https" })
	if isNamed && !usesTLS {
		return nil, errors.New("a CA or certificate needs an https address")
	}
	if s.CA != "" {
		text, err := os.ReadFile(s.CA)
		if err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("ca: %s has no certificate in PEM form", s.CA)
		}
	}
	if (s.Certificate == "") != (s.Key == "") {
		return nil, errors.New("a client certificate needs both cert and key")
	}
	if s.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(s.Certificate, s.Key)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// Reach is for programs that call a server themselves: its address, and a
// transport that trusts what its files say.
func (s Server) Reach() (*url.URL, *http.Transport, error) {
	address, err := parseServerURL(s.URL)
	if err != nil {
		return nil, nil, err
	}
	trust, err := s.trust(address)
	if err != nil {
		return nil, nil, err
	}
	return address, newTransport(trust), nil
}

func newTransport(trust *tls.Config) *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSClientConfig:     trust,
		TLSHandshakeTimeout: connectTimeout,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
		// Bodies pass through as they are, compressed or not.
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// Answers asks the server for its health, which needs no login, and returns an
// error unless it is well.
func (p *Proxy) Answers(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.ways.issuers.health.String(), nil)
	if err != nil {
		return err
	}
	answer, err := p.ways.anyone.kept.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostIdentity))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("its health has the status %03d", answer.StatusCode)
	}
	return nil
}

// closeIdle ends connections that carry no call. Calls that are under way
// finish.
func (p *Proxy) closeIdle() {
	p.ways.anyone.closeIdle()
	p.ways.issuers.closeIdle()
}

// rewriteCall makes a call of the browser one of ours.
func rewriteCall(server *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		appendCaller(r)
		// Cookies are shared by all ports: they may belong to another program on
		// this host. The others are about the connection to us.
		for _, name := range []string{"Cookie", "X-Real-Ip", "Connection", "Upgrade", "Te", FreshHeader, WriteHeader, ServerHeader, IssuerHeader, forwardedUser} {
			r.Out.Header.Del(name)
		}
		if user := callOf(r.In.Context()).user; user != "" {
			r.Out.Header.Set(forwardedUser, user)
		}
		r.Out.Trailer = nil
		// With one of these headers, Go's own client repeats a POST when a
		// connection breaks.
		for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
			r.Out.Header.Del(name)
		}
		deleteByPrefix(r.Out.Header, "Proxy-")
		deleteByPrefix(r.Out.Header, "Grpc-Metadata-")
	}
}

// appendCaller adds the caller's address for the server. Otherwise immudb's
// audit log would only show this process.
func appendCaller(r *httputil.ProxyRequest) {
	caller, _, err := net.SplitHostPort(r.In.RemoteAddr)
	if err != nil {
		return
	}
	before := slices.Clone(r.In.Header["X-Forwarded-For"])
	r.Out.Header.Set("X-Forwarded-For", strings.Join(append(before, caller), ", "))
}

func deleteByPrefix(header http.Header, prefix string) {
	for name := range header {
		if strings.HasPrefix(name, prefix) {
			header.Del(name)
		}
	}
}

// rewriteMetrics sends every call to the one metrics address. It only passes
// headers that shape the answer; that port must not get logins and addresses.
func rewriteMetrics(metrics *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		target := *metrics
		r.Out.URL, r.Out.Host = &target, ""
		r.Out.Header, r.Out.Trailer, r.Out.Body, r.Out.ContentLength = http.Header{}, nil, nil, 0
		for _, name := range []string{"Accept", "Accept-Encoding", "User-Agent"} {
			if values := r.In.Header[name]; values != nil {
				r.Out.Header[name] = values
			}
		}
		// Go's transport takes no login from an address.
		if password, has := metrics.User.Password(); has {
			r.Out.SetBasicAuth(metrics.User.Username(), password)
		}
	}
}

func forward(to origin, ways http.RoundTripper, rewrite func(*httputil.ProxyRequest)) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:        rewrite,
		Transport:      ways,
		ModifyResponse: dropForeignRules,
		ErrorHandler:   to.answerUnanswered,
		ErrorLog:       log.New(io.Discard, "", 0),
	}
}

// passedBack are the headers that describe an answer. All others would act for
// our own origin: cookies, permissions for other sites, redirects, password
// dialogs, clearing storage or forcing TLS.
var passedBack = map[string]bool{
	"Allow": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true,
	"Date": true, "Retry-After": true, "Trailer": true, "Vary": true,
}

// dropForeignRules keeps what describes the answer, and the gateway's own
// metadata.
func dropForeignRules(answer *http.Response) error {
	if answer.StatusCode >= 300 && answer.StatusCode < 400 && answer.StatusCode != http.StatusNotModified {
		return errRedirected
	}
	for name := range answer.Header {
		if !passedBack[name] && !strings.HasPrefix(name, "Grpc-") {
			answer.Header.Del(name)
		}
	}
	return nil
}
