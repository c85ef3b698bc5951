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
  /** The trusted point afterwards: the newer of the two, if its tree is to be trusted. */
  next: Point
  firstUse: boolean
}

/**
 * Ties a pair of transactions to the trusted point, VERIFY.md section 6: one of the two is the
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
    return { header: target, alh: targetAlh, next: newest, firstUse: true }
  }
  const isNewer = trusted.txId <= x
  const [from, to] = isNewer ? [trusted.txId, x] : [x, trusted.txId]
  if (source.id !== from || target.id !== to) {
    throw notAnchored('dualProof')
  }
  const found = isNewer ? sourceAlh : targetAlh
  ladder.match('link', inputs, [found, trusted.txHash], historyChanged, 'trusted')
  const [header, alh] = isNewer ? [target, targetAlh] : [source, sourceAlh]
  return { header, alh, next: isTied(pair) ? newest : trusted, firstUse: false }
}

/**
 * Whether the newer tree is compared with the chain: not if it takes in more than the older one and
 * ends so far before the older transaction that neither its hash nor the one before is there.
 */
function isTied({ source, target }: Pair): boolean {
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
