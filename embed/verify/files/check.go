package files

import (
	"crypto/ecdsa"
	"encoding/json"
	"strings"

	"immudb-webconsole/embed/verify"
)

// Word is what a result is called (7.3).
type Word string

const (
	Verified     Word = "verified"
	InPart       Word = "verified in part"
	Unproven     Word = "unproven"
	Contradicted Word = "contradicted"
	Failed       Word = "failed"
	Unreadable   Word = "unreadable"
)

// Code is a program's exit code for it (7.3).
func (w Word) Code() int {
	switch w {
	case Verified:
		return 0
	case Contradicted, Failed:
		return 1
	case Unreadable:
		return 3
	}
	return 2
}

// Gravest is the exit code for several: 1, then 3, then 2, then 0 (7.3).
func Gravest(codes ...int) int {
	for _, code := range []int{1, 3, 2} {
		for _, one := range codes {
			if one == code {
				return code
			}
		}
	}
	return 0
}

// Known is a trusted state that a reader gives, or a checkpoint that a key
// vouches for (5, 6).
type Known struct {
	Database string
	State    verify.State
	Server   Server
	Recorded string // quoted only
	By       string // the file, or the witness, that it is from
}

// Given is what a reader knows beside the file.
type Given struct {
	States []Known
	Keys   []*ecdsa.PublicKey
}

// Report is what came of checking a file again (7).
type Report struct {
	Word Word
	// Is says more: altered, refused, redescribed, forked; or "".
	Is     string
	Result verify.Result // of the check; its zero where none was made
	// WasChecked: there was something to check, and it was.
	WasChecked bool
	Vouching   []Known // given states that are the file's own
	VouchedKey bool    // a given key signed it
	Against    []Known // given states that contradict it
	// AgainstKey: the file was signed by another key than the given ones.
	AgainstKey bool
}

// claim is a transaction with a hash that a file stands for (7.2).
type claim struct {
	state   verify.State
	vouches bool
}

// Check checks a file again and compares it with what is given (7).
func (e *Evidence) Check(given Given) Report {
	var r Report
	if e.outcome.verdict == "unproven" || !isThere(e.Response) { // 7.1.2
		r.Result = verify.Result{Verdict: verify.Unproven, Reason: "none", Why: "There is nothing in the file to check."}
	} else {
		r.WasChecked = true
		r.Result = verify.Answer(e.Kind, e.context, e.Request, e.Response)
	}
	if e.Kind == "fork" {
		return e.checkFork(r, given)
	}
	claims := e.claims(&r.Result)
	for _, known := range given.States {
		if known.Database != e.Database || known.Server.ID != "" && e.Server.ID != "" && known.Server.ID != e.Server.ID {
			continue
		}
		vouches, contradicts := compare(known.State, claims)
		if vouches {
			r.Vouching = append(r.Vouching, known)
		}
		if contradicts {
			r.Against = append(r.Against, known)
		}
	}
	if len(given.Keys) > 0 && e.PublicKey != "" {
		isOne := isAmong(e.PublicKey, given.Keys)
		r.AgainstKey = !isOne
		r.VouchedKey = isOne && r.Result.Verdict == verify.Verified && r.Result.Signed
	}
	r.Word, r.Is = e.word(&r)
	return r
}

func compare(state verify.State, claims []claim) (vouches, contradicts bool) {
	for _, c := range claims {
		if c.state.TxID == state.TxID && c.state.TxID > 0 {
			contradicts = contradicts || c.state != state
			vouches = vouches || c.vouches && c.state == state
		}
	}
	return vouches, contradicts
}

// claims are the first table of 7.2.
func (e *Evidence) claims(found *verify.Result) (list []claim) {
	if e.Trusted != nil {
		// The history went on from an older state to next, which that state cannot
		// vouch for.
		isLeft := found.Verdict == verify.Verified && !found.FirstUse && found.Next != nil && found.Next.TxID > e.Trusted.TxID
		list = append(list, claim{*e.Trusted, !isLeft})
	}
	if found.Verdict != verify.Verified {
		return list
	}
	if found.Next != nil {
		list = append(list, claim{*found.Next, true})
	}
	for _, state := range found.Content {
		list = append(list, claim{state, true})
	}
	for _, state := range found.Walked {
		list = append(list, claim{state, false})
	}
	return list
}

// agrees compares the check with the recorded outcome (7.1.4).
func (e *Evidence) agrees(found *verify.Result) bool {
	recorded := e.outcome
	switch found.Verdict {
	case verify.Verified:
		facts, err := json.Marshal(found.Facts)
		return err == nil && recorded.verdict == "ok" && recorded.firstUse == found.FirstUse &&
			recorded.signed == found.Signed && isSame(facts, recorded.facts)
	case verify.Refused:
		return recorded.verdict == "refused" && recorded.reason == found.Reason
	}
	return recorded.verdict == "unproven"
}

// word is the table of 7.3, row by row.
func (e *Evidence) word(r *Report) (Word, string) {
	found := &r.Result
	isRedescribed := found.Reason == "schema-changed" || found.Reason == "older-form"
	switch {
	case !e.agrees(found):
		return Failed, "altered"
	case found.Verdict == verify.Refused && !isRedescribed:
		return Failed, "refused"
	case len(r.Against) > 0 || r.AgainstKey:
		return Contradicted, ""
	case found.Verdict == verify.Refused:
		return Contradicted, "redescribed"
	case found.Verdict == verify.Unproven:
		return Unproven, ""
	case len(r.Vouching) == 0 && !r.VouchedKey:
		return Unproven, ""
	}
	isWhole := e.Kind != "audit"
	for _, part := range found.Open {
		isWhole = isWhole && part == "tree"
	}
	if facts, ok := found.Facts.(verify.TxFacts); ok && e.Kind == "tx" {
		isWhole = isWhole && facts.IsListed
	}
	if isWhole {
		return Verified, ""
	}
	return InPart, ""
}

// checkFork compares each side of a certificate with what is given (7.2, 7.3).
func (e *Evidence) checkFork(r Report, given Given) Report {
	facts, isFork := r.Result.Facts.(verify.ForkFacts)
	if isFork {
		var isKnown [2]bool
		claims, databases := e.sideClaims(&r.Result, &facts)
		for _, known := range given.States {
			isEqual := false
			for i := range claims {
				if known.Database != databases[i] || isOther(known.Server.ID, e.sides[i].ID) {
					continue
				}
				for _, c := range claims[i] {
					if c.state == known.State && c.state.TxID > 0 {
						isEqual, isKnown[i] = true, isKnown[i] || c.vouches
					}
				}
			}
			if isEqual {
				r.Vouching = append(r.Vouching, known)
				continue
			}
			for i := range claims {
				other := e.sides[1-i]
				if known.Database != databases[i] || isOther(known.Server.ID, e.sides[i].ID) ||
					names(known.Server, other) && !names(known.Server, e.sides[i]) {
					continue
				}
				if _, contradicts := compare(known.State, claims[i]); contradicts {
					r.Against = append(r.Against, known)
					break
				}
			}
		}
		for i := range facts.Sides {
			if key := facts.Sides[i].Key; key != nil && isAmong(*key, given.Keys) {
				isKnown[i], r.VouchedKey = true, true
			}
		}
		if isKnown[0] && isKnown[1] && facts.After != "0" {
			r.Is = "forked"
		}
	}
	isForked := r.Is == "forked"
	r.Word, r.Is = e.word(&r)
	if r.Word == Failed || len(r.Against) > 0 {
		return r
	}
	if r.Word = Unproven; isForked {
		r.Word, r.Is = Contradicted, "forked"
	}
	return r
}

// isOther says whether two names of a server are there and differ.
func isOther(a, b string) bool { return a != "" && b != "" && a != b }

func names(known, side Server) bool {
	return known.ID != "" && known.ID == side.ID || known.Origin != "" && known.Origin == side.Origin
}

func (e *Evidence) sideClaims(found *verify.Result, facts *verify.ForkFacts) (claims [2][]claim, databases [2]string) {
	for i := range facts.Sides {
		databases[i] = facts.Sides[i].DB
		first := found.Content[i]
		before := verify.State{TxID: first.TxID - 1, TxHash: facts.Before}
		claims[i] = []claim{{facts.Sides[i].State, true}, {first, true}, {before, false}}
	}
	return claims, databases
}

// isAmong says whether a key in a file is one of those that are given.
func isAmong(text string, keys []*ecdsa.PublicKey) bool {
	key, err := verify.ReadKey(strings.TrimSpace(text))
	if err != nil {
		return false
	}
	for _, one := range keys {
		if one.Equal(key) {
			return true
		}
	}
	return false
}
