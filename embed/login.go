package webconsole

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// question is the call that shows whether a server lets a caller in. It needs a
// login wherever calls do, has no body and reads no values.
const question = "/db/state"

// openFor is how long a server that lets everyone in is taken to stay so.
const openFor = 10 * time.Second

// door remembers whether a server lets everyone in, as with --auth=false.
type door struct{ openUntil atomic.Int64 }

func (d *door) open()        { d.openUntil.Store(time.Now().Add(openFor).UnixNano()) }
func (d *door) isOpen() bool { return time.Now().UnixNano() < d.openUntil.Load() }

// mayEnter answers a call with a body from someone without a login, and returns
// false. The gateway reads a whole body and makes messages of it before the
// database looks at the token. So the server is asked first, with the caller's
// token and without the body:
//   - when there is no token, because only the server knows whether it wants one;
//   - when the body is larger than anyone may send, because anyone can make up a
//     token.
func (g *guard) mayEnter(w http.ResponseWriter, r *http.Request, q asked) bool {
	at := &g.door
	if q.server != nil {
		at = &q.server.door
	}
	switch {
	case q.body == nil, isLogin(q.call), q.token != "" && q.body.isSmall(), q.token == "" && at.isOpen():
		return true
	}
	said := g.ask(r, q)
	isHere := !slices.Contains(notHere, said.status)
	switch {
	case q.token != "" && isHere && !said.beginsWith(refusals):
		return true
	case q.token == "" && (said.status < 300 || said.beginsWith(unselected)):
		at.open()
		return true
	case q.token == "" && isHere:
		refuse(w, true, http.StatusUnauthorized, grpcUnauthenticated, "Please login")
	default:
		if q.token != "" {
			// Of a login that has just ended: clients look for no answer before they
			// have sent all, and this one should not take it for a broken connection.
			_, _ = io.Copy(io.Discard, q.body)
		}
		said.repeat(w)
	}
	return false
}

// notHere are what stands for a server that does not answer or is another one.
var notHere = []int{
	http.StatusNotFound, http.StatusMisdirectedRequest,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// ask sends the question the way that the call would go.
func (g *guard) ask(r *http.Request, q asked) *said {
	path := g.mounts.api + question
	if q.name != "" {
		path = q.prefix + "/api" + question
	}
	call := guardedCall{
		server: q.server, issuer: q.issuer, user: q.user, isQuestion: true,
		seen: &sighting{path: path, mounts: g.mounts, isData: true},
	}
	asking := r.Clone(withCall(r.Context(), call))
	asking.Method, asking.URL, asking.RequestURI = http.MethodGet, &url.URL{Path: path}, path
	asking.Body, asking.ContentLength, asking.TransferEncoding, asking.Trailer = http.NoBody, 0, nil, nil
	for _, name := range []string{"Accept-Encoding", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Range"} {
		asking.Header.Del(name)
	}
	answer := &said{header: http.Header{}}
	g.next.ServeHTTP(answer, withoutForgedAddress(asking))
	answer.WriteHeader(http.StatusOK)
	return answer
}

// said is the answer to the question.
type said struct {
	header http.Header
	status int
	text   []byte
}

// mostSaid is ample for a state and for an error.
const mostSaid = 64 << 10

var errSaidTooMuch = errors.New("the answer is too long")

// Header is part of http.ResponseWriter.
func (s *said) Header() http.Header { return s.header }

// WriteHeader is part of http.ResponseWriter.
func (s *said) WriteHeader(status int) {
	if s.status == 0 && !mayPrecede(status) {
		s.status = status
	}
}

// Write is part of http.ResponseWriter.
func (s *said) Write(p []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	if len(s.text)+len(p) > mostSaid {
		return 0, errSaidTooMuch
	}
	s.text = append(s.text, p...)
	return len(p), nil
}

var (
	// refusals are how immudb's texts about a missing or ended login begin. Their
	// status says little: most have 500.
	refusals = []string{
		"not logged in", "invalid token", "token has expired", "please login",
		"could not get loggedin user data", "session not found",
	}
	// unselected is what immudb says in maintenance mode to anyone without a
	// token, which it then gives to anyone.
	unselected = []string{"please select"}
)

func (s *said) beginsWith(texts []string) bool {
	var refusal struct{ Error string }
	_ = json.Unmarshal(s.text, &refusal)
	return beginsWith(refusal.Error, texts)
}

func beginsWith(text string, texts []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(texts, func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// SaysLoggedOut reports whether the text of an error means that there is no login,
// or no longer.
func SaysLoggedOut(text string) bool { return beginsWith(text, refusals) }

// repeat gives the caller the answer to the question for that to the call.
func (s *said) repeat(w http.ResponseWriter) {
	for _, name := range []string{"Content-Type", IdentityHeader} {
		if values := s.header[name]; values != nil {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(s.status)
	w.Write(s.text)
}
