package webconsole

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// FreshHeader marks a write that must run only as the first request of its
// connection. Browsers repeat a POST by themselves when a connection that was
// in use before breaks, even after the write was committed; on a new
// connection they do not.
//
// In a request its value is "1". In an answer of the API it is "required" (the
// write was not passed on: send it again) or "kept" (this guard keeps the
// rule for connections such as this one).
const FreshHeader = "Webconsole-Fresh"

type requestsKey struct{}

// ConnContext counts the requests of each connection for the guard. Set it on
// the server:
//
//	server := &http.Server{Handler: guarded, ConnContext: webconsole.ConnContext}
//
// Without it the guard cannot tell which request comes first: it passes marked
// writes on and claims nothing.
func ConnContext(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, requestsKey{}, new(atomic.Int64))
}

// fresh is what the guard knows of a request for the rule.
type fresh struct {
	isMarked bool
	// place on the connection, from 1; 0 when not known or without meaning.
	place int64
}

// takeMark counts the request, so it must see every one, and takes the mark
// off: what is behind the guard never sees it.
func takeMark(r *http.Request) fresh {
	isMarked := r.Header.Get(FreshHeader) != ""
	r.Header.Del(FreshHeader)
	requests, ok := r.Context().Value(requestsKey{}).(*atomic.Int64)
	if !ok {
		return fresh{isMarked: isMarked}
	}
	place := requests.Add(1)
	if !isBrowsers(r) {
		place = 0
	}
	return fresh{isMarked, place}
}

// isBrowsers is false where the connection is not evidently that of the
// browser itself: a front keeps connections of its own, so that being first on
// one says nothing about the browser's. Over HTTP/2 requests share a
// connection, and a browser may repeat even the first (after a lost ping).
func isBrowsers(r *http.Request) bool {
	if r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.Close {
		return false
	}
	for name := range r.Header {
		if name == "Via" || name == "Forwarded" || name == "X-Real-Ip" ||
			strings.HasPrefix(name, "X-Forwarded-") {
			return false
		}
	}
	return true
}

// mayRun says on the answer what the guard keeps, and returns whether the call
// may be passed on. The claim is named in Connection, so that a front that
// leaves no trace in requests takes away what it cannot vouch for: whoever
// reads the claim looks for both.
func (f fresh) mayRun(w http.ResponseWriter) bool {
	switch {
	case f.place == 0:
		return true
	case f.isMarked && f.place > 1:
		w.Header().Set(FreshHeader, "required")
		w.Header().Set("Connection", "close")
		return false
	}
	w.Header().Set(FreshHeader, "kept")
	w.Header().Set("Connection", FreshHeader)
	return true
}
