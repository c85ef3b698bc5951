package webconsole

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// IssuerHeader holds the id of the immudb that issued the token of a call. The
// call goes only over a connection whose other end has just given that id, so
// another immudb that took over the address never gets the token.
const IssuerHeader = "Webconsole-Issuer"

// IdentityHeader is where immudb gives its id in each answer.
const IdentityHeader = "Grpc-Metadata-Immudb-Uuid"

// errNameless is a health answer without an id.
var errNameless = errors.New("no id in the answer about health")

// anotherServer is a connection whose other end is not the issuer.
type anotherServer struct{ id string }

func (a *anotherServer) Error() string { return "another immudb answers: " + a.id }

// takeIssuer removes the id, which the server behind needs not see.
func takeIssuer(r *http.Request) string {
	issuer := r.Header.Get(IssuerHeader)
	r.Header.Del(IssuerHeader)
	return issuer
}

// pools are connections to a server: those that are used again, and those for
// one call.
type pools struct {
	issuer      string // "" when no one asked who is at the other end
	kept, fresh *http.Transport
}

func newPools(kept *http.Transport) *pools {
	fresh := kept.Clone()
	fresh.DisableKeepAlives = true
	return &pools{kept: kept, fresh: fresh}
}

func (p *pools) closeIdle() {
	p.kept.CloseIdleConnections()
	p.fresh.CloseIdleConnections()
}

// issuers has the connections by which tokens travel: only those of the issuer
// that answered last, because there is one at a time.
type issuers struct {
	plain  *http.Transport
	health *url.URL

	mutex sync.Mutex
	last  *pools // nil before the first answer
	// next are those that were asked for last and have not led to an answer. Calls
	// at the same time share them.
	next *pools
}

// of returns connections to the issuer. Anyone can name one, so they are kept
// only once they have led to an answer.
func (i *issuers) of(issuer string) *pools {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for _, known := range []*pools{i.last, i.next} {
		if known != nil && known.issuer == issuer {
			return known
		}
	}
	kept := i.plain.Clone()
	kept.DialContext = i.dialer(issuer, i.plain.DialContext)
	kept.DialTLSContext = i.dialer(issuer, i.dialTLS)
	i.next = newPools(kept)
	i.next.issuer = issuer
	return i.next
}

// keep has the connections used again. Those to an issuer that is gone end.
func (i *issuers) keep(p *pools) {
	i.mutex.Lock()
	before := i.last
	i.last = p
	i.mutex.Unlock()
	if before != nil && before != p {
		before.closeIdle()
	}
}

func (i *issuers) closeIdle() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for _, known := range []*pools{i.last, i.next} {
		if known != nil {
			known.closeIdle()
		}
	}
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

func (i *issuers) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	plain, err := i.plain.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := i.plain.TLSClientConfig.Clone()
	config.ServerName = i.health.Hostname()
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	secure := tls.Client(plain, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		plain.Close()
		return nil, err
	}
	return secure, nil
}

// dialer asks each new connection who is at its other end.
func (i *issuers) dialer(issuer string, dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		id, isOpen, err := i.ask(connection)
		switch {
		case err != nil:
		case id == "":
			err = errNameless
		case id != issuer:
			err = &anotherServer{id}
		case isOpen:
			return connection, nil
		}
		connection.Close()
		if err != nil {
			return nil, err
		}
		// A proxy that ends each connection after its answer: a moment ago the
		// issuer was there.
		return dial(ctx, network, address)
	}
}

const (
	// identityPatience limits the wait for an id, which immudb has at hand.
	identityPatience = 30 * time.Second
	// mostIdentity is ample for an answer about health with its headers.
	mostIdentity = 64 << 10
)

// ask calls health, which needs no token, and says whether the connection can
// carry another call.
func (i *issuers) ask(connection net.Conn) (id string, isOpen bool, err error) {
	connection.SetDeadline(time.Now().Add(identityPatience))
	call := &http.Request{Method: http.MethodGet, URL: i.health, Host: i.health.Host, Header: http.Header{}}
	if err := call.Write(connection); err != nil {
		return "", false, err
	}
	reader := bufio.NewReader(io.LimitReader(connection, mostIdentity))
	answer, err := http.ReadResponse(reader, call)
	if err != nil {
		return "", false, fmt.Errorf("who is there: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 {
		return "", false, noAnswer(answer.StatusCode)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	connection.SetDeadline(time.Time{})
	isOpen = err == nil && !answer.Close && reader.Buffered() == 0
	return answer.Header.Get(IdentityHeader), isOpen, nil
}
