import { areEqual } from './bytes'
import { inclusionProofFields, readInclusionProof } from './entry'
import { isConsistent, isIncluded, isLast } from './growing-tree'
import { checkHash, leaf, zeroHash } from './hash'
import { alhOf, chained, type Header, readHeader } from './header'
import { digest, digests, type Fields, fieldsOf, isMissing, list, uint64 } from './read'
import { refusalOf } from './steps'

/** Two headers of one history, the older one first, with their accumulated hashes. */
export type Pair = {
  source: Header
  target: Header
  sourceAlh: Uint8Array
  targetAlh: Uint8Array
  /** The linear advance proof; without one that is needed, the two are not in one history yet. */
  advance: Advance
}

type Advance = 'not-needed' | 'holds' | 'lacking'

const badDualProof = refusalOf('dual-proof', 'link')

const dualProofFields =
  'sourceTxHeader targetTxHeader inclusionProof consistencyProof targetBlTxAlh lastInclusionProof linearProof LinearAdvanceProof'

/**
 * Checks that two transactions are in one history, VERIFY.md 4.2; `VerifyDualProof` of
 * embedded/store/verification.go. It does not show which history that is: one of the two must be
 * known, see `anchor` in `proven-tx.ts`.
 * @param mayLackAdvance see `Context`
 */
export function checkDualProof(value: unknown, mayLackAdvance = false): Pair {
  const fields = fieldsOf(value, 'dualProof', dualProofFields)
  const pair = readPair(fields)
  const { source, target, sourceAlh, targetAlh } = pair
  const targetBlTx = { id: target.blTxId, alh: digest(fields, 'targetBlTxAlh') }
  checkConsistency(fields, pair)
  checkTargetTree(fields, pair, targetBlTx)
  const sourceTx = { id: source.id, alh: sourceAlh }
  const [from, end] = isInTree(pair) ? [targetBlTx, sourceTx] : [sourceTx, targetBlTx]
  checkLinearProof(fields.linearProof, from, { id: target.id, alh: targetAlh })
  const advanceProof = fields.LinearAdvanceProof
  const start = source.blTxId
  if (mayLackAdvance && isMissing(advanceProof) && end.id > start + 1n) {
    return { ...pair, advance: 'lacking' }
  }
  checkLinearAdvanceProof(advanceProof, start, end, target)
  return { ...pair, advance: isMissing(advanceProof) ? 'not-needed' : 'holds' }
}

/** Reads both headers, which are of one transaction when the ids are. */
function readPair(fields: Fields): Pair {
  const source = readHeader(fields.sourceTxHeader, 'sourceTxHeader')
  const target = readHeader(fields.targetTxHeader, 'targetTxHeader')
  const [sourceAlh, targetAlh] = [alhOf(source), alhOf(target)]
  const pair: Pair = { source, target, sourceAlh, targetAlh, advance: 'not-needed' }
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
  // The Go client does not compare the last leaf of the tree with the chain.
  const inChain = [sourceAlh, source.prevAlh][Number(source.id - id)] ?? alh
  const isShown =
    id > 0n
      ? isLast(leaf(alh), path, target.blRoot) && areEqual(alh, inChain)
      : path.length === 0 && areEqual(alh, zeroHash)
  if (!isShown) throw badDualProof('lastInclusionProof')
}

const refusal = refusalOf('linear-advance-proof', 'link')

/**
 * Checks that what the source's chain has beyond its tree is in the target's tree, VERIFY.md 4.2
 * step 6; `VerifyLinearAdvanceProof` of embedded/store/verification.go. Only histories of old
 * servers, whose tree lagged behind, need it. The Go client accepts them without it.
 * @param start the last transaction of the source's tree
 */
function checkLinearAdvanceProof(
  value: unknown,
  start: bigint,
  end: TxPoint,
  target: Header,
): void {
  if (end.id < start) throw refusal('blTxId')
  const length = end.id - start
  if (length <= 1n) {
    if (!isMissing(value)) throw refusal('LinearAdvanceProof')
    return
  }
  if (isMissing(value)) throw refusal('LinearAdvanceProof')
  const known = 'linearProofTerms inclusionProofs'
  const fields = fieldsOf(value, 'LinearAdvanceProof', known)
  const [first, ...inner] = digests(fields, 'linearProofTerms')
  const paths = list(fields, 'inclusionProofs').map(readPath)
  if (!first || BigInt(inner.length) !== length - 1n || paths.length !== inner.length) {
    throw refusal('linearProofTerms')
  }
  let alh = first
  for (const [at, term] of inner.entries()) {
    const id = start + BigInt(at + 1)
    if (!isIncluded(leaf(alh), id, target.blTxId, paths[at] ?? [], target.blRoot)) {
      throw refusal('inclusionProofs')
    }
    alh = chained(id + 1n, alh, term)
  }
  checkHash(alh, end.alh, refusal, 'linearProofTerms')
}

function readPath(value: unknown): Uint8Array[] {
  const fields = fieldsOf(value, 'inclusionProofs', inclusionProofFields)
  return readInclusionProof(fields).terms
}

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
  // The Go client does not compare the last leaf of the tree with the chain.
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

const linearRefusal = refusalOf('linear-proof', 'link')

/** A transaction by its id and its accumulated hash. */
type TxPoint = { id: bigint; alh: Uint8Array }

/**
 * Checks that the chain of transactions leads from one to another, VERIFY.md 4.1;
 * `VerifyLinearProof` of embedded/store/verification.go. The first term is the hash it starts
 * from, each other one the inner hash of the next transaction.
 */
function checkLinearProof(value: unknown, from: TxPoint, to: TxPoint): void {
  const fields = fieldsOf(value, 'linearProof', 'sourceTxId TargetTxId terms')
  const [first, ...inner] = digests(fields, 'terms')
  const isFrom = uint64(fields, 'sourceTxId') === from.id && first && areEqual(first, from.alh)
  if (!isFrom || uint64(fields, 'TargetTxId') !== to.id || from.id < 1n || from.id > to.id) {
    throw linearRefusal('sourceTxId')
  }
  if (BigInt(inner.length) !== to.id - from.id) {
    throw linearRefusal('terms')
  }
  const found = inner.reduce((alh, term, at) => chained(from.id + BigInt(at + 1), alh, term), first)
  checkHash(found, to.alh, linearRefusal, 'terms')
}
