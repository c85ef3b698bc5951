package audit

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func tellerOf(f *folder, stdout io.Writer) *teller {
	return &teller{folder: f, stdout: stdout, now: time.Now, client: http.DefaultClient, environment: os.Environ()}
}

func someFinding(t *testing.T, f *folder) *finding {
	t.Helper()
	found := &finding{
		servers: []string{"eu"}, database: "defaultdb", told: told{},
		content: []byte(`{"what":"Rolled back.","kind":"state","checkedAt":"2026-01-02T03:04:05.000Z","outcome":{"reason":"rolled-back"}}`),
	}
	if err := f.keep(found, time.Now()); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAFindingIsToldByEveryWayAndEachWayOnce(t *testing.T) {
	f := newFolder(t)
	var posted atomic.Int32
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var event Event
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil || event.Reason != "rolled-back" || event.Finding == "" {
			t.Errorf("%v %+v", err, event)
		}
		if posted.Add(1) == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer hook.Close()
	ran := filepath.Join(t.TempDir(), "ran")
	var stdout safeBuffer
	teller := tellerOf(f, &stdout)
	teller.command = `cat >> "` + ran + `" && test "$1" = "$FINDING"`
	teller.webhook, _ = url.Parse(hook.URL + "/secret")
	found := someFinding(t, f)
	teller.take(found)
	if left, next := teller.tellOpen(t.Context()); left != 1 || next > firstWait {
		t.Errorf("%d left, next in %s", left, next)
	}
	// Not before its wait is over.
	if teller.tellOpen(t.Context()); posted.Load() != 1 {
		t.Errorf("posted %d times", posted.Load())
	}
	found.waits["webhook"].until = time.Now()
	if left, _ := teller.tellOpen(t.Context()); left != 0 {
		t.Errorf("%d left", left)
	}
	text := stdout.take()
	if strings.Count(text, `"event":"finding"`) != 1 || strings.Count(text, `"event":"not-told"`) != 1 {
		t.Error(text)
	}
	if strings.Contains(text, "secret") {
		t.Errorf("the address of the webhook is in %s", text)
	}
	if commands, err := os.ReadFile(ran); err != nil || strings.Count(string(commands), "\n") != 1 {
		t.Errorf("%s %v", commands, err)
	}

	// After a restart it is known to have been told.
	again := tellerOf(f, &stdout)
	again.webhook, again.command = teller.webhook, teller.command
	list, err := f.findings()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	again.take(list...)
	if again.untold() != 0 || posted.Load() != 2 {
		t.Errorf("%d untold, posted %d times", again.untold(), posted.Load())
	}
}

func TestAFindingThatNobodyTookIsToldAfterARestart(t *testing.T) {
	f := newFolder(t)
	var stdout safeBuffer
	broken := tellerOf(f, &stdout)
	broken.command = "exit 3"
	broken.take(someFinding(t, f))
	if left, _ := broken.tellOpen(t.Context()); left != 1 {
		t.Fatalf("%d left", left)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	mended := tellerOf(f, &stdout)
	mended.command = `touch "` + ran + `"`
	list, _ := f.findings()
	mended.take(list...)
	if left, _ := mended.tellOpen(t.Context()); left != 0 {
		t.Errorf("%d left", left)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Error(err)
	}
	if count := strings.Count(stdout.take(), `"event":"finding"`); count != 1 {
		t.Errorf("printed %d times", count)
	}
}

func TestALongCommandAndASilentWebhookEnd(t *testing.T) {
	f := newFolder(t)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hook.Close()
	teller := tellerOf(f, io.Discard)
	teller.command = "sleep 1000"
	teller.webhook, _ = url.Parse(hook.URL)
	teller.take(someFinding(t, f))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if left, _ := teller.tellOpen(ctx); left != 1 {
		t.Errorf("%d left", left)
	}
}
