import { refusalOf } from './failure'
import { checkHash, isEqual, leaf, zeroHash } from './hash'
import { alhOf, type Header, readHeader } from './header'
import { isConsistent, isIncluded, isLast } from './history-tree'
import { checkLinearAdvanceProof } from './linear-advance-proof'
import { checkLinearProof, type TxPoint } from './linear-proof'
import { digest, digests, type Fields, fieldsOf } from './read'

/** Two headers of one history, the older one first, with their accumulated hashes. */
export type Pair = { source: Header; target: Header; sourceAlh: Uint8Array; targetAlh: Uint8Array }

export const badDualProof = refusalOf('dual-proof', 'link')

const dualProofFields =
  'sourceTxHeader targetTxHeader inclusionProof consistencyProof targetBlTxAlh lastInclusionProof linearProof LinearAdvanceProof'

/**
 * Checks that two transactions are in one history, VERIFY.md 4.2; `VerifyDualProof` of
 * embedded/store/verification.go. It says nothing about which history that is: one of the two
 * must be known, see `anchor.ts`.
 */
export function checkDualProof(value: unknown): Pair {
  const fields = fieldsOf(value, 'dualProof', dualProofFields)
  const pair = readPair(fields)
  const { source, target, sourceAlh, targetAlh } = pair
  const targetBlTx = { id: target.blTxId, alh: digest(fields, 'targetBlTxAlh') }
  checkConsistency(fields, pair)
  checkTargetTree(fields, pair, targetBlTx)
  const sourceTx = { id: source.id, alh: sourceAlh }
  const [from, end] = isInTree(pair) ? [targetBlTx, sourceTx] : [sourceTx, targetBlTx]
  checkLinearProof(fields.linearProof, from, { id: target.id, alh: targetAlh })
  checkLinearAdvanceProof(fields.LinearAdvanceProof, source.blTxId, end, target)
  return pair
}

/** Reads both headers, which are of one transaction when the ids are. */
export function readPair(fields: Fields): Pair {
  const source = readHeader(fields.sourceTxHeader, 'sourceTxHeader')
  const target = readHeader(fields.targetTxHeader, 'targetTxHeader')
  const pair = { source, target, sourceAlh: alhOf(source), targetAlh: alhOf(target) }
  if (source.id > target.id || source.blTxId > target.blTxId) {
    throw badDualProof('sourceTxHeader')
  }
  if (source.id === target.id) {
    checkHash(pair.sourceAlh, pair.targetAlh, badDualProof, 'sourceTxHeader')
  }
  return pair
}

const isInTree = ({ source, target }: Pair) => source.id < target.blTxId

function checkConsistency(fields: Fields, pair: Pair): void {
  const { source, target, sourceAlh } = pair
  const inclusion = digests(fields, 'inclusionProof')
  const isShown = isInTree(pair)
    ? isIncluded(leaf(sourceAlh), source.id, target.blTxId, inclusion, target.blRoot)
    : inclusion.length === 0
  if (!isShown) throw badDualProof('inclusionProof')
  const path = digests(fields, 'consistencyProof')
  const trees = [
    [source.blTxId, source.blRoot],
    [target.blTxId, target.blRoot],
  ] as const
  if (source.blTxId > 0n ? !isConsistent(...trees, path) : path.length > 0) {
    throw badDualProof('consistencyProof')
  }
}

function checkTargetTree(fields: Fields, pair: Pair, { id, alh }: TxPoint): void {
  const { source, target, sourceAlh } = pair
  const path = digests(fields, 'lastInclusionProof')
  // The Go client lets the tree end with another transaction than the chain has there.
  const inChain = [sourceAlh, source.prevAlh][Number(source.id - id)] ?? alh
  const isShown =
    id > 0n
      ? isLast(leaf(alh), path, target.blRoot) && isEqual(alh, inChain)
      : path.length === 0 && isEqual(alh, zeroHash)
  if (!isShown) throw badDualProof('lastInclusionProof')
}
