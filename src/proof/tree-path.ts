import { isEqual, node } from './hash'

/**
 * A tree of 2⁶⁴ leaves is 64 levels high, and a path between two of its trees has one term more.
 * Longer paths are refused before anything is hashed.
 */
export const longestPath = 65

/**
 * The root that a path leads to from a leaf's hash, VERIFY.md 3.3 and 3.4; null when the path does
 * not end where the leaf does. The last is stricter than `VerifyInclusion` of
 * embedded/ahtree/verification.go, and is what `VerifyInclusion` of embedded/htree/htree.go does.
 * @param at place of the leaf, from 0
 * @param last place of the last leaf
 */
export function rootOfPath(
  leafHash: Uint8Array,
  at: bigint,
  last: bigint,
  terms: readonly Uint8Array[],
): Uint8Array | null {
  if (at > last || terms.length > longestPath) return null
  let [root, left, right] = [leafHash, at, last]
  for (const term of terms) {
    const isLeft = left % 2n === 0n && left !== right
    root = isLeft ? node(root, term) : node(term, root)
    left >>= 1n
    right >>= 1n
  }
  return left === right ? root : null
}

/** Whether a path leads from a leaf's hash to a root. */
export function leadsTo(root: Uint8Array, ...path: Parameters<typeof rootOfPath>): boolean {
  const found = rootOfPath(...path)
  return found !== null && isEqual(found, root)
}
