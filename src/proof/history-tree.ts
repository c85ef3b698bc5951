import { isEqual, node } from './hash'
import { leadsTo, longestPath } from './tree-path'

/**
 * The growing tree over the hashes of all transactions, VERIFY.md 3.4 and
 * embedded/ahtree/verification.go. Places count from 1, as transactions do.
 */
type Path = readonly Uint8Array[]

/** Whether the leaf of transaction `at` is in the tree of the first `size` transactions. */
export function isIncluded(
  leafHash: Uint8Array,
  at: bigint,
  size: bigint,
  path: Path,
  root: Uint8Array,
): boolean {
  if (at < 1n || at > size || (at < size && path.length === 0)) return false
  return leadsTo(root, leafHash, at - 1n, size - 1n, path)
}

/** Whether the leaf is the last one of a tree: everything else lies to its left. */
export function isLast(leafHash: Uint8Array, path: Path, root: Uint8Array): boolean {
  if (path.length > longestPath) return false
  return isEqual(
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
  if (size < 1n || size > newSize || path.length > longestPath) return false
  const [first, ...others] = path
  if (!first) return size === newSize && isEqual(root, newRoot)
  let [found, newFound, at, last] = [first, first, size - 1n, newSize - 1n]
  const climb = () => {
    at >>= 1n
    last >>= 1n
  }
  while (at % 2n === 1n) climb()
  for (const term of others) {
    if (at % 2n === 1n || at === last) {
      found = node(term, found)
      newFound = node(term, newFound)
      while (at % 2n === 0n && at !== 0n) climb()
    } else {
      newFound = node(newFound, term)
    }
    climb()
  }
  return isEqual(found, root) && isEqual(newFound, newRoot)
}
