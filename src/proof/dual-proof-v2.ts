import { badDualProof, type Pair, readPair } from './dual-proof'
import { checkHash, leaf } from './hash'
import { isConsistent, isIncluded } from './history-tree'
import { digests, fieldsOf } from './read'

/**
 * Checks that two transactions are in one history whose tree never lags, VERIFY.md 4.3;
 * `VerifyDualProofV2` of embedded/store/verification.go. Documents have this one.
 */
export function checkDualProofV2(value: unknown): Pair {
  const known = 'sourceTxHeader targetTxHeader inclusionProof consistencyProof'
  const fields = fieldsOf(value, 'dualProof', known)
  const pair = readPair(fields)
  const { source, target, sourceAlh } = pair
  const inclusion = digests(fields, 'inclusionProof')
  const consistency = digests(fields, 'consistencyProof')
  if (source.blTxId !== source.id - 1n || target.blTxId !== target.id - 1n) {
    throw badDualProof('blTxId')
  }
  if (source.id === target.id) {
    if (inclusion.length + consistency.length === 0) return pair
    throw badDualProof('inclusionProof')
  }
  // The Go client lets the tree end with another transaction than the chain has there.
  if (source.id === target.id - 1n) checkHash(sourceAlh, target.prevAlh, badDualProof, 'prevAlh')
  const leafHash = leaf(sourceAlh)
  if (!isIncluded(leafHash, source.id, target.blTxId, inclusion, target.blRoot)) {
    throw badDualProof('inclusionProof')
  }
  const tree: [bigint, Uint8Array] =
    source.id === 1n ? [1n, leafHash] : [source.blTxId, source.blRoot]
  if (!isConsistent(tree, [target.blTxId, target.blRoot], consistency)) {
    throw badDualProof('consistencyProof')
  }
  return pair
}
