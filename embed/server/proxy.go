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
	"time"
)

// grpcUnavailable is gRPC code 14, which immudb's own gateway sends when it
// cannot reach the database.
const grpcUnavailable = 14

// apiProxy forwards REST calls, whose path begins with /api, to an immudb web
// port.
func apiProxy(server *url.URL) http.Handler {
	return forward(server, "the immudb server", func(r *httputil.ProxyRequest) { r.SetURL(server) })
}

// metricsProxy sends every call to the one metrics address.
func metricsProxy(metrics *url.URL) http.Handler {
	return forward(metrics, "the metrics server", func(r *httputil.ProxyRequest) {
		r.Out.URL, r.Out.Host = metrics, ""
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

// dropForeignRules removes what our own origin decides: immudb's metrics port
// lets every site read it, and the guard sets the caching of API answers.
func dropForeignRules(answer *http.Response) error {
	answer.Header.Del("Access-Control-Allow-Origin")
	answer.Header.Del("Cache-Control")
	return nil
}

func answerUnreachable(w http.ResponseWriter, r *http.Request, target *url.URL, name string, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		// The browser has gone; there is nobody to answer.
		panic(http.ErrAbortHandler)
	}
	text := fmt.Sprintf("%s at %s cannot be reached: %v", name, target.Host, err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadGateway)
	json.NewEncoder(w).Encode(map[string]any{"error": text, "message": text, "code": grpcUnavailable})
}
