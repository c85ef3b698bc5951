import { emptyHash, leaf, node } from './hash'
import { count, digests, type Fields } from './read'
import { rootOfPath } from './tree-path'

/**
 * Root over the digests of one transaction's entries, VERIFY.md 3.3 and embedded/htree/htree.go:
 * level by level, an odd last node moves up unchanged. No entries: `H("")`.
 */
export function entriesRoot(entryDigests: readonly Uint8Array[]): Uint8Array {
  let level = entryDigests.map(leaf)
  while (level.length > 1) level = pairs(level)
  return level[0] ?? emptyHash
}

function pairs(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = level.slice(at, at + 2)
    if (left) above.push(right ? node(left, right) : left)
  }
  return above
}

/** The place of an entry in its transaction, from 0, and the way from there to `eH`. */
export type InclusionProof = { leaf: number; width: number; terms: Uint8Array[] }

export const inclusionProofFields = ['leaf', 'width', 'terms']

export function readInclusionProof(fields: Fields): InclusionProof {
  return {
    leaf: count(fields, 'leaf'),
    width: count(fields, 'width'),
    terms: digests(fields, 'terms'),
  }
}

/** The `eH` that the proof leads to from an entry's digest; null when it leads nowhere. */
export function provenRoot(proof: InclusionProof, entryDigest: Uint8Array): Uint8Array | null {
  const { leaf: at, width, terms } = proof
  if (at >= width) return null
  return rootOfPath(leaf(entryDigest), BigInt(at), BigInt(width - 1), terms)
}
