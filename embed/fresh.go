package webconsole

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// FreshHeader marks a write that must run only as the first request of its
// connection. Browsers silently repeat a POST when a reused connection breaks,
// even after the write was committed; on a new connection they do not.
//
// In a request its value is "1". In an answer of the API it is "required" (the
// write was not passed on: send it again), "repeated" (a write of this id was
// passed on before), "kept" (this guard keeps the rule for connections such as
// this one) or "apart" (the same, and writes may come without cookies, see
// GuardOptions.Outermost).
const FreshHeader = "Webconsole-Fresh"

// WriteHeader names a write: a repeat by the browser has the same name and is
// not passed on again. FreshHeader alone is not enough: Chromium treats a
// connection that it opened in advance as used
// (HttpStreamParser::IsConnectionReused), and the server cannot distinguish it
// from a new one.
const WriteHeader = "Webconsole-Write"

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

// fresh holds what the guard knows about a request for this rule.
type fresh struct {
	isMarked bool
	// id names the write; empty for a request without a name.
	id string
	// place on the connection, from 1; 0 when not known or without meaning.
	place int64
}

// takeMark counts the request, so it must see every one. It removes the mark,
// which handlers behind the guard never see.
func takeMark(r *http.Request) fresh {
	isMarked := r.Header.Get(FreshHeader) != ""
	id := r.Header.Get(WriteHeader)
	r.Header.Del(FreshHeader)
	r.Header.Del(WriteHeader)
	if len(id) > longestID {
		id = ""
	}
	requests, ok := r.Context().Value(requestsKey{}).(*atomic.Int64)
	if !ok {
		return fresh{isMarked: isMarked, id: id}
	}
	place := requests.Add(1)
	if !isBrowsers(r) {
		place = 0
	}
	return fresh{isMarked, id, place}
}

const (
	// longestID keeps what the guard remembers small.
	longestID = 64
	// idsAge is longer than any browser waits before it repeats a request.
	idsAge = 10 * time.Minute
	// mostIDs bounds the memory for names, to a few megabytes.
	mostIDs = 50_000
)

// writeIDs remembers the names of the writes that were passed on.
type writeIDs struct {
	mutex sync.Mutex
	known map[string]bool
	order []passedWrite
}

type passedWrite struct {
	id string
	at time.Time
}

// isFirst notes the name, and is false when it was noted before.
func (w *writeIDs) isFirst(id string, now time.Time) bool {
	if id == "" {
		return true
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for len(w.order) > 0 && now.Sub(w.order[0].at) > idsAge {
		w.forgetOldest()
	}
	// Before one is forgotten for room: the repeat of the oldest must not make its
	// own.
	if w.known[id] {
		return false
	}
	if len(w.order) >= mostIDs {
		w.forgetOldest()
	}
	if w.known == nil {
		w.known = map[string]bool{}
	}
	w.known[id] = true
	w.order = append(w.order, passedWrite{id, now})
	return true
}

func (w *writeIDs) forgetOldest() {
	delete(w.known, w.order[0].id)
	w.order = w.order[1:]
}

// mayPass is false for a write that was passed on before. It says so on the
// answer, the only one that a browser then shows.
func (w *writeIDs) mayPass(f fresh, answer http.ResponseWriter) bool {
	if w.isFirst(f.id, time.Now()) {
		return true
	}
	answer.Header().Set(FreshHeader, "repeated")
	return false
}

// of keeps the names of writes to different servers apart.
func (f fresh) of(server string) fresh {
	if f.id != "" {
		f.id = server + "/" + f.id
	}
	return f
}

// isBrowsers is false when the connection may not be the browser's own. A proxy
// keeps its own connections, so being first on one says nothing about the
// browser's. Over HTTP/2 requests share a connection, and a browser may repeat
// even the first (after a lost ping).
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

// mayRun marks on the answer what the guard ensures, and returns whether the
// call may be passed on. Connection names the claim, so a proxy that leaves no
// trace in requests removes it from answers. Readers of the claim must look for
// both.
//
// A write is the last of its connection as well, so no used connection is left
// for the next write.
func (f fresh) mayRun(w http.ResponseWriter, claim string) bool {
	switch {
	case f.place == 0:
		return true
	case f.isMarked && f.place > 1:
		w.Header().Set(FreshHeader, "required")
		w.Header().Set("Connection", "close")
		return false
	}
	w.Header().Set(FreshHeader, claim)
	// A line of its own: net/http looks at the first one only.
	if f.isMarked {
		w.Header().Set("Connection", "close")
		w.Header().Add("Connection", FreshHeader)
	} else {
		w.Header().Set("Connection", FreshHeader)
	}
	return true
}
