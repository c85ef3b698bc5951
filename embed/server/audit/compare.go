package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"immudb-webconsole/embed/verify"
)

// pair is a database on two servers.
type pair struct {
	sides [2]*followed
	// of are the states that were compared last.
	of      [2]uint64
	verdict verdict
	// isUnrelated is true for two histories that never were one, such as the
	// defaultdb of two servers.
	isUnrelated bool
}

// compare decides whether two servers have the same history (VERIFY.md 7.9). Each
// history was read from its first transaction and proven up to its own state, so
// one question is enough where they agree.
func (p *pair) compare(ctx context.Context) (verdict, error) {
	for _, side := range p.sides {
		k := side.kept
		if k == nil || k.Trusted.TxID == 0 || side.state == nil || k.Walk.At().TxID < k.Trusted.TxID {
			// Nothing to compare yet, which the standing of that side says.
			return isVerified, nil
		}
	}
	older, newer := 0, 1
	if p.sides[0].kept.Trusted.TxID > p.sides[1].kept.Trusted.TxID {
		older, newer = 1, 0
	}
	a, b := p.sides[older], p.sides[newer]
	of := [2]uint64{p.sides[0].kept.Trusted.TxID, p.sides[1].kept.Trusted.TxID}
	if p.isUnrelated || p.of == of {
		return p.verdict, nil
	}
	isSame, there := a.kept.Trusted.isSame(b.kept.Trusted), (*linked)(nil)
	if !isSame && a.kept.Trusted.TxID < b.kept.Trusted.TxID {
		var err error
		if there, err = b.header(ctx, a.kept.Trusted.TxID); err != nil {
			return isInPart, err
		}
		isSame = bytes.Equal(there.alh(), a.kept.Trusted.TxHash)
	}
	if isSame {
		p.of, p.verdict = of, isVerified
		a.say(Event{Event: "same-history", From: a.kept.Trusted.TxID, To: b.kept.Trusted.TxID, Words: fmt.Sprintf(
			"Database %s has the same history on %s and %s, which is %d transactions ahead.",
			a.database, a.server.name, b.server.name, b.kept.Trusted.TxID-a.kept.Trusted.TxID)})
		return isVerified, nil
	}
	parted, err := p.findFork(ctx, a, b)
	if err != nil {
		return isInPart, err
	}
	if parted.tx == 1 && (a.kept.UUID == "" || a.kept.UUID != b.kept.UUID) {
		p.isUnrelated, p.verdict = true, isVerified
		a.say(Event{Event: "unrelated", Words: fmt.Sprintf(
			"Database %s on %s and on %s differ from their first transaction on: they are not copies of one another.",
			a.database, a.server.name, b.server.name)})
		return isVerified, nil
	}
	return isContradicted, p.keepFork(parted)
}

// linked is a header that its own server has tied to its state.
type linked struct {
	header verify.Header
	answer json.RawMessage
}

func (l *linked) alh() []byte { return l.header.Alh[:] }

var errLags = errors.New("its tree lags behind its history")

// header asks a server for one of its transactions, tied to its own state.
func (f *followed) header(ctx context.Context, tx uint64) (*linked, error) {
	answer, err := f.server.readTx(ctx, f.database, tx, f.kept.Trusted.TxID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.server.name, err)
	}
	against := f.known()
	against.PublicKey = nil
	result := verify.CheckTx(against.verifier(nil), tx, answer)
	switch {
	case result.Verdict == verify.Refused:
		request := map[string]string{"tx": txText(tx)}
		return nil, errors.Join(errors.New("an answer was refused"), f.contradict("tx", against, request, json.RawMessage(answer), result))
	case result.Verdict != verify.Verified:
		return nil, fmt.Errorf("%s: %w", f.server.name, errLags)
	}
	facts, isThere := result.Facts.(verify.TxFacts)
	if !isThere {
		return nil, fmt.Errorf("%s: the verifier gave no header", f.server.name)
	}
	return &linked{facts.Header, answer}, nil
}

// fork is the first transaction that differs.
type fork struct {
	tx    uint64
	sides [2]*linked
}

// findFork searches by halves: the hash of a transaction covers all before it.
func (p *pair) findFork(ctx context.Context, a, b *followed) (*fork, error) {
	both := func(tx uint64) (pair [2]*linked, err error) {
		for i, side := range []*followed{a, b} {
			if pair[i], err = side.header(ctx, tx); err != nil {
				return pair, err
			}
		}
		return pair, nil
	}
	low, high := uint64(1), a.kept.Trusted.TxID // the first that differs is among these
	var found [2]*linked                        // that of high, once it was asked for
	for low < high {
		middle := low + (high-low)/2
		asked, err := both(middle)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(asked[0].alh(), asked[1].alh()) {
			low = middle + 1
		} else {
			high, found = middle, asked
		}
	}
	if found[0] == nil {
		var err error
		if found, err = both(low); err != nil {
			return nil, err
		}
	}
	if found[0].header.PrevAlh != found[1].header.PrevAlh || bytes.Equal(found[0].alh(), found[1].alh()) ||
		(low == 1 && found[0].header.PrevAlh != sha256.Sum256(nil)) {
		return nil, errors.New("the headers of one of the two servers do not continue one another")
	}
	if a != p.sides[0] {
		found[0], found[1] = found[1], found[0]
	}
	return &fork{low, found}, nil
}

type side struct {
	Name      string          `json:"name"`
	Server    fromServer      `json:"server"`
	DB        string          `json:"db"`
	State     json.RawMessage `json:"state"`
	DualProof json.RawMessage `json:"dualProof"`
}

// keepFork writes the certificate, which stops the database on both servers.
func (p *pair) keepFork(found *fork) error {
	var sides [2]side
	for i, each := range p.sides {
		var answer struct {
			DualProof json.RawMessage `json:"dualProof"`
		}
		if err := json.Unmarshal(found.sides[i].answer, &answer); err != nil {
			return err
		}
		sides[i] = side{each.server.name, each.server.from(), each.database, asSigned(each.database, each.state), answer.DualProof}
	}
	first := p.sides[0]
	request, err := json.Marshal(map[string]string{"tx": txText(found.tx)})
	if err != nil {
		return err
	}
	response, err := json.Marshal(map[string]side{"first": sides[0], "second": sides[1]})
	if err != nil {
		return err
	}
	trusted := first.kept.Trusted
	against := known{DB: first.database, Trusted: &trusted, PublicKey: keyIn(sides[0].State)}
	context, err := json.Marshal(against)
	if err != nil {
		return err
	}
	result := verify.Answer("fork", context, request, response)
	if result.Verdict != verify.Verified {
		return fmt.Errorf("two histories differ after transaction %d, and the certificate of that does not hold: %s",
			found.tx-1, plain(result.Why))
	}
	file := evidence{
		Format: evidenceFormat, Version: evidenceVersion, Kind: "fork", CheckedAt: inISO(first.now()),
		What: fmt.Sprintf("Database %s has two histories: %s and %s differ after transaction %d.",
			first.database, p.sides[0].server.name, p.sides[1].server.name, found.tx-1),
		Server: first.server.from(), Console: thisProgram(),
		Context: against, Request: request, Response: response, Outcome: recorded(result),
	}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	p.verdict = isContradicted
	return first.keepFinding(&finding{
		servers: []string{p.sides[0].server.name, p.sides[1].server.name}, content: append(text, '\n'),
	})
}

// asSigned is a state without its signature, unless that is one of the key in it.
// Nobody looked at it so far, and a wrong one makes no certificate.
func asSigned(database string, state []byte) []byte {
	if text := keyIn(state); text != nil {
		key, err := verify.ReadKey(*text)
		if err == nil && verify.CheckState(verify.Context{Database: database, Key: key}, state, nil).Verdict == verify.Verified {
			return state
		}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(state, &fields) != nil {
		return state
	}
	delete(fields, "signature")
	unsigned, err := json.Marshal(fields)
	if err != nil {
		return state
	}
	return unsigned
}

// keyIn is the key that a state came with: it says only that its holder signed.
func keyIn(state []byte) *string {
	var signed struct {
		Signature struct {
			PublicKey string `json:"publicKey"`
		} `json:"signature"`
	}
	if json.Unmarshal(state, &signed) != nil {
		return nil
	}
	return textOrNull(signed.Signature.PublicKey)
}
