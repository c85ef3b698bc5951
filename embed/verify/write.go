package verify

// verifyWrite is 7.4.
func verifyWrite(known *Context, request, response []byte) (Result, *refusal) {
	sent, bad := sentEntries(request)
	if bad != nil {
		return Result{}, bad
	}
	in := &reading{step: "answer", name: "verifiableTx"}
	vtx := in.root(response, vtxFields...)
	x := vtx.need("tx", txFields...).need("header", headerFields...).u64("id")
	if in.bad != nil {
		return Result{}, in.bad
	}
	if trusted := known.trusted(); trusted != nil && x <= trusted.TxID {
		return Result{}, refuse("not-anchored", "link", "id", "The write is not newer than the trusted state.")
	}
	p, bad := prove(known, vtx, x, dualProof)
	if bad != nil {
		return Result{}, bad
	}
	if !p.isListed {
		return Result{}, refuse("tx-mismatch", "entry", "entries", "The entries of the write are missing.")
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
			return Result{}, refuse("answer-mismatch", "request", "entries", "The transaction holds something else than was sent.")
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
		m.sub("setRequest", "KVs").subs("KVs", "KVs", func(kv *message) bool {
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
		m.wrong(m.name, "The request writes nothing.")
	}
	return sent, in.bad
}
