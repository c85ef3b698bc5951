package webconsole

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// exactHeaders compares the whole set of headers; "*" stands for any value.
func exactHeaders(t *testing.T, answer *httptest.ResponseRecorder, status int, want map[string]string, about string) {
	t.Helper()
	if answer.Code != status {
		t.Errorf("%s: status %d, want %d", about, answer.Code, status)
	}
	got := answer.Result().Header
	for name, values := range got {
		expected, known := want[name]
		if !known || len(values) != 1 || (expected != "*" && values[0] != expected) {
			t.Errorf("%s: %s is %q, want %q", about, name, values, expected)
		}
	}
	for name := range want {
		if got[name] == nil {
			t.Errorf("%s: no %s", about, name)
		}
	}
}

func TestPolicyOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		option  Option
		policy  string
		framing string // X-Frame-Options
	}{
		// The other port stays in the copy for plain file servers.
		{"no option", func(*settings) error { return nil }, testPolicy, "DENY"},
		{"own frames", WithFrameAncestors("'self'"),
			strings.Replace(testPolicy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1), "SAMEORIGIN"},
		{"a portal", WithFrameAncestors("'self' https://portal.example"),
			strings.Replace(testPolicy, "frame-ancestors 'none'", "frame-ancestors 'self' https://portal.example", 1), ""},
		{"metrics", WithMetricsOrigin("http://db.example:9497"),
			strings.Replace(testPolicy, "connect-src 'self'", "connect-src 'self' http://db.example:9497", 1), "DENY"},
		{"metrics here", WithMetricsOrigin("'self'"), testPolicy, "DENY"},
		{"more sources", WithSources("script-src", "https://a.example", "https://b.example"),
			strings.Replace(testPolicy, "script-src 'self'", "script-src 'self' https://a.example https://b.example", 1), "DENY"},
		{"new directive", WithSources("frame-src", "https://a.example"),
			testPolicy + "; frame-src https://a.example", "DENY"},
		{"none gives way", WithSources("default-src", "https://a.example"),
			strings.Replace(testPolicy, "default-src 'none'", "default-src https://a.example", 1), "DENY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := ask(testSite(t, c.option), http.MethodGet, "/query")
			if got := answer.Header().Get("Content-Security-Policy"); got != c.policy {
				t.Errorf("policy\n got %s\nwant %s", got, c.policy)
			}
			if got := answer.Header().Get("X-Frame-Options"); got != c.framing {
				t.Errorf("X-Frame-Options %q, want %q", got, c.framing)
			}
			meta := parsePolicy(c.policy).without("frame-ancestors").String()
			if !strings.Contains(answer.Body.String(), `content="`+meta+`"`) {
				t.Errorf("the page's own policy differs: %s", answer.Body)
			}
		})
	}
}

func TestPagesSayThatFramingIsAllowed(t *testing.T) {
	for _, path := range []string{"/", "/query", "/query/", "/nowhere", "/index.html"} {
		framed := ask(testSite(t, WithFrameAncestors("'self'")), http.MethodGet, path)
		if !strings.Contains(framed.Body.String(), framingAllowed) {
			t.Errorf("%s does not say that framing is allowed", path)
		}
		plain := ask(testSite(t), http.MethodGet, path)
		if strings.Contains(plain.Body.String(), framingAllowed) {
			t.Errorf("%s says that framing is allowed", path)
		}
	}
}

func TestOptionsRefuse(t *testing.T) {
	for name, option := range map[string]Option{
		"second directive": WithFrameAncestors("'self'; script-src *"),
		"no source":        WithFrameAncestors(""),
		"line break":       WithMetricsOrigin("http://a\r\nX-Evil: 1"),
		"space":            WithMetricsOrigin("http://a http://b"),
		"quote":            WithSources("img-src", `"><script>`),
		"directive":        WithSources("img-src; script-src", "https://a.example"),
	} {
		if err := option(&settings{}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// A page that people keep and whose hash they compare is served as it was built:
// neither the policy of the console nor an option reaches into it, and its own
// policy holds for nothing else.
func TestAPageWithAPolicyOfItsOwn(t *testing.T) {
	const own = "default-src 'none'; script-src 'sha256-AAAA'; connect-src 'none'"
	files := testFiles()
	files["verify.html"] = "<!doctype html><html><head>" +
		`<meta http-equiv="Content-Security-Policy" content="` + own + `"></head><body></body></html>`
	m := describe(files)
	for i := range m.Files {
		if m.Files[i].Path == "verify.html" {
			m.Files[i].CSP = own
		}
	}
	for _, c := range []struct {
		name      string
		options   []Option
		ancestors string
	}{
		{"as it is", nil, "'none'"},
		{"framed and with more sources", []Option{
			WithFrameAncestors("https://a.example"),
			WithSources("connect-src", "https://b.example"),
		}, "https://a.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s settings
			for _, option := range c.options {
				if err := option(&s); err != nil {
					t.Fatal(err)
				}
			}
			site, err := newSite(mapFS(t, m, files), fstest.MapFS{}, s)
			if err != nil {
				t.Fatal(err)
			}
			answer := ask(site, http.MethodGet, "/verify.html")
			if answer.Body.String() != files["verify.html"] {
				t.Errorf("the page was changed: %s", answer.Body)
			}
			if got, want := answer.Header().Get("Content-Security-Policy"), own+"; frame-ancestors "+c.ancestors; got != want {
				t.Errorf("policy %q, want %q", got, want)
			}
			if answer.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Error("the other headers are missing")
			}
			for _, path := range []string{"/", "/query", "/assets/main-ABCD.js", "/nowhere"} {
				if got := ask(site, http.MethodGet, path).Header().Get("Content-Security-Policy"); strings.Contains(got, "sha256") {
					t.Errorf("%s has the policy of the page: %q", path, got)
				}
			}
		})
	}
}
