package verify

// dual is a proof that two transactions belong to one history (4).
type dual struct {
	S, T Header // the older and the newer one
	// lags: the tree of T took in what nothing here compares with the chain (4.2).
	lags bool
	// lacks: the proof of 4.2.6 is needed and missing, the rest holds.
	lacks *refusal
	isV2  bool // of documents
	// last is the path of the last leaf of T's tree (7.8 begins with it).
	last    []digest
	blTxAlh digest
}

func proofFailed(reason, part, why string) *refusal { return refuse(reason, "link", part, why) }

// dualProof checks a proof as in 4.2.
func dualProof(vtx *message) (*dual, *refusal) {
	m := vtx.need("dualProof", "sourceTxHeader", "targetTxHeader", "inclusionProof", "consistencyProof",
		"targetBlTxAlh", "lastInclusionProof", "linearProof", "LinearAdvanceProof")
	S := readHeader(m.need("sourceTxHeader", headerFields...))
	T := readHeader(m.need("targetTxHeader", headerFields...))
	inclusion, consistency := m.digests("inclusionProof"), m.digests("consistencyProof")
	last, blTxAlh := m.digests("lastInclusionProof"), m.digest("targetBlTxAlh")
	linear := m.need("linearProof", "sourceTxId", "TargetTxId", "terms")
	from, to, terms := linear.u64("sourceTxId"), linear.u64("TargetTxId"), linear.digests("terms")
	advance := m.sub("LinearAdvanceProof", "linearProofTerms", "inclusionProofs")
	advanceTerms, paths := advance.digests("linearProofTerms"), [][]digest(nil)
	advance.subs("inclusionProofs", "inclusionProofs", func(item *message) bool {
		item.whole("leaf", maxInt32)
		item.whole("width", maxInt32)
		paths = append(paths, item.digests("terms"))
		return true
	}, "leaf", "width", "terms")
	if m.in.bad != nil {
		return nil, m.in.bad
	}
	inTree := S.ID < T.BlTxID
	// 4.2.1
	if S.ID > T.ID || S.BlTxID > T.BlTxID {
		return nil, proofFailed("dual-proof", "sourceTxHeader", "The older transaction is not older.")
	}
	if S.ID == T.ID && S.Alh != T.Alh {
		return nil, proofFailed("dual-proof", "sourceTxHeader", "One transaction has two hashes.").with(T.Alh, S.Alh)
	}
	// 4.2.2
	if inTree && !isIncluded(S.Alh, S.ID-1, T.BlTxID, inclusion, T.BlRoot) || !inTree && len(inclusion) > 0 {
		return nil, proofFailed("dual-proof", "inclusionProof", "The older transaction is not in the tree of the newer one.")
	}
	// 4.2.3
	if S.BlTxID > 0 && !isConsistent(S.BlTxID, S.BlRoot, T.BlTxID, T.BlRoot, consistency) || S.BlTxID == 0 && len(consistency) > 0 {
		return nil, proofFailed("dual-proof", "consistencyProof", "The newer tree does not continue the older one.")
	}
	// 4.2.4
	if T.BlTxID > 0 && !isLast(blTxAlh, last, T.BlRoot) || T.BlTxID == 0 && (len(last) > 0 || blTxAlh != digest{}) {
		return nil, proofFailed("dual-proof", "lastInclusionProof", "The tree does not end with this transaction.")
	}
	if T.BlTxID > 0 && (T.BlTxID == S.ID && blTxAlh != S.Alh || T.BlTxID == S.ID-1 && blTxAlh != S.PrevAlh) {
		return nil, proofFailed("dual-proof", "lastInclusionProof", "The tree holds another transaction than the chain.")
	}
	// 4.2.5
	start, startAlh := S.ID, S.Alh
	if inTree {
		start, startAlh = T.BlTxID, blTxAlh
	}
	if bad := isChain(from, to, terms, start, startAlh, &T); bad != nil {
		return nil, bad
	}
	// 4.2.6
	end, endAlh := T.BlTxID, blTxAlh
	if inTree {
		end, endAlh = S.ID, S.Alh
	}
	isThere := m.has("LinearAdvanceProof")
	var lacks *refusal
	if bad := isAdvance(S.BlTxID, end, endAlh, isThere, advanceTerms, paths, &T); bad != nil {
		if isThere || end <= S.BlTxID+1 {
			return nil, bad
		}
		lacks = bad
	}
	// The end of 4.2: such a T goes on from S, but must not become what is trusted.
	lags := S.BlTxID < T.BlTxID && T.BlTxID+1 < S.ID
	return &dual{S: S, T: T, lags: lags, lacks: lacks, last: last, blTxAlh: blTxAlh}, nil
}

// isChain refuses terms that do not lead from a transaction to T (4.1).
func isChain(from, to uint64, terms []digest, source uint64, sourceAlh digest, T *Header) *refusal {
	if from != source || to != T.ID || source < 1 || source > T.ID || len(terms) == 0 || terms[0] != sourceAlh {
		return proofFailed("linear-proof", "sourceTxId", "The chain is between other transactions.")
	}
	if uint64(len(terms)-1) != T.ID-source {
		return proofFailed("linear-proof", "terms", "The chain has another length.")
	}
	acc := terms[0]
	for k, term := range terms[1:] {
		acc = chain(source+uint64(k)+1, acc, term)
	}
	if acc != T.Alh {
		return proofFailed("linear-proof", "terms", "The chain does not lead to the newer transaction.").with(T.Alh, acc)
	}
	return nil
}

// isAdvance refuses a chain from start to end that is not in the tree of T
// (4.2.6).
func isAdvance(start, end uint64, endAlh digest, isThere bool, terms []digest, paths [][]digest, T *Header) *refusal {
	failed := func(part, why string) *refusal { return proofFailed("linear-advance-proof", part, why) }
	n := end - start
	switch {
	case end < start:
		return failed("blTxId", "The tree of the older transaction reaches beyond its end.")
	case isThere != (end > start+1):
		return failed("LinearAdvanceProof", "It is there where it must not be, or missing.")
	case !isThere:
		return nil
	case uint64(len(terms)) != n || uint64(len(paths)) != n-1:
		return failed("linearProofTerms", "The chain has another length.")
	}
	acc := terms[0] // alh of start + 1
	for k, term := range terms[1:] {
		at := start + uint64(k) + 1
		if !isIncluded(acc, at-1, T.BlTxID, paths[k], T.BlRoot) {
			return failed("inclusionProofs", "The chain of the older transaction is not in the newer tree.")
		}
		acc = chain(at+1, acc, term)
	}
	if acc != endAlh {
		return failed("linearProofTerms", "The chain has another end.").with(endAlh, acc)
	}
	return nil
}

// dualProofV2 checks a proof of documents (4.3).
func dualProofV2(vtx *message) (*dual, *refusal) {
	m := vtx.need("dualProof", "sourceTxHeader", "targetTxHeader", "inclusionProof", "consistencyProof")
	S := readHeader(m.need("sourceTxHeader", headerFields...))
	T := readHeader(m.need("targetTxHeader", headerFields...))
	inclusion, consistency := m.digests("inclusionProof"), m.digests("consistencyProof")
	if m.in.bad != nil {
		return nil, m.in.bad
	}
	failed := func(part, why string) *refusal { return proofFailed("dual-proof", part, why) }
	switch {
	case S.ID > T.ID:
		return nil, failed("sourceTxHeader", "The older transaction is not older.")
	case S.BlTxID != S.ID-1:
		return nil, failed("blTxId", "The tree of a document's proof lags behind.")
	case T.BlTxID != T.ID-1:
		return nil, failed("blTxId", "The tree of a document's proof lags behind.")
	case S.ID == T.ID && S.Alh != T.Alh:
		return nil, failed("sourceTxHeader", "One transaction has two hashes.").with(T.Alh, S.Alh)
	case S.ID == T.ID && len(inclusion)+len(consistency) > 0:
		return nil, failed("inclusionProof", "One transaction needs no path.")
	case S.ID == T.ID:
		return &dual{S: S, T: T, isV2: true}, nil
	case T.ID == S.ID+1 && T.PrevAlh != S.Alh:
		return nil, failed("prevAlh", "The tree holds another transaction than the chain.").with(T.PrevAlh, S.Alh)
	case !isIncluded(S.Alh, S.ID-1, T.BlTxID, inclusion, T.BlRoot):
		return nil, failed("inclusionProof", "The older transaction is not in the tree of the newer one.")
	}
	size, root := S.BlTxID, S.BlRoot
	if S.ID == 1 {
		size, root = 1, leaf(S.Alh)
	}
	if !isConsistent(size, root, T.BlTxID, T.BlRoot, consistency) {
		return nil, failed("consistencyProof", "The newer tree does not continue the older one.")
	}
	return &dual{S: S, T: T, isV2: true}, nil
}
