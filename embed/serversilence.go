package webconsole

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"sync/atomic"
	"time"
)

// bodySilence limits how long a server may pause inside an answer. immudb sends
// an answer at once when it is complete.
var bodySilence = time.Minute

// silenceLimit sends calls and limits how long the server may stay silent. The time
// that the client takes to send or to read is not the server's.
type silenceLimit struct {
	// anyone are connections for calls without a token, and issuers for those
	// with one.
	anyone  *pools
	issuers *issuers
	// silence is the limit before an answer; 0 for none.
	silence time.Duration
}

// RoundTrip is part of http.RoundTripper. An error is always an unanswered.
func (s silenceLimit) RoundTrip(r *http.Request) (*http.Response, error) {
	// Not a child of the caller's: its trace would take early hints of the server
	// for a reason to clear all headers, those of the guard too.
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(r.Context(), func() { cancel(r.Context().Err()) })
	done := func() {
		stop()
		cancel(nil)
	}
	var wasSent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// A write gets a second connection only when the first took nothing of it.
		GetConn: func(string) { wasSent.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { wasSent.Store(true) },
		Got1xxResponse: func(status int, _ textproto.MIMEHeader) error {
			if mayPrecede(status) {
				return nil
			}
			return noAnswer(status)
		},
	})
	patience := newPatience(s.silence, func() { cancel(errSilent) })
	out := r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		out.Body = &sentBody{r.Body, patience}
	}
	call, pools := callOf(r.Context()), s.anyone
	if call.issuer != "" {
		pools = s.issuers.of(call.issuer)
	}
	transport := pools.kept
	if call.mustNotRepeat {
		// Go's client, too, repeats some calls when a used connection breaks, and no
		// call on a new one.
		transport = pools.fresh
	}
	answer, err := transport.RoundTrip(out)
	if err == nil && answer.StatusCode < 200 {
		// Go's proxy would give the browser's connection away for a 101.
		answer.Body.Close()
		err = noAnswer(answer.StatusCode)
	}
	if err == nil {
		within := bodySilence
		if s.silence > 0 {
			within = s.silence
		}
		body := &watchedBody{ReadCloser: answer.Body, patience: patience, within: within, done: done}
		answer.Body = body
		// A server that hangs after its headers can still be named this way.
		if err = body.waitForFirst(); err != nil {
			body.Close()
		}
	}
	if err == nil {
		if call.issuer != "" {
			s.issuers.keep(pools)
		}
		return answer, nil
	}
	patience.end()
	if context.Cause(ctx) == errSilent {
		err = errSilent
	}
	done()
	return nil, &unanswered{err: err, wasSent: wasSent.Load(), silence: patience.limit}
}

// patience ends a call when the server is silent for too long.
type patience struct {
	mutex   sync.Mutex
	limit   time.Duration // 0 for none
	timer   *time.Timer   // nil until there is a limit
	give    func()
	isEnded bool
	// isAnswering says that the answer has begun. What the client still sends
	// then no longer counts.
	isAnswering bool
}

func newPatience(limit time.Duration, give func()) *patience {
	p := &patience{limit: limit, give: give}
	p.expect()
	return p
}

// expect begins to wait for the server.
func (p *patience) expect() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case p.isEnded || p.limit == 0:
	case p.timer == nil:
		p.timer = time.AfterFunc(p.limit, p.give)
	default:
		p.timer.Reset(p.limit)
	}
}

// pause stops waiting while it is the client's turn.
func (p *patience) pause() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}

func (p *patience) end() {
	p.pause()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.isEnded = true
}

// turnTo begins to wait for a piece of the answer, with another limit.
func (p *patience) turnTo(limit time.Duration) {
	p.mutex.Lock()
	p.limit, p.isAnswering = limit, true
	p.mutex.Unlock()
	p.expect()
}

func (p *patience) isBeforeAnswer() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return !p.isAnswering
}

// sentBody is the body of a call on its way to the server.
type sentBody struct {
	io.ReadCloser
	patience *patience
}

// Read is part of io.Reader.
func (b *sentBody) Read(p []byte) (int, error) {
	if b.patience.isBeforeAnswer() {
		b.patience.pause()
	}
	n, err := b.ReadCloser.Read(p)
	if b.patience.isBeforeAnswer() {
		b.patience.expect()
	}
	return n, err
}

// watchedBody is the body of an answer.
type watchedBody struct {
	io.ReadCloser
	patience *patience
	within   time.Duration
	done     func()

	first    []byte // read before anyone asked
	firstErr error
}

// waitForFirst returns when the body has begun or is empty.
func (b *watchedBody) waitForFirst() error {
	buffer := make([]byte, 512)
	n, err := b.read(buffer)
	for n == 0 && err == nil {
		n, err = b.read(buffer)
	}
	b.first, b.firstErr = buffer[:n], err
	if n > 0 || err == io.EOF {
		return nil
	}
	return err
}

func (b *watchedBody) read(p []byte) (int, error) {
	b.patience.turnTo(b.within)
	defer b.patience.pause()
	return b.ReadCloser.Read(p)
}

// Read is part of io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	if len(b.first) > 0 {
		n := copy(p, b.first)
		b.first = b.first[n:]
		return n, nil
	}
	if b.firstErr != nil {
		return 0, b.firstErr
	}
	return b.read(p)
}

// Close is part of io.Closer.
func (b *watchedBody) Close() error {
	b.patience.end()
	err := b.ReadCloser.Close()
	b.done()
	return err
}
