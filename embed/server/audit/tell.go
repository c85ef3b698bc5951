package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Event is a line on standard output, and what a command and a webhook get of a
// finding. Numbers of transactions are texts, so that no reader rounds them.
type Event struct {
	Time  string `json:"time"`
	Event string `json:"event"`
	// Words say it to a person.
	Words    string `json:"words"`
	Server   string `json:"server,omitempty"`
	Database string `json:"database,omitempty"`
	// From and To are transactions: the proven state moved from one to the other.
	From uint64 `json:"from,omitempty,string"`
	To   uint64 `json:"to,omitempty,string"`
	Hash string `json:"hash,omitempty"` // of To
	// Finding is the file that was kept, Kind and Reason are those in it, and
	// SHA256 is of the whole file.
	Finding string `json:"finding,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Reason  string `json:"reason,omitempty"`
	SHA256  string `json:"sha256,omitempty"`
}

// teller says what happens. A finding is told by all ways, again and again until
// each has taken it, and what was taken is kept in the folder.
type teller struct {
	folder      *folder
	stdout      io.Writer
	command     string
	environment []string
	webhook     *url.URL
	client      *http.Client
	now         func() time.Time
	hide        func(string) string // or nil

	writing sync.Mutex
	mutex   sync.Mutex
	open    []*finding // not yet taken by all
	failed  map[string]string
}

// say prints an event.
func (t *teller) say(event Event) error {
	if event.Time == "" {
		event.Time = inISO(t.now())
	}
	if t.hide != nil {
		event.Words = t.hide(event.Words)
	}
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	_, err = t.stdout.Write(append(line, '\n'))
	return err
}

// ways to tell a finding, in the order in which they are tried.
func (t *teller) ways() []way {
	list := []way{{"stdout", func(_ context.Context, event Event) error { return t.say(event) }}}
	if t.command != "" {
		list = append(list, way{"command", t.run})
	}
	if t.webhook != nil {
		list = append(list, way{"webhook", t.post})
	}
	return list
}

type way struct {
	name string
	tell func(context.Context, Event) error
}

// take adds findings that are to be told, unless everybody has been told.
func (t *teller) take(list ...*finding) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, found := range list {
		for _, way := range t.ways() {
			if !found.told[way.name] {
				found.waits = map[string]*backoff{}
				t.open = append(t.open, found)
				break
			}
		}
	}
}

// tellOpen tries each way that has not taken a finding and whose wait is over.
// It returns how many findings are left, and when to try again.
func (t *teller) tellOpen(ctx context.Context) (left int, next time.Duration) {
	t.mutex.Lock()
	open := append([]*finding(nil), t.open...)
	t.mutex.Unlock()
	next = mostWait
	var done []*finding
	for _, found := range open {
		isDone := true
		for _, way := range t.ways() {
			if found.told[way.name] {
				continue
			}
			waits := found.waits[way.name]
			if waits == nil {
				waits = &backoff{first: firstWait, most: mostWait}
				found.waits[way.name] = waits
			}
			if wait := waits.left(); wait > 0 {
				isDone, next = false, min(next, wait)
				continue
			}
			if err := way.tell(ctx, found.about); err != nil {
				waits.failed()
				isDone, next = false, min(next, waits.left())
				if ctx.Err() == nil && way.name != "stdout" {
					_ = t.say(Event{Event: "not-told", Server: found.about.Server, Database: found.database,
						Finding: found.about.Finding, Words: fmt.Sprintf("The %s did not take the finding: %v. It is tried again in %s.",
							way.name, err, waits.left().Round(time.Second))})
				}
				continue
			}
			found.told[way.name] = true
			// Without this file the finding is told once more after a restart, no less.
			_ = t.folder.saveTold(found)
		}
		if isDone {
			done = append(done, found)
		}
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, found := range done {
		for i, each := range t.open {
			if each == found {
				t.open = append(t.open[:i:i], t.open[i+1:]...)
				break
			}
		}
	}
	return len(t.open), next
}

// untold is the number of findings that are not told in every way yet.
func (t *teller) untold() int {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return len(t.open)
}

const (
	firstWait = 5 * time.Second
	mostWait  = 10 * time.Minute
	// tellPatience limits one try.
	tellPatience = time.Minute
)

// run gives the event to the command as JSON on its standard input, and the name
// of the file as its first argument.
func (t *teller) run(ctx context.Context, event Event) error {
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tellPatience)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", t.command, "on-finding", event.Finding)
	if runtime.GOOS == "windows" {
		command = exec.CommandContext(ctx, "cmd", "/C", t.command)
	}
	command.Env = append(append([]string(nil), t.environment...), "FINDING="+event.Finding)
	command.Stdin = bytes.NewReader(append(text, '\n'))
	endsWhole(command)
	command.WaitDelay = time.Second
	err = command.Run()
	if ctx.Err() != nil {
		return errors.New("it took too long")
	}
	return err
}

// post sends the event as JSON. Only an answer of success counts. The address
// may hold a secret and stands in no message.
func (t *teller) post(ctx context.Context, event Event) error {
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tellPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.webhook.String(), bytes.NewReader(text))
	if err != nil {
		return errors.New("its address cannot be used")
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := t.client.Do(request)
	if err != nil {
		return errors.New("no answer: " + reasonOf(err))
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("it answered with the status %d", answer.StatusCode)
	}
	return nil
}
