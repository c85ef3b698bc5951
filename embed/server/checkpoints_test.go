package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const twoNotes = "immudb/c9s2/ledger\n3\nAAAA\n\n— a AAAAAA==\n\nimmudb/c9s2/ledger\n4\nAAAA\n\n— a AAAAAA==\n"

// folderOfCheckpoints has two files to be served among much that is not.
func folderOfCheckpoints(t *testing.T) string {
	t.Helper()
	outside := filepath.Join(t.TempDir(), "outside")
	dir := filepath.Join(t.TempDir(), "checkpoints")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(outside, []byte(twoNotes), 0o600); err != nil {
		t.Fatal(err)
	}
	write("ledger", twoNotes)
	write("журнал.txt", strings.ReplaceAll(twoNotes, "ledger", "журнал"))
	write("key", "PRIVATE+KEY+auditor+00000000+AAAA\n")
	write("state.json", `{"txId": "4"}`)
	write("empty", "")
	write("begun", "immudb/c9s2/led")
	write("other-log", "go.sum database tree\n4\nAAAA\n\n")
	write("crlf", strings.ReplaceAll(twoNotes, "\n", "\r\n"))
	write(".hidden", twoNotes)
	write("below/ledger", twoNotes)
	if runtime.GOOS != "windows" {
		for name, target := range map[string]string{"out": outside, "up": "../../outside", "in": "ledger", "loop": "loop"} {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func checkpointsFront(t *testing.T, args ...string) http.Handler {
	t.Helper()
	nothing := http.NotFoundHandler()
	s := parse(t, args...)
	return newHandler(s, nothing, &source{api: nothing, metrics: nothing})
}

func fetchCheckpoints(t *testing.T, handler http.Handler, method, path string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost/", nil)
	// As it stands, whatever a client makes of dots in it.
	r.URL.Path = path
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Result()
}

func bodyOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestCheckpointsAreListed(t *testing.T) {
	handler := checkpointsFront(t, "--prefix", "/checkpoints/ops", "--checkpoints", folderOfCheckpoints(t))
	answer := fetchCheckpoints(t, handler, "GET", "/checkpoints/ops/checkpoints/")
	var list struct {
		Files []struct {
			Name, Origin, Modified string
			Size                   int
		}
	}
	if err := json.Unmarshal([]byte(bodyOf(t, answer)), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range list.Files {
		names = append(names, file.Name+" "+file.Origin)
		if file.Size < len(twoNotes) || !strings.HasSuffix(file.Modified, "Z") {
			t.Errorf("%+v", file)
		}
	}
	want := "ledger immudb/c9s2/ledger|журнал.txt immudb/c9s2/журнал"
	if runtime.GOOS != "windows" {
		want = "in immudb/c9s2/ledger|" + want
	}
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("listed: %s", got)
	}
}

func TestCheckpointsAreServedAsTheyAre(t *testing.T) {
	handler := checkpointsFront(t, "--checkpoints", folderOfCheckpoints(t))
	answer := fetchCheckpoints(t, handler, "GET", "/checkpoints/ledger")
	if body := bodyOf(t, answer); answer.StatusCode != 200 || body != twoNotes {
		t.Errorf("%d %q", answer.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Content-Type":                 "text/plain; charset=utf-8",
		"Content-Security-Policy":      "sandbox; default-src 'none'; frame-ancestors 'none'",
		"Cache-Control":                "no-store",
		"X-Content-Type-Options":       "nosniff",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	head := fetchCheckpoints(t, handler, "HEAD", "/checkpoints/ledger")
	if body := bodyOf(t, head); head.StatusCode != 200 || body != "" {
		t.Errorf("HEAD: %d %q", head.StatusCode, body)
	}
}

func TestNothingElseIsServedAsCheckpoints(t *testing.T) {
	handler := checkpointsFront(t, "--checkpoints", folderOfCheckpoints(t))
	for _, name := range []string{
		"key", "state.json", "empty", "begun", "other-log", "crlf", ".hidden", "below", "below/ledger", "below/",
		"out", "up", "loop", "missing", "..", "../outside", "../checkpoints/ledger", "/ledger", "ledger/", `..\outside`, "ledger\x00",
	} {
		answer := fetchCheckpoints(t, handler, "GET", "/checkpoints/"+name)
		if body := bodyOf(t, answer); answer.StatusCode == 200 || strings.Contains(body, "immudb/") || strings.Contains(body, "KEY") {
			t.Errorf("%q: %d %q", name, answer.StatusCode, body)
		}
	}
}

func TestCheckpointsCannotBeWritten(t *testing.T) {
	dir := folderOfCheckpoints(t)
	handler := checkpointsFront(t, "--checkpoints", dir)
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		if answer := fetchCheckpoints(t, handler, method, "/checkpoints/ledger"); answer.StatusCode == 200 {
			t.Errorf("%s: %d", method, answer.StatusCode)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "ledger")); err != nil || string(text) != twoNotes {
		t.Errorf("%v %q", err, text)
	}
}

func TestLargeCheckpointsAreRefused(t *testing.T) {
	dir := folderOfCheckpoints(t)
	handler := checkpointsFront(t, "--checkpoints", dir)
	if err := os.Truncate(filepath.Join(dir, "ledger"), largestCheckpoints); err != nil {
		t.Fatal(err)
	}
	if answer := fetchCheckpoints(t, handler, "HEAD", "/checkpoints/ledger"); answer.StatusCode != 200 {
		t.Errorf("64 MiB: %d", answer.StatusCode)
	}
	if err := os.Truncate(filepath.Join(dir, "ledger"), largestCheckpoints+1); err != nil {
		t.Fatal(err)
	}
	answer := fetchCheckpoints(t, handler, "GET", "/checkpoints/ledger")
	if body := bodyOf(t, answer); answer.StatusCode != 413 || !strings.Contains(body, "64 MiB") {
		t.Errorf("more: %d %.100q", answer.StatusCode, body)
	}
}

func TestFolderOfCheckpointsMayGo(t *testing.T) {
	dir := folderOfCheckpoints(t)
	handler := checkpointsFront(t, "--checkpoints", dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if answer := fetchCheckpoints(t, handler, "GET", "/checkpoints/"); answer.StatusCode != 503 {
		t.Errorf("%d", answer.StatusCode)
	}
}

func TestWithoutFolderThereAreNoCheckpoints(t *testing.T) {
	if answer := fetchCheckpoints(t, checkpointsFront(t), "GET", "/checkpoints/"); answer.StatusCode != 404 {
		t.Errorf("%d", answer.StatusCode)
	}
}

func TestCheckpointsFlag(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(t.TempDir(), "missing")} {
		_, err := parseFlags([]string{"--checkpoints", dir}, noEnvironment, io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), "--checkpoints: ") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
