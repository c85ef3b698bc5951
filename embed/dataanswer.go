package webconsole

import (
	"fmt"
	"net/http"
	"time"
)

// dataHeaders go with every answer of the API and of the metrics. The text
// comes from the server behind and may be anything. Opened as a document it
// runs no script, has no origin and cannot be framed. No other site can embed
// it, and tokens and values stay out of every cache.
var dataHeaders = http.Header{
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {"sandbox; default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
}

// dataAnswer sets the headers at the last moment, because a handler may replace
// earlier ones. It also answers in place of a handler whose request body was
// refused during reading.
//
// It has no Unwrap and no Hijack, so that nothing behind it can take the
// connection over: what came next on it would go past the guard.
type dataAnswer struct {
	http.ResponseWriter
	body    *limitedBody
	isBegun bool
	isOver  bool // nothing of the handler's own is sent
}

// WriteHeader is part of http.ResponseWriter. Interim answers such as early
// hints are left out: nothing here needs them, and they would carry headers of
// their own. A status that ends no call is refused, first of all a switched
// protocol.
func (a *dataAnswer) WriteHeader(status int) {
	if a.isBegun || mayPrecede(status) {
		return
	}
	a.isBegun = true
	a.isOver = a.body.isRefused() || status < 200
	if a.isOver {
		for _, name := range []string{"Content-Encoding", "Content-Length", "Trailer", "Upgrade"} {
			a.Header().Del(name)
		}
	}
	setAll(a.Header(), dataHeaders)
	switch {
	case a.body.isRefused():
		a.body.refuse(a.ResponseWriter)
	case a.isOver:
		refuse(a.ResponseWriter, true, http.StatusBadGateway, grpcUnavailable,
			fmt.Sprintf("the server answered with the status %d, which is not an answer", status))
	default:
		a.ResponseWriter.WriteHeader(status)
	}
}

// mayPrecede is true for the two interim answers that HTTP servers send.
func mayPrecede(status int) bool {
	return status == http.StatusContinue || status == http.StatusEarlyHints
}

// Write is part of http.ResponseWriter.
func (a *dataAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.isOver {
		return len(p), nil
	}
	return writePaced(a.ResponseWriter, p)
}

// Flush is part of http.Flusher, which immudb's gateway asks for.
func (a *dataAnswer) Flush() {
	a.WriteHeader(http.StatusOK)
	expectTaken(a.ResponseWriter, untaken)
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// finish gives the headers to an answer that the handler left to the server.
// It must not run while the handler panics: that is how one drops an answer.
//
// The server sends the rest of a short answer after the handler and what is
// left of the request, and then lifts the deadline.
func (a *dataAnswer) finish() {
	a.WriteHeader(http.StatusOK)
	expectTaken(a.ResponseWriter, leftover+untaken)
}

// pieceSize is what a client has to take of an answer before a stall ends it.
const pieceSize = 64 << 10

// writePaced limits how long a client may take nothing of an answer. Otherwise
// it would hold the connection to the database as well.
func writePaced(w http.ResponseWriter, p []byte) (written int, err error) {
	for {
		expectTaken(w, untaken)
		n, err := w.Write(p[written:min(written+pieceSize, len(p))])
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}

// expectTaken limits the time in which the client takes what is written next.
// The error says that the server has no deadlines to set.
func expectTaken(w http.ResponseWriter, within time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(within))
}
