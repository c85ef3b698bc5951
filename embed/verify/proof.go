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
	advance.subs("inclusionProofs", func(item *message) bool {
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
		return nil, proofFailed("dual-proof", m.where(""), "The older transaction is not older.")
	}
	if S.ID == T.ID && S.Alh != T.Alh {
		return nil, proofFailed("dual-proof", m.where("targetTxHeader"), "One transaction has two hashes.")
	}
	// 4.2.2
	if inTree && !isIncluded(S.Alh, S.ID-1, T.BlTxID, inclusion, T.BlRoot) || !inTree && len(inclusion) > 0 {
		return nil, proofFailed("dual-proof", m.where("inclusionProof"), "The older transaction is not in the tree of the newer one.")
	}
	// 4.2.3
	if S.BlTxID > 0 && !isConsistent(S.BlTxID, S.BlRoot, T.BlTxID, T.BlRoot, consistency) || S.BlTxID == 0 && len(consistency) > 0 {
		return nil, proofFailed("dual-proof", m.where("consistencyProof"), "The newer tree does not continue the older one.")
	}
	// 4.2.4
	if T.BlTxID > 0 && !isLast(blTxAlh, last, T.BlRoot) || T.BlTxID == 0 && (len(last) > 0 || blTxAlh != digest{}) {
		return nil, proofFailed("dual-proof", m.where("lastInclusionProof"), "The tree does not end with this transaction.")
	}
	if T.BlTxID > 0 && (T.BlTxID == S.ID && blTxAlh != S.Alh || T.BlTxID == S.ID-1 && blTxAlh != S.PrevAlh) {
		return nil, proofFailed("dual-proof", m.where("targetBlTxAlh"), "The tree holds another transaction than the chain.")
	}
	// 4.2.5
	start, startAlh := S.ID, S.Alh
	if inTree {
		start, startAlh = T.BlTxID, blTxAlh
	}
	if from != start || to != T.ID || !isChain(start, startAlh, terms, T.ID, T.Alh) {
		return nil, proofFailed("linear-proof", m.where("linearProof"), "The chain does not lead to the newer transaction.")
	}
	// 4.2.6
	end, endAlh := T.BlTxID, blTxAlh
	if inTree {
		end, endAlh = S.ID, S.Alh
	}
	isThere := m.has("LinearAdvanceProof")
	var lacks *refusal
	if !isAdvance(S.BlTxID, end, endAlh, isThere, advanceTerms, paths, &T) {
		bad := proofFailed("linear-advance-proof", m.where("LinearAdvanceProof"), "The chain of the older transaction is not in the newer tree.")
		if isThere || end <= S.BlTxID+1 {
			return nil, bad
		}
		lacks = bad
	}
	// The end of 4.2: such a T goes on from S, but must not become what is trusted.
	lags := S.BlTxID < T.BlTxID && T.BlTxID+1 < S.ID
	return &dual{S: S, T: T, lags: lags, lacks: lacks, last: last, blTxAlh: blTxAlh}, nil
}

// isChain says whether terms lead from one transaction to another (4.1).
func isChain(source uint64, sourceAlh digest, terms []digest, target uint64, targetAlh digest) bool {
	if source < 1 || source > target || len(terms) == 0 || uint64(len(terms)-1) != target-source || terms[0] != sourceAlh {
		return false
	}
	acc := terms[0]
	for k, term := range terms[1:] {
		acc = chain(source+uint64(k)+1, acc, term)
	}
	return acc == targetAlh
}

// isAdvance says whether the chain from start to end is in the tree of T (4.2.6).
func isAdvance(start, end uint64, endAlh digest, isThere bool, terms []digest, paths [][]digest, T *Header) bool {
	if end < start {
		return false
	}
	if end <= start+1 {
		return !isThere
	}
	n := end - start
	if !isThere || uint64(len(terms)) != n || uint64(len(paths)) != n-1 {
		return false
	}
	acc := terms[0] // alh of start + 1
	for k, term := range terms[1:] {
		at := start + uint64(k) + 1
		if !isIncluded(acc, at-1, T.BlTxID, paths[k], T.BlRoot) {
			return false
		}
		acc = chain(at+1, acc, term)
	}
	return acc == endAlh
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
	failed := func(part, why string) (*dual, *refusal) {
		return nil, proofFailed("dual-proof", m.where(part), why)
	}
	switch {
	case S.ID > T.ID:
		return failed("", "The older transaction is not older.")
	case S.BlTxID != S.ID-1:
		return failed("sourceTxHeader.blTxId", "The tree of a document's proof lags behind.")
	case T.BlTxID != T.ID-1:
		return failed("targetTxHeader.blTxId", "The tree of a document's proof lags behind.")
	case S.ID == T.ID && S.Alh != T.Alh:
		return failed("targetTxHeader", "One transaction has two hashes.")
	case S.ID == T.ID && len(inclusion)+len(consistency) > 0:
		return failed("", "One transaction needs no path.")
	case S.ID == T.ID:
		return &dual{S: S, T: T, isV2: true}, nil
	case T.ID == S.ID+1 && T.PrevAlh != S.Alh:
		return failed("targetTxHeader.prevAlh", "The tree holds another transaction than the chain.")
	case !isIncluded(S.Alh, S.ID-1, T.BlTxID, inclusion, T.BlRoot):
		return failed("inclusionProof", "The older transaction is not in the tree of the newer one.")
	}
	size, root := S.BlTxID, S.BlRoot
	if S.ID == 1 {
		size, root = 1, leaf(S.Alh)
	}
	if !isConsistent(size, root, T.BlTxID, T.BlRoot, consistency) {
		return failed("consistencyProof", "The newer tree does not continue the older one.")
	}
	return &dual{S: S, T: T, isV2: true}, nil
}
