package webconsole

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// mounted puts the guard around a handler in every way that a server may, and
// calls the check with the path that stands before /api and /metrics. What holds
// for one mount has to hold for all.
func mounted(t *testing.T, next http.Handler, check func(t *testing.T, handler http.Handler, prefix string)) {
	t.Helper()
	mountedWith(t, GuardOptions{}, next, check)
}

func mountedWith(t *testing.T, options GuardOptions, next http.Handler,
	check func(t *testing.T, handler http.Handler, prefix string)) {
	t.Helper()
	for name, mount := range mountsOf(t, options, next) {
		t.Run(name, func(t *testing.T) { check(t, mount.handler, mount.prefix) })
	}
}

type mount struct {
	prefix  string
	handler http.Handler
}

func mountsOf(t *testing.T, options GuardOptions, next http.Handler) map[string]mount {
	t.Helper()
	at := func(api, metrics string, servers *Servers) http.Handler {
		options := options
		options.APIPath, options.MetricsPath, options.Servers = api, metrics, servers
		return Guard(next, options)
	}
	list, err := NewServers([]Server{{Name: "us", URL: "http://127.0.0.1:2"}, {Name: "eu.1", URL: "http://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]mount{
		"at the root":           {"", at("", "", nil)},
		"beside a list":         {"", at("", "", list)},
		"prefix known":          {"/ops/immudb", at("/ops/immudb/api", "", nil)},
		"prefix stripped":       {"/ops/immudb", http.StripPrefix("/ops/immudb", at("", "", nil))},
		"metrics named":         {"/a", at("/a/api/", "/a/metrics", nil)},
		"prefix stripped twice": {"/a/b", http.StripPrefix("/a", http.StripPrefix("/b", at("", "", nil)))},
		"named":                 {"/s/eu.1", at("", "", list)},
		"named, prefix known":   {"/ops/immudb/s/eu.1", at("/ops/immudb/api", "", list)},
		"named, stripped":       {"/ops/s/us", http.StripPrefix("/ops", at("", "", list))},
	}
}

// answering sends these headers and this text.
func answering(text string, headers ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		io.WriteString(w, text)
	})
}

func checkDataHeaders(t *testing.T, header http.Header, about string) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control":                "no-store",
		"Content-Security-Policy":      "sandbox; default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	} {
		if got := header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s is %q, want %q alone", about, name, got, want)
		}
	}
}

func TestDataCannotActAsAPageAndIsNotStored(t *testing.T) {
	hostile := answering("<script>alert(1)</script>",
		"Content-Type", "text/html", "Cache-Control", "max-age=60", "X-Frame-Options", "ALLOWALL",
		"Content-Security-Policy", "script-src *", "Cross-Origin-Resource-Policy", "cross-origin")
	silent := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	early := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "<https://evil.example>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		clear(w.Header())
		w.WriteHeader(http.StatusTeapot)
	})
	for name, next := range map[string]http.Handler{"hostile": hostile, "silent": silent, "early hints": early} {
		mounted(t, next, func(t *testing.T, handler http.Handler, prefix string) {
			for _, path := range []string{"/api/health", "/api/", "/api", "/metrics"} {
				answer := ask(handler, "GET", "http://localhost"+prefix+path)
				checkDataHeaders(t, answer.Header(), name+" at "+path)
			}
			for _, path := range []string{"/api/a%2Fb", "/metrics"} { // refused by the guard itself
				answer := ask(handler, "POST", "http://localhost"+prefix+path)
				checkDataHeaders(t, answer.Header(), "refusal at "+path)
			}
			other := ask(handler, "GET", "http://localhost"+prefix+"/apiary")
			if other.Header().Get("Content-Security-Policy") == "sandbox; default-src 'none'; frame-ancestors 'none'" {
				t.Error("the headers of data are on something else")
			}
		})
	}
}

// A browser would follow hints before it sees the answer's own headers.
func TestEarlyHintsStayBehind(t *testing.T) {
	mounted(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "<https://evil.example>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		io.WriteString(w, "{}")
	}), func(t *testing.T, handler http.Handler, prefix string) {
		server := httptest.NewServer(handler)
		defer server.Close()
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		io.WriteString(connection, "GET "+prefix+"/api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
		first, err := bufio.NewReader(connection).ReadString('\n')
		if err != nil || !strings.Contains(first, "200") {
			t.Errorf("the first line is %q, %v", first, err)
		}
	})
}

func TestDataCanBeStreamed(t *testing.T) {
	flushed := false
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		flushed = true
	})
	mounted(t, next, func(t *testing.T, handler http.Handler, prefix string) {
		flushed = false
		answer := ask(handler, "GET", "http://localhost"+prefix+"/api/x")
		if !flushed || !answer.Flushed {
			t.Error("the gateway cannot flush")
		}
		checkDataHeaders(t, answer.Header(), "streamed")
	})
}

func TestMetricsAreOnlyReadAndOnlyFromHere(t *testing.T) {
	mounted(t, answering("immudb_uptime_hours 1"), func(t *testing.T, handler http.Handler, prefix string) {
		for _, c := range []struct {
			method  string
			headers []string
			status  int
		}{
			{"GET", nil, 200},
			{"HEAD", nil, 200},
			{"GET", []string{"Sec-Fetch-Site", "same-origin"}, 200},
			{"GET", []string{"Sec-Fetch-Site", "none"}, 200},
			{"GET", []string{"Sec-Fetch-Site", "cross-site"}, 403},
			{"GET", []string{"Sec-Fetch-Site", "same-site"}, 403},
			{"GET", []string{"Origin", "http://evil.example"}, 403},
			{"POST", nil, 405},
			{"PUT", nil, 405},
			{"DELETE", nil, 405},
			{"OPTIONS", nil, 405},
		} {
			answer := ask(handler, c.method, "http://localhost"+prefix+"/metrics", c.headers...)
			if answer.Code != c.status {
				t.Errorf("%s %v: %d, want %d", c.method, c.headers, answer.Code, c.status)
			}
			if c.status == 405 && answer.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s: Allow %q", c.method, answer.Header().Get("Allow"))
			}
		}
	})
}
