package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"immudb-webconsole/embed/verify"
)

// followed is a database on one server.
type followed struct {
	*auditor
	server   *server
	database string

	kept  *kept  // nil until it is loaded, or was seen for the first time
	state []byte // the answer of the server that stated kept.Trusted, in this run
	limit int    // transactions of the next page
	calm  int    // pages in a row that were not too large

	unkept      *finding // evidence that could not be written yet
	otherServer string   // an id that was told already
	bare        uint64   // a transaction of this look that listed no entries, or 0
	withheld    uint64   // values that this look asked for and that were not sent

	mutex    sync.Mutex // for what the metrics read
	standing standing
	said     string // the last trouble, said once until it changes
}

// standing is how a database stands after the last look.
type standing struct {
	verdict  verdict
	proven   uint64
	at       time.Time // when it was proven last
	seen     uint64    // what the server stated last
	walked   uint64    // the last transaction that was read
	read     read
	errors   uint64
	isListed bool
	isUnkept bool // evidence could not be written yet

	// whole is when all that the server stated was proven and read, and uncompared
	// since when another server could not be compared with it.
	whole, uncompared time.Time
}

// compared is set after each round with several servers.
func (s *standing) compared(is bool, at time.Time) {
	switch {
	case is:
		s.uncompared = time.Time{}
	case s.uncompared.IsZero():
		s.uncompared = at
	}
	if !is {
		s.verdict = max(s.verdict, isInPart)
	}
}

// isBehind reports whether it was not proven, read or compared for some time.
func (s *standing) isBehind(now time.Time, limit time.Duration) bool {
	return s.whole.IsZero() || now.Sub(s.whole) > limit || (!s.uncompared.IsZero() && now.Sub(s.uncompared) > limit)
}

// verdict is one of those of the exit codes, the worst last.
type verdict int

const (
	isVerified     verdict = iota
	isInPart               // a first contact, a server that does not answer, a tree that lags
	isUnreadable           // of our own files
	isContradicted         // or refused, and a finding is kept
)

// largestPage is what most histories fit in: 4 MiB is the most that immudb sends.
const largestPage = 1000

// calmPages must succeed before twice as many transactions are asked for again.
const calmPages = 8

// look asks for the newest state, proves it from the kept one and reads what is
// new. With a limit of time it may end before that, and isMore is true.
//
// halted is the verdict of a finding that stops it, isVerified without one.
func (f *followed) look(ctx context.Context, halted verdict, budget time.Duration) (isMore bool) {
	isMore, found, err := f.lookOnce(ctx, halted, budget)
	if ctx.Err() != nil && err != nil {
		return false
	}
	if err != nil {
		found = max(found, isInPart)
		var own *folderError
		if errors.As(err, &own) {
			found = max(found, isUnreadable)
		}
		f.trouble(plain(err.Error()))
	}
	f.set(func(s *standing) {
		s.verdict, s.isListed = found, true
		if err != nil {
			s.errors++
		}
	})
	return isMore
}

func (f *followed) set(change func(*standing)) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	change(&f.standing)
	if f.kept != nil {
		s := &f.standing
		s.proven, s.at, s.walked, s.read = f.kept.Trusted.TxID, f.kept.ProvenAt, f.kept.Walk.At().TxID, f.kept.Read
	}
}

func (f *followed) standingNow() standing {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.standing
}

// trouble says why nothing was proven, once until the words change.
func (f *followed) trouble(words string) {
	f.mutex.Lock()
	isNew := f.said != words
	f.said = words
	f.mutex.Unlock()
	if isNew {
		f.say(Event{Event: "trouble", Words: words})
	}
}

func (f *followed) say(event Event) {
	event.Server, event.Database = f.server.name, f.database
	_ = f.teller.say(event)
}

func (f *followed) lookOnce(ctx context.Context, halted verdict, budget time.Duration) (isMore bool, found verdict, err error) {
	if f.unkept != nil {
		return false, isContradicted, nil
	}
	if halted != isVerified {
		f.trouble("Nothing of this database moves on: a finding is open.")
		return false, halted, f.loadHalted()
	}
	if f.kept == nil {
		if err := f.load(); err != nil || f.kept == nil {
			return false, isUnreadable, err
		}
	}
	f.bare, f.withheld = 0, 0
	isFirst, isTied, err := f.prove(ctx)
	if err != nil || f.isHalted() {
		return false, f.verdictOfHalt(), err
	}
	isMore, err = f.readNew(ctx, budget)
	if err != nil || f.isHalted() {
		return isMore, f.verdictOfHalt(), err
	}
	if !isTied {
		f.trouble("The newest state cannot be tied to the kept one yet: the tree of the server lags.")
		return isMore, isInPart, nil
	}
	f.set(func(s *standing) {
		f.said = ""
		if !isMore {
			s.whole = f.now()
		}
	})
	if f.withheld > 0 {
		f.trouble(fmt.Sprintf("The server did not send %d values that were asked for: they have expired, were deleted by a truncation,"+
			" are of documents, or are withheld. Their digests are proven.", f.withheld))
	}
	if f.bare > 0 {
		f.trouble(fmt.Sprintf("The server does not list the entries of transaction %d: they are more than one answer holds."+
			" Its header is proven, with their number and the root over them.", f.bare))
	}
	if isFirst || isMore || f.bare > 0 || f.withheld > 0 {
		return isMore, isInPart, nil
	}
	return false, isVerified, nil
}

// isHalted is true once this look has found a contradiction: what was known in
// memory is dropped then, so that nothing of it is ever kept.
func (f *followed) isHalted() bool { return f.kept == nil }

func (f *followed) verdictOfHalt() verdict {
	if f.isHalted() {
		return isContradicted
	}
	return isInPart
}

// loadHalted reads what is kept for the metrics. What is damaged must not lie
// there as if it were not.
func (f *followed) loadHalted() (err error) {
	if f.kept != nil {
		return nil
	}
	f.kept, err = f.folder.load(f.server.name, f.database)
	if errors.Is(err, errDamaged) {
		return f.moveAside(f.asideName())
	}
	return err
}

// load reads the kept state. Where it is missing although checkpoints were
// signed, the last of them is what is trusted: a lost file makes no first contact.
// A damaged state is set aside, and nothing is known then.
func (f *followed) load() error {
	k, err := f.folder.load(f.server.name, f.database)
	if errors.Is(err, errDamaged) {
		return f.setAside(err)
	}
	if err != nil {
		return &folderError{err}
	}
	var last *checkpoint
	if f.signer != nil {
		if last, _, err = f.folder.lastCheckpoint(f.folder.checkpointFile(f.server.name, f.database), f.signer); err != nil {
			return &folderError{err}
		}
	}
	if k == nil {
		k = f.nothing()
		if last != nil {
			k.Trusted, k.FirstContact, k.FirstAt, k.UUID = last.point, last.point, f.now(), last.uuid
			f.say(Event{Event: "recovered", To: last.TxID, Hash: inBase64(last.TxHash), Words: "The kept state is missing." +
				" The last signed checkpoint stands for it, and the history is read again from its beginning."})
		}
	}
	// A folder of which a part is older than the rest, such as one that was
	// restored from a backup.
	if last != nil && last.TxID > k.Trusted.TxID {
		state := f.folder.stateFile(f.server.name, f.database)
		return &folderError{fmt.Errorf("the last checkpoint is of transaction %d, and the kept state is older, at %d:"+
			" is the folder a copy from a backup? Move %s away to go on from the checkpoint", last.TxID, k.Trusted.TxID, state)}
	}
	if last != nil && last.TxID == k.Trusted.TxID && !last.isSame(k.Trusted) {
		return &folderError{fmt.Errorf("the last checkpoint and the kept state have two hashes of transaction %d:"+
			" one of %s and %s was changed or is of another history", last.TxID,
			f.folder.stateFile(f.server.name, f.database), f.folder.checkpointFile(f.server.name, f.database))}
	}
	// It was written by a clock that was ahead, and would never grow old.
	if now := f.now(); k.ProvenAt.After(now) {
		k.ProvenAt = now
	}
	f.kept = k
	return nil
}

// folderError is about our own files.
type folderError struct{ error }

// Unwrap is for errors.Is.
func (e *folderError) Unwrap() error { return e.error }

func (f *followed) nothing() *kept {
	return &kept{
		Format: keptFormat, Version: keptVersion, Server: f.server.name, Database: f.database,
		Trusted: point{TxHash: make([]byte, sha256.Size)}, FirstContact: point{TxHash: make([]byte, sha256.Size)},
		Walk: verify.NewWalk(),
	}
}

// isUnknown is true before the first contact.
func (k *kept) isUnknown() bool { return k.FirstAt.IsZero() }

func (f *followed) asideName() string {
	return f.folder.stateFile(f.server.name, f.database) + ".damaged-" + f.now().UTC().Format(inNames)
}

// setAside keeps a finding about a damaged file of ours first, and moves the file
// then: a database without a state would be a first contact.
func (f *followed) setAside(damage error) error {
	aside := f.asideName()
	text, err := json.MarshalIndent(map[string]any{
		"format": noticeFormat, "version": 1, "kind": kindDamaged, "checkedAt": inISO(f.now()),
		"server": fromServer{Origin: f.server.origin}, "database": f.database, "file": aside,
		"what": fmt.Sprintf("%v. It was moved to %s. What is trusted of database %s is unknown now, and nothing of it moves on.",
			damage, aside, f.database),
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := f.keepFinding(&finding{content: append(text, '\n')}); err != nil {
		return err
	}
	return f.moveAside(aside)
}

func (f *followed) moveAside(aside string) error {
	if err := f.folder.move(f.folder.stateFile(f.server.name, f.database), aside); err != nil {
		return &folderError{err}
	}
	return nil
}

// known is what answers are checked against.
func (f *followed) known() known {
	against := known{DB: f.database, PublicKey: keyText(f.Key)}
	if !f.kept.isUnknown() {
		trusted := f.kept.Trusted
		against.Trusted = &trusted
	}
	return against
}

type stated struct {
	TxID uint64 `json:"txId,string"`
}

// prove moves the kept state to what the server states now, by a proof.
func (f *followed) prove(ctx context.Context) (isFirst, isTied bool, err error) {
	state, err := f.server.readState(ctx, f.database)
	if err != nil {
		return false, false, err
	}
	f.noticeServer()
	var newest stated
	// Whatever cannot be read here is refused below.
	_ = json.Unmarshal(state, &newest)
	f.set(func(s *standing) { s.seen = newest.TxID })
	before := f.kept.Trusted
	var proof []byte
	if before.TxID > 0 && newest.TxID > before.TxID {
		if proof, err = f.server.readTx(ctx, f.database, newest.TxID, before.TxID); isFault(err, refused) && saysIllegalState(err) {
			// It lacks the kept transaction. Its state, read again, has to confirm that.
			if state, err = f.server.readState(ctx, f.database); err != nil {
				return false, false, err
			}
			newest = stated{}
			_ = json.Unmarshal(state, &newest)
			if newest.TxID >= before.TxID {
				proof, err = json.Marshal(map[string]string{"error": "illegal state"})
			}
		}
		if err != nil {
			return false, false, err
		}
	}
	against := f.known()
	result := verify.CheckState(against.verifier(f.Key), state, proof)
	switch {
	case result.Verdict == verify.Refused:
		response := map[string]json.RawMessage{"state": state}
		if proof != nil {
			response["proof"] = proof
		}
		return false, false, f.contradict("state", against, struct{}{}, response, result)
	case result.Verdict != verify.Verified || result.Next == nil:
		return false, false, nil
	}
	next := pointOf(*result.Next)
	if next.TxID < before.TxID {
		return false, false, fmt.Errorf("the verifier led back from transaction %d to %d", before.TxID, next.TxID)
	}
	f.state = nil
	if next.TxID == newest.TxID {
		f.state = state
	}
	if isFirst = result.FirstUse; isFirst {
		f.kept.FirstContact, f.kept.FirstAt, f.kept.UUID = next, f.now(), f.server.id()
	}
	f.kept.Trusted, f.kept.ProvenAt = next, f.now()
	if err := f.save(); err != nil {
		return false, false, err
	}
	if isFirst {
		f.say(Event{Event: "first-contact", To: next.TxID, Hash: inBase64(next.TxHash),
			Words: fmt.Sprintf("First contact with database %s at transaction %d: nothing is known to compare it with.", f.database, next.TxID)})
	}
	return isFirst, next.TxID == newest.TxID, nil
}

// saysIllegalState is immudb's ErrIllegalState: a proof since a transaction that
// the server does not have.
func saysIllegalState(err error) bool { return strings.Contains(err.Error(), "illegal state") }

func (s *server) id() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.uuid
}

// noticeServer says when another server answers than at first contact. If it has
// the same history, that is no contradiction.
func (f *followed) noticeServer() {
	id := f.server.id()
	if f.kept.isUnknown() || id == "" || id == f.kept.UUID || f.otherServer == id {
		return
	}
	f.otherServer = id
	if f.kept.UUID == "" {
		return
	}
	f.say(Event{Event: "other-server", Words: fmt.Sprintf(
		"Another server answers: its id is %s and was %s at first contact. Its history has to be the same.", id, f.kept.UUID)})
}

// save writes what is known, or drops it: the next look begins with what is on
// the disk.
func (f *followed) save() error {
	if err := f.folder.save(f.kept); err != nil {
		f.kept = nil
		loaded, _ := f.folder.load(f.server.name, f.database)
		if f.kept = loaded; f.kept == nil {
			f.kept = f.nothing()
		}
		return &folderError{fmt.Errorf("the state cannot be kept, so nothing moved on: %w", err)}
	}
	return nil
}

// readNew reads all transactions up to the kept state, page by page, and keeps
// after each page where it is.
func (f *followed) readNew(ctx context.Context, budget time.Duration) (isMore bool, err error) {
	begun, from, before := time.Now(), f.kept.Walk.At().TxID, f.kept.Read
	for f.kept.Walk.At().TxID < f.kept.Trusted.TxID {
		if budget > 0 && time.Since(begun) > budget {
			return true, nil
		}
		if err := f.readNext(ctx); err != nil || f.isHalted() {
			return false, err
		}
	}
	if err := f.folder.addCheckpoint(f.kept, f.signer); err != nil {
		return false, &folderError{fmt.Errorf("the checkpoint cannot be added: %w", err)}
	}
	if to := f.kept.Trusted; to.TxID > from {
		words := "Database %s is proven up to transaction %d, and each one since %d was read."
		if to.isSame(f.kept.FirstContact) {
			words = "Database %s was read up to transaction %d, from transaction %d on: it is one history. Nothing is known yet to compare it with."
		}
		words = fmt.Sprintf(words, f.database, to.TxID, from+1)
		if f.Values {
			words += fmt.Sprintf(" %d values have their hash, %d were not sent.", f.kept.Read.Values-before.Values, f.kept.Read.Withheld-before.Withheld)
		}
		f.say(Event{Event: "advanced", From: from, To: to.TxID, Hash: inBase64(to.TxHash), Words: words})
	}
	return false, nil
}

// page is a part of the history as it came.
type page struct {
	digests []byte
	values  []byte // nil without
	// isBare is true for one transaction whose list of entries is more than the
	// server sends: its header alone.
	isBare bool
}

func (f *followed) readNext(ctx context.Context) error {
	first := f.kept.Walk.At().TxID + 1
	got, err := f.fetch(ctx, first, f.kept.Trusted.TxID-first+1)
	if err != nil {
		return err
	}
	against := f.known()
	verifier := against.verifier(f.Key)
	before, err := json.Marshal(f.kept.Walk)
	if err != nil {
		return err
	}
	refuse := func(result verify.Result) error {
		request, response := auditOf(verifier, before, got)
		return f.contradict("audit", against, request, response, result)
	}
	take := f.kept.Walk.Page
	if got.isBare {
		take = f.kept.Walk.Headers
	}
	result := take(verifier, got.digests)
	at := f.kept.Walk.At().TxID
	if result.Verdict == verify.Refused || at < first {
		return refuse(result)
	}
	withheld := f.kept.Read.Withheld
	f.kept.Read.Transactions += at - first + 1
	f.kept.Read.Bytes += uint64(len(got.digests))
	if got.isBare {
		f.kept.Read.Unlisted++
		f.bare = at
	} else if got.values != nil {
		result := f.kept.Walk.Values(got.values, nil)
		if result.Verdict == verify.Refused {
			return refuse(result)
		}
		if facts, isThere := result.Facts.(verify.ValueFacts); isThere {
			f.kept.Read.Values += facts.Seen
			f.kept.Read.Withheld += facts.Entries - facts.Seen
		}
		if !bytes.Equal(got.values, got.digests) {
			f.kept.Read.Bytes += uint64(len(got.values))
		}
	} else if f.Values {
		for _, tx := range f.kept.Walk.Last() {
			f.kept.Read.Withheld += uint64(len(tx.Entries))
		}
	}
	f.withheld += f.kept.Read.Withheld - withheld
	f.kept.Read.Entries = f.kept.Walk.Entries()
	if err := f.save(); err != nil {
		return err
	}
	f.set(func(*standing) {})
	f.grow()
	return nil
}

// auditOf is what was refused as evidence of kind audit (VERIFY.md 7.8): the walk
// before it, and what the server sent. Of a page only the first transaction that
// is refused by itself is needed.
func auditOf(against verify.Context, before []byte, got page) (request, response any) {
	var digests, values struct {
		Txs []json.RawMessage `json:"txs"`
	}
	if err := json.Unmarshal(got.digests, &digests); err != nil {
		// Of a shape that has no transactions: the answer stands as it came.
		return afterOf(before), json.RawMessage(got.digests)
	}
	if got.values != nil {
		_ = json.Unmarshal(got.values, &values)
	}
	walk := verify.NewWalk()
	if err := json.Unmarshal(before, walk); err == nil {
		for i, tx := range digests.Txs {
			at, err := json.Marshal(walk)
			one := map[string][]json.RawMessage{"txs": {tx}}
			alone, failed := json.Marshal(one)
			if err != nil || failed != nil {
				break
			}
			if walk.Page(against, alone).Verdict == verify.Refused {
				// Where it does not even fit without values, they are no part of it.
				bare, err := json.Marshal(map[string][]json.RawMessage{"txs": {withoutValues(tx)}})
				if again := verify.NewWalk(); err == nil && json.Unmarshal(at, again) == nil && again.Page(against, bare).Verdict == verify.Refused {
					one["txs"] = []json.RawMessage{withoutValues(tx)}
				}
				return afterOf(at), one
			}
			if i >= len(values.Txs) {
				continue
			}
			if text, err := json.Marshal(map[string][]json.RawMessage{"txs": {values.Txs[i]}}); err == nil && walk.Values(text, nil).Verdict == verify.Refused {
				one["values"] = []json.RawMessage{values.Txs[i]}
				return afterOf(at), one
			}
		}
	}
	answer := map[string][]json.RawMessage{"txs": nonNil(digests.Txs)}
	if values.Txs != nil {
		answer["values"] = values.Txs
	}
	return afterOf(before), answer
}

// withoutValues returns a transaction as a list by digests has it, or as it is.
func withoutValues(tx json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	var entries []map[string]json.RawMessage
	if json.Unmarshal(tx, &fields) != nil || json.Unmarshal(fields["entries"], &entries) != nil {
		return tx
	}
	for _, entry := range entries {
		delete(entry, "value")
	}
	listed, err := json.Marshal(entries)
	if err != nil {
		return tx
	}
	fields["entries"] = listed
	bare, err := json.Marshal(fields)
	if err != nil {
		return tx
	}
	return bare
}

// afterOf is a request that continues a walk; one from the first transaction on
// has none to continue.
func afterOf(walk []byte) any {
	var at struct {
		TxID string `json:"txId"`
	}
	if json.Unmarshal(walk, &at) == nil && at.TxID == "0" {
		return struct{}{}
	}
	return map[string]json.RawMessage{"after": walk}
}

func nonNil(list []json.RawMessage) []json.RawMessage {
	if list == nil {
		return []json.RawMessage{}
	}
	return list
}

// fetch asks for as many transactions as one answer takes.
func (f *followed) fetch(ctx context.Context, first, most uint64) (page, error) {
	for {
		if f.limit == 0 {
			f.limit = largestPage
		}
		count := f.limit
		if most < uint64(count) {
			count = int(most)
		}
		got, err := f.fetchSome(ctx, first, count)
		// A smaller page may arrive where a large one took too long.
		isLess := isFault(err, tooLarge) || (isFault(err, noAnswer) && strings.Contains(err.Error(), "took too long"))
		if err == nil || !isLess || ctx.Err() != nil {
			return got, err
		}
		if count == 1 {
			if isFault(err, tooLarge) {
				got.digests, err = f.server.readHeaders(ctx, f.database, first)
				got.isBare = true
			}
			return got, err
		}
		f.limit, f.calm = count/2, 0
	}
}

func (f *followed) fetchSome(ctx context.Context, first uint64, count int) (got page, err error) {
	if f.Values {
		got.values, err = f.server.readPage(ctx, f.database, first, count, true)
		isKept := isFault(err, tooLarge) || isFault(err, refused)
		switch {
		case isFault(err, refused) && count > 1 && f.isGone(ctx, first) && f.isGone(ctx, first+uint64(count)-1):
			// As after a truncation: asking for less would ask for each one.
			got.values = nil
		case isKept && count > 1:
			return got, &callError{tooLarge, err.Error()}
		case isKept:
			// The server does not send the values of this one, or has them no longer.
			got.values = nil
		case err != nil:
			return got, err
		}
		if listsAll(got.values) {
			got.digests = got.values
			return got, nil
		}
	}
	got.digests, err = f.server.readPage(ctx, f.database, first, count, false)
	return got, err
}

// isGone asks whether the server refuses the values of one transaction.
func (f *followed) isGone(ctx context.Context, tx uint64) bool {
	_, err := f.server.readPage(ctx, f.database, tx, 1, true)
	return isFault(err, refused)
}

// listsAll reports whether a list with values has all entries, so that none by
// digests is needed. It only decides what is asked for; the proof comes later.
func listsAll(answer []byte) bool {
	var list struct {
		Txs []struct {
			Header struct {
				NEntries int `json:"nentries"`
			} `json:"header"`
			Entries []struct{} `json:"entries"`
		} `json:"txs"`
	}
	if json.Unmarshal(answer, &list) != nil {
		return false
	}
	for _, tx := range list.Txs {
		if len(tx.Entries) != tx.Header.NEntries {
			return false
		}
	}
	return len(list.Txs) > 0
}

// grow asks for larger pages again once smaller ones have passed for a while.
func (f *followed) grow() {
	if f.calm++; f.limit < largestPage && f.calm >= calmPages {
		f.limit, f.calm = min(largestPage, 2*f.limit), 0
	}
}

// contradict keeps evidence, and drops what is known in memory.
func (f *followed) contradict(kind string, against known, request, response any, result verify.Result) error {
	asked, noRequest := compact(request)
	answer, noResponse := compact(response)
	context, noContext := compact(against)
	isWhole := errors.Join(noRequest, noResponse, noContext) == nil
	// The way in which the file will be checked again.
	if isWhole {
		if again := verify.Answer(kind, context, asked, answer); again.Verdict == verify.Refused {
			result = again
		}
	}
	file := evidence{
		Format: evidenceFormat, Version: evidenceVersion, Kind: kind, CheckedAt: inISO(f.now()),
		What:   what(kind, f.database, f.server, result),
		Server: f.server.from(), Console: thisProgram(),
		Context: against, Request: asked, Response: answer, Outcome: recorded(result),
	}
	if result.Verdict != verify.Refused {
		// The verifier saw nothing, the auditor did: an answer that goes nowhere.
		file.Outcome = refusal{Verdict: "refused", Reason: "audit", Step: "link", Part: "txs"}
	}
	if !f.kept.isUnknown() {
		file.FirstContact = &firstContact{f.kept.FirstContact, inISO(f.kept.FirstAt)}
	}
	var text []byte
	if isWhole {
		var err error
		text, err = compact(file)
		isWhole = err == nil && verify.WellFormed(text) == ""
	}
	if !isWhole {
		// A file that no reader takes is no evidence.
		file.Request, file.Response = json.RawMessage("{}"), json.RawMessage("null")
		file.Outcome = nothingToCheck{"unproven", "The answer fits no file."}
		file.What += " The answer is too large or too deep for any file and is not in this one."
		var err error
		if text, err = compact(file); err != nil {
			return err
		}
	}
	f.kept = nil
	return f.keepFinding(&finding{content: text})
}

// compact writes JSON without white space and without escapes for pages: what a
// server sends could make either of them a thousand times longer than itself.
func compact(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return text.Bytes(), err
}

func (s *server) from() fromServer {
	return fromServer{UUID: textOrNull(s.id()), Origin: s.origin}
}

func what(kind, database string, from *server, result verify.Result) string {
	subject := map[string]string{
		"state": "The state of database %s that %s gave was refused.",
		"audit": "Transactions of database %s that %s listed were refused.",
		"tx":    "A transaction of database %s that %s gave was refused.",
	}[kind]
	words := fmt.Sprintf(subject, database, from.origin)
	if result.Why != "" {
		words += " " + plain(result.Why)
	}
	return words
}

// keepFinding writes a finding and has it told. One that cannot be written is
// held until it can: nothing of the database moves on, and nothing is claimed.
func (f *followed) keepFinding(found *finding) error {
	if found.servers == nil {
		found.servers = []string{f.server.name}
	}
	found.database, found.told = f.database, told{}
	err := f.folder.keep(found, f.now())
	f.set(func(s *standing) { s.isUnkept = err != nil })
	if err != nil {
		f.unkept = found
		return &folderError{fmt.Errorf("a finding cannot be kept as a file, so nothing of this database moves on: %w", err)}
	}
	f.unkept = nil
	f.teller.take(found)
	return nil
}

func txText(tx uint64) string { return strconv.FormatUint(tx, 10) }
