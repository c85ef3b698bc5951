import { areEqual } from './bytes'
import { node, zeroHash } from './hash'

/**
 * The tree over all transactions while it grows: the roots of its perfect subtrees, the largest
 * first, at most 64 hashes. `embedded/ahtree/ahtree.go` keeps the whole tree.
 */
export type GrowingTree = { size: number; peaks: Uint8Array[] }

export function emptyTree(): GrowingTree {
  return { size: 0, peaks: [] }
}

/** Adds the hash of a leaf (`leaf(alh)`) behind the last one. */
export function addLeaf(tree: GrowingTree, leafHash: Uint8Array): void {
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

/**
 * The growing tree over the hashes of all transactions, VERIFY.md 3.4 and
 * embedded/ahtree/verification.go. Places count from 1, as transactions do.
 */
type Path = readonly Uint8Array[]

/** Levels of a tree over 2⁶⁴ transactions. A longer path can only be there to take time. */
const mostLevels = 64

/** Whether the leaf of transaction `at` is in the tree of the first `size` transactions. */
export function isIncluded(
  leafHash: Uint8Array,
  at: bigint,
  size: bigint,
  path: Path,
  root: Uint8Array,
): boolean {
  if (at < 1n || at > size || path.length > mostLevels) return false
  const [found, , isWhole] = climb(leafHash, at - 1n, size - 1n, path)
  return isWhole && areEqual(found, root)
}

/** Whether the leaf is the last one of a tree: everything else lies to its left. */
export function isLast(leafHash: Uint8Array, path: Path, root: Uint8Array): boolean {
  if (path.length > mostLevels) return false
  return areEqual(
    path.reduce((found, term) => node(term, found), leafHash),
    root,
  )
}

/** Whether the tree of `size` leaves is the beginning of the one of `newSize` leaves. */
export function isConsistent(
  [size, root]: readonly [bigint, Uint8Array],
  [newSize, newRoot]: readonly [bigint, Uint8Array],
  path: Path,
): boolean {
  if (size < 1n || size > newSize || path.length > mostLevels + 1) return false
  const [first = root, ...others] = path
  let [at, last] = [size - 1n, newSize - 1n]
  while (at % 2n === 1n) {
    at >>= 1n
    last >>= 1n
  }
  const [newFound, found, isWhole] = climb(first, at, last, others)
  // The path from a tree to itself may start anywhere, or be empty.
  const isRight = size === newSize ? areEqual(root, newRoot) : isWhole
  return isRight && areEqual(found, root) && areEqual(newFound, newRoot)
}

/**
 * Climbs from a hash in a tree to its root, VERIFY.md 3.3 and 3.4; 2.1.3.2 and 2.1.4.2 of RFC 9162.
 * `EvalInclusion` and `EvalConsistency` of embedded/ahtree do not check the length of a path, so a
 * crafted root could have several hashes in one place, or hide the one that was there.
 * @param at place of the hash on its level, from 0
 * @param last place of the last one on that level
 * @returns the root; the root from the left terms alone, which is that of the older tree; whether
 * the path has the right length
 */
export function climb(
  start: Uint8Array,
  at: bigint,
  last: bigint,
  terms: readonly Uint8Array[],
): [root: Uint8Array, oldRoot: Uint8Array, isWhole: boolean] {
  let [root, oldRoot] = [start, start]
  for (const term of terms) {
    if (at % 2n === 1n || at === last) {
      root = node(term, root)
      oldRoot = node(term, oldRoot)
      // The last one moves up unchanged when it has no neighbour.
      while (at % 2n === 0n && at > 0n) {
        at >>= 1n
        last >>= 1n
      }
    } else {
      root = node(root, term)
    }
    at >>= 1n
    last = last > 0n ? last >> 1n : -1n
  }
  return [root, oldRoot, last === 0n]
}
