package verify

import (
	"bytes"
	"encoding/hex"
	"strconv"
)

var vtxFields = []string{"tx", "dualProof", "signature"}

// saysIllegalState looks for the words of a server that lacks the transaction to
// prove from (7.1).
func saysIllegalState(response []byte) bool {
	in := &reading{step: "request"}
	m := in.root(response, "error", "message")
	isSaid := func(field string) bool {
		return bytes.Contains(bytes.ToLower(m.text(field)), []byte("illegal state"))
	}
	return isSaid("error") || isSaid("message")
}

// CheckState is the door for a program that follows a database (7.1). state is
// the answer of GET /db/state, proof that of GET
// /db/verifiable/tx/{state}?proveSinceTx={trusted}, or nil when none was asked
// for. A verified result has Next: keep it in place of known.Trusted, but only
// if that is still what is kept (6).
func CheckState(known Context, state, proof []byte) Result {
	in := &reading{step: "answer"}
	m := &message{in: in, index: -1, names: []string{"state", "proof"}, values: [][]byte{nil, nil}}
	for i, text := range [][]byte{state, proof} {
		if text = bytes.TrimSpace(text); text == nil {
			continue
		}
		if why := WellFormed(text); why != "" {
			m.wrong(m.names[i], why)
			return refused(in.bad)
		}
		if string(text) != "null" {
			m.values[i] = text
		}
	}
	return finish(checkState(&known, m))
}

func verifyState(known *Context, _, response []byte) (Result, *refusal) {
	in := &reading{step: "answer"}
	return checkState(known, in.root(response, "state", "proof"))
}

// checkState is 7.1.
func checkState(known *Context, m *message) (Result, *refusal) {
	s := m.need("state", "db", "txId", "txHash", "signature", "precommittedTxId", "precommittedTxHash")
	db, state, signature := s.text("db"), State{s.u64("txId"), s.digest("txHash")}, readSignature(s)
	s.u64("precommittedTxId")
	s.bytes("precommittedTxHash")
	if m.in.bad != nil {
		return Result{}, m.in.bad
	}
	if string(db) != known.Database {
		return Result{}, refuse("wrong-database", "request", "state.db", "The state is of another database.")
	}
	if bad := signature.check(known, state); bad != nil {
		return Result{}, bad
	}
	if state.TxID == 0 && state.TxHash != emptyHash { // 6
		return Result{}, refuse("malformed", "answer", "state.txHash", "An empty database has another hash.")
	}
	trusted := known.trusted()
	found := Result{Verdict: Verified, Signed: known.Key != nil, Next: &state,
		FirstUse: trusted == nil && (known.Trusted == nil || state.TxID > 0)}
	if trusted != nil {
		switch {
		case state.TxID < trusted.TxID:
			bad := refuse("rolled-back", "link", "state.txId", "The server is behind the trusted state.")
			bad.expected, bad.received = "at least "+decimal(trusted.TxID), decimal(state.TxID)
			return Result{}, bad
		case state.TxID == trusted.TxID && state.TxHash != trusted.TxHash:
			return Result{}, changed("state.txHash", trusted.TxHash, state.TxHash)
		case state.TxID > trusted.TxID && !m.has("proof"):
			return Result{}, refuse("malformed", "answer", "proof", "A newer state needs a proof.")
		}
	}
	if m.has("proof") {
		// Its signature is that of the same state, which was checked already.
		unsigned := *known
		unsigned.Key = nil
		vtx := m.sub("proof", vtxFields...)
		vtx.need("tx", txFields...)
		p, bad := prove(&unsigned, vtx, state.TxID, dualProof)
		if bad != nil {
			return Result{}, bad
		}
		if p.Header.Alh != state.TxHash {
			return Result{}, changed("state.txHash", p.Header.Alh, state.TxHash)
		}
		signed, firstUse := found.Signed, found.FirstUse
		found = p.result
		found.Signed, found.FirstUse = signed, firstUse
	}
	if found.Verdict == Verified {
		found.Facts = StateFacts{decimal(state.TxID), hexOf(state.TxHash)}
	}
	return found, nil
}

// CheckTx checks an answer of GET /db/verifiable/tx/{txID}?proveSinceTx={trusted}
// (7.2). Facts is a TxFacts.
func CheckTx(known Context, txID uint64, response []byte) Result {
	in := &reading{step: "answer"}
	return finish(checkTx(&known, txID, in.root(response, vtxFields...)))
}

func verifyTx(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	x := asked.root(request, "tx").txID("tx")
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer"}
	return checkTx(known, x, in.root(response, vtxFields...))
}

// checkTx is 7.2.
func checkTx(known *Context, x uint64, vtx *message) (Result, *refusal) {
	if x < 1 {
		return Result{}, refuse("malformed", "request", "tx", "There is no transaction 0.")
	}
	vtx.need("tx", txFields...)
	p, bad := prove(known, vtx, x, dualProof)
	if bad != nil {
		return Result{}, bad
	}
	return p.done(TxFacts{p.Header, p.entries, p.isListed}), nil
}

// verifyGet is 7.3.
func verifyGet(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	req := asked.root(request, "keyRequest", "hidesValue", "isIndexed")
	keyRequest := req.need("keyRequest", "key", "atTx")
	key, atTx := keyRequest.bytes("key"), keyRequest.txID("atTx")
	hidesValue, isIndexed := string(req.raw("hidesValue")) == "true", string(req.raw("isIndexed")) == "true"
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer"}
	m := in.root(response, "entry", "verifiableTx", "inclusionProof")
	fields := []string{"tx", "key", "referencedBy", "metadata", "expired", "revision", "value"}
	if hidesValue {
		fields[6] = "valueHash"
	}
	e := m.need("entry", fields...)
	e.flag("expired")
	e.u64("revision")
	tx, gotKey, meta, value := e.u64("tx"), e.bytes("key"), readMeta(e), e.bytes("value")
	facts := KeyFacts{Kind: "value"}
	stored := Entry{Meta: meta}
	switch {
	case hidesValue:
		facts.Kind, stored.ValueHash = "hidden", e.digest("valueHash")
		facts.ValueHash = hexOf(stored.ValueHash)
		if e.has("referencedBy") {
			e.wrong("referencedBy", "A hidden value is that of no reference.")
		}
	case e.has("referencedBy"): // only the reference is proven
		by := e.sub("referencedBy", "tx", "key", "atTx", "metadata", "revision")
		by.u64("revision")
		boundTo, target := by.u64("atTx"), gotKey
		facts.Kind, facts.ReferencedKey, facts.ReferencedAtTx = "reference", hex.EncodeToString(target), decimal(boundTo)
		tx, gotKey, stored.Meta = by.u64("tx"), by.bytes("key"), readMeta(by)
		stored.ValueHash = sha(referenceValue(boundTo, target))
	default:
		text := hex.EncodeToString(value)
		facts.Value, stored.ValueHash = &text, sha(plainValue(value))
	}
	stored.Key = plainKey(gotKey)
	at := readInclusion(m)
	vtx := m.need("verifiableTx", vtxFields...)
	p, bad := prove(known, vtx, tx, dualProof)
	if bad != nil {
		return Result{}, bad
	}
	mismatch := func(part, why string) (Result, *refusal) {
		return Result{}, refuse("answer-mismatch", "request", part, why)
	}
	switch {
	case !bytes.Equal(gotKey, key):
		return mismatch("key", "The answer is about another key.")
	case atTx > 0 && atTx != tx:
		return mismatch("atTx", "The answer is of another transaction.")
	case stored.Meta.Deleted:
		return mismatch("metadata", "The key is deleted there.")
	case stored.Meta.NonIndexable && (atTx == 0 || isIndexed):
		return mismatch("metadata", "No index has this entry.")
	}
	if bad := p.holds(stored, at); bad != nil {
		return Result{}, bad
	}
	facts.Key, facts.Tx, facts.Ts = hex.EncodeToString(key), decimal(tx), strconv.FormatInt(p.Header.Ts, 10)
	facts.Position, facts.Meta = at.leaf, stored.Meta
	return p.done(facts), nil
}

// verifyWrite is 7.4.
func verifyWrite(known *Context, request, response []byte) (Result, *refusal) {
	sent, bad := sentEntries(request)
	if bad != nil {
		return Result{}, bad
	}
	in := &reading{step: "answer"}
	vtx := in.root(response, vtxFields...)
	x := vtx.need("tx", txFields...).need("header", headerFields...).u64("id")
	if in.bad != nil {
		return Result{}, in.bad
	}
	if trusted := known.trusted(); trusted != nil && x <= trusted.TxID {
		return Result{}, refuse("not-anchored", "link", "tx.header.id", "The write is not newer than the trusted state.")
	}
	p, bad := prove(known, vtx, x, dualProof)
	if bad != nil {
		return Result{}, bad
	}
	if !p.isListed {
		return Result{}, refuse("tx-mismatch", "entry", "tx.entries", "The entries of the write are missing.")
	}
	// A multiset: what was sent is counted down by what is there.
	left := map[string]int{}
	for i := range sent {
		d, _ := sent[i].digest(1)
		left[string(d[:])]++
	}
	for i := range p.entries {
		d, _ := p.entries[i].digest(1)
		left[string(d[:])]--
	}
	for _, n := range left {
		if n != 0 {
			return Result{}, refuse("answer-mismatch", "request", "tx.entries", "The transaction holds something else than was sent.")
		}
	}
	return p.done(TxFacts{p.Header, p.entries, p.isListed}), nil
}

// sentEntries are the entries that a request writes, in any order (7.4).
func sentEntries(request []byte) ([]Entry, *refusal) {
	in := &reading{step: "request"}
	m := in.root(request, "setRequest", "referenceRequest", "zAddRequest")
	var sent []Entry
	add := func(key, value []byte, meta Meta) {
		sent = append(sent, Entry{Key: key, ValueHash: sha(value), Meta: meta})
	}
	switch {
	case m.has("setRequest"):
		m.sub("setRequest", "KVs").subs("KVs", func(kv *message) bool {
			add(plainKey(kv.bytes("key")), plainValue(kv.bytes("value")), readMeta(kv))
			return true
		}, "key", "value", "metadata")
	case m.has("referenceRequest"):
		r := m.sub("referenceRequest", "key", "referencedKey", "atTx")
		add(plainKey(r.bytes("key")), referenceValue(r.txID("atTx"), r.bytes("referencedKey")), Meta{})
	case m.has("zAddRequest"):
		r := m.sub("zAddRequest", "set", "score", "key", "atTx")
		score := 0.0
		if raw := r.raw("score"); raw != nil {
			var ok bool
			if score, ok = number(raw); !ok && in.bad == nil {
				in.bad = refuse("answer-mismatch", "request", "score", "The score is no number.")
			}
		}
		add(setKey(r.bytes("set"), score, r.bytes("key"), r.txID("atTx")), nil, Meta{})
	default:
		m.wrong("", "The request writes nothing.")
	}
	return sent, in.bad
}
