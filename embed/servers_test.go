package webconsole

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func listOf(t *testing.T, list ...Server) *Servers {
	t.Helper()
	servers, err := NewServers(list)
	if err != nil {
		t.Fatal(err)
	}
	return servers
}

// behindGuard is the small build in front of a list of servers.
func behindGuard(t *testing.T, servers *Servers) http.Handler {
	t.Helper()
	handler, err := newServersHandler(servers, func(list *serverList) (http.Handler, error) {
		return testSite(t, func(s *settings) error { s.list = list; return nil }), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return Guard(handler, GuardOptions{Servers: servers})
}

// telling answers with its name and what it was asked.
func telling(t *testing.T, name string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		io.WriteString(w, name+" "+r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+r.Header.Get(ServerHeader)+" "+string(body))
	}))
	t.Cleanup(server.Close)
	return server
}

type publicList struct {
	Version string
	Servers []struct{ Name, ID, Address string }
}

func listIn(t *testing.T, text string) (list publicList) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return list
}

func TestMetricsWithALogin(t *testing.T) {
	metrics := telling(t, "metrics")
	at := strings.Replace(metrics.URL, "http://", "http://reader:secret@", 1)
	inFront(t, Server{URL: metrics.URL, Metrics: at}, func(t *testing.T, handler http.Handler, prefix string) {
		answer := ask(handler, "GET", "http://localhost"+prefix+"/metrics", "Authorization", "Bearer x")
		if want := "metrics GET /metrics Basic cmVhZGVyOnNlY3JldA== "; answer.Body.String() != want {
			t.Errorf("%q, want %q", answer.Body, want)
		}
	})
}

func TestEachServerHasItsOwnMount(t *testing.T) {
	eu, us := telling(t, "eu"), telling(t, "us")
	handler := behindGuard(t, listOf(t,
		Server{Name: "eu", URL: eu.URL + "/below/", Metrics: eu.URL},
		Server{Name: "us", URL: us.URL, Metrics: us.URL + "/numbers?a=b"}))
	for path, want := range map[string]string{
		"/s/eu/api/db/get/_-8A_w==":  "eu GET /below/api/db/get/_-8A_w== Bearer x",
		"/s/us/api/db/scan?limit=1":  "us GET /api/db/scan?limit=1 Bearer x",
		"/s/us/api/db/use/caf%C3%A9": "us GET /api/db/use/caf%C3%A9 Bearer x",
		"/s/us/api":                  "us GET /api/ Bearer x",
		"/s/eu/metrics":              "eu GET /metrics ",
		"/s/us/metrics?x=y":          "us GET /numbers?a=b ",
	} {
		answer := ask(handler, "GET", "http://localhost"+path, "Authorization", "Bearer x")
		if answer.Code != 200 || strings.TrimSpace(answer.Body.String()) != strings.TrimSpace(want) {
			t.Errorf("%s: %d %q, want %q", path, answer.Code, answer.Body, want)
		}
	}
}

// Nothing of a request chooses where it goes but a name of the list.
func TestListIsNoOpenProxy(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	host := strings.TrimPrefix(other.URL, "http://")
	handler := behindGuard(t, listOf(t, Server{Name: "eu", URL: telling(t, "eu").URL}))
	for _, c := range []struct {
		target string
		header []string
		status int
	}{
		{"http://localhost/s/us/api/health", nil, 404},
		{"http://localhost/s/EU/api/health", nil, 404},
		{"http://localhost/s/" + host + "/api/health", nil, 404},
		{"http://localhost/s/http:%2f%2f" + host + "/api/health", nil, 404},
		{"http://localhost/s/../api/health", nil, 400},
		{"http://localhost/s/%2e%2e/api/health", nil, 400},
		{"http://localhost/s/eu/api/../../../etc", nil, 400},
		{"http://localhost/s/eu/api/%2e%2e/debug", nil, 400},
		{"http://localhost/s//api/health", nil, 404},
		{"http://localhost/s/eu", nil, 404},
		{"http://localhost/s/eu/debug/pprof", nil, 404},
		{"http://localhost/s/eu/metrics/x", nil, 404},
		{"http://localhost/s/eu/api/health", []string{"X-Forwarded-Host", host, "Forwarded", "host=" + host}, 200},
		{"http://" + host + "/s/eu/api/health", nil, 200},
	} {
		if answer := ask(handler, "GET", c.target, c.header...); answer.Code != c.status {
			t.Errorf("%s: %d %s, want %d", c.target, answer.Code, answer.Body, c.status)
		}
	}
	if asked != 0 {
		t.Errorf("%d requests reached another server", asked)
	}
}

func TestPagesCarryTheList(t *testing.T) {
	servers := listOf(t, Server{Name: "eu", URL: "https://db1:8080/a&b"}, Server{Name: "us-2", URL: "http://db2"})
	handler := behindGuard(t, servers)
	tag := regexp.MustCompile(`<meta name="webconsole-servers" content="([^"]*)"></head>`)
	direct := ask(handler, "GET", "http://localhost/servers.json")
	checkDataHeaders(t, direct.Header(), "servers.json")
	list := listIn(t, direct.Body.String())
	if len(list.Servers) != 2 || list.Servers[0].Name != "eu" || list.Servers[0].Address != "https://db1:8080/a&b" ||
		list.Servers[1].Name != "us-2" || list.Servers[0].ID == list.Servers[1].ID || len(list.Servers[0].ID) != 16 {
		t.Errorf("%+v", list)
	}
	if got := direct.Header().Get(ServersHeader); got != list.Version || len(got) != 16 {
		t.Errorf("version %q in the header, %q in the list", got, list.Version)
	}
	if got := direct.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("type %q", got)
	}
	for _, path := range []string{"/", "/query", "/query/", "/nowhere", "/index.html"} {
		answer := ask(handler, "GET", "http://localhost"+path)
		match := tag.FindStringSubmatch(answer.Body.String())
		if match == nil || html.UnescapeString(match[1]) != direct.Body.String() {
			t.Errorf("%s: %s", path, answer.Body)
		}
	}
	alone := ask(testSite(t), "GET", "/")
	if strings.Contains(alone.Body.String(), "webconsole-servers") {
		t.Error("a console with one server speaks of a list")
	}
	if answer := ask(testSite(t), "GET", "/servers.json"); answer.Code != 404 {
		t.Errorf("a console with one server has a list: %d", answer.Code)
	}
}

func TestListIsOnlyReadAndOnlyFromHere(t *testing.T) {
	handler := behindGuard(t, listOf(t, Server{Name: "eu", URL: "http://127.0.0.1:1"}))
	for _, c := range []struct {
		method  string
		headers []string
		status  int
	}{
		{"GET", nil, 200},
		{"HEAD", nil, 200},
		{"POST", nil, 405},
		{"GET", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", []string{"Origin", "http://evil.example"}, 403},
	} {
		answer := ask(handler, c.method, "http://localhost/servers.json", c.headers...)
		if answer.Code != c.status {
			t.Errorf("%s %v: %d", c.method, c.headers, answer.Code)
		}
		checkDataHeaders(t, answer.Header(), c.method)
	}
}

func TestListThatIsRefused(t *testing.T) {
	const url = "http://127.0.0.1:1"
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	servers := listOf(t, Server{Name: "eu", URL: url})
	before := servers.current.Load()
	for name, c := range map[string]struct {
		list   []Server
		reason string
	}{
		"nothing":            {nil, "the list of servers is empty"},
		"no name":            {[]Server{{URL: url}}, `server name ""`},
		"folder":             {[]Server{{Name: "a/b", URL: url}}, `server name "a/b"`},
		"parent":             {[]Server{{Name: "..", URL: url}}, `server name ".."`},
		"here":               {[]Server{{Name: ".", URL: url}}, `server name "."`},
		"encoded":            {[]Server{{Name: "a%2fb", URL: url}}, `server name "a%2fb"`},
		"space":              {[]Server{{Name: "a b", URL: url}}, `server name "a b"`},
		"other letters":      {[]Server{{Name: "köln", URL: url}}, "server name"},
		"markup":             {[]Server{{Name: `"><b>`, URL: url}}, "server name"},
		"query":              {[]Server{{Name: "a?b", URL: url}}, "server name"},
		"line break":         {[]Server{{Name: "a\n", URL: url}}, "server name"},
		"long":               {[]Server{{Name: strings.Repeat("a", 64), URL: url}}, "server name"},
		"twice":              {[]Server{{Name: "eu", URL: url}, {Name: "eu", URL: url}}, `two servers have the name "eu"`},
		"twice in case":      {[]Server{{Name: "eu", URL: url}, {Name: "EU", URL: url}}, `two servers have the name "EU"`},
		"no address":         {[]Server{{Name: "eu"}}, "server eu: want an address"},
		"bare address":       {[]Server{{Name: "eu", URL: "db1:8080"}}, "server eu: want an address"},
		"only a port":        {[]Server{{Name: "eu", URL: "http://:8080"}}, "server eu: want an address"},
		"other scheme":       {[]Server{{Name: "eu", URL: "ftp://db1"}}, "server eu: want an address"},
		"not an address":     {[]Server{{Name: "eu", URL: "http://a b"}}, "server eu: want an address"},
		"login":              {[]Server{{Name: "eu", URL: "http://u:secret@db1"}}, "has a user name"},
		"query in address":   {[]Server{{Name: "eu", URL: url + "?a=b"}}, "has a query"},
		"metrics":            {[]Server{{Name: "eu", URL: url, Metrics: "9497"}}, "server eu: metrics: want an address"},
		"negative timeout":   {[]Server{{Name: "eu", URL: url, Timeout: -time.Second}}, "negative"},
		"CA without TLS":     {[]Server{{Name: "eu", URL: url, CA: empty}}, "needs an https address"},
		"missing CA":         {[]Server{{Name: "eu", URL: "https://db1", CA: folder + "/none"}}, "no such file"},
		"CA of nothing":      {[]Server{{Name: "eu", URL: "https://db1", CA: empty}}, "has no certificate"},
		"key alone":          {[]Server{{Name: "eu", URL: "https://db1", Key: empty}}, "both cert and key"},
		"broken certificate": {[]Server{{Name: "eu", URL: "https://db1", Certificate: empty, Key: empty}}, "client certificate"},
		"second is bad":      {[]Server{{Name: "us", URL: url}, {Name: "eu", URL: "x"}}, "server eu"},
	} {
		_, err := NewServers(c.list)
		if err == nil || !strings.Contains(err.Error(), c.reason) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want one about %q", name, err, c.reason)
		}
		if servers.Set(c.list) == nil || servers.current.Load() != before {
			t.Errorf("%s: replaced the list", name)
		}
	}
}

func TestListCanBeReplaced(t *testing.T) {
	first, second := telling(t, "first"), telling(t, "second")
	servers := listOf(t, Server{Name: "eu", URL: first.URL}, Server{Name: "us", URL: first.URL})
	handler := behindGuard(t, servers)
	before := listIn(t, ask(handler, "GET", "http://localhost/servers.json").Body.String())
	page := ask(handler, "GET", "http://localhost/").Header().Get("ETag")
	if err := servers.Set([]Server{{Name: "eu", URL: second.URL}}); err != nil {
		t.Fatal(err)
	}
	after := listIn(t, ask(handler, "GET", "http://localhost/servers.json").Body.String())
	if before.Version == after.Version || before.Servers[0].ID == after.Servers[0].ID || len(after.Servers) != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if now := ask(handler, "GET", "http://localhost/"); now.Header().Get("ETag") == page || !strings.Contains(now.Body.String(), after.Version) {
		t.Error("pages carry the old list")
	}
	for _, c := range []struct {
		name, path, id string
		status, code   int
		says, body     string
	}{
		{"no id", "/s/eu/api/db/set", "", 200, 0, "", "second POST /api/db/set Bearer x"},
		{"the new id", "/s/eu/api/db/set", after.Servers[0].ID, 200, 0, "", "second POST /api/db/set Bearer x"},
		{"the old id", "/s/eu/api/db/set", before.Servers[0].ID, 421, 9, "changed", "nothing was sent"},
		{"a removed name", "/s/us/api/db/set", before.Servers[1].ID, 404, 5, "unknown", "nothing was executed"},
	} {
		header := []string{"Authorization", "Bearer x"}
		if c.id != "" {
			header = append(header, ServerHeader, c.id)
		}
		answer := ask(handler, "POST", "http://localhost"+c.path, header...)
		if answer.Code != c.status || answer.Header().Get(ServerHeader) != c.says || !strings.Contains(answer.Body.String(), c.body) {
			t.Errorf("%s: %d, %q, %s", c.name, answer.Code, answer.Header().Get(ServerHeader), answer.Body)
		}
		if got := answer.Header().Get(ServersHeader); got != after.Version {
			t.Errorf("%s: version %q", c.name, got)
		}
		if c.code != 0 {
			if _, code := refusalIn(t, answer.Body); code != c.code {
				t.Errorf("%s: code %d", c.name, code)
			}
		}
	}
}

// The id and the version say what leads where, so they survive a restart.
func TestIDsAreStable(t *testing.T) {
	list := []Server{{Name: "eu", URL: "http://db1"}, {Name: "us", URL: "http://db2"}}
	one, same, turned := listOf(t, list...), listOf(t, list...), listOf(t, list[1], list[0])
	if string(one.current.Load().text) != string(same.current.Load().text) {
		t.Error("the same list has another text")
	}
	if one.current.Load().version == turned.current.Load().version {
		t.Error("another order has the same version")
	}
	if one.current.Load().byName["eu"].ID != turned.current.Load().byName["eu"].ID {
		t.Error("another order has other ids")
	}
}

// A call under way ends where it began, and the list may change meanwhile.
func TestListCanBeReplacedDuringACall(t *testing.T) {
	reached, release := make(chan bool), make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached <- true
		<-release
		io.WriteString(w, "of the old one")
	}))
	defer slow.Close()
	servers := listOf(t, Server{Name: "eu", URL: slow.URL})
	handler := behindGuard(t, servers)
	answered := make(chan string)
	go func() { answered <- ask(handler, "POST", "http://localhost/s/eu/api/db/set").Body.String() }()
	<-reached
	if err := servers.Set([]Server{{Name: "eu", URL: telling(t, "new").URL}}); err != nil {
		t.Fatal(err)
	}
	if now := ask(handler, "GET", "http://localhost/s/eu/api/health").Body.String(); !strings.HasPrefix(now, "new ") {
		t.Errorf("a new call got %s", now)
	}
	close(release)
	if got := <-answered; got != "of the old one" {
		t.Errorf("the call under way got %q", got)
	}
}

// Without the guard a page of any site could write.
func TestNothingIsPassedOnWithoutTheGuard(t *testing.T) {
	servers := listOf(t, Server{Name: "eu", URL: telling(t, "eu").URL})
	handler, err := Handler(WithServers(servers))
	if err != nil {
		t.Fatal(err)
	}
	for name, unguarded := range map[string]http.Handler{
		"no guard":      handler,
		"another guard": Guard(handler, GuardOptions{}),
	} {
		for _, path := range []string{"/s/eu/api/health", "/s/eu/metrics"} {
			answer := ask(unguarded, "GET", "http://localhost"+path)
			if text, code := refusalIn(t, answer.Body); answer.Code != 500 || code != 13 || !strings.Contains(text, "GuardOptions.Servers") {
				t.Errorf("%s: %s: %d %s", name, path, answer.Code, text)
			}
		}
	}
	if answer := ask(Guard(handler, GuardOptions{Servers: servers}), "GET", "http://localhost/s/eu/api/health"); answer.Code != 200 {
		t.Errorf("guarded: %d %s", answer.Code, answer.Body)
	}
	if _, err := Handler(WithServers(nil)); err == nil {
		t.Error("no list is accepted")
	}
}

func TestServersFile(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "servers.json")
	read := func(text string) ([]Server, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return ReadServers(file)
	}
	list, err := read(`[{"name":"eu","url":"https://db1:8080","metrics":"https://db1:9497/metrics",
		"ca":"ca.pem","cert":"/etc/client.pem","key":"keys/client.key","timeout":"1m30s"},{"name":"us","url":"http://db2"}]`)
	want := Server{Name: "eu", URL: "https://db1:8080", Metrics: "https://db1:9497/metrics", CA: filepath.Join(folder, "ca.pem"),
		Certificate: "/etc/client.pem", Key: filepath.Join(folder, "keys/client.key"), Timeout: 90 * time.Second}
	if err != nil || len(list) != 2 || list[0] != want || list[1] != (Server{Name: "us", URL: "http://db2"}) {
		t.Errorf("%+v, %v", list, err)
	}
	for text, reason := range map[string]string{
		``:                    "EOF",
		`{"name":"eu"}`:       "want a JSON list",
		`[{"name":"eu"}`:      "unexpected EOF",
		`[{"nam":"eu"}]`:      `unknown field "nam"`,
		`[{"name":1}]`:        "want a JSON list",
		`[] []`:               "more text",
		`[{"timeout":"30"}]`:  `the timeout "30"`,
		`[{"timeout":"-1s"}]`: `the timeout "-1s"`,
		`[{"timeout":30}]`:    "want a JSON list",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want one about %q", text, err, reason)
		}
	}
	if _, err := ReadServers(filepath.Join(folder, "none.json")); err == nil {
		t.Error("a missing file is read")
	}
}
