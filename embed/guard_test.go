package webconsole

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// empty answers that there is nothing to say.
var empty = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNoContent)
})

func guarded(options GuardOptions) http.Handler { return Guard(empty, options) }

// A06: a page of another site that has its name point here gets nothing.
func TestA06ForeignHostIsRefused(t *testing.T) {
	options := GuardOptions{Hosts: []string{"Console.Example", "10.0.0.7"}}
	hosts := map[string]int{
		"localhost":              204,
		"localhost:8080":         204,
		"LOCALHOST:8080":         204,
		"localhost.":             204,
		"db.localhost:8080":      204,
		"127.0.0.1:8080":         204,
		"[::1]:8080":             204,
		"[::1]":                  204,
		"192.168.1.20:8080":      204,
		"console.example":        204,
		"console.example:8080":   204,
		"console.example.":       204,
		"evil.example":           421,
		"evil.example:8080":      421,
		"sub.console.example":    421,
		"console.example.evil":   421,
		"localhost.evil.example": 421,
		"127.0.0.1.evil.example": 421,
		"":                       421,
		":8080":                  421,
	}
	mountedWith(t, options, empty, func(t *testing.T, handler http.Handler, prefix string) {
		for host, status := range hosts {
			for _, path := range []string{"/", "/api/health", "/metrics"} {
				r := httptest.NewRequest(http.MethodGet, prefix+path, nil)
				r.Host = host
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				if w.Code != status {
					t.Errorf("Host %q, %s: %d, want %d", host, path, w.Code, status)
				}
			}
		}
	})
}

func TestAnyHostWhenAProxyChecks(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = "anything.example"
	w := httptest.NewRecorder()
	guarded(GuardOptions{Hosts: []string{"*"}}).ServeHTTP(w, r)
	if w.Code != 204 {
		t.Errorf("status %d", w.Code)
	}
}

// A07: another site cannot make the browser write; the console itself and
// programs can.
func TestA07CrossSiteWriteIsRefused(t *testing.T) {
	cases := []struct {
		name    string
		method  string
		path    string
		headers []string
		status  int
	}{
		{"console", "POST", "/api/db/set", []string{"Sec-Fetch-Site", "same-origin"}, 204},
		{"address bar", "POST", "/api/db/set", []string{"Sec-Fetch-Site", "none"}, 204},
		{"program", "POST", "/api/db/set", nil, 204},
		{"console on plain http", "POST", "/api/db/set", []string{"Origin", "http://console.example"}, 204},
		{"console behind TLS", "POST", "/api/db/set", []string{"Origin", "https://console.example"}, 204},
		{"form of another site", "POST", "/api/db/set",
			[]string{"Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain"}, 403},
		{"other port of this host", "POST", "/api/db/set", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"other site on plain http", "POST", "/api/db/set", []string{"Origin", "http://evil.example"}, 403},
		{"other port on plain http", "POST", "/api/db/set", []string{"Origin", "http://console.example:81"}, 403},
		{"sandboxed page", "POST", "/api/db/set", []string{"Origin", "null"}, 403},
		{"delete", "DELETE", "/api/v2/collection/a", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"put", "PUT", "/api/v2/collection/a", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"reading call", "GET", "/api/health", []string{"Sec-Fetch-Site", "cross-site"}, 204},
		{"writing GET", "GET", "/api/db/flushindex", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"writing GET, v2", "GET", "/api/v2/db/compactindex", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"writing GET of the console", "GET", "/api/db/flushindex", []string{"Sec-Fetch-Site", "same-origin", WriteHeader, "one"}, 204},
		{"writing GET on plain http", "GET", "/api/db/flushindex", []string{WriteHeader, "two"}, 204},
		{"writing GET with a token", "GET", "/api/db/compactindex", []string{"Authorization", "Bearer x"}, 204},
		{"writing GET with a bare token", "GET", "/api/db/compactindex", []string{"Authorization", "x"}, 204},
		{"writing GET in a session", "GET", "/api/db/compactindex", []string{"Sessionid", "x"}, 204},
		{"image of another site on plain http", "GET", "/api/db/flushindex", nil, 403},
		{"link in a mail", "GET", "/api/db/compactindex", []string{"Sec-Fetch-Site", "none"}, 403},
		{"password that a browser adds", "GET", "/api/db/flushindex", []string{"Authorization", "Basic eDp4"}, 403},
		{"with the other reading method", "HEAD", "/api/v2/db/flushindex:", nil, 403},
		{"preflight of another site", "OPTIONS", "/api/db/flushindex", []string{"Origin", "http://evil.example",
			"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "webconsole-write"}, 403},
		{"preflight of another call", "OPTIONS", "/api/db/state", []string{"Origin", "http://evil.example",
			"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization"}, 403},
		{"preflight for metrics", "OPTIONS", "/metrics", []string{"Origin", "http://evil.example"}, 403},
		{"preflight with Sec-Fetch-Site", "OPTIONS", "/api/health", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"Prometheus", "GET", "/metrics", []string{"User-Agent", "Prometheus/3.0"}, 204},
		{"link to a page", "GET", "/query", []string{"Sec-Fetch-Site", "cross-site"}, 204},
		{"not the API", "POST", "/apiary", []string{"Sec-Fetch-Site", "cross-site"}, 204},
	}
	options := GuardOptions{Hosts: []string{"console.example"}}
	mountedWith(t, options, empty, func(t *testing.T, handler http.Handler, prefix string) {
		for _, c := range cases {
			answer := ask(handler, c.method, "http://console.example"+prefix+c.path, c.headers...)
			if answer.Code != c.status {
				t.Errorf("%s: status %d, want %d", c.name, answer.Code, c.status)
			}
		}
	})
}

func TestGuardBelowAPrefix(t *testing.T) {
	handler := guarded(GuardOptions{APIPath: "/ops/immudb/api"})
	for path, status := range map[string]int{"/ops/immudb/api/db/set": 403, "/api/db/set": 204} {
		answer := ask(handler, "POST", "http://localhost"+path, "Sec-Fetch-Site", "cross-site")
		if answer.Code != status {
			t.Errorf("%s: %d, want %d", path, answer.Code, status)
		}
	}
}

func TestAPIAnswersAreNotCached(t *testing.T) {
	mounted(t, empty, func(t *testing.T, handler http.Handler, prefix string) {
		for path, cache := range map[string]string{"/api/health": "no-store", "/api": "no-store", "/metrics": "no-store", "/": ""} {
			answer := ask(handler, "GET", "http://localhost"+prefix+path)
			if got := answer.Header().Get("Cache-Control"); got != cache {
				t.Errorf("%s: %q, want %q", path, got, cache)
			}
		}
	})
}

func TestRefusalsLookLikeErrorsOfTheServer(t *testing.T) {
	mounted(t, empty, func(t *testing.T, handler http.Handler, prefix string) {
		answer := ask(handler, "POST", "http://localhost"+prefix+"/api/db/set", "Sec-Fetch-Site", "cross-site")
		if text, code := refusalIn(t, answer.Body); text != "cross-site request refused" || code != 7 {
			t.Errorf("%s, %d", text, code)
		}
	})
}

// A handler behind the guard that lets every site in does not make a preflight
// succeed.
func TestNoPreflightIsAllowed(t *testing.T) {
	open := answering("", "Access-Control-Allow-Origin", "*", "Access-Control-Allow-Headers", "*, "+WriteHeader, "Access-Control-Allow-Methods", "*")
	mountedWith(t, GuardOptions{Hosts: []string{"*"}}, open, func(t *testing.T, handler http.Handler, prefix string) {
		for _, path := range []string{"/api/db/flushindex", "/api/db/state", "/metrics"} {
			answer := ask(handler, "OPTIONS", "http://console.example"+prefix+path, "Origin", "http://evil.example",
				"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", WriteHeader)
			for name := range answer.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: %d, %s", path, answer.Code, name)
				}
			}
			if answer.Code != 403 {
				t.Errorf("%s: %d", path, answer.Code)
			}
		}
	})
}
