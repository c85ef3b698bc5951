// Package audit follows databases of immudb for ever: it proves each new state
// from the one it keeps, reads every new transaction, and keeps evidence of what
// contradicts. It verifies with embed/verify alone.
//
// What it must never do: move a kept state back, say a finding before its
// evidence is on the disk, overwrite one, or start over in silence.
package audit

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	webconsole "immudb-webconsole/embed"
)

// Settings are what an auditor is started with.
type Settings struct {
	Servers        []webconsole.Server // one without a name, or several with
	User, Password string
	Databases      []string // none: all that the user may read
	Every          time.Duration
	Once           bool
	Values         bool // read values, too
	Dir            string
	Key            *ecdsa.PublicKey // nil: no signature is checked
	Metrics        net.Listener     // nil: none
	OnFinding      string           // a command, or ""
	Webhook        *url.URL         // or nil
	Environment    []string         // of the command
	Ready          func()           // called once the first look begins; or nil

	// Tests set these.
	patience time.Duration
	waits    time.Duration // for a server in a round
	clock    func() time.Time
	fault    func(operation, path string) error
}

// The exit codes of an auditor that looks once, and of `webconsole verify`.
const (
	ExitVerified     = 0
	ExitContradicted = 1
	ExitInPart       = 2
	ExitUnreadable   = 3
)

// auditor is one run.
type auditor struct {
	Settings
	folder  *folder
	teller  *teller
	signer  *signer
	servers []*server
	now     func() time.Time

	looking  sync.WaitGroup // of each server that is asked now
	mutex    sync.Mutex
	busy     map[*server]bool
	followed map[string]*followed // by server and database
	pairs    map[string]*pair
	open     []*finding
	rights   map[*server]string
	lists    map[*server]string // trouble with the list of a server, once
}

// Run follows the databases until ctx ends, or once, and returns an exit code.
// The caller holds the lock of the folder.
func Run(ctx context.Context, s Settings, stdout, stderr io.Writer) int {
	a, err := newAuditor(s, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "webconsole audit: %v\n", err)
		return ExitUnreadable
	}
	if s.Metrics != nil {
		serving := &http.Server{Handler: a.handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
		go serving.Serve(s.Metrics)
		defer serving.Close()
	}
	if s.Ready != nil {
		s.Ready()
	}
	defer a.logOut()
	defer a.looking.Wait()
	if s.Once {
		return a.once(ctx)
	}
	telling, stop := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Add(1)
	go func() {
		defer ended.Done()
		a.tell(telling)
	}()
	defer ended.Wait()
	defer stop()
	for ctx.Err() == nil {
		begun := time.Now()
		_, isMore := a.round(ctx, share)
		if isMore {
			continue
		}
		pause(ctx, s.Every-time.Since(begun))
	}
	return ExitVerified
}

// share is how long one database may take of a round, so that the long history
// of one keeps no other waiting.
const share = 20 * time.Second

func newAuditor(s Settings, stdout io.Writer) (*auditor, error) {
	a := &auditor{
		Settings: s, folder: &folder{dir: s.Dir, fault: s.fault}, now: time.Now,
		followed: map[string]*followed{}, pairs: map[string]*pair{}, busy: map[*server]bool{},
		rights: map[*server]string{}, lists: map[*server]string{},
	}
	if s.clock != nil {
		a.now = s.clock
	}
	if err := a.folder.prepare(); err != nil {
		return nil, fmt.Errorf("the folder %s: %w", s.Dir, err)
	}
	var err error
	if a.signer, err = a.folder.signer(); err != nil {
		return nil, err
	}
	a.teller = &teller{
		folder: a.folder, stdout: stdout, command: s.OnFinding, environment: s.Environment, webhook: s.Webhook, now: a.now,
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		hide:   a.hide,
	}
	for _, each := range s.Servers {
		one, err := newServer(each, s)
		if err != nil {
			return nil, err
		}
		a.servers = append(a.servers, one)
		known, err := a.folder.databases(each.Name)
		if err != nil {
			return nil, err
		}
		for _, database := range known {
			a.follow(one, database)
		}
	}
	if a.open, err = a.folder.findings(); err != nil {
		return nil, err
	}
	// A finding counts before a server was asked.
	for _, found := range a.open {
		for _, one := range a.servers {
			if found.halts(one.name, found.database) {
				a.follow(one, found.database)
			}
		}
	}
	// Those that were found before, and perhaps not told.
	a.teller.take(a.open...)
	return a, nil
}

// hide takes out of words what nobody may read: a server, or something in front
// of it, may repeat what it was sent.
func (a *auditor) hide(words string) string {
	for _, each := range a.servers {
		for _, secret := range each.secrets() {
			if secret != "" {
				words = strings.ReplaceAll(words, secret, "[hidden]")
			}
		}
	}
	return words
}

func (a *auditor) follow(on *server, database string) *followed {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	id := on.name + "/" + database
	if a.followed[id] == nil {
		a.followed[id] = &followed{auditor: a, server: on, database: database}
	}
	return a.followed[id]
}

// all returns the followed databases in a stable order.
func (a *auditor) all() []*followed {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var ids []string
	for id := range a.followed {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var list []*followed
	for _, id := range ids {
		list = append(list, a.followed[id])
	}
	return list
}

// halted is the verdict of an open finding about a database, isVerified without.
func (a *auditor) halted(f *followed) verdict {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	found := isVerified
	if f.unkept != nil {
		found = isContradicted
	}
	for _, each := range a.open {
		switch {
		case !each.halts(f.server.name, f.database):
		case each.about.Kind == kindDamaged:
			found = max(found, isUnreadable)
		default:
			found = isContradicted
		}
	}
	return found
}

func (a *auditor) openFindings(f *followed, s standing) (count int) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if s.isUnkept {
		count++
	}
	for _, each := range a.open {
		if each.halts(f.server.name, f.database) {
			count++
		}
	}
	return count
}

// once looks until there is nothing more to read, and tells what was found.
func (a *auditor) once(ctx context.Context) int {
	worst, _ := a.round(ctx, 0)
	for range 3 {
		left, next := a.teller.tellOpen(ctx)
		if left == 0 || ctx.Err() != nil {
			break
		}
		// What is not taken now is told by the next run.
		pause(ctx, min(next, firstWait))
	}
	if ctx.Err() != nil {
		worst = max(worst, isInPart)
	}
	words := map[verdict]string{
		isVerified:     "Every database is proven from its kept state, and every new transaction was read.",
		isInPart:       "Not everything could be proven: see the lines above.",
		isUnreadable:   "A file of the auditor cannot be read or written: see the lines above.",
		isContradicted: "A finding is open: see the lines above, and the folder of findings.",
	}
	_ = a.teller.say(Event{Event: "end", Words: words[worst]})
	return map[verdict]int{
		isVerified: ExitVerified, isInPart: ExitInPart, isUnreadable: ExitUnreadable, isContradicted: ExitContradicted,
	}[worst]
}

// tell repeats what was not taken until ctx ends.
func (a *auditor) tell(ctx context.Context) {
	for ctx.Err() == nil {
		_, next := a.teller.tellOpen(ctx)
		// A new finding does not wait for the next try of an old one.
		pause(ctx, min(next, time.Second))
	}
}

func pause(ctx context.Context, wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// slow is how long a round waits for a server. One that hangs at every call keeps
// no other from being looked at.
func (a *auditor) slow() time.Duration {
	if a.waits > 0 {
		return a.waits
	}
	return max(3*a.Every, 2*time.Minute)
}

func (a *auditor) setBusy(on *server, is bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.busy[on] = is
}

func (a *auditor) isBusy(on *server) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.busy[on]
}

// round looks at everything once. Servers are asked side by side, the databases
// of one server one after the other.
func (a *auditor) round(ctx context.Context, budget time.Duration) (worst verdict, isMore bool) {
	// Evidence that could not be written waits for no server.
	for _, f := range a.all() {
		if a.isBusy(f.server) || f.unkept == nil {
			continue
		}
		if err := f.keepFinding(f.unkept); err != nil {
			f.trouble(plain(err.Error()))
		}
	}
	// A person may have removed a finding meanwhile.
	open, err := a.folder.findings()
	if err != nil {
		_ = a.teller.say(Event{Event: "trouble", Words: plain(err.Error())})
		return isUnreadable, false
	}
	a.mutex.Lock()
	a.open = open
	a.mutex.Unlock()
	type result struct {
		verdict verdict
		isMore  bool
	}
	results, asked := make(chan result, len(a.servers)), 0
	for _, each := range a.servers {
		if a.isBusy(each) {
			worst = isInPart
			continue
		}
		a.setBusy(each, true)
		asked++
		a.looking.Go(func() {
			found, isMore := a.roundOf(ctx, each, budget)
			a.setBusy(each, false)
			results <- result{found, isMore}
		})
	}
	var late <-chan time.Time
	if budget > 0 {
		timer := time.NewTimer(a.slow())
		defer timer.Stop()
		late = timer.C
	}
	for isLate := false; asked > 0 && !isLate; {
		select {
		case one := <-results:
			asked--
			worst, isMore = max(worst, one.verdict), isMore || one.isMore
		case <-late:
			worst, isLate = max(worst, isInPart), true
		}
	}
	worst = max(worst, a.compareAll(ctx))
	if open, err := a.folder.findings(); err == nil {
		a.mutex.Lock()
		a.open = open
		a.mutex.Unlock()
		if len(open) > 0 {
			worst = max(worst, worstOf(open))
		}
	}
	return worst, isMore
}

func worstOf(open []*finding) (worst verdict) {
	for _, each := range open {
		if each.about.Kind == kindDamaged {
			worst = max(worst, isUnreadable)
		} else {
			worst = isContradicted
		}
	}
	return worst
}

// roundOf looks at the databases of one server.
func (a *auditor) roundOf(ctx context.Context, on *server, budget time.Duration) (worst verdict, isMore bool) {
	listed, unfollowed, err := a.listOf(ctx, on)
	if ctx.Err() != nil {
		return isInPart, false
	}
	if err != nil {
		a.troubleOf(on, plain(err.Error()))
		for _, f := range a.of(on) {
			f.set(func(s *standing) {
				s.verdict = max(isInPart, a.halted(f))
				s.errors++
			})
			worst = max(worst, f.standingNow().verdict)
		}
		return max(worst, isInPart), false
	}
	for _, name := range listed {
		a.follow(on, name)
	}
	if len(a.of(on)) == 0 {
		unfollowed = strings.TrimSpace(unfollowed + " The server lists no database that the user may read, so nothing was proven.")
	}
	if a.troubleOf(on, unfollowed); unfollowed != "" {
		worst = isInPart
	}
	for _, f := range a.of(on) {
		if ctx.Err() != nil {
			return isInPart, false
		}
		if !slices.Contains(listed, f.database) {
			if len(a.Databases) > 0 && !slices.Contains(a.Databases, f.database) {
				// Kept by an earlier run with other settings; not asked for now.
				continue
			}
			f.trouble("The server does not list this database, or the user may not read it any longer. What is kept of it stays.")
			f.set(func(s *standing) { s.verdict, s.isListed = max(isInPart, a.halted(f)), false })
		} else if f.look(ctx, a.halted(f), budget) {
			isMore = true
		}
		worst = max(worst, f.standingNow().verdict)
	}
	return worst, isMore
}

func (a *auditor) of(on *server) (list []*followed) {
	for _, f := range a.all() {
		if f.server == on {
			list = append(list, f)
		}
	}
	return list
}

// listOf returns the databases to follow on a server, and what to say of others.
func (a *auditor) listOf(ctx context.Context, on *server) (listed []string, unfollowed string, err error) {
	names, err := on.databases(ctx)
	if err != nil {
		return nil, "", err
	}
	a.noticeRights(ctx, on)
	for _, name := range names {
		switch {
		case !IsDatabaseName(name):
			unfollowed = fmt.Sprintf("The server lists a database with the name %q, which immudb does not take. It is not followed.", plain(name))
		case len(a.Databases) == 0 || slices.Contains(a.Databases, name):
			listed = append(listed, name)
		}
	}
	for _, name := range a.Databases {
		if !slices.Contains(listed, name) {
			// Nothing may be kept of it yet; its standing says that it is missing.
			a.follow(on, name)
		}
	}
	return listed, unfollowed, nil
}

// noticeRights says once what the user may do beyond reading.
func (a *auditor) noticeRights(ctx context.Context, on *server) {
	more, err := on.rights(ctx)
	if err != nil {
		return
	}
	a.mutex.Lock()
	isNew := a.rights[on] != more
	a.rights[on] = more
	a.mutex.Unlock()
	if isNew && more != "" {
		_ = a.teller.say(Event{Event: "rights", Server: on.name, Words: fmt.Sprintf(
			"The user %s may also %s. An auditor needs the permission to read, and no other.", plain(on.user), more)})
	}
}

// troubleOf says why a server could not be asked, once until the words change.
func (a *auditor) troubleOf(on *server, words string) {
	a.mutex.Lock()
	isNew := a.lists[on] != words
	a.lists[on] = words
	a.mutex.Unlock()
	if isNew && words != "" {
		_ = a.teller.say(Event{Event: "trouble", Server: on.name, Words: words})
	}
}

// compareAll compares each database that several servers have.
func (a *auditor) compareAll(ctx context.Context) (worst verdict) {
	list, failed, busy := a.all(), map[*followed]bool{}, map[*followed]bool{}
	for _, f := range list {
		busy[f] = a.isBusy(f.server)
	}
	defer func() {
		for _, f := range list {
			if !busy[f] {
				f.set(func(s *standing) { s.compared(!failed[f], a.now()) })
			}
		}
	}()
	for i, first := range list {
		for _, second := range list[i+1:] {
			if first.database == second.database && (busy[first] || busy[second]) {
				// What a server says that is still asked cannot be compared now.
				failed[first], failed[second], worst = true, true, max(worst, isInPart)
				continue
			}
			if first.database != second.database || ctx.Err() != nil ||
				a.halted(first) != isVerified || a.halted(second) != isVerified {
				continue
			}
			id := first.server.name + "+" + second.server.name + "/" + first.database
			if a.pairs[id] == nil {
				a.pairs[id] = &pair{sides: [2]*followed{first, second}}
			}
			found, err := a.pairs[id].compare(ctx)
			if err != nil && ctx.Err() == nil {
				found = max(found, isInPart)
				failed[first], failed[second] = true, true
				first.trouble(fmt.Sprintf("The histories on %s and %s could not be compared: %s.",
					first.server.name, second.server.name, plain(err.Error())))
			}
			worst = max(worst, found)
		}
	}
	return worst
}

// logOut leaves no login behind.
func (a *auditor) logOut() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, each := range a.servers {
		each.logOut(ctx)
	}
}

// Accept is a person's word that a finding is known: the history of its database
// starts over with a first contact. It returns where the finding is kept now. The
// caller holds the lock of the folder.
func Accept(dir, finding string) (string, error) {
	f := &folder{dir: dir}
	if err := f.prepare(); err != nil {
		return "", err
	}
	return f.accept(finding, time.Now())
}
