package verify

import (
	"bytes"
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
	m := &message{in: in, name: "answer", names: []string{"state", "proof"}, values: [][]byte{nil, nil}}
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
		return Result{}, refuse("wrong-database", "request", "db", "The state is of another database.")
	}
	if bad := signature.check(known, state); bad != nil {
		return Result{}, bad
	}
	if state.TxID == 0 && state.TxHash != emptyHash { // 6
		return Result{}, refuse("malformed", "answer", "txHash", "An empty database has another hash.")
	}
	trusted := known.trusted()
	found := Result{Verdict: Verified, Signed: known.Key != nil, Next: &state,
		FirstUse: trusted == nil && (known.Trusted == nil || state.TxID > 0)}
	if trusted != nil {
		switch {
		case state.TxID < trusted.TxID:
			bad := refuse("rolled-back", "link", "txId", "The server is behind the trusted state.")
			bad.expected, bad.received = "at least "+decimal(trusted.TxID), decimal(state.TxID)
			return Result{}, bad
		case state.TxID == trusted.TxID && state.TxHash != trusted.TxHash:
			return Result{}, changed("txHash", trusted.TxHash, state.TxHash)
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
			return Result{}, changed("txHash", state.TxHash, p.Header.Alh)
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
