package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	webconsole "immudb-webconsole/embed"
)

// source is where the console gets its data: a database in this process or
// servers elsewhere. All offer the same two handlers.
type source struct {
	api     http.Handler // paths begin with /api: the caller strips the prefix
	metrics http.Handler
	stopped <-chan error // nil when the server is elsewhere: it never fires
	// close ends what was started. Writes under way may end until the context does.
	close  func(context.Context)
	lines  string // what is printed when the console is ready
	checks []check
	// isAlive is false when a start of this process anew would help.
	isAlive func(context.Context) bool
}

// alwaysAlive is for servers elsewhere: no start of this process mends those.
func alwaysAlive(context.Context) bool { return true }

func openSource(ctx context.Context, s settings, notes io.Writer) (*source, error) {
	switch {
	case s.servers != nil:
		return namedSource(s.servers), nil
	case s.server != "":
		return remoteSource(s)
	}
	database, err := startDatabase(ctx, s, notes)
	if err != nil {
		return nil, err
	}
	if s.metrics == "" {
		return database.source(), nil
	}
	// The proxy of the database itself is not used: it is in this process.
	elsewhere, err := webconsole.NewProxy(webconsole.Server{URL: "http://127.0.0.1", Metrics: s.metrics})
	if err != nil {
		database.release(ctx)
		return nil, err
	}
	source := database.source()
	source.metrics = elsewhere.Metrics
	source.lines = databaseLines(elsewhere.MetricsURL, database.grpcAddress)
	return source, nil
}

// databaseLines, like all lines of a source, are what tests and scripts read:
// a name and an address each.
func databaseLines(metrics, grpc string) string {
	return "Metrics  " + metrics + "\ngRPC     " + grpc + "\n"
}

func serverLines(servers *webconsole.Servers) string {
	var lines strings.Builder
	for _, server := range servers.List() {
		fmt.Fprintf(&lines, "Server   %s %s\n", server.Name, server.URL)
	}
	return lines.String()
}

func remoteSource(s settings) (*source, error) {
	proxy, err := webconsole.NewProxy(webconsole.Server{URL: s.server, Metrics: s.metrics})
	if err != nil {
		return nil, err
	}
	return &source{
		api:     proxy.API,
		metrics: proxy.Metrics,
		close:   func(context.Context) {},
		lines:   "Metrics  " + proxy.MetricsURL + "\nServer   " + s.server + "\n",
		isAlive: alwaysAlive,
		checks:  []check{answering("database", func(ctx context.Context) bool { return proxy.Answers(ctx) == nil })},
	}, nil
}

// namedSource answers where a single server would be. The console handler
// passes calls on to servers with a name.
func namedSource(servers *webconsole.Servers) *source {
	elsewhere := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		const text = "this console has several servers: their APIs and metrics are below s/NAME"
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		json.NewEncoder(w).Encode(map[string]any{"error": text, "message": text, "code": grpcNotFound})
	})
	return &source{
		api: elsewhere, metrics: elsewhere, close: func(context.Context) {}, lines: serverLines(servers), isAlive: alwaysAlive,
		// One that answers is enough: the page says which of the others do not.
		checks: []check{answering("servers", servers.Answer)},
	}
}

// grpcNotFound is the code of gRPC that errors in the API's form carry.
const grpcNotFound = 5
