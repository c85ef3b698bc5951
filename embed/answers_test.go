package webconsole

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// serverThatAnswers has a health with a status; 0 hangs.
func serverThatAnswers(t *testing.T, status int) string {
	t.Helper()
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/health" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if status == 0 {
			<-over
			return
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(over) })
	return server.URL
}

func TestWhetherServersAnswer(t *testing.T) {
	well, ill, hung := serverThatAnswers(t, 200), serverThatAnswers(t, 503), serverThatAnswers(t, 0)
	for _, c := range []struct {
		urls []string
		want bool
	}{
		{[]string{well}, true},
		{[]string{ill}, false},
		{[]string{hung}, false},
		{[]string{"http://127.0.0.1:1"}, false},
		{[]string{"http://127.0.0.1:1", hung, ill, well}, true},
		{[]string{"http://127.0.0.1:1", hung, ill}, false},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if c.want {
			ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		}
		var list []Server
		for i, url := range c.urls {
			list = append(list, Server{Name: string(rune('a' + i)), URL: url})
		}
		servers, err := NewServers(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := servers.Answer(ctx); got != c.want {
			t.Errorf("%v: %t", c.urls, got)
		}
		if proxy, err := NewProxy(list[0]); err != nil || len(list) == 1 && (proxy.Answers(ctx) == nil) != c.want {
			t.Errorf("%v: %v", c.urls, err)
		}
		cancel()
	}
}
