import { bytesToBase64 } from '~/lib/bytes'
import { type Audit, onesOf, refusal } from './kernel/audit'
import { historyChanged, type Point } from './kernel/context'
import { checkDualProof } from './kernel/dual-proof'
import { emptyTree, type GrowingTree, rootOf } from './kernel/growing-tree'
import { checkHash, leaf, node } from './kernel/hash'
import { anyFields, digests } from './kernel/read'

/**
 * A walk that begins behind the trusted transaction instead of the first: the proof of that
 * transaction from itself has the roots of the perfect subtrees that its tree is made of.
 * @param proof the dual proof, from the trusted transaction to itself
 * @returns null where the tree lags behind: the hashes that are not in it yet are not in the proof
 * @throws ProofError for a proof that is not right, or is of another transaction
 */
export function startBehind(trusted: Point, proof: unknown): Audit | null {
  const { source, target, targetAlh } = checkDualProof(proof)
  const { id, blTxId, blRoot, prevAlh } = target
  if (source.id !== id || id !== trusted.txId) throw refusal('id')
  checkHash(targetAlh, trusted.txHash, historyChanged, 'trusted')
  if (blTxId !== id - 1n) return null
  const terms = digests(anyFields(proof, 'dualProof'), 'lastInclusionProof')
  const tree = treeOf(Number(blTxId), leaf(prevAlh), terms)
  if (tree.peaks.length !== onesOf(tree.size)) throw refusal('blRoot')
  checkHash(rootOf(tree), blRoot, refusal, 'blRoot')
  return { txId: id, alh: targetAlh, entries: 0, tree, root: blRoot, queue: [targetAlh] }
}

/** The way from the last leaf of a tree to its root passes everything that lies to its left. */
function treeOf(size: number, last: Uint8Array, terms: readonly Uint8Array[]): GrowingTree {
  if (size === 0) return emptyTree()
  let [at, peak] = [0, last]
  for (let half = size; half % 2 === 0; half /= 2) {
    const left = terms[at]
    if (left) peak = node(left, peak)
    at += 1
  }
  return { size, peaks: [...terms.slice(at).reverse(), peak] }
}

/** A copy of the walk that stays at its place. */
export function copyAudit({ tree, queue, ...audit }: Audit): Audit {
  return { ...audit, tree: { ...tree, peaks: [...tree.peaks] }, queue: [...queue] }
}

/** A paused audit, as JSON. */
export type SavedAudit = {
  txId: string
  alh: string
  entries: number
  size: number
  peaks: string[]
  queue: string[]
}

export function saveAudit({ txId, alh, entries, tree, queue }: Audit): SavedAudit {
  const { size, peaks } = tree
  const hashes = { peaks: peaks.map(bytesToBase64), queue: queue.map(bytesToBase64) }
  return { txId: String(txId), alh: bytesToBase64(alh), entries, size, ...hashes }
}
