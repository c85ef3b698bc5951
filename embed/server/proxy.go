package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"
)

// grpcUnavailable is gRPC code 14, which immudb's own gateway sends when it
// cannot reach the database.
const grpcUnavailable = 14

// apiProxy forwards REST calls, whose path begins with /api, to an immudb web
// port.
func apiProxy(server *url.URL) http.Handler {
	return forward(server, "the immudb server", func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		appendCaller(r)
		// Cookies are shared by all ports: they may belong to another program on
		// this host. The last three are about the connection to us.
		for _, name := range []string{"Cookie", "X-Real-Ip", "Connection", "Upgrade", "Webconsole-Fresh"} {
			r.Out.Header.Del(name)
		}
		// With one of these headers, Go's own client repeats a POST when a
		// connection breaks.
		for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
			r.Out.Header.Del(name)
		}
		deleteByPrefix(r.Out.Header, "Proxy-")
	})
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

// metricsProxy sends every call to the one metrics address. It only passes
// headers that shape the answer; that port must not get logins and addresses.
func metricsProxy(metrics *url.URL) http.Handler {
	return forward(metrics, "the metrics server", func(r *httputil.ProxyRequest) {
		r.Out.URL, r.Out.Host = metrics, ""
		r.Out.Header, r.Out.Body, r.Out.ContentLength = http.Header{}, nil, 0
		for _, name := range []string{"Accept", "Accept-Encoding", "User-Agent"} {
			if values := r.In.Header[name]; values != nil {
				r.Out.Header[name] = values
			}
		}
	})
}

// forward turns a missing server into a 502 whose text says which one is
// missing. Answers may take long; connecting may not.
func forward(target *url.URL, name string, rewrite func(*httputil.ProxyRequest)) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: rewrite,
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     90 * time.Second,
			// Bodies pass through as they are, compressed or not.
			DisableCompression: true,
		},
		ModifyResponse: dropForeignRules,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			answerUnreachable(w, r, target, name, err)
		},
		ErrorLog: log.New(io.Discard, "", 0),
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

// errRedirected is a redirect of the server behind. A browser that followed it
// would take the call, with its token, to wherever that server says.
var errRedirected = errors.New("answered with a redirect, which is not followed: name its final address")

func answerUnreachable(w http.ResponseWriter, r *http.Request, target *url.URL, name string, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		// The browser has closed the connection.
		panic(http.ErrAbortHandler)
	}
	text := fmt.Sprintf("%s at %s cannot be reached: %v", name, target.Host, err)
	if errors.Is(err, errRedirected) {
		text = fmt.Sprintf("%s at %s %v", name, target.Host, err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadGateway)
	json.NewEncoder(w).Encode(map[string]any{"error": text, "message": text, "code": grpcUnavailable})
}
