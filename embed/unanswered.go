package webconsole

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

var (
	errSilent = errors.New("silent for too long")
	// errRedirected is a redirect of the server behind. A browser that followed it
	// would take the call, with its token, to wherever that server says.
	errRedirected = errors.New("answered with a redirect")
)

// noAnswer is a status that ends no call, such as that of a switched protocol.
// After it the connection would be a tunnel past the guard.
type noAnswer int

func (n noAnswer) Error() string { return fmt.Sprintf("the status %03d is not an answer", int(n)) }

// unanswered is the failure of a call that a server has not answered.
type unanswered struct {
	err     error
	wasSent bool
	silence time.Duration
}

func (u *unanswered) Error() string { return u.err.Error() }
func (u *unanswered) Unwrap() error { return u.err }

// origin is where calls go, as errors name it.
type origin struct {
	name string // "" for the mount without a name
	who  string // the first words of a sentence
	host string
}

// answerUnanswered says which server did not answer, why, and whether the call
// may have been executed. The code is what immudb's own gateway sends when it
// cannot reach the database.
func (o origin) answerUnanswered(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		// The browser has closed the connection.
		panic(http.ErrAbortHandler)
	}
	failed := &unanswered{err: err, wasSent: true}
	errors.As(err, &failed)
	var another *anotherServer
	if errors.As(failed.err, &another) {
		o.answerAnother(w, another)
		return
	}
	reason, text := o.explain(failed)
	wasSent := failed.wasSent && !isRefusedHandshake(failed.err) && !callOf(r.Context()).isQuestion
	text = fmt.Sprintf("%s did not answer: %s.", o.who, text)
	switch {
	case !wasSent:
		text += " Nothing was executed."
	case changesState(r):
		text += " Whether it was executed is not known."
	}
	status := http.StatusBadGateway
	if reason == "timeout" {
		status = http.StatusGatewayTimeout
	}
	detail := map[string]any{"@type": "webconsole.Unanswered", "reason": reason, "sent": wasSent}
	if o.name != "" {
		detail["server"] = o.name
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{
		"error": text, "message": text, "code": grpcUnavailable, "details": []any{detail},
	})
}

// answerAnother refuses as immudb does without a login, so that clients ask for
// one. The id tells the page who is there now.
func (o origin) answerAnother(w http.ResponseWriter, another *anotherServer) {
	who := o.name
	if who == "" {
		who = o.host
	}
	w.Header().Set(IdentityHeader, another.id)
	refuse(w, true, http.StatusMisdirectedRequest, grpcFailedPrecondition,
		"not logged in: another immudb answers at "+who+" now, and nothing was sent to it")
}

// explain returns the reason as programs read it and as people do.
func (o origin) explain(failed *unanswered) (reason, text string) {
	if text := o.certificateTrouble(failed.err); text != "" {
		return "certificate", text
	}
	var unknown *net.DNSError
	var network net.Error
	var status noAnswer
	switch err := failed.err; {
	case errors.As(err, &status):
		return "broken", fmt.Sprintf("it sent the status %03d, which is not an answer", int(status))
	case errors.Is(err, errRedirected):
		return "redirect", "it sent a redirect, which is not followed, so name its final address"
	case errors.Is(err, errNameless):
		return "broken", "it does not say which immudb it is, so it gets no token"
	case errors.Is(err, errSilent):
		return "timeout", fmt.Sprintf("it was silent for %s", failed.silence)
	// net/http has no types for these two.
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "broken", o.host + " speaks something other than HTTP, so name its web port"
	case strings.Contains(err.Error(), "headers exceeded"):
		return "broken", "the headers of its answer are too large"
	case failed.wasSent:
		return "broken", "the connection broke before the answer came"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "unreachable", "nothing listens at " + o.host
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return "unreachable", "there is no host with the name " + unknown.Name
	case errors.As(err, &network) && network.Timeout():
		return "unreachable", fmt.Sprintf("no connection to %s within %s", o.host, connectTimeout)
	default:
		return "unreachable", fmt.Sprintf("no connection to %s (%v)", o.host, err)
	}
}

// certificateTrouble is "" for a failure that is not about TLS.
func (o origin) certificateTrouble(err error) string {
	var (
		authority x509.UnknownAuthorityError
		names     x509.HostnameError
		invalid   x509.CertificateInvalidError
		other     *tls.CertificateVerificationError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &authority):
		return "no authority that is trusted here has signed its certificate"
	case errors.As(err, &names):
		return "its certificate is not for " + names.Host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate is not valid now (" + invalid.Detail + ")"
	case errors.As(err, &other):
		return "its certificate does not hold (" + other.Err.Error() + ")"
	case alertOf(err) != "":
		return "it ended the TLS handshake (" + alertOf(err) + ")"
	// net/http has no type for the second.
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return o.host + " does not speak TLS, so try http"
	}
	return ""
}

// alertOf is what the server says in TLS itself, "" when it says nothing.
func alertOf(err error) string {
	var alert *net.OpError
	if errors.As(err, &alert) && alert.Op == "remote error" {
		return strings.TrimPrefix(alert.Err.Error(), "tls: ")
	}
	return ""
}

// isRefusedHandshake is true when the server did not accept our certificate.
// With TLS 1.3 the client may have sent its call by then, but the server has
// not read it.
func isRefusedHandshake(err error) bool {
	alert := alertOf(err)
	return strings.Contains(alert, "certificate") || alert == "handshake failure" || alert == "access denied"
}
