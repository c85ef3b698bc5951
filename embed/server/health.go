package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// check is one question about readiness. Anyone may read the answer, so it is a
// word: no figure, name, address or error text.
type check struct {
	name string
	ask  func(context.Context) string
}

// fine is the answer of a check that found nothing.
const fine = "ok"

const (
	// checkPatience limits the wait for one check.
	checkPatience = 2 * time.Second
	// checkedFor is how long an answer stands, so that probes cost no more than one
	// look each second.
	checkedFor = time.Second
	// probeBody limits how long a body may take that no probe should have.
	probeBody = time.Second
)

// health answers the probes of load balancers and supervisors.
type health struct {
	checks     []check
	notes      io.Writer
	isStopping atomic.Bool

	mutex sync.Mutex
	found map[string]string
	at    time.Time
}

func isHealthPath(path, prefix string) bool {
	return path == prefix+"/healthz" || path == prefix+"/readyz"
}

// beside answers at healthz and readyz below the prefix, and lets a handler answer
// the rest. It stands outside of the guard: a probe may come under any host name.
// Each answer ends its connection, so the guard need not count it.
func (h *health) beside(prefix string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isHealthPath(r.URL.Path, prefix) {
			next.ServeHTTP(w, r)
			return
		}
		for name, value := range map[string]string{
			"Cache-Control":                "no-store",
			"Connection":                   "close",
			"Content-Security-Policy":      "sandbox; default-src 'none'; frame-ancestors 'none'",
			"Content-Type":                 "application/json",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Content-Type-Options":       "nosniff",
		} {
			w.Header().Set(name, value)
		}
		// A probe has no body. The server would wait for one that was announced.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(probeBody))
		status, found := http.StatusOK, map[string]string{"status": fine}
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			status, found = http.StatusMethodNotAllowed, map[string]string{"error": "use GET or HEAD"}
		case strings.HasSuffix(r.URL.Path, "/readyz"):
			if found = h.look(); found["status"] != "ready" {
				status = http.StatusServiceUnavailable
			}
		}
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(found)
	})
}

// look asks all checks, unless they have just been asked.
func (h *health) look() map[string]string {
	if h.isStopping.Load() {
		return map[string]string{"status": "stopping"}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.found != nil && time.Since(h.at) < checkedFor {
		return h.found
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkPatience)
	defer cancel()
	found, problems := map[string]string{"status": "ready"}, ""
	for _, one := range h.checks {
		found[one.name] = one.ask(ctx)
		if found[one.name] != fine {
			found["status"] = "not ready"
			problems += fmt.Sprintf(", %s: %s", one.name, found[one.name])
		}
	}
	before := "ready"
	if h.found != nil {
		before = h.found["status"]
	}
	switch {
	case found["status"] == before:
	case problems == "":
		fmt.Fprintln(h.notes, "Ready again.")
	default:
		fmt.Fprintf(h.notes, "Warning: not ready (%s)\n", strings.TrimPrefix(problems, ", "))
	}
	h.found, h.at = found, time.Now()
	return found
}

// answering makes a check of something that answers or does not.
func answering(name string, ask func(context.Context) bool) check {
	return check{name, func(ctx context.Context) string {
		if ask(ctx) {
			return fine
		}
		return "no answer"
	}}
}
