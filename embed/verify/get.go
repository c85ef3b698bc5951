package verify

import (
	"bytes"
	"encoding/hex"
	"strconv"
)

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
