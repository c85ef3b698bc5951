import { historyChanged, type Point } from './context'
import type { Pair } from './dual-proof'
import { refusalOf } from './failure'
import { emptyHash, hex, isEqual } from './hash'
import type { Header } from './header'
import type { Ladder } from './ladder'

const notAnchored = refusalOf('not-anchored', 'link')

/** The transaction an answer is about, after it was found in the trusted history. */
export type Anchored = {
  header: Header
  alh: Uint8Array
  /** The trusted state afterwards: the newer of the two, if its tree is to be trusted. */
  next: Point
  firstUse: boolean
  /** False when the transaction is newer than the trusted one and `next` does not get to it. */
  isTied: boolean
  /**
   * The transaction was found in the tree of the trusted one and compared with no hash of the chain:
   * a server may keep another transaction in its tree than in its chain there.
   */
  isTreeOnly: boolean
  /** The newer tree ends earlier than it could, although the older one did not. */
  lags: boolean
}

/**
 * Ties a pair of transactions to the trusted state, VERIFY.md section 6: one of the two is the
 * trusted one, the other is transaction `x`, which the answer is about.
 * @param hasStart the pair of a first contact starts with transaction 1, as documents' proofs do
 * @throws ProofError `not-anchored` for other transactions, `history-changed` for another history
 */
export function anchor(
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
    ladder.add('link', inputs, { result: 'unchecked', computed: hex(targetAlh) })
    const found = { header: target, alh: targetAlh, next: newest, firstUse: true }
    return { ...found, isTied: true, isTreeOnly: false, lags: false }
  }
  const isNewer = trusted.txId <= x
  const [from, to] = isNewer ? [trusted.txId, x] : [x, trusted.txId]
  if (source.id !== from || target.id !== to) {
    throw notAnchored('dualProof')
  }
  const found = isNewer ? sourceAlh : targetAlh
  ladder.match('link', inputs, [found, trusted.txHash], historyChanged, 'trusted')
  const [header, alh] = isNewer ? [target, targetAlh] : [source, sourceAlh]
  const isTied = !isNewer || isTreeCompared(pair)
  return {
    header,
    alh,
    next: isNewer && isTied ? newest : trusted,
    firstUse: false,
    isTied,
    isTreeOnly: !isNewer && x < target.blTxId,
    lags: source.blTxId === source.id - 1n && target.blTxId < target.id - 1n,
  }
}

/**
 * Whether the newer tree is compared with the chain: not if it takes in more than the older one and
 * ends so far before the older transaction that neither its hash nor the one before is there.
 */
function isTreeCompared({ source, target }: Pair): boolean {
  return target.blTxId === source.blTxId || target.blTxId >= source.id - 1n
}

/** Nothing is known: the answer can only be consistent in itself. */
function checkFirst({ source, target }: Pair, x: bigint, hasStart: boolean): void {
  if (source.id !== (hasStart ? 1n : x) || target.id !== x) {
    throw notAnchored('dualProof')
  }
  if (source.id === 1n && !isEqual(source.prevAlh, emptyHash)) {
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
