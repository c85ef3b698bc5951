package webconsole

import (
	"bytes"
	"context"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// below puts a console with its API below a path, as a program of one's own does.
func below(t *testing.T, prefix string) *http.ServeMux {
	t.Helper()
	server := telling(t, "here")
	proxy, err := NewProxy(Server{URL: server.URL, Metrics: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	console, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", http.StripPrefix(prefix, console))
	mux.Handle(prefix+"/api/", http.StripPrefix(prefix, proxy.API))
	mux.Handle(prefix+"/metrics", proxy.Metrics)
	return mux
}

func console(t *testing.T) http.Handler {
	t.Helper()
	console, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	return console
}

// unstrippedConsole is below a path by a router that names no pattern.
func unstrippedConsole(t *testing.T, o GuardOptions) http.Handler { return Guard(console(t), o) }

func TestNoProxyPassesOnWhatNoGuardHasChecked(t *testing.T) {
	const prefix = "/ops/immudb"
	mux := below(t, prefix)
	for name, c := range map[string]struct {
		handler http.Handler
		path    string
		says    string // "" where the call passes
	}{
		"no guard":                      {mux, "/api/health", "webconsole.Guard has to be around the whole mux"},
		"no guard, metrics":             {mux, "/metrics", "webconsole.Guard has to be around the whole mux"},
		"guard of another path":         {Guard(mux, GuardOptions{}), "/api/health", `the guard protects "/api", but the API of the console is at "/ops/immudb/api"; GuardOptions.APIPath`},
		"metrics of another path":       {Guard(mux, GuardOptions{}), "/metrics", `"/ops/immudb/metrics" for neither API nor metrics`},
		"guard":                         {Guard(mux, GuardOptions{APIPath: prefix + "/api"}), "/api/health", ""},
		"guard, metrics":                {Guard(mux, GuardOptions{APIPath: prefix + "/api"}), "/metrics", ""},
		"guard within another, for all": {Guard(Guard(mux, GuardOptions{APIPath: prefix + "/api"}), GuardOptions{}), "/api/health", ""},
	} {
		answer := ask(c.handler, "GET", "http://localhost"+prefix+c.path)
		if c.says == "" {
			if answer.Code != 200 {
				t.Errorf("%s: %d %s", name, answer.Code, answer.Body)
			}
			continue
		}
		if text, code := refusalIn(t, answer.Body); answer.Code != 500 || code != 13 || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s", name, answer.Code, text)
		}
	}
}

// StripPrefix around the API can be forgotten, or take too much.
func TestAWronglyStrippedAPISaysWhatToChange(t *testing.T) {
	const prefix = "/ops/immudb"
	server := telling(t, "here")
	proxy, err := NewProxy(Server{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		api  http.Handler
		says string // "" where the call passes
	}{
		"not stripped":           {proxy.API, `http.StripPrefix("/ops/immudb", …)`},
		"stripped twice":         {http.StripPrefix(prefix+"/api", proxy.API), `"/login"`},
		"stripped with a slash":  {http.StripPrefix(prefix+"/", proxy.API), ""},
		"stripped as it has to":  {http.StripPrefix(prefix, proxy.API), ""},
		"stripped in two pieces": {http.StripPrefix("/ops", http.StripPrefix("/immudb", proxy.API)), ""},
	} {
		mux := http.NewServeMux()
		mux.Handle(prefix+"/api/", c.api)
		answer := ask(Guard(mux, GuardOptions{APIPath: prefix + "/api"}), "POST", "http://localhost"+prefix+"/api/login")
		if c.says == "" {
			if answer.Code != 200 {
				t.Errorf("%s: %d %s", name, answer.Code, answer.Body)
			}
			continue
		}
		if text, code := refusalIn(t, answer.Body); answer.Code != 500 || code != 13 || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s", name, answer.Code, text)
		}
	}
}

func TestTheLogSaysOnceWhatAProgramForgot(t *testing.T) {
	const prefix = "/ops/immudb"
	guarded := func(o GuardOptions) http.Handler { return Guard(below(t, prefix), o) }
	right := GuardOptions{APIPath: prefix + "/api"}
	write := []string{FreshHeader, "1"}
	for name, c := range map[string]struct {
		handler http.Handler
		counts  bool
		method  string
		path    string
		header  []string
		says    string // "" where nothing is missing
	}{
		"no guard":                        {below(t, prefix), true, "GET", "/query", nil, "webconsole.Guard around the whole mux"},
		"guard of another path":           {guarded(GuardOptions{}), true, "GET", "/", nil, `GuardOptions.APIPath has to be that`},
		"console not stripped":            {unstrippedConsole(t, right), true, "GET", "/query", nil, `wrap it in http.StripPrefix("/ops/immudb", …)`},
		"console stripped with a slash":   {Guard(http.StripPrefix(prefix+"/", console(t)), right), true, "GET", "/query", nil, "without the slash"},
		"the same, its first page":        {Guard(http.StripPrefix(prefix+"/", console(t)), right), true, "GET", "/", nil, "without the slash"},
		"no count":                        {guarded(right), false, "POST", "/api/db/set", write, "Set it to webconsole.ConnContext"},
		"no count, and nothing to count":  {guarded(right), false, "GET", "/", nil, ""},
		"no count, but behind a proxy":    {guarded(right), false, "POST", "/api/db/set", append([]string{"Via", "1.1 nginx"}, write...), ""},
		"all there":                       {guarded(right), true, "GET", "/", nil, ""},
		"all there, a write":              {guarded(right), true, "POST", "/api/db/set", write, ""},
		"all there, stripped round guard": {http.StripPrefix(prefix, Guard(below(t, ""), GuardOptions{})), true, "GET", "/", nil, ""},
	} {
		var text bytes.Buffer
		server := &http.Server{ErrorLog: log.New(&text, "", 0)}
		for range 3 {
			r := httptest.NewRequest(c.method, "http://localhost"+prefix+c.path, nil)
			for i := 0; i < len(c.header); i += 2 {
				r.Header.Set(c.header[i], c.header[i+1])
			}
			ctx := context.WithValue(r.Context(), http.ServerContextKey, server)
			if c.counts {
				ctx = ConnContext(ctx, nil)
			}
			c.handler.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
		}
		switch lines := strings.Count(text.String(), "\n"); {
		case c.says == "" && lines != 0, c.says != "" && (lines != 1 || !strings.Contains(text.String(), c.says)):
			t.Errorf("%s: %d lines: %s", name, lines, &text)
		}
	}
}

func TestAForgottenAPISaysWhatToAdd(t *testing.T) {
	handler := testSite(t)
	for _, method := range []string{"GET", "POST"} {
		for _, path := range []string{"/api", "/api/", "/api/login"} {
			answer := ask(handler, method, path)
			if text, _ := refusalIn(t, answer.Body); answer.Code != 500 || !strings.Contains(text, "needs a handler at /api/") {
				t.Errorf("%s %s: %d %s", method, path, answer.Code, text)
			}
		}
	}
	if answer := ask(handler, "GET", "/apiary"); answer.Code != 404 || strings.Contains(answer.Body.String(), "NewProxy") {
		t.Errorf("/apiary: %d %s", answer.Code, answer.Body)
	}
}

func TestAForgottenStripPrefixIsNamed(t *testing.T) {
	site := testSite(t)
	inner := http.NewServeMux()
	inner.Handle("/", site)
	for pattern, handler := range map[string]http.Handler{
		"/ops/immudb/": site, "GET /ops/immudb/": site, "localhost/ops/immudb/": Guard(inner, GuardOptions{}),
	} {
		mux := http.NewServeMux()
		mux.Handle(pattern, handler)
		answer := ask(mux, "GET", "http://localhost/ops/immudb/query")
		if answer.Code != 404 || !strings.Contains(answer.Body.String(), `http.StripPrefix("/ops/immudb", …)`) {
			t.Errorf("%s: %d %s", pattern, answer.Code, answer.Body)
		}
	}
	routed := Guard(site, GuardOptions{APIPath: "/ops/immudb/api"})
	for _, path := range []string{"/ops/immudb", "/ops/immudb/", "/ops/immudb/query"} {
		answer := ask(routed, "GET", "http://localhost"+path)
		if answer.Code != 404 || !strings.Contains(answer.Body.String(), `http.StripPrefix("/ops/immudb", …)`) {
			t.Errorf("another router, %s: %d %s", path, answer.Code, answer.Body)
		}
	}
	slashed := http.StripPrefix("/ops/immudb/", site)
	for _, path := range []string{"/ops/immudb/", "/ops/immudb/query"} {
		answer := ask(slashed, "GET", "http://localhost"+path)
		if answer.Code != 404 || !strings.Contains(answer.Body.String(), "without the slash") {
			t.Errorf("with a slash, %s: %d %s", path, answer.Code, answer.Body)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/ops/immudb/", http.StripPrefix("/ops/immudb", site))
	for path, status := range map[string]int{"/ops/immudb/query": 200, "/ops/immudb/nowhere": 404} {
		if answer := ask(mux, "GET", path); answer.Code != status || strings.Contains(answer.Body.String(), "StripPrefix") {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}
