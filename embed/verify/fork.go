package verify

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"strconv"
)

// side is one of the two servers of a certificate.
type side struct {
	db        string
	state     State
	signature signature
	proof     *message
	header    Header
}

func readSide(m *message, field string) side {
	s := m.need(field, "name", "server", "db", "state", "dualProof")
	s.all([]string{"name", "server", "db"})
	s.text("name")
	server := s.below("server", false, []string{"origin", "uuid"})
	server.all([]string{"origin"})
	server.text("origin")
	server.text("uuid")
	state := s.need("state", "db", "txId", "txHash", "signature", "precommittedTxId", "precommittedTxHash")
	if db := state.text("db"); !bytes.Equal(db, s.text("db")) && m.in.bad == nil {
		m.in.bad = refuse("wrong-database", "request", "db", "The state is of another database.")
	}
	state.u64("precommittedTxId")
	state.bytes("precommittedTxHash")
	return side{string(s.text("db")), State{state.u64("txId"), state.digest("txHash")}, readSignature(state), s, Header{}}
}

// link proves transaction x of the side's history (4.2, 6), and its signature.
func (s *side) link(x uint64) *refusal {
	known := Context{Database: s.db, Trusted: &s.state}
	if s.signature.isThere {
		// Whose key it is stays open; it must be right under the key in it.
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), s.signature.publicKey)
		if err != nil || !s.signature.isBy(key, s.db, s.state) {
			bad := refuse("signature", "signature", "signature", "The signature is not one of its key over this state.")
			bad.received = hexOf(payloadHash(s.db, s.state))
			return bad
		}
	}
	if x > s.state.TxID {
		return refuse("not-anchored", "link", "dualProof", "The state is older than the transaction.")
	}
	d, bad := dualProof(s.proof)
	if bad == nil {
		bad = d.lacks
	}
	if bad != nil {
		return bad
	}
	p := &proven{}
	bad = p.anchor(&known, d, x, s.proof)
	s.header = p.Header
	return bad
}

func (s *side) key() *string {
	if !s.signature.isThere {
		return nil
	}
	key := base64.StdEncoding.EncodeToString(s.signature.publicKey)
	return &key
}

// verifyFork checks a certificate (7.9).
func verifyFork(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	req := asked.root(request, "tx")
	x := req.txID("tx")
	if x == 0 {
		req.wrong("tx", "There is no transaction 0.")
	}
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer"}
	m := in.root(response, "first", "second")
	sides := [2]side{readSide(m, "first"), readSide(m, "second")}
	if in.bad != nil {
		return Result{}, in.bad
	}
	first, second := &sides[0], &sides[1]
	// The first side is the one of the context, so that they cannot change places.
	if known.Trusted == nil || *known.Trusted != first.state || known.Database != first.db {
		return Result{}, refuse("answer-mismatch", "request", "first", "The first side is not the one of the context.")
	}
	pinned := known.keyPoint
	if pinned == nil && known.Key != nil {
		pinned = keyBytes(known.Key)[26:]
	}
	if known.hasKey() != first.signature.isThere || known.hasKey() && !bytes.Equal(pinned, first.signature.publicKey) {
		return Result{}, refuse("answer-mismatch", "request", "publicKey", "The first side has another key than the context.")
	}
	for i := range sides {
		if bad := sides[i].link(x); bad != nil {
			return Result{}, bad
		}
	}
	noFork := func(part, why string) (Result, *refusal) {
		return Result{}, refuse("no-fork", "content", part, why)
	}
	switch {
	case first.db != second.db:
		return noFork("db", "The databases have two names.")
	case first.header.Alh == second.header.Alh:
		return noFork("second", "Both have the same transaction.")
	case first.header.PrevAlh != second.header.PrevAlh:
		return noFork("prevAlh", "They differ already before this transaction.")
	}
	facts := ForkFacts{After: decimal(x - 1), PrevAlh: hexOf(first.header.PrevAlh), Before: first.header.PrevAlh}
	for i := range sides {
		s := &sides[i]
		facts.Sides[i] = ForkSide{s.db, decimal(s.state.TxID), hexOf(s.state.TxHash), hexOf(s.header.Alh),
			strconv.FormatInt(s.header.Ts, 10), s.header.NEntries, s.key(), s.state}
	}
	return Result{Verdict: Verified, Next: &first.state, Facts: facts,
		Content: []State{{x, first.header.Alh}, {x, second.header.Alh}},
		Signed:  first.signature.isThere && second.signature.isThere}, nil
}
