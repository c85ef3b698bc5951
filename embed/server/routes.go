package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"

	webconsole "immudb-webconsole/embed"
)

// newConsole is the console alone, without API and metrics.
func newConsole(s settings, notes io.Writer) (http.Handler, error) {
	var options []webconsole.Option
	if s.frameAncestors != "" {
		options = append(options, webconsole.WithFrameAncestors(s.frameAncestors))
	}
	if s.servers != nil {
		options = append(options, webconsole.WithServers(s.servers))
	}
	if !webconsole.Built() {
		fmt.Fprintln(notes, "This binary does not contain the console yet. Run `npm run build`, then build the binary again. The API works.")
	}
	return webconsole.Handler(options...)
}

// newHandler puts the console, the REST API and the metrics on one mux below
// the prefix, with the guard around all of it. Patterns carry the prefix
// instead of stripping it once, because the mux answers some requests with
// redirects.
func newHandler(s settings, console http.Handler, source *source) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(s.prefix+"/", http.StripPrefix(s.prefix, console))
	mux.Handle(s.prefix+"/metrics", source.metrics)
	mux.Handle(s.prefix+"/api/", http.StripPrefix(s.prefix, source.api))
	if s.checkpoints != "" {
		mux.Handle(s.prefix+checkpointsPath, http.StripPrefix(s.prefix, checkpoints{s.checkpoints}))
	}
	return webconsole.Guard(mux, webconsole.GuardOptions{
		Hosts:      append([]string{s.address}, s.allowHosts...),
		APIPath:    s.prefix + "/api",
		Servers:    s.servers,
		UserHeader: s.userHeader,
		Outermost:  true,
	})
}

// newFront puts around the guard what sees every request: the probes, the log, and
// the addresses of callers behind a proxy that speaks through a Unix socket.
func newFront(s settings, guarded http.Handler, health *health, log *slog.Logger) http.Handler {
	front := health.beside(s.prefix, guarded)
	if log != nil {
		front = logRequests(log, s, front)
	}
	if s.socket != "" {
		front = namedByProxy(front)
	}
	return front
}
