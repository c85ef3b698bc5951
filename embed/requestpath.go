package webconsole

import (
	"context"
	"path"
	"strings"
)

// mounts are the paths below which the guard protects. The zero value stands
// for servers beside the root.
type mounts struct {
	api, metrics string // "" for none
	base         string // what stands before /s/NAME and /servers.json
	hasServers   bool
}

func (o GuardOptions) mounts() mounts {
	m := mounts{api: strings.TrimSuffix(o.APIPath, "/"), metrics: o.MetricsPath, hasServers: o.Servers != nil}
	if o.APIPath == "" {
		m.api = "/api"
	}
	folder := path.Dir(m.api)
	if m.metrics == "" {
		m.metrics = path.Join(folder, "metrics")
	}
	m.base = strings.TrimSuffix(folder, "/")
	return m
}

// askedPath is what a request is about.
type askedPath struct {
	toAPI, toMetrics, isList bool
	// call is the path below the API, as the gateway reads it.
	call string
	// name is that of a server in a path /s/NAME/…, and prefix what stands before
	// its /api and /metrics.
	name, prefix string
}

// isData is true for answers that must never act as a page.
func (p askedPath) isData() bool { return p.toAPI || p.toMetrics || p.isList }

// readable names what only GET and HEAD are for.
func (p askedPath) readable() string {
	if p.isList {
		return "the list of servers"
	}
	return "metrics"
}

func locate(requested string, m mounts) askedPath {
	if m.api != "" {
		if below, is := belowAPI(requested, m.api); is {
			return askedPath{toAPI: true, call: plainCall(below)}
		}
		if requested == m.metrics {
			return askedPath{toMetrics: true}
		}
		if !m.hasServers {
			return askedPath{}
		}
	}
	if requested == m.base+serversPath {
		return askedPath{isList: true}
	}
	rest, is := strings.CutPrefix(requested, m.base+"/s/")
	if !is {
		return askedPath{}
	}
	name, rest, _ := strings.Cut(rest, "/")
	p := askedPath{name: name, prefix: m.base + "/s/" + name}
	if below, is := belowAPI("/"+rest, "/api"); is && name != "" {
		p.toAPI, p.call = true, plainCall(below)
		return p
	}
	if rest == "metrics" && name != "" {
		p.toMetrics = true
		return p
	}
	return askedPath{}
}

func belowAPI(path, api string) (below string, is bool) {
	below, is = strings.CutPrefix(path, api)
	return below, is && (below == "" || below[0] == '/')
}

// guardedCall is what the guard tells the handlers behind it about a call.
type guardedCall struct {
	server *namedServer // nil for a call to the mount without a name
	// mustNotRepeat says that a connection may carry the call only as its first:
	// HTTP clients repeat a call when a used connection breaks.
	mustNotRepeat bool
	// issuer is the id of the immudb that issued the token; "" when not told.
	issuer string
	// user is whom a trusted gateway in front named; "" for no one.
	user string
	// isQuestion says that the guard asks in place of a call, which has not been
	// sent.
	isQuestion bool
	// seen is nil where no guard was passed.
	seen *sighting
}

type guardedKey struct{}

func withCall(ctx context.Context, call guardedCall) context.Context {
	return context.WithValue(ctx, guardedKey{}, call)
}

// callOf returns the zero value for a call that no guard has seen.
func callOf(ctx context.Context) guardedCall {
	call, _ := ctx.Value(guardedKey{}).(guardedCall)
	return call
}
