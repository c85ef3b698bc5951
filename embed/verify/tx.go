package verify

// CheckTx checks an answer of GET /db/verifiable/tx/{txID}?proveSinceTx={trusted}
// (7.2). Facts is a TxFacts.
func CheckTx(known Context, txID uint64, response []byte) Result {
	in := &reading{step: "answer", name: "verifiableTx"}
	return finish(checkTx(&known, txID, in.root(response, vtxFields...)))
}

func verifyTx(known *Context, request, response []byte) (Result, *refusal) {
	asked := &reading{step: "request"}
	x := asked.root(request, "tx").txID("tx")
	if asked.bad != nil {
		return Result{}, asked.bad
	}
	in := &reading{step: "answer", name: "verifiableTx"}
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

// readTx compares the transaction beside the proof with the proven header, if it
// is there (7, 7.2).
func (p *proven) readTx(vtx *message) *refusal {
	if !vtx.has("tx") {
		return nil
	}
	tx := vtx.sub("tx", txFields...)
	h := readHeader(tx.need("header", headerFields...))
	if tx.in.bad != nil {
		return tx.in.bad
	}
	if h.Alh != p.Header.Alh {
		return refuse("tx-mismatch", "header", "header", "The transaction has another header than the proven one.").with(p.Header.Alh, h.Alh)
	}
	var bad *refusal
	p.entries, p.isListed, bad = readEntries(tx, &h)
	return bad
}

var txFields = []string{"header", "entries", "kvEntries", "zEntries"}

// readEntries reads the entries of a transaction. They are all of them, in
// order, or none (7.2).
func readEntries(tx *message, h *Header) (entries []Entry, isListed bool, bad *refusal) {
	noResolved(tx)
	var grown tree
	tx.subs("entries", "entry", func(m *message) bool {
		e := Entry{Key: m.bytes("key"), Meta: readMeta(m), ValueHash: m.digest("hValue"), Value: m.bytes("value")}
		m.whole("vLen", maxInt32)
		d, ok := e.digest(h.Version)
		if !ok {
			m.wrong("metadata", "This version of a transaction has no such entry.")
		}
		if len(e.Value) == 0 {
			e.Value = nil
		}
		grown.add(d)
		entries = append(entries, e)
		return true
	}, "key", "hValue", "vLen", "metadata", "value")
	switch {
	case tx.in.bad != nil:
		return nil, false, tx.in.bad
	case len(entries) == 0 && h.NEntries > 0:
		return nil, false, nil
	case uint64(len(entries)) != uint64(h.NEntries):
		return nil, false, refuse("tx-mismatch", "entry", "entries", "The transaction has another number of entries.")
	case grown.root(emptyHash) != h.EH:
		return nil, false, refuse("tx-mismatch", "entry", "entries", "The entries are not those of the transaction.").with(h.EH, grown.root(emptyHash))
	}
	for i := range entries {
		if e := &entries[i]; e.Value != nil && sha(e.Value) != e.ValueHash {
			return nil, false, refuse("value-mismatch", "value", "value", "The value has another hash than the entry.").with(e.ValueHash, sha(e.Value))
		}
	}
	return entries, true, noKeyTwice(entries)
}

// noResolved refuses resolved entries, which no proof covers (7.2).
func noResolved(tx *message) {
	for _, field := range []string{"kvEntries", "zEntries"} {
		tx.list(field, func([]byte) bool {
			tx.wrong("kvEntries", "Resolved entries are not covered by a proof.")
			return false
		})
	}
}

// noKeyTwice refuses a transaction that has two entries with one key. immudb
// writes none, and either of them could be shown (7.2).
func noKeyTwice(entries []Entry) *refusal {
	if len(entries) < 2 {
		return nil
	}
	seen := make(map[string]struct{}, len(entries))
	for i := range entries {
		key := string(entries[i].Key)
		if _, isTwice := seen[key]; isTwice {
			return refuse("duplicate-key", "entry", "entries", "The transaction has two entries with one key.")
		}
		seen[key] = struct{}{}
	}
	return nil
}

// inclusion is the place of an entry in its transaction (3.3).
type inclusion struct {
	leaf, width uint32
	terms       []digest
}

func readInclusion(m *message) inclusion {
	proof := m.need("inclusionProof", "leaf", "width", "terms")
	return inclusion{proof.whole("leaf", maxInt32), proof.whole("width", maxInt32), proof.digests("terms")}
}

// holds refuses an entry that is not in the proven transaction (3.3). A get and a
// row tell by open that the other entries were left out.
func (p *proven) holds(e Entry, at inclusion) *refusal {
	d, ok := e.digest(p.Header.Version)
	if !ok {
		return refuse("malformed", "answer", "metadata", "This version of a transaction has no such entry.")
	}
	root, ok := rootOf(d, uint64(at.leaf), uint64(at.width), at.terms)
	if ok = ok && at.width == p.Header.NEntries; !ok || root != p.Header.EH {
		bad := refuse("entry-not-included", "entry", "inclusionProof", "The entry is not in the transaction.").with(p.Header.EH, root)
		if !ok {
			bad.received = "" // there is no root
		}
		return bad
	}
	if !p.isListed {
		p.result.Open = append(p.result.Open, "entries")
	}
	return nil
}
