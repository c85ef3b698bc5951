package webconsole

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// loginLimit is ample for a name and a password of 72 bytes.
	loginLimit = 64 << 10
	// callLimit leaves room for immudb's own limit: 32 MiB of values are 43 MiB
	// in base64.
	callLimit = 48 << 20
	noLimit   = -1
)

// A body has to keep moving, however slowly, and so has an answer. Nothing
// limits the whole upload, nor the time that an answer takes.
var (
	stall = 30 * time.Second
	// leftover limits how long the unread rest of a refused body may delay the
	// answer.
	leftover = 5 * time.Second
	// untaken limits how long a client may take nothing of an answer.
	untaken = 30 * time.Second
)

// bodyLimit is the largest body of a call in bytes. The login routes are open
// to anyone, and the gateway reads a whole body before it checks the caller.
func bodyLimit(call string, toAPI bool) int64 {
	switch {
	case !toAPI:
		return noLimit
	case isLogin(call):
		return loginLimit
	}
	return callLimit
}

// isLogin is true for the calls that lead to a token or a session.
func isLogin(call string) bool {
	return call == "/login" || call == "/authorization/session/open"
}

// limitedBody limits the size of a request body and the time without progress.
// It remembers the reason, because the handler that reads it would report a
// malformed request instead.
type limitedBody struct {
	io.ReadCloser
	limit    int64
	declared int64        // bytes; -1 when the request does not say
	shape    *shape       // nil for a body of no call
	refusal  atomic.Int32 // one of the kinds below
	isEnded  atomic.Bool

	mutex      sync.Mutex // a proxy may read on for a moment after its handler
	isHandled  bool
	connection *http.ResponseController
}

const (
	tooLarge = iota + 1
	stalled
	badShape
)

// limitBody returns the request with a limited body. A request without one is
// returned as it is, with a nil body.
func limitBody(w http.ResponseWriter, r *http.Request, limit int64) (*http.Request, *limitedBody) {
	if r.Body == nil || r.Body == http.NoBody {
		return r, nil
	}
	body := &limitedBody{
		ReadCloser: r.Body,
		limit:      limit,
		declared:   r.ContentLength,
		connection: http.NewResponseController(w),
	}
	if limit != noLimit {
		body.ReadCloser = http.MaxBytesReader(w, r.Body, limit)
		body.shape = &shape{}
	}
	body.expectBy(time.Now().Add(stall))
	limited := *r
	limited.Body = body
	return &limited, body
}

// expectBy sets the moment until which the next bytes have to arrive; the zero
// time lifts it. The error says that the server has no deadlines to set.
func (b *limitedBody) expectBy(moment time.Time) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if !b.isHandled {
		_ = b.connection.SetReadDeadline(moment)
	}
}

// Read is part of io.Reader. The deadline is lifted at the end of the body:
// from then on the server watches the connection while the answer is made, and
// would cancel a long query when the deadline comes.
func (b *limitedBody) Read(p []byte) (int, error) {
	b.expectBy(time.Now().Add(stall))
	n, err := b.ReadCloser.Read(p)
	if b.shape != nil && !b.shape.fits(p[:n]) {
		b.refusal.Store(badShape)
		return 0, errShape
	}
	var overflow *http.MaxBytesError
	switch {
	case err == io.EOF:
		b.isEnded.Store(true)
		b.expectBy(time.Time{})
	case errors.As(err, &overflow):
		b.refusal.Store(tooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.refusal.Store(stalled)
	}
	return n, err
}

// isTooLarge reports whether the request declares too large a size.
func (b *limitedBody) isTooLarge() bool {
	return b != nil && b.limit != noLimit && b.declared > b.limit
}

// isSmall reports whether the body is no larger than anyone may send.
func (b *limitedBody) isSmall() bool { return b.declared >= 0 && b.declared <= loginLimit }

// isRefused reports whether reading the body ended at one of our limits.
func (b *limitedBody) isRefused() bool { return b != nil && b.refusal.Load() != 0 }

// refuse answers in place of the handler. The gateway needs the whole body
// before it calls the database, so a refused request has changed nothing.
// Status 408 would fit a stalled body, but browsers repeat a request when they
// see it.
func (b *limitedBody) refuse(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	switch b.refusal.Load() {
	case badShape:
		refuse(w, true, http.StatusRequestEntityTooLarge, grpcInvalidArgument,
			"the request has "+b.shape.excess+"; nothing was executed")
		return
	case stalled:
		refuse(w, true, http.StatusBadRequest, grpcInvalidArgument, fmt.Sprintf(
			"nothing more of the request arrived for %.0f seconds; nothing was executed", stall.Seconds()))
		return
	}
	refuse(w, true, http.StatusRequestEntityTooLarge, grpcInvalidArgument, fmt.Sprintf(
		"the request is larger than the %s that this call may have; nothing was executed", inBytes(b.limit)))
}

func inBytes(limit int64) string {
	if limit < 1<<20 {
		return fmt.Sprintf("%d KiB", limit>>10)
	}
	return fmt.Sprintf("%d MiB", limit>>20)
}

// finish keeps a body that nobody read to its end from holding the connection:
// the server reads some of the rest after the handler.
func (b *limitedBody) finish() {
	if b == nil {
		return
	}
	if !b.isEnded.Load() {
		b.expectBy(time.Now().Add(leftover))
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.isHandled = true
}
