package webconsole

import (
	"net/http"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	const html, plain = "text/html; charset=utf-8", "text/plain; charset=utf-8"
	handler := testSite(t)
	for _, c := range []struct {
		path   string
		status int
		kind   string
		cache  string
		body   string
	}{
		{"/", 200, html, cacheRevalidate, `"./assets/main-ABCD.js"`},
		{"/index.html", 200, html, cacheRevalidate, `"./assets/main-ABCD.js"`},
		{"/query", 200, html, cacheRevalidate, `"./assets/main-ABCD.js"`},
		{"/query/", 200, html, cacheRevalidate, `"../assets/main-ABCD.js"`},
		{"/query?sql=x", 200, html, cacheRevalidate, `"./assets/main-ABCD.js"`},
		{"/query/index.html", 200, html, cacheRevalidate, `"../assets/main-ABCD.js"`},
		{"/assets/main-ABCD.js", 200, "text/javascript; charset=utf-8", cacheForever, "hello"},
		{"/licences.txt", 200, plain, cacheRevalidate, "Permission"},
		{"/manifest.json", 200, "application/json", cacheRevalidate, `"schema":1`},
		{"/nowhere", 404, html, cacheRevalidate, `"./assets/main-ABCD.js"`},
		{"/nowhere/", 404, html, cacheRevalidate, `"../assets/main-ABCD.js"`},
		{"/a/b/c", 404, html, cacheRevalidate, `"../../assets/main-ABCD.js"`},
		{"/query/extra", 404, html, cacheRevalidate, `"../assets/main-ABCD.js"`},
		{"/Query", 404, html, cacheRevalidate, "<title>immudb webconsole</title>"},
		{"/1/2/3/4/5/6/7/8/9/10", 404, plain, cacheRevalidate, "404 page not found"},
		{"/query%2F", 404, plain, cacheRevalidate, "404 page not found"},
		{"/missing.js", 404, plain, cacheRevalidate, "404 page not found"},
		{"/query/missing.css", 404, plain, cacheRevalidate, "404 page not found"},
		{"/assets/main-OLD.js", 404, plain, cacheRevalidate, "404 page not found"},
		{"/assets/anything", 404, plain, cacheRevalidate, "404 page not found"},
		{"/assets/", 404, plain, cacheRevalidate, "404 page not found"},
		{"/assets", 404, plain, cacheRevalidate, "404 page not found"},
		{"/.gitkeep", 404, plain, cacheRevalidate, "404 page not found"},
		{"/../etc/passwd", 404, html, cacheRevalidate, "<title>"},
	} {
		t.Run(c.path, func(t *testing.T) {
			answer := ask(handler, http.MethodGet, c.path)
			if answer.Code != c.status {
				t.Errorf("status %d, want %d", answer.Code, c.status)
			}
			if kind := answer.Header().Get("Content-Type"); kind != c.kind {
				t.Errorf("type %q, want %q", kind, c.kind)
			}
			if cache := answer.Header().Get("Cache-Control"); cache != c.cache {
				t.Errorf("cache %q, want %q", cache, c.cache)
			}
			if !strings.Contains(answer.Body.String(), c.body) {
				t.Errorf("body has no %s: %s", c.body, answer.Body)
			}
		})
	}
}

func TestOnlyGetAndHead(t *testing.T) {
	handler := testSite(t)
	for _, path := range []string{"/", "/query", "/assets/main-ABCD.js", "/nowhere"} {
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			answer := ask(handler, method, path)
			if answer.Code != http.StatusMethodNotAllowed || answer.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, answer.Code, answer.Header().Get("Allow"))
			}
		}
	}
}

func TestHeadEqualsGet(t *testing.T) {
	handler := testSite(t)
	for _, path := range []string{"/", "/query/", "/assets/main-ABCD.js", "/nowhere"} {
		get, head := ask(handler, http.MethodGet, path), ask(handler, http.MethodHead, path)
		if head.Code != get.Code || head.Body.Len() != 0 {
			t.Errorf("%s: status %d and %d bytes, want %d and none", path, head.Code, head.Body.Len(), get.Code)
		}
		for name := range get.Header() {
			if head.Header().Get(name) != get.Header().Get(name) {
				t.Errorf("%s: HEAD differs in %s", path, name)
			}
		}
	}
}

func TestBelowAPrefix(t *testing.T) {
	handler := http.StripPrefix("/ops/immudb", testSite(t))
	for path, want := range map[string]string{
		"/ops/immudb/":       `"./assets/`,
		"/ops/immudb/query":  `"./assets/`,
		"/ops/immudb/query/": `"../assets/`,
	} {
		answer := ask(handler, http.MethodGet, path)
		if answer.Code != 200 || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d without %s", path, answer.Code, want)
		}
	}
	answer := ask(handler, http.MethodGet, "/ops/immudb?sql=x")
	if at := answer.Header().Get("Location"); answer.Code != http.StatusTemporaryRedirect || at != "./immudb/?sql=x" {
		t.Errorf("the bare prefix answers %d, Location %q", answer.Code, at)
	}
	if answer := ask(handler, http.MethodGet, "/"); answer.Code != 404 {
		t.Errorf("outside the prefix: %d", answer.Code)
	}
}

// A21: the exact set of headers on every file of the build, 404 for a missing
// asset and no listing of the assets folder.
func TestA21HeadersOnEveryFile(t *testing.T) {
	checkHeadersOnEveryFile(t, testSite(t), describe(testFiles()))
}

func checkHeadersOnEveryFile(t *testing.T, handler http.Handler, m *manifest) {
	t.Helper()
	secure := map[string]string{
		"Content-Security-Policy":      m.CSP,
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "accelerometer=(), camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-read=()",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	}
	with := func(more map[string]string) map[string]string {
		all := map[string]string{}
		for _, part := range []map[string]string{secure, more} {
			for name, value := range part {
				all[name] = value
			}
		}
		return all
	}
	for _, file := range m.Files {
		cache := cacheRevalidate
		if file.Immutable {
			cache = cacheForever
		}
		policy := m.CSP
		if file.CSP != "" {
			policy = file.CSP + "; frame-ancestors 'none'"
		}
		exactHeaders(t, ask(handler, http.MethodGet, "/"+file.Path), 200, with(map[string]string{
			"Content-Security-Policy": policy,

			"Cache-Control":  cache,
			"Content-Length": "*",
			"Content-Type":   file.Type,
			"Etag":           "*",
			"Vary":           "Accept-Encoding",
		}), file.Path)
	}
	for _, path := range []string{"/assets/missing-ABCD.js", "/assets/", "/missing.css"} {
		exactHeaders(t, ask(handler, http.MethodGet, path), 404, with(map[string]string{
			"Cache-Control": cacheRevalidate,
			"Content-Type":  "text/plain; charset=utf-8",
		}), path)
	}
	exactHeaders(t, ask(handler, http.MethodGet, "/no-such-page"), 404, with(map[string]string{
		"Cache-Control":  cacheRevalidate,
		"Content-Length": "*",
		"Content-Type":   "text/html; charset=utf-8",
		"Vary":           "Accept-Encoding",
	}), "/no-such-page")
}
