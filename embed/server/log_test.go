package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// logged is what a request leaves in the log.
func logged(t *testing.T, format string, s settings, handler http.HandlerFunc, r *http.Request) string {
	t.Helper()
	var text bytes.Buffer
	front := logRequests(newLog(format, &text), s, handler)
	func() {
		defer func() { _ = recover() }()
		front.ServeHTTP(httptest.NewRecorder(), r)
	}()
	return text.String()
}

func TestLogOfARequestHasNoSecret(t *testing.T) {
	r := httptest.NewRequest("POST", "http://localhost/ops/api/db/get/c2VjcmV0?sql=SELECT+secret&token=secret",
		strings.NewReader(`{"sql":"INSERT secret"}`))
	r.RemoteAddr = "192.0.2.7:5000"
	for _, name := range []string{"Authorization", "Webconsole-Token", "Sessionid", "Cookie", "X-Remote-User"} {
		r.Header.Set(name, "secret")
	}
	r.Header.Set("X-Forwarded-For", "10.1.1.1")
	answer := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		w.Write([]byte("secret answer"))
	}
	text := logged(t, "json", settings{prefix: "/ops"}, answer, r)
	var record map[string]any
	if err := json.Unmarshal([]byte(text), &record); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for name, want := range map[string]any{
		"level": "INFO", "msg": "request", "method": "POST", "path": "/ops/api/db/get/*", "from": "192.0.2.7",
		"forwarded": "10.1.1.1", "status": 418.0, "bytes": 13.0, "user": nil,
	} {
		if record[name] != want {
			t.Errorf("%s: %v, want %v", name, record[name], want)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "c2VjcmV0") || record["ms"] == nil || record["time"] == nil {
		t.Error(text)
	}
	if text := logged(t, "text", settings{userHeader: "X-Remote-User"}, answer, r); !strings.Contains(text, " user=secret ") {
		t.Error(text)
	}
}

func TestLoggedPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/":                                "/",
		"/query":                           "/query",
		"/assets/main-ABC.js":              "/assets/main-ABC.js",
		"/api/login":                       "/api/login",
		"/api/db/use/customers":            "/api/db/use/*",
		"/api/db/verifiable/tx/7":          "/api/db/verifiable/tx/*",
		"/api/v2/collection/a/document":    "/api/v2/collection/*/document",
		"/api/v2/collection/a:secret":      "/api/v2/collection/*",
		"/s/eu/api/db/tables/t":            "/s/eu/api/db/tables/*",
		"/s/eu/metrics":                    "/s/eu/metrics",
		"/checkpoints/":                    "/checkpoints/",
		"/checkpoints/customers.txt":       "/checkpoints/*",
		"/API/db/get/x":                    "/API/db/get/x", // no call: nothing answers there
		"/api/authorization/session/open/": "/api/authorization/session/open/",
	} {
		if got := loggedPath(path, ""); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if got := loggedPath("/ops"+path, "/ops"); got != "/ops"+want {
			t.Errorf("/ops%s: %s", path, got)
		}
	}
}

// The path in the log is the one that was asked for, and what a mux redirects to
// a call has the keys of one, too.
func TestLoggedPathsThatAreWrittenOtherwise(t *testing.T) {
	for path, want := range map[string]string{
		"/api/db/get/secret":             "/api/db/get/*",
		"/s/eu/api/db/get/secret":        "/s/eu/api/db/get/*",
		"/ops//api/db/get/secret":        "/ops/api/db/get/*",
		"/x/../ops/api/db/get/secret":    "/ops/api/db/get/*",
		"/ops/../ops/api/db/get/secret/": "/ops/api/db/get/*/",
		"/ops/s/eu//api/db/get/secret":   "/ops/s/eu/api/db/get/*",
		"/opsapi/x":                      "/opsapi/x",
		"*":                              "*",
		"":                               "",
	} {
		if got := loggedPath(path, "/ops"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// What a client chooses cannot forge a line, nor fill the disk.
func TestLogStaysALine(t *testing.T) {
	r := httptest.NewRequest("GET", "http://localhost/", nil)
	r.Method = strings.Repeat("X", 5000)
	r.URL.Path = "/a\nlevel=INFO msg=forged " + strings.Repeat("y", 5000)
	r.Header.Set("X-Forwarded-For", strings.Repeat("1", 5000)+"\nforged")
	for _, format := range []string{"text", "json"} {
		text := logged(t, format, settings{}, func(http.ResponseWriter, *http.Request) {}, r)
		if strings.Count(text, "\n") != 1 || len(text) > 1000 || !strings.Contains(text, "200") {
			t.Errorf("%s: %s", format, text)
		}
	}
}

func TestLogOfWhatIsCutAndOfProbes(t *testing.T) {
	r := httptest.NewRequest("GET", "http://localhost/api/health", nil)
	dropped := logged(t, "text", settings{}, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, r)
	if !strings.Contains(dropped, " status=0 ") || !strings.Contains(dropped, " cut=true") {
		t.Error(dropped)
	}
	for _, status := range []int{200, 503} {
		probe := httptest.NewRequest("GET", "http://localhost/readyz", nil)
		text := logged(t, "text", settings{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }, probe)
		if (text == "") != (status == 200) {
			t.Errorf("%d: %q", status, text)
		}
	}
}

// Messages are records of the same form, warnings with their level.
func TestMessagesInTheLog(t *testing.T) {
	var text bytes.Buffer
	lines := &logLines{log: newLog("json", &text)}
	for _, piece := range []string{"Console  http://a/\nWarn", "ing: something\n\n", "rest"} {
		lines.Write([]byte(piece))
	}
	var records []map[string]any
	for decoder := json.NewDecoder(&text); decoder.More(); {
		var record map[string]any
		if err := decoder.Decode(&record); err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	if len(records) != 2 || records[0]["msg"] != "Console  http://a/" || records[1]["level"] != "WARN" || records[1]["msg"] != "something" {
		t.Errorf("%v", records)
	}
}

// A word of a call that immudb has and the log does not know would be hidden.
func TestLogKnowsTheCallsOfTheConsole(t *testing.T) {
	for _, call := range strings.Fields("/login /logout /user/list /db/list/v2 /db/use /db/state /db/sqlquery /db/sqlexec " +
		"/db/getall /db/verifiable/set /v2/authorization/session/open /v2/collection/*/documents/search /db/create/v2") {
		if got := loggedPath("/api"+call, ""); got != "/api"+call {
			t.Errorf("%s: %s", call, got)
		}
	}
}
