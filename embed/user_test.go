package webconsole

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestUserOfAGateway(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{" ada@example.org "}, "ada@example.org"},
		{[]string{"Žofie Nováková"}, "Žofie Nováková"},
		{[]string{"ada", "eve"}, ""},
		{[]string{"ada\x00"}, ""},
		{[]string{"ada\nlevel=ERROR"}, ""},
		{[]string{"\xff"}, ""},
		{[]string{strings.Repeat("a", 257)}, ""},
	} {
		header := http.Header{"X-Remote-User": c.values}
		if got := UserOf(header, "X-Remote-User"); got != c.want {
			t.Errorf("%q: %q", c.values, got)
		}
		if got := UserOf(header, ""); got != "" {
			t.Errorf("%q without a setting: %q", c.values, got)
		}
	}
}

// The name reaches a server only from the gateway that the setting names.
func TestForwardedUserIsTheGateways(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Join(r.Header.Values("X-Forwarded-User"), "|"))
	}))
	t.Cleanup(server.Close)
	proxy, err := NewProxy(Server{URL: server.URL, Metrics: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := NewServers([]Server{{Name: "eu", URL: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	named, err := Handler(WithServers(servers))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, setting, header, want string
	}{
		{"off", "", "X-Forwarded-User", ""},
		{"off, another header", "", "X-Remote-User", ""},
		{"on", "X-Remote-User", "X-Remote-User", "ada"},
		{"on, in the header that it becomes", "X-Forwarded-User", "X-Forwarded-User", "ada"},
		{"on, but told in another header", "X-Remote-User", "X-Forwarded-User", ""},
	} {
		for path, handler := range map[string]http.Handler{
			"/api/health":      Guard(proxy.API, GuardOptions{UserHeader: c.setting}),
			"/s/eu/api/health": Guard(named, GuardOptions{UserHeader: c.setting, Servers: servers}),
			"/metrics":         Guard(proxy.Metrics, GuardOptions{UserHeader: c.setting}),
		} {
			want := c.want
			if path == "/metrics" {
				want = ""
			}
			// A client cannot have it dropped on the way, either.
			answer := ask(handler, "GET", "http://localhost"+path, c.header, "ada", "Connection", "X-Forwarded-User, "+c.header)
			if got := answer.Body.String(); got != want {
				t.Errorf("%s, %s: %q, want %q", c.name, path, got, want)
			}
		}
	}
}
