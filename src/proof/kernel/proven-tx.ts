import { areEqual, bytesToHex } from './bytes'
import { historyChanged, type Known, type Point } from './context'
import { checkDualProof, checkDualProofV2, type Pair } from './dual-proof'
import { emptyHash } from './hash'
import { type Header, headerInputs } from './header'
import type { Ladder } from './ladder'
import { type Fields, fieldsOf, isMissing } from './read'
import { checkSignature, type Signatures } from './signed-state'
import { refusalOf } from './steps'
import { checkTx, readTx, type TxEntry } from './transaction'

/** The inputs of every procedure. */
export type Check = {
  known: Known
  request: Fields
  ladder: Ladder
  /** Null when no key is pinned. */
  signatures: Signatures | null
}

/** The result of every procedure. */
export type Proven<Facts> = Pick<Anchored, 'next' | 'firstUse' | 'isTied' | 'lags'> & {
  advance?: Pair['advance']
  facts: Facts
  signed: boolean
  open: readonly OpenPart[]
  /** The answer lacks what this version of the form has, and so proves nothing. */
  isOlderForm?: boolean
}

/**
 * What a right proof leaves open. `description`: the names and columns of the table or collection
 * are only reported by the server, in this answer or an earlier one. `entries`: the answer left out
 * the other entries of its transaction, among which could be another one with the same key.
 * `before`: the audit began at the place in the request, after transactions that the answer does
 * not contain. `tree`: the transaction was found in the tree over all transactions and not in their
 * chain.
 */
export type OpenPart = 'description' | 'entries' | 'before' | 'tree'

/** A transaction of the trusted history. */
export type LinkedTx = Anchored & {
  pair: Pair
  /** Null when the answer lists none. */
  entries: TxEntry[] | null
}

export type ProvenTx = Pick<LinkedTx, 'header' | 'alh' | 'entries'> & {
  /** What goes with the facts. */
  outcome: Omit<Proven<never>, 'facts'>
}

/** A `VerifiableTx` or `VerifiableTxV2`. */
export function readVerifiableTx(value: unknown): Fields {
  return fieldsOf(value, 'verifiableTx', 'tx dualProof signature')
}

/**
 * Checks what all answers but a bare state have in common: the proof that transaction `x` and the
 * trusted one are in one history, and the transaction itself.
 * @param isV2 the proof is the one that documents have
 */
export function linkTx(
  { known, ladder }: Check,
  { tx, dualProof }: Fields,
  x: bigint,
  isV2 = false,
): LinkedTx {
  const pair = isV2 ? checkDualProofV2(dualProof) : checkDualProof(dualProof, known.mayLackAdvance)
  const anchored = anchor(pair, x, known.trusted, ladder, isV2)
  if (!isMissing(tx)) {
    return { ...anchored, pair, entries: checkTx(readTx(tx), anchored, ladder) }
  }
  const hashes = { computed: bytesToHex(anchored.alh), expected: bytesToHex(anchored.alh) }
  ladder.add('header', headerInputs(anchored.header), hashes)
  return { ...anchored, pair, entries: null }
}

/** The same with the signature. All answers but a state have one of the newer transaction. */
export function proveTx(check: Check, fields: Fields, x: bigint, isV2 = false): ProvenTx {
  const linked = linkTx(check, fields, x, isV2)
  const { header, alh, entries, pair, next, firstUse, isTied, lags, advance } = linked
  const newest = { txId: pair.target.id, txHash: pair.targetAlh }
  const signed = checkSignature(check, fields.signature, newest)
  const isRead = isInChain(check.known, x)
  const open: OpenPart[] = linked.isTreeOnly && !isRead ? ['tree'] : []
  return { header, alh, entries, outcome: { next, firstUse, isTied, lags, advance, signed, open } }
}

/**
 * Whether a transaction is known to be in the chain that ends in the trusted one, because all in
 * between were read. Reading for an older trusted state is not enough: only the tree ties that one
 * to the newer.
 */
function isInChain({ read, trusted }: Known, x: bigint): boolean {
  if (!read || !trusted) return false
  return read.from <= x && x <= read.to && trusted.txId <= read.to
}

/** What stays open when one entry of a transaction was asked for. */
export function openOfEntry({ entries, outcome }: ProvenTx): OpenPart[] {
  return entries ? [...outcome.open] : [...outcome.open, 'entries']
}

/**
 * What stays open in an answer about a table or collection.
 * @param isPinned whether it was compared with what is known of it
 */
export function withDescription(
  { known }: Check,
  open: readonly OpenPart[],
  isPinned: boolean,
): OpenPart[] {
  return isPinned && !known.isOnlySeen ? [...open] : [...open, 'description']
}

const notAnchored = refusalOf('not-anchored', 'link')

/** The transaction an answer is about, after it was found in the trusted history. */
type Anchored = {
  header: Header
  alh: Uint8Array
  /** The trusted state afterwards: the newer of the two, if its tree is to be trusted. */
  next: Point
  firstUse: boolean
  /**
   * False when the transaction is newer than the trusted one and `next` does not get to it, or when
   * a linear advance proof is lacking.
   */
  isTied: boolean
  /**
   * The transaction was found only in the tree of the trusted one and not compared with the chain.
   * A server may keep different transactions in its tree and in its chain.
   */
  isTreeOnly: boolean
  /** The newer tree ends earlier than it could, although the older one did not. */
  lags: boolean
  advance: Pair['advance']
}

/**
 * Ties a pair of transactions to the trusted state, VERIFY.md section 6: one of the two is the
 * trusted one, the other is transaction `x`, which the answer is about.
 * @param hasStart the pair of a first contact starts with transaction 1, as documents' proofs do
 * @throws ProofError `not-anchored` for other transactions, `history-changed` for another history
 */
function anchor(
  pair: Pair,
  x: bigint,
  trusted: Point | null,
  ladder: Ladder,
  hasStart = false,
): Anchored {
  const { source, target, sourceAlh, targetAlh } = pair
  const inputs = linkInputs(pair, trusted)
  const newest = { txId: target.id, txHash: targetAlh }
  if (!trusted) {
    checkFirst(pair, x, hasStart)
    ladder.add('link', inputs, { result: 'unchecked', computed: bytesToHex(targetAlh) })
    const found = { header: target, alh: targetAlh, next: newest, firstUse: true }
    return { ...found, isTied: true, isTreeOnly: false, lags: false, advance: pair.advance }
  }
  const isNewer = trusted.txId <= x
  const [from, to] = isNewer ? [trusted.txId, x] : [x, trusted.txId]
  if (source.id !== from || target.id !== to) {
    throw notAnchored('dualProof')
  }
  const found = isNewer ? sourceAlh : targetAlh
  ladder.match('link', inputs, [found, trusted.txHash], historyChanged, 'trusted')
  const [header, alh] = isNewer ? [target, targetAlh] : [source, sourceAlh]
  const isTied = pair.advance !== 'lacking' && (!isNewer || isTreeCompared(pair))
  return {
    header,
    alh,
    next: isNewer && isTied ? newest : trusted,
    firstUse: false,
    isTied,
    isTreeOnly: !isNewer && x < target.blTxId,
    lags: source.blTxId === source.id - 1n && target.blTxId < target.id - 1n,
    advance: pair.advance,
  }
}

/**
 * Whether the newer tree is compared with the chain. It is not if it takes in more than the older
 * one and ends so early that neither the older transaction nor the one before is in it.
 */
function isTreeCompared({ source, target }: Pair): boolean {
  return target.blTxId === source.blTxId || target.blTxId >= source.id - 1n
}

/** Nothing is known: the answer can only be consistent in itself. */
function checkFirst({ source, target }: Pair, x: bigint, hasStart: boolean): void {
  if (source.id !== (hasStart ? 1n : x) || target.id !== x) {
    throw notAnchored('dualProof')
  }
  if (source.id === 1n && !areEqual(source.prevAlh, emptyHash)) {
    throw notAnchored('prevAlh')
  }
}

function linkInputs({ source, target }: Pair, trusted: Point | null): Record<string, string> {
  return {
    trustedTxId: trusted ? String(trusted.txId) : '',
    sourceTxId: String(source.id),
    targetTxId: String(target.id),
  }
}
