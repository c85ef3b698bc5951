package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// taken runs some work and returns the most memory in MiB that the heap took
// meanwhile.
func taken(work func()) uint64 {
	done, most := make(chan bool), make(chan uint64)
	runtime.GC()
	heap := func() uint64 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	before := heap()
	go func() {
		peak := before
		for {
			select {
			case <-done:
				most <- peak - before
				return
			case <-time.After(time.Millisecond):
				peak = max(peak, heap())
			}
		}
	}()
	work()
	close(done)
	return <-most >> 20
}

// Without a login no body takes memory, and without one that is needed, its
// shape has bounds. The real database runs in three modes, one after the other.
func TestBodiesOfTheRealServer(t *testing.T) {
	folder := t.TempDir()
	post := func(r *running, path, token string, body io.Reader) (int, string) {
		t.Helper()
		request, err := http.NewRequest("POST", r.console+"api/"+path, body)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	deep := func(n int) string {
		return `{"documents":[{"a":` + strings.Repeat("[", n) + `"` + strings.Repeat("a", 200<<10) + `"` + strings.Repeat("]", n) + `}]}`
	}
	empty := `{"KVs":[` + strings.Repeat("{},", 80_000) + `{}]}`
	large := `{"KVs":[{"key":"YQ==","value":"` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("a"), 300<<10)) + `"}]}`

	r := start(t, "--dir", filepath.Join(folder, "secured"))
	for _, token := range []string{"", "x"} {
		most := taken(func() {
			for path, body := range map[string]string{"db/set": empty, "v2/collection/a/documents": deep(5000), "db/set:": large} {
				code, text := post(r, path, token, strings.NewReader(body))
				want := `"error":"Please login"`
				switch {
				case token != "" && strings.HasSuffix(path, "documents"):
					want = "deep inside"
				case token != "":
					want = `"error":"invalid token"`
				}
				if token == "" && code != 401 || !strings.Contains(text, want) {
					t.Errorf("%s with the token %q: %d %s", path, token, code, text)
				}
			}
		})
		if most > 64 {
			t.Errorf("bodies with the token %q take %d MiB", token, most)
		}
	}
	user := base64.StdEncoding.EncodeToString([]byte("immudb"))
	var login struct{ Token string }
	_, text := post(r, "login", "", strings.NewReader(`{"user":"`+user+`","password":"`+user+`"}`))
	if err := json.Unmarshal([]byte(text), &login); err != nil || login.Token == "" {
		t.Fatal(text)
	}
	accepted := func(r *running, token string) {
		t.Helper()
		if code, text := post(r, "db/set", token, strings.NewReader(large)); code != 200 {
			t.Errorf("a large value: %d %s", code, text)
		}
		if code, text := post(r, "v2/collection/a/documents", token, strings.NewReader(deep(5000))); code != 413 || !strings.Contains(text, "deep inside") {
			t.Errorf("a deep document: %d %s", code, text)
		}
		if code, text := post(r, "v2/collection/a/documents", token, strings.NewReader(deep(90))); code == 413 || code == 401 {
			t.Errorf("a less deep document: %d %s", code, text)
		}
	}
	accepted(r, login.Token)
	r.stop()
	<-r.code

	r = start(t, "--dir", filepath.Join(folder, "open"), "--auth=false")
	accepted(r, "")
	r.stop()
	<-r.code

	r = start(t, "--dir", filepath.Join(folder, "open"), "--auth=false", "--maintenance")
	// The console selects a database when it reads this, and gets a token.
	if _, text := post(r, "db/scan", "", strings.NewReader(`{"limit":"1"}`)); !strings.Contains(text, "please select database first") {
		t.Errorf("a read in maintenance mode: %s", text)
	}
	var given struct{ Token string }
	_, text = get(t, r.console+"api/db/use/defaultdb")
	if err := json.Unmarshal([]byte(text), &given); err != nil || given.Token == "" {
		t.Fatal(text)
	}
	if code, text := post(r, "db/set", given.Token, strings.NewReader(large)); code != 400 || !strings.Contains(text, "maintenance") {
		t.Errorf("a write in maintenance mode: %d %s", code, text)
	}
	r.stop()
	<-r.code
}
