package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// certificate is the pair that the console shows to browsers. It can be replaced
// while connections are open.
type certificate struct {
	certFile, keyFile string
	current           atomic.Pointer[tls.Certificate]
}

// readCertificate reads the pair of the settings; nil without one. A pair that is
// not valid now is taken, with a warning: a clock may be wrong.
func readCertificate(s settings, notes io.Writer) (*certificate, error) {
	if s.tlsCert == "" {
		return nil, nil
	}
	c := &certificate{certFile: s.tlsCert, keyFile: s.tlsKey}
	pair, err := c.read()
	if err != nil {
		return nil, err
	}
	if problem := outOfTime(pair, time.Now()); problem != nil {
		fmt.Fprintf(notes, "Warning: %v. Browsers will refuse it.\n", problem)
	}
	c.current.Store(pair)
	return c, nil
}

func (c *certificate) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s and --tls-key %s are no pair: %w", c.certFile, c.keyFile, err)
	}
	return &pair, nil
}

// outOfTime is nil for a certificate that is valid now.
func outOfTime(pair *tls.Certificate, now time.Time) error {
	const form = "2 January 2006, 15:04 MST"
	switch leaf := pair.Leaf; {
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("the certificate is valid only from %s", leaf.NotBefore.UTC().Format(form))
	case now.After(leaf.NotAfter):
		return fmt.Errorf("the certificate was valid only until %s", leaf.NotAfter.UTC().Format(form))
	}
	return nil
}

// reload takes the pair that the files hold now. A bad one changes nothing.
func (c *certificate) reload(notes io.Writer) {
	pair, err := c.read()
	if err == nil {
		err = outOfTime(pair, time.Now())
	}
	if err != nil {
		fmt.Fprintf(notes, "Warning: the certificate stays as it was: %v\n", err)
		return
	}
	c.current.Store(pair)
	fmt.Fprintf(notes, "Read %s again: valid until %s.\n", c.certFile, pair.Leaf.NotAfter.UTC().Format(time.DateOnly))
}

// listener wraps a listener in TLS; a nil certificate leaves it as it is. HTTP/2
// is not offered: over it the guard cannot tell which request is the first of a
// connection, and so not claim that a write runs only once.
func (c *certificate) listener(plain net.Listener) net.Listener {
	if c == nil {
		return plain
	}
	return tls.NewListener(plain, &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current.Load(), nil
		},
	})
}
