package webconsole

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// GuardOptions describe what the guard protects.
type GuardOptions struct {
	// Hosts are the names by which clients may call the server, without port.
	// Loopback names and IP addresses are always allowed. "*" turns the check
	// off, for use behind a proxy that checks.
	Hosts []string
	// APIPath is where the REST API is mounted; "" means "/api".
	APIPath string
	// MetricsPath is where the metrics are; "" means "metrics" beside the API.
	MetricsPath string
	// Outermost says that nothing around the guard in this process asks for
	// cookies or a password of its own. Over plain http the console then sends
	// writes without cookies, because browsers keep connections of their own for
	// those: none has carried a script or a read before, which would have a
	// write refused and sent again, up to six times.
	Outermost bool
}

func (o GuardOptions) paths() (api, metrics string) {
	api, metrics = strings.TrimSuffix(o.APIPath, "/"), o.MetricsPath
	if o.APIPath == "" {
		api = "/api"
	}
	if metrics == "" {
		metrics = path.Join(path.Dir(api), "metrics")
	}
	return api, metrics
}

// Guard protects a server that has no login of its own on the network: from
// pages of other sites that reach it under a name they control (DNS rebinding),
// from requests that other sites make a browser send, from calls that climb out
// of the API, and from bodies that are too large or never end. immudb's gateway
// checks none of it, and takes any content type for JSON.
//
// A marked write that is not the first request of its connection gets 409: see
// ConnContext. A write whose name was seen before gets 503: see WriteHeader.
//
// Answers of the API and of the metrics can never act as a page of this origin
// and are never stored, whoever wrote them (see dataHeaders).
func Guard(next http.Handler, options GuardOptions) http.Handler {
	api, metrics := options.paths()
	hosts := make([]string, len(options.Hosts))
	for i, host := range options.Hosts {
		hosts[i] = plainHost(host)
	}
	claim := "kept"
	if options.Outermost {
		claim = "apart"
	}
	var writes writeIDs
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fresh := takeMark(r)
		below, toAPI := belowAPI(r.URL.Path, api)
		toMetrics := r.URL.Path == metrics
		r, body := limitBody(w, r, bodyLimit(below, toAPI))
		defer body.finish()
		var answer *dataAnswer
		if toAPI || toMetrics {
			answer = &dataAnswer{ResponseWriter: w, body: body}
			w = answer
		}
		switch {
		case !hostAllowed(r.Host, hosts):
			refuse(w, toAPI || toMetrics, http.StatusMisdirectedRequest, grpcInvalidArgument,
				"this server does not answer to the host name of the request")
		case toAPI && mayLeave(r.URL):
			refuse(w, true, http.StatusBadRequest, grpcInvalidArgument,
				"the address has an encoded slash or a dot segment, which could lead out of the API; nothing was executed")
		case toAPI && changesState(r) && !sameOrigin(r), toMetrics && !sameOrigin(r):
			refuse(w, true, http.StatusForbidden, grpcPermissionDenied,
				"cross-site request refused")
		case toMetrics && r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, true, http.StatusMethodNotAllowed, grpcUnimplemented,
				"metrics can only be read, with GET or HEAD")
		case body.isTooLarge():
			body.refuse(w)
		case toAPI && !fresh.mayRun(w, claim):
			refuse(w, toAPI, http.StatusConflict, grpcAborted,
				"not the first request of its connection, so it was not run: send it again")
		case toAPI && !writes.mayPass(fresh, w):
			refuse(w, toAPI, http.StatusServiceUnavailable, grpcUnavailable,
				"the answer to this write was lost, and it is not run a second time")
		default:
			next.ServeHTTP(w, withoutForgedAddress(r))
		}
		if answer != nil {
			answer.finish()
		}
	})
}

func belowAPI(path, api string) (below string, is bool) {
	below, is = strings.CutPrefix(path, api)
	return below, is && (below == "" || below[0] == '/')
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
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return strings.HasSuffix(r.URL.Path, "/db/flushindex") ||
			strings.HasSuffix(r.URL.Path, "/db/compactindex")
	}
	return true
}

// sameOrigin trusts the browser's headers about the request. On plain http
// browsers leave Sec-Fetch-Site out, but still send Origin. Programs send
// neither and are no danger, because they do not carry a browser's login.
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
	grpcInvalidArgument  = 3
	grpcPermissionDenied = 7
	grpcAborted          = 10
	grpcUnavailable      = 14
	grpcUnimplemented    = 12
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
