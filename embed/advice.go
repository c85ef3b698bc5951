package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
)

// Refusals that a proxy in front causes name the setting that helps: who reads
// them is often the person who set that proxy up.

// hostShape is what may be repeated in a text: a name or an address, with or
// without a port.
var hostShape = regexp.MustCompile(`^[A-Za-z0-9.:_\[\]-]{1,255}$`)

// foreignHost says why a host name is refused.
func foreignHost(header string) string {
	const refused = "this server does not answer to the host name of the request"
	switch name := plainHost(header); {
	case name == "":
		return refused + ": it has none; a proxy in front has to pass a Host header on"
	case !hostShape.MatchString(header):
		return refused
	default:
		return refused + ", which is " + name + ": if that is a name of this console, start webconsole with --allow-host " +
			name + " (a program of your own: GuardOptions.Hosts)"
	}
}

// crossSite says why a request is refused that may be another site's. Where the
// browser itself calls it so, no setting helps. Else the address of the page and
// the Host that arrived differ, and mostly because a proxy changed the Host.
func crossSite(r *http.Request) string {
	const refused = "cross-site request refused"
	origin, err := url.Parse(r.Header.Get("Origin"))
	if r.Header.Get("Sec-Fetch-Site") != "" || err != nil || !hostShape.MatchString(origin.Host) || !hostShape.MatchString(r.Host) {
		return refused
	}
	return refused + ": the page is from " + origin.Host + ", but the request came for " + r.Host +
		"; a proxy in front has to pass the Host header on as it is (nginx: proxy_set_header Host $http_host)," +
		" and webconsole has to be started with --allow-host " + plainHost(origin.Host) +
		" (a program of your own: GuardOptions.Hosts)"
}
