package webconsole

import (
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// What a program can forget when it puts the parts together does not show by
// itself: an unguarded API works like a guarded one. So the parts look for each
// other. A proxy without its guard passes nothing on. For what else is missing
// the log of the server has a line, once.

// sighting is what a guard leaves on a request for the handlers behind it.
type sighting struct {
	path    string // as the guard saw it
	pattern string // of the mux around the guard
	mounts  mounts
	// isData is true for a call that the guard checked as one to the API or for
	// the metrics.
	isData bool
}

// base is the path that was stripped between the guard and a handler that sees
// path; false when they do not fit.
func (s *sighting) base(path string) (string, bool) { return strings.CutSuffix(s.path, path) }

// wholePath is the path of the guard's options below which path is as the guard
// saw it; "" when something was stripped, or there is no such path.
func (s *sighting) wholePath(path string) string {
	if s == nil || s.path != path || s.mounts.base == "" || !strings.HasPrefix(path+"/", s.mounts.base+"/") {
		return ""
	}
	return s.mounts.base
}

// onlyGuarded passes on what a guard has checked. Anything else could come from
// any site.
func onlyGuarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := callOf(r.Context()).seen
		if seen == nil || !seen.isData {
			refuse(w, true, http.StatusInternalServerError, grpcInternal, unguarded(seen, r.URL.Path))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unguarded says what keeps a proxy from passing a call on.
func unguarded(seen *sighting, path string) string {
	const refused = "nothing is passed on: in the program that serves this console, "
	if seen == nil {
		return refused + "webconsole.Guard has to be around the whole mux"
	}
	if base, fits := seen.base(path); fits && strings.HasPrefix(path, "/api") {
		return refused + wrongMount(seen, base)
	}
	return refused + "the guard takes " + strconv.Quote(seen.path) + " for neither API nor metrics; GuardOptions.APIPath" +
		" and MetricsPath have to say where they are"
}

// onlyCalls passes on what has the path of a call. With another one the server
// behind would answer with one of its pages, or that there is nothing.
func onlyCalls(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, is := belowAPI("/"+strings.TrimPrefix(r.URL.Path, "/"), "/api"); !is {
			refuse(w, true, http.StatusInternalServerError, grpcInternal, wronglyStripped(callOf(r.Context()).seen, r.URL.Path))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// wronglyStripped says how the API is put below a path.
func wronglyStripped(seen *sighting, path string) string {
	const refused = "nothing is passed on: in the program that serves this console, "
	if base := seen.wholePath(path); base != "" {
		return refused + "the API has to be wrapped in http.StripPrefix(" + strconv.Quote(base) + ", …)"
	}
	return refused + "the API takes paths that begin with /api, and got " + strconv.Quote(path) + "; http.StripPrefix takes too much off"
}

func wrongMount(seen *sighting, base string) string {
	return "the guard protects " + strconv.Quote(seen.mounts.api) + ", but the API of the console is at " +
		strconv.Quote(base+"/api") + "; GuardOptions.APIPath has to be that"
}

// noticing tells in the log when the guard is not where the console needs it.
func noticing(next http.Handler) http.Handler {
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen := callOf(r.Context()).seen; seen == nil {
			tellOnce(&once, r, "no guard is around the console. Put webconsole.Guard around the whole mux:"+
				" without it any site can have a browser call the API")
		} else if isWithoutSlash(r.URL.Path) || r.URL.Path == "" && strings.HasSuffix(seen.path, "/") {
			tellOnce(&once, r, slashStripped)
		} else if path := unstripped(r); path != "" && seen.path == r.URL.Path {
			tellOnce(&once, r, toStrip(path))
		} else if base, fits := seen.base(r.URL.Path); fits && seen.mounts.base != base && seen.mounts.api != "" {
			tellOnce(&once, r, wrongMount(seen, base))
		}
		next.ServeHTTP(w, r)
	})
}

// tellUncounted tells in the log when the guard cannot know which request is the
// first of its connection.
func tellUncounted(once *sync.Once, r *http.Request) {
	if r.Context().Value(requestsKey{}) == nil && isBrowsers(r) {
		tellOnce(once, r, "the http.Server has no ConnContext. Set it to webconsole.ConnContext:"+
			" without it a browser may silently repeat a write whose connection broke")
	}
}

// tellOnce writes to where the server that got the request writes its errors.
func tellOnce(once *sync.Once, r *http.Request, text string) {
	server, isServed := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !isServed {
		return
	}
	once.Do(func() {
		write := log.Print
		if server.ErrorLog != nil {
			write = server.ErrorLog.Print
		}
		write("webconsole: " + text + ".")
	})
}

// noAPI is the answer to a call that reached the pages: nothing else of the
// program took it.
const noAPI = "the program that serves this console has no API beside it: its mux needs a handler at /api/," +
	" such as the API of webconsole.NewProxy; nothing was executed"

// unstripped is the path below which a mux put the console, or the guard around
// it, without taking it off the request; "" where none is seen.
func unstripped(r *http.Request) string {
	seen := callOf(r.Context()).seen
	if path := seen.wholePath(r.URL.Path); path != "" {
		return path
	}
	patterns := []string{r.Pattern}
	if seen != nil {
		patterns = append(patterns, seen.pattern)
	}
	for _, pattern := range patterns {
		_, below, _ := strings.Cut(pattern, "/")
		path, isFolder := strings.CutSuffix("/"+below, "/")
		if isFolder && path != "" && !strings.Contains(path, "{") && strings.HasPrefix(r.URL.Path, path+"/") {
			return path
		}
	}
	return ""
}

// toStrip says how the console is put below a path.
func toStrip(path string) string {
	return "the program that serves this console has to wrap it in http.StripPrefix(" + strconv.Quote(path) + ", …)"
}

// slashStripped is about http.StripPrefix("/ops/", …).
const slashStripped = "the program that serves this console has to give http.StripPrefix the path without the slash at its end"

func isWithoutSlash(path string) bool { return path != "" && path[0] != '/' }

// notFound is the plain answer to what is not there, with what the program that
// serves the console could do about it.
func notFound(advice string) string { return "404 page not found: " + advice }
