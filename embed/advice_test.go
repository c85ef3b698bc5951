package webconsole

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func refused(t *testing.T, host string, headers ...string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/api/login", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	guarded(GuardOptions{}).ServeHTTP(w, r)
	if w.Code < 400 {
		t.Errorf("%s %v: %d", host, headers, w.Code)
	}
	text, _ := refusalIn(t, w.Body)
	return text
}

// What a proxy causes names the setting that helps, to the person who set it up.
func TestRefusalsNameTheSettingThatHelps(t *testing.T) {
	for _, c := range []struct {
		host    string
		headers []string
		want    []string
	}{
		// nginx with proxy_pass alone.
		{"127.0.0.1:8080", []string{"Origin", "http://console.example:81"}, []string{
			"cross-site request refused: ", "console.example:81", "127.0.0.1:8080",
			"proxy_set_header Host $http_host", "--allow-host console.example ",
		}},
		// The same with the Host passed on.
		{"console.example:81", []string{"Origin", "http://console.example:81"}, []string{
			"does not answer to the host name of the request", "console.example:", "--allow-host console.example ",
		}},
		{"", nil, []string{"it has none", "Host header"}},
	} {
		text := refused(t, c.host, c.headers...)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", c.host, text, want)
			}
		}
	}
}

// No setting should let another site in, and nothing odd is repeated.
func TestRefusalsWithoutAdvice(t *testing.T) {
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://a b"},
		{"Origin", "http://" + strings.Repeat("a", 300) + ".example"},
	} {
		if text := refused(t, "localhost", headers...); text != "cross-site request refused" {
			t.Errorf("%v: %q", headers, text)
		}
	}
	if text := refused(t, "<b>evil"); strings.Contains(text, "evil") {
		t.Error(text)
	}
}

func TestRefusedPageNamesTheSettingToo(t *testing.T) {
	answer := ask(guarded(GuardOptions{}), "GET", "http://console.example/")
	if answer.Code != 421 || !strings.Contains(answer.Body.String(), "--allow-host console.example") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}
