package webconsole

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// spellings are forms of a call's path. grpc-gateway executes the call for some
// of them; which it takes is tested against it in server/gateway_test.go. What
// stands in front of it may take the others.
func spellings(call string) []string {
	last := call[strings.LastIndex(call, "/")+1:]
	folder := strings.TrimSuffix(call, last)
	return []string{
		call, call + ":", call + "%3a", call + "%3A", call + "%253a", call + "::", call + ":x", call + ":/",
		call + "/", call + "//", call + "/:", folder + "/" + last, "/" + call, folder + strings.ToUpper(last),
		folder + "%" + strings.ToUpper(hexOf(last[0])) + last[1:] + ":",
		folder + "%25" + hexOf(last[0]) + last[1:],
		"/v2" + call, "/v2" + call + ":", "/v2" + call + "%3A", "/V2" + call,
	}
}

func hexOf(b byte) string { return string("0123456789abcdef"[b>>4]) + string("0123456789abcdef"[b&15]) }

func TestEachSpellingOfACallIsTheCall(t *testing.T) {
	for _, call := range []string{"/login", "/authorization/session/open", "/db/flushindex", "/db/compactindex"} {
		for _, spelling := range spellings(call) {
			r := httptest.NewRequest("GET", "http://localhost/api"+spelling, nil)
			if got := plainCall(strings.TrimPrefix(r.URL.Path, "/api")); got != call {
				t.Errorf("%s is %s, want %s", spelling, got, call)
			}
		}
	}
	for path, want := range map[string]string{
		"": "", "/": "", ":": "", "/:": "", "/v2": "", "/v2/": "", "/db/get/a:b": "/db/get/a", "/db/get/YQ==": "/db/get/yq==",
		"/v2/v2/login": "/v2/login", "/v20/login": "/v20/login", "/a:b/login": "/a:b/login", "/50%": "/50%",
	} {
		if got := plainCall(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

// An <img> of another site reaches none of them.
func TestNoSpellingGetsPastTheGuard(t *testing.T) {
	mounted(t, answering("passed on"), func(t *testing.T, handler http.Handler, prefix string) {
		for _, call := range []string{"/db/flushindex", "/db/compactindex"} {
			for _, spelling := range spellings(call) {
				answer := ask(handler, "GET", "http://localhost"+prefix+"/api"+spelling, "Sec-Fetch-Site", "cross-site")
				if answer.Code != 403 {
					t.Errorf("%s: %d %s", spelling, answer.Code, answer.Body)
				}
			}
		}
	})
}

func TestNoSpellingGetsPastTheLimitOfALogin(t *testing.T) {
	mounted(t, reading, func(t *testing.T, handler http.Handler, prefix string) {
		for _, call := range []string{"/login", "/authorization/session/open"} {
			for _, spelling := range spellings(call) {
				r := httptest.NewRequest("POST", "http://localhost"+prefix+"/api"+spelling, strings.NewReader(strings.Repeat(" ", loginLimit+1)))
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				if w.Code != 413 {
					t.Errorf("%s: %d %s", spelling, w.Code, w.Body)
				}
			}
		}
	})
}

// The gateway takes the method of a form from a header, and reads a form itself
// where a call has another method. Nothing sends it forms on purpose, but
// curl calls everything a form.
func TestNoFormReachesTheGateway(t *testing.T) {
	var seen http.Header
	next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
	mounted(t, next, func(t *testing.T, handler http.Handler, prefix string) {
		for sent, want := range map[string]string{
			"application/x-www-form-urlencoded":                "application/json",
			"Application/X-WWW-Form-Urlencoded; charset=utf-8": "application/json",
			"application/json":                                 "application/json", "text/plain": "text/plain", "": "",
		} {
			seen = nil
			headers := []string{"X-HTTP-Method-Override", "DELETE"}
			if sent != "" {
				headers = append(headers, "Content-Type", sent)
			}
			ask(handler, "POST", "http://localhost"+prefix+"/api/logout", headers...)
			if seen == nil || seen.Get("Content-Type") != want || seen.Get("X-Http-Method-Override") != "" {
				t.Errorf("%q: %v", sent, seen)
			}
		}
	})
}
