package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
)

// source is where the console gets its data: a database in this process or a
// server elsewhere. Both offer the same two handlers.
type source struct {
	api         http.Handler // paths begin with /api: the caller strips the prefix
	metrics     http.Handler
	metricsURL  string
	grpcAddress string       // "" when the server is elsewhere
	serverURL   string       // "" when the database is in this process
	stopped     <-chan error // nil when the server is elsewhere: it never fires
	close       func()
}

func openSource(ctx context.Context, s settings, notes io.Writer) (*source, error) {
	if s.server != nil {
		return remoteSource(s), nil
	}
	database, err := startDatabase(ctx, s, notes)
	if err != nil {
		return nil, err
	}
	source := database.source()
	if s.metrics != nil {
		source.metrics, source.metricsURL = metricsProxy(s.metrics), s.metrics.String()
	}
	return source, nil
}

func remoteSource(s settings) *source {
	metrics := s.metrics
	if metrics == nil {
		metrics = usualMetrics(s.server)
	}
	return &source{
		api:        apiProxy(s.server),
		metrics:    metricsProxy(metrics),
		metricsURL: metrics.String(),
		serverURL:  s.server.String(),
		close:      func() {},
	}
}

// usualMetrics is where immudb puts its metrics unless told otherwise. TLS
// covers the web and the metrics port together, so the scheme is the same.
func usualMetrics(server *url.URL) *url.URL {
	return &url.URL{Scheme: server.Scheme, Host: net.JoinHostPort(server.Hostname(), "9497"), Path: "/metrics"}
}
