package webconsole

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Server is one immudb that the console may talk to.
type Server struct {
	// Name is shown, and part of the path: its API is at s/NAME/api.
	Name string
	// URL is the address of immudb's web port, such as "https://db1:8080".
	URL string
	// Metrics is the address of its metrics; "" means port 9497 of the same host.
	Metrics string
	// CA is a file with the certificates to trust instead of the system's.
	CA string
	// Certificate and Key are the files of a client certificate.
	Certificate, Key string
	// Timeout is the longest that the server may stay silent before and during an
	// answer. Without it an answer may begin at any time.
	Timeout time.Duration
}

// nameShape is what a path segment and a query can hold without encoding. The
// first character keeps "." and ".." out.
var nameShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,62}$`)

// Servers is a list of servers that can be replaced while it is in use. Give
// the same one to WithServers and to GuardOptions.
type Servers struct {
	current atomic.Pointer[serverList]
	setting sync.Mutex
}

// serverList is one state of the list; it never changes.
type serverList struct {
	list    []Server
	version string
	text    []byte // the JSON that pages read
	inOrder []*namedServer
	byName  map[string]*namedServer
}

type namedServer struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Address string `json:"address"`
	proxy   *Proxy
	door    door
}

// NewServers checks a list and prepares the way to each server. It connects to
// none of them.
func NewServers(list []Server) (*Servers, error) {
	s := &Servers{}
	return s, s.Set(list)
}

// Set replaces the list. Requests that are under way finish with the server
// that they began with. After an error the list is as it was before.
func (s *Servers) Set(list []Server) error {
	s.setting.Lock()
	defer s.setting.Unlock()
	next, err := newServerList(list)
	if err != nil {
		return err
	}
	before := s.current.Swap(next)
	if before == nil {
		return nil
	}
	for _, server := range before.byName {
		server.proxy.closeIdle()
	}
	return nil
}

// List returns the current list.
func (s *Servers) List() []Server { return slices.Clone(s.current.Load().list) }

// Answer asks all servers for their health at once, and returns true when one of
// them is well.
func (s *Servers) Answer(ctx context.Context) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	list := s.current.Load().inOrder
	failures := make(chan error, len(list))
	for _, server := range list {
		go func() { failures <- server.proxy.Answers(ctx) }()
	}
	for range list {
		if <-failures == nil {
			return true
		}
	}
	return false
}

func newServerList(list []Server) (*serverList, error) {
	if len(list) == 0 {
		return nil, errors.New("the list of servers is empty")
	}
	result := &serverList{list: slices.Clone(list), byName: map[string]*namedServer{}}
	taken := map[string]bool{}
	for _, server := range list {
		if !nameShape.MatchString(server.Name) {
			return nil, fmt.Errorf("server name %q: use up to 63 letters, digits, dots, dashes, tildes and"+
				" underscores, with a letter or digit first", server.Name)
		}
		// Names that differ in case only are hard for people to keep apart.
		folded := strings.ToLower(server.Name)
		if taken[folded] {
			return nil, fmt.Errorf("two servers have the name %q", server.Name)
		}
		taken[folded] = true
		proxy, err := NewProxy(server)
		if err != nil {
			return nil, fmt.Errorf("server %s: %w", server.Name, err)
		}
		named := &namedServer{
			Name: server.Name, ID: digest(server.Name + " " + server.URL), Address: server.URL, proxy: proxy,
		}
		result.inOrder = append(result.inOrder, named)
		result.byName[server.Name] = named
	}
	return result, result.describe()
}

// describe makes the JSON that pages read.
func (l *serverList) describe() error {
	entries, err := json.Marshal(l.inOrder)
	if err != nil {
		return err
	}
	l.version = digest(string(entries))
	l.text, err = json.Marshal(map[string]any{"version": l.version, "servers": l.inOrder})
	return err
}

// digest is short, because it only has to differ when the text does.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// parseServerURL accepts the address of a web port. Logins belong to the
// console, and a query or fragment could not be passed on.
func parseServerURL(text string) (*url.URL, error) {
	address, err := parseAddress(text)
	switch {
	case err != nil:
		return nil, err
	case address.User != nil:
		return nil, fmt.Errorf("the address %s has a user name: leave it out, the console asks for the login", address.Redacted())
	case address.RawQuery != "" || address.Fragment != "":
		return nil, fmt.Errorf("the address %s has a query or a fragment: leave it out", address)
	}
	return address, nil
}

// parseAddress refuses a bare host:port, which parses as a URL with a strange
// scheme.
func parseAddress(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	if err != nil || address.Hostname() == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, fmt.Errorf("want an address such as http://db.example:8080, not %q", withoutPassword(text))
	}
	return address, nil
}

func withoutPassword(text string) string {
	if at := strings.LastIndex(text, "@"); at >= 0 {
		return "…" + text[at:]
	}
	return text
}

// metaTag tells pages the list, so that they need no request for it.
func (l *serverList) metaTag() string {
	return `<meta name="webconsole-servers" content="` + html.EscapeString(string(l.text)) + `">`
}

const (
	// serversPath has the JSON of the list.
	serversPath = "/servers.json"
	// ServersHeader is on every answer about a list of servers: the version of
	// the list. A page that knows another one fetches servers.json.
	ServersHeader = "Webconsole-Servers"
	// ServerHeader holds the id of the server that a call is meant for. When the
	// name has another id by now, the call and its token are not passed on. In an
	// answer it is "changed" or "unknown".
	ServerHeader = "Webconsole-Server"
)

// serversHandler serves the list and the servers beside the pages.
type serversHandler struct {
	servers *Servers
	// render makes the pages for a state of the list.
	render func(*serverList) (http.Handler, error)

	rendering sync.Mutex
	rendered  atomic.Pointer[renderedPages]
}

type renderedPages struct {
	list  *serverList
	pages http.Handler
}

func newServersHandler(servers *Servers, render func(*serverList) (http.Handler, error)) (*serversHandler, error) {
	h := &serversHandler{servers: servers, render: render}
	_, err := h.pages()
	return h, err
}

// pages returns pages that carry the current list. It makes them again when the
// list is another one.
func (h *serversHandler) pages() (http.Handler, error) {
	list := h.servers.current.Load()
	if now := h.rendered.Load(); now != nil && now.list == list {
		return now.pages, nil
	}
	h.rendering.Lock()
	defer h.rendering.Unlock()
	if now := h.rendered.Load(); now != nil && now.list == list {
		return now.pages, nil
	}
	pages, err := h.render(list)
	if err == nil {
		h.rendered.Store(&renderedPages{list, pages})
	}
	return pages, err
}

func (h *serversHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := locate(r.URL.Path, mounts{})
	switch {
	case at.isList:
		h.serveList(w)
	case at.name != "":
		forwardGuarded(w, r, at)
	default:
		pages, err := h.pages()
		if err != nil {
			plainText(w, http.StatusInternalServerError, "the pages cannot be made: "+err.Error())
			return
		}
		pages.ServeHTTP(w, r)
	}
}

func (h *serversHandler) serveList(w http.ResponseWriter) {
	list := h.servers.current.Load()
	w.Header().Set(ServersHeader, list.version)
	setAll(w.Header(), dataHeaders)
	w.Header().Set("Content-Type", "application/json")
	w.Write(list.text)
}

// forwardGuarded passes a call on that the guard has checked, to the server
// that the guard has found. It fails closed: a call that no guard has seen could
// come from any site.
func forwardGuarded(w http.ResponseWriter, r *http.Request, at askedPath) {
	call := callOf(r.Context())
	if call.server == nil {
		refuse(w, true, http.StatusInternalServerError, grpcInternal,
			"the program that serves this console has not set GuardOptions.Servers, so nothing is passed on")
		return
	}
	// The address after the name, as it was sent.
	stripped := http.StripPrefix(at.prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at.toMetrics {
			call.server.proxy.Metrics.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == "/api" {
			r.URL.Path, r.URL.RawPath = "/api/", ""
		}
		call.server.proxy.API.ServeHTTP(w, r)
	}))
	stripped.ServeHTTP(w, r)
}
