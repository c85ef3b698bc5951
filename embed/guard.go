package webconsole

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// GuardOptions describe what the guard protects.
type GuardOptions struct {
	// Hosts are the names by which clients may call the server, without port.
	// Loopback names and IP addresses are always allowed. "*" turns the check
	// off, for use behind a proxy that checks. A request with another name gets
	// 421, whatever it is for.
	Hosts []string
	// APIPath is where the REST API is, as requests arrive at the guard; "" means
	// "/api". Where http.StripPrefix comes after the guard, the prefix belongs to
	// it: "/ops/immudb/api". With a list of servers too, although only their own
	// APIs are called.
	APIPath string
	// MetricsPath is where the metrics are; "" means "metrics" beside the API.
	MetricsPath string
	// Servers is the list that WithServers got. Their APIs and metrics are beside
	// the API, below s/NAME, and get the same protection.
	Servers *Servers
	// Outermost says that nothing around the guard in this process asks for
	// cookies or a password of its own. Over plain http the console then sends
	// writes without cookies, because browsers keep connections of their own for
	// those: none has carried a script or a read before, which would have a
	// write refused and sent again, up to six times. Where something does ask, the
	// console says at login that a proxy wants a login: leave it false there.
	Outermost bool
	// UserHeader names the header in which a gateway in front tells who its user
	// is. That name goes to servers elsewhere as X-Forwarded-User. Set it only
	// where nobody reaches this server past the gateway, which must replace what a
	// client sends. "" means that no one is told, whatever a client sends.
	UserHeader string
}

// Guard protects a server that has no login of its own on the network: from
// pages of other sites that reach it under a name they control (DNS rebinding),
// from requests that other sites make a browser send, from calls that climb out
// of the API, and from bodies that are too large or never end. immudb's gateway
// checks none of it, and takes any content type for JSON.
//
// A body may have 48 MiB (64 KiB at login), two million values and 10,000 lists and
// objects within each other. One from a caller without a login is not read: the
// server behind is asked for its state first, with the caller's token, whenever
// there is none or the body is larger than 64 KiB. A call without a login gets
// 401 then, and a server that needs none (--auth=false) lets all in.
//
// A call may have its token in a header of ours as well: see TokenHeader. A
// password of a proxy in front is removed from calls, so a handler that asks for
// one goes around the guard, not within it.
//
// Put it around the whole mux: it counts the requests of each connection, and
// those that it does not see are not counted.
//
// A marked write that is not the first request of its connection gets 409: see
// ConnContext. A write whose name was seen before gets 503: see WriteHeader.
//
// A call for the metrics that names families by name[] gets only their lines.
//
// Answers of the API and of the metrics can never act as a page of this origin
// and are never stored, whatever wrote them (see dataHeaders).
func Guard(next http.Handler, options GuardOptions) http.Handler {
	g := &guard{
		next: next, mounts: options.mounts(), servers: options.Servers, userHeader: options.UserHeader, claim: "kept",
	}
	for _, host := range options.Hosts {
		g.hosts = append(g.hosts, plainHost(host))
	}
	if options.Outermost {
		g.claim = "apart"
	}
	return g
}

type guard struct {
	next    http.Handler
	mounts  mounts
	servers *Servers // nil without a list
	hosts   []string

	userHeader string
	claim      string // what answers of the API say about writes
	door       door   // of the server beside the console
	writes     writeIDs
	uncounted  sync.Once
}

// asked is what the guard knows about a request.
type asked struct {
	askedPath
	fresh  fresh
	body   *limitedBody
	server *namedServer // nil when the path names none of the list
	token  string       // what the caller shows; "" for nothing
	wanted string       // the id that the page expects of it
	issuer string       // the id of the immudb that issued the token
	user   string       // whom the gateway in front named; "" for no one
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := asked{askedPath: locate(r.URL.Path, g.mounts), fresh: takeMark(r), wanted: takeWanted(r), issuer: takeIssuer(r)}
	r, q.body = limitBody(w, r, bodyLimit(q.call, q.toAPI))
	defer q.body.finish()
	if q.fresh.isMarked {
		tellUncounted(&g.uncounted, r)
	}
	seen := &sighting{path: r.URL.Path, pattern: r.Pattern, mounts: g.mounts, isData: q.isData()}
	if q.toAPI {
		withoutForm(r.Header)
		takeToken(r, w)
	}
	q.token, q.user = tokenOf(r.Header), UserOf(r.Header, g.userHeader)
	if !q.isData() {
		if g.mayPass(w, r, q) {
			g.next.ServeHTTP(w, withoutForgedAddress(r.WithContext(withCall(r.Context(), guardedCall{seen: seen}))))
		}
		return
	}
	answer := &dataAnswer{ResponseWriter: w, body: q.body}
	if q.name != "" || q.isList {
		list := g.servers.current.Load()
		w.Header().Set(ServersHeader, list.version)
		q.server = list.byName[q.name]
	}
	if g.mayPass(answer, r, q) {
		call := guardedCall{server: q.server, mustNotRepeat: q.mustNotRepeat(r), user: q.user, seen: seen}
		if q.toAPI {
			call.issuer = q.issuer
		}
		r = withoutForgedAddress(r.WithContext(withCall(r.Context(), call)))
		if wanted := wantedFamilies(r.URL); q.toMetrics && wanted != nil {
			filter := filterFamilies(answer, r, wanted)
			g.next.ServeHTTP(filter, r)
			filter.finish()
		} else {
			g.next.ServeHTTP(answer, r)
		}
	}
	answer.finish()
}

// mustNotRepeat is true for writes of the console, and for calls that change
// something although HTTP clients take them for reads.
func (q asked) mustNotRepeat(r *http.Request) bool {
	return q.toAPI && (q.fresh.isMarked || r.Method == http.MethodGet && changesState(r))
}

// mayPass answers a request that must not reach the handler, and returns false.
func (g *guard) mayPass(w http.ResponseWriter, r *http.Request, q asked) bool {
	isOnlyRead := q.toMetrics || q.isList
	switch {
	case !hostAllowed(r.Host, g.hosts):
		refuse(w, q.isData(), http.StatusMisdirectedRequest, grpcInvalidArgument,
			foreignHost(r.Host))
	case q.toAPI && mayLeave(r.URL):
		refuse(w, true, http.StatusBadRequest, grpcInvalidArgument,
			"the address has an encoded slash or a dot segment, which could lead out of the API; nothing was executed")
	case (q.toAPI && (changesState(r) || r.Method == http.MethodOptions) || isOnlyRead) && !sameOrigin(r):
		refuse(w, true, http.StatusForbidden, grpcPermissionDenied,
			crossSite(r))
	case q.toAPI && isSafe(r.Method) && changesState(r) && !q.isDeliberate():
		refuse(w, true, http.StatusForbidden, grpcPermissionDenied,
			"this call changes something, so it needs a token or the header "+WriteHeader+": any site can have a browser send it without; nothing was executed")
	case isOnlyRead && r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, true, http.StatusMethodNotAllowed, grpcUnimplemented,
			q.readable()+" can only be read, with GET or HEAD")
	case q.body.isTooLarge():
		q.body.refuse(w)
	case q.name != "" && q.server == nil:
		w.Header().Set(ServerHeader, "unknown")
		refuse(w, true, http.StatusNotFound, grpcNotFound,
			"the list of servers has no "+strconv.Quote(q.name)+"; nothing was executed")
	case q.server != nil && q.wanted != "" && q.wanted != q.server.ID:
		w.Header().Set(ServerHeader, "changed")
		refuse(w, true, http.StatusMisdirectedRequest, grpcFailedPrecondition,
			q.server.Name+" is another server than this page knows; nothing was sent to it")
	case q.toAPI && !q.fresh.mayRun(w, g.claim):
		refuse(w, true, http.StatusConflict, grpcAborted,
			"not the first request of its connection, so it was not run: send it again")
	case q.toAPI && !g.mayEnter(w, r, q):
		// It has been answered.
	case q.toAPI && !g.writes.mayPass(q.fresh.of(q.name), w):
		refuse(w, true, http.StatusServiceUnavailable, grpcUnavailable,
			"the answer to this write was lost, and it is not run a second time")
	default:
		return true
	}
	return false
}

// takeWanted removes the id of the server that a call is meant for.
func takeWanted(r *http.Request) string {
	wanted := r.Header.Get(ServerHeader)
	r.Header.Del(ServerHeader)
	return wanted
}

func hostAllowed(header string, hosts []string) bool {
	host := plainHost(header)
	switch {
	case slices.Contains(hosts, "*"):
		return true
	case host == "":
		return false
	// A rebinding attack needs a name: no one can make a browser call an IP
	// address as part of another site.
	case host == "localhost", strings.HasSuffix(host, ".localhost"), net.ParseIP(host) != nil:
		return true
	}
	return slices.Contains(hosts, host)
}

// plainHost drops the port, the brackets of IPv6, a final dot and upper case.
func plainHost(header string) string {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// changesState counts the two index calls of immudb among the writes although
// their method is GET.
func changesState(r *http.Request) bool {
	if !isSafe(r.Method) {
		return true
	}
	call := plainCall(r.URL.Path)
	return strings.HasSuffix(call, "/db/flushindex") || strings.HasSuffix(call, "/db/compactindex")
}

// isSafe is true for the methods that HTTP has for reading.
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// isDeliberate is true for a call with something that no other site can have a
// browser send: a token, or the name or mark that the console gives to what
// changes something. A page that wants to send one of these headers elsewhere
// has to ask first, with OPTIONS, and the guard refuses that.
func (q asked) isDeliberate() bool {
	return q.token != "" || q.fresh.id != "" || q.fresh.isMarked
}

// tokenOf is the token of a call or the id of its session, "" for none. A
// browser adds passwords that it knows by itself ("Basic …"), and no tokens.
func tokenOf(header http.Header) string {
	if session := header.Get("Sessionid"); session != "" {
		return session
	}
	token := strings.TrimPrefix(strings.TrimSpace(header.Get("Authorization")), "Bearer ")
	if strings.Contains(token, " ") {
		return ""
	}
	return token
}

// sameOrigin trusts the browser's headers about the request. On plain http under
// a host name browsers leave Sec-Fetch-Site out, but still send Origin with
// everything but GET and HEAD. Programs send neither and are no danger, because
// they do not carry a browser's login.
//
// So on plain http a GET of another site looks like one of a program. Calls that
// change something need a header for that (see isDeliberate). Other reads do
// not, metrics and the list of servers among them: they change nothing, no other
// site can read their answers (see dataHeaders), and neither Prometheus nor
// scripts that read them know a header of ours.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		return originMatches(r.Header.Get("Origin"), r.Host)
	}
	return false
}

// originMatches leaves the scheme out: behind a proxy that ends TLS the server
// cannot know which one the browser used.
func originMatches(origin, host string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

const (
	grpcInvalidArgument    = 3
	grpcNotFound           = 5
	grpcPermissionDenied   = 7
	grpcFailedPrecondition = 9
	grpcAborted            = 10
	grpcUnimplemented      = 12
	grpcInternal           = 13
	grpcUnavailable        = 14
	grpcUnauthenticated    = 16
)

// refuse answers API calls in the form of immudb's own errors, where callers
// look for the reason.
func refuse(w http.ResponseWriter, forData bool, status, code int, text string) {
	if !forData {
		plainText(w, status, text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": text, "code": code, "message": text})
}
