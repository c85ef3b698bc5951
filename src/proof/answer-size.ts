import type { AuditedTx } from './kernel/audit'
import type { Point } from './kernel/context'

/** `MaxRecvMsgSize` of the server's own gRPC client, in bytes. */
const largestAnswer = 4_194_304

/**
 * Upper bounds in bytes: what an answer adds to an entry's key and value, and what a proof adds
 * beside its entries.
 */
const [besideEntry, besideEntries] = [256, 65_536]

/**
 * Upper bounds in bytes for a 32-byte digest in an answer: in a chain, and in the path of a tree.
 */
const [inChain, inPath] = [64, 48]

/** Whether the server cannot send an answer of this size. */
export function isTooLarge(most: number): boolean {
  return most >= largestAnswer
}

/** The most bytes that the digests of a transaction can have in an answer. */
export function sizeOf({ entries }: Pick<AuditedTx, 'entries'>): number {
  return entries.reduce((sum, { key }) => sum + key.length + besideEntry, besideEntries)
}

type Treed = { id: bigint; blTxId: bigint }

/** How many transactions a tree lags behind. */
const lagOf = ({ id, blTxId }: Treed) => Number(id - 1n - blTxId)

/**
 * The most bytes that a proof has for what the tree of a transaction lags behind. Each transaction
 * that is not in the tree comes as a digest of the linear advance proof, with its path in the tree
 * of the trusted one. A path has no more digests than the number of its leaves has binary digits.
 */
export function advanceSize(header: Treed, target: Point): number {
  const path = target.txId.toString(2).length * inPath + besideEntry
  return lagOf(header) * (inChain + path)
}

/** The same for the trusted transaction: the linear proof goes from the end of its tree to it. */
export function chainSize(target: Treed): number {
  return lagOf(target) * inChain
}
