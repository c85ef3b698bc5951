package verify

import "strconv"

// proven is what all procedures with a dual proof have in common (7).
type proven struct {
	Header   Header
	entries  []Entry
	isListed bool // all entries are there (7.2)
	result   Result
}

// prove checks the dual proof of an answer about transaction x, its anchor, its
// transaction and its signature.
func prove(known *Context, vtx *message, x uint64, check func(*message) (*dual, *refusal)) (*proven, *refusal) {
	signature := readSignature(vtx)
	d, bad := check(vtx)
	if bad != nil {
		return nil, bad
	}
	if d.lacks != nil && !known.MayLackAdvance {
		return nil, d.lacks
	}
	p := &proven{result: Result{Verdict: Verified, Signed: known.hasKey(), Lags: d.T.BlTxID != d.T.ID-1}}
	if bad := p.anchor(known, d, x, vtx); bad != nil {
		return nil, bad
	}
	if bad := p.readTx(vtx); bad != nil {
		return nil, bad
	}
	return p, signature.check(known, State{d.T.ID, d.T.Alh})
}

// anchor compares S and T with what is known (6).
func (p *proven) anchor(known *Context, d *dual, x uint64, vtx *message) *refusal {
	part := "dualProof"
	trusted := known.trusted()
	source, target := x, x
	switch {
	case trusted == nil && d.isV2:
		source = 1
	case trusted != nil && trusted.TxID <= x:
		source = trusted.TxID
	case trusted != nil:
		target = trusted.TxID
	}
	if d.S.ID != source || d.T.ID != target {
		bad := refuse("not-anchored", "link", part, "The proof is between other transactions than it must be.")
		bad.expected = strconv.FormatUint(source, 10) + " to " + strconv.FormatUint(target, 10)
		bad.received = strconv.FormatUint(d.S.ID, 10) + " to " + strconv.FormatUint(d.T.ID, 10)
		return bad
	}
	p.Header = d.T
	next := State{x, d.T.Alh}
	switch {
	case trusted == nil:
		p.result.FirstUse = true
		if d.S.ID == 1 && d.S.PrevAlh != emptyHash {
			return refuse("not-anchored", "link", "prevAlh", "The first transaction has one before it.")
		}
	case trusted.TxID <= x:
		if d.S.Alh != trusted.TxHash {
			return changed("trusted", trusted.TxHash, d.S.Alh)
		}
		if d.lags {
			next = *trusted
		}
		// An answer above the trusted state is verified only when next reaches it.
		if next.TxID < x {
			p.result.Verdict, p.result.Reason = Unproven, "untied"
			p.result.Why = "The tree lags behind, so that this cannot be tied to the trusted state yet."
		}
	default:
		if d.T.Alh != trusted.TxHash {
			return changed("trusted", trusted.TxHash, d.T.Alh)
		}
		p.Header, next = d.S, *trusted
		if x < d.T.BlTxID && !known.hasRead(x, trusted.TxID) { // 1
			p.result.Open = append(p.result.Open, "tree")
		}
	}
	if d.lacks != nil && trusted != nil {
		next = *trusted
		p.result.Verdict, p.result.Reason = Unproven, "older-form"
		p.result.Why = "The tree lagged behind there, and immudb before 1.4.1 does not send the proof for that."
	}
	p.result.Next = &next
	return nil
}

// hasRead says whether an audit read everything from a transaction to the
// trusted one, so that the chain was compared with the tree (7.8).
func (c *Context) hasRead(from, to uint64) bool { return c.ReadFrom <= from && c.ReadTo >= to }

func changed(part string, expected, received digest) *refusal {
	return refuse("history-changed", "link", part, "The transaction has another hash than the trusted state.").with(expected, received)
}

// done is the result with its facts. An unproven one has none, and nothing is
// open in it.
func (p *proven) done(facts any) Result {
	if p.result.Verdict == Verified {
		p.result.Facts, p.result.Content = facts, []State{{p.Header.ID, p.Header.Alh}}
	} else {
		p.result.Open = nil
	}
	return p.result
}
