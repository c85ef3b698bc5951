import { node, zeroHash } from './hash'

/**
 * The tree of `history-tree.ts` while it grows: the roots of its perfect subtrees, the largest
 * first, which are at most 64 hashes. `embedded/ahtree/ahtree.go` keeps the whole tree.
 */
export type GrowingTree = { size: number; peaks: Uint8Array[] }

export function emptyTree(): GrowingTree {
  return { size: 0, peaks: [] }
}

/** Adds the hash of a leaf (`leaf(alh)`) behind the last one. */
export function grow(tree: GrowingTree, leafHash: Uint8Array): void {
  let peak = leafHash
  // Two subtrees of one size become one of the next, as a carry does.
  for (let size = tree.size; size % 2 === 1; size = (size - 1) / 2) {
    const left = tree.peaks.pop()
    if (left) peak = node(left, peak)
  }
  tree.peaks.push(peak)
  tree.size += 1
}

/** `root = node(P1, node(P2, …))`; 32 zero bytes for a tree without leaves. */
export function rootOf({ peaks }: GrowingTree): Uint8Array {
  if (peaks.length === 0) return zeroHash
  return peaks.reduceRight((root, peak) => node(peak, root))
}
