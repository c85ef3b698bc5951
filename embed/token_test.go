package webconsole

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// What the server behind gets, and what the answer says, for each way to send a
// token or a password.
func TestTokenInAHeaderOfItsOwn(t *testing.T) {
	const basic = "Basic b3BzOnNlY3JldA=="
	cases := []struct{ own, authorization, passed, says string }{
		{"v2.public.x", "", "Bearer v2.public.x", "taken"},
		{"v2.public.x", basic, "Bearer v2.public.x", "taken"},
		{"v2.public.x", "Bearer v2.public.y", "Bearer v2.public.x", "taken"},
		{"", "Bearer v2.public.y", "Bearer v2.public.y", "known"},
		{"", "v2.public.y", "v2.public.y", "known"},
		{"", basic, "", "known"},
		{"", "basic b3BzOnNlY3JldA==", "", "known"},
		{"", "Digest username=ops", "", "known"},
		{"", "", "", "known"},
	}
	var got http.Header
	record := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	mountedWith(t, GuardOptions{}, record, func(t *testing.T, handler http.Handler, prefix string) {
		for _, c := range cases {
			r := localRequest(prefix + "/api/db/state")
			if c.own != "" {
				r.Header.Set("Webconsole-Token", c.own)
			}
			if c.authorization != "" {
				r.Header.Set("Authorization", c.authorization)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if got.Get("Authorization") != c.passed || got.Get("Webconsole-Token") != "" {
				t.Errorf("%+v: passed on %v", c, got)
			}
			if says := w.Header().Get("Webconsole-Token"); says != c.says {
				t.Errorf("%+v: says %q", c, says)
			}
		}
		// Pages and metrics are not the API.
		r := localRequest(prefix + "/query")
		r.Header.Set("Authorization", basic)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got.Get("Authorization") != basic || w.Header().Get("Webconsole-Token") != "" {
			t.Errorf("a page: %v, %v", got, w.Header())
		}
	})
}

// The token counts for every rule of the guard, as one in Authorization does.
func TestTokenInAHeaderOfItsOwnIsAToken(t *testing.T) {
	r := localRequest("/api/db/flushindex")
	r.Header.Set("Webconsole-Token", "v2.public.x")
	w := httptest.NewRecorder()
	guarded(GuardOptions{}).ServeHTTP(w, r)
	if w.Code != http.StatusNoContent {
		t.Errorf("a deliberate call: %d", w.Code)
	}
	r = localRequest("/api/db/flushindex")
	r.Header.Set("Authorization", "Basic b3BzOnNlY3JldA==")
	w = httptest.NewRecorder()
	guarded(GuardOptions{}).ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("a password that the browser added: %d", w.Code)
	}
}

func localRequest(path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost"
	return r
}
