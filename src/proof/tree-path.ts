import { node } from './hash'

/**
 * Climbs from a hash in a tree to its root, VERIFY.md 3.3 and 3.4; 2.1.3.2 and 2.1.4.2 of RFC 9162.
 * `EvalInclusion` and `EvalConsistency` of embedded/ahtree do not look at how long a path is, so
 * that a root made on purpose could have several hashes in one place, or hide what was there.
 * @param at place of the hash on its level, from 0
 * @param last place of the last one on that level
 * @returns the root; the one that the terms on the left alone lead to, which is that of the older
 * tree; whether the path is as long as it must be
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
      // The last one moves up as it is where it has no neighbour.
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
