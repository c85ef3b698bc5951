import { addLeaf, emptyTree, rootOf } from './growing-tree'
import { emptyHash, leaf } from './hash'
import { count, digests, type Fields } from './read'
import { climb } from './tree-path'

/**
 * Root over the digests of one transaction's entries, VERIFY.md 3.3 and embedded/htree/htree.go.
 * Pairing level by level, an odd last node moving up, makes the tree that growing makes, but that
 * no entries have `H("")`.
 */
export function entriesRoot(entryDigests: readonly Uint8Array[]): Uint8Array {
  const tree = emptyTree()
  for (const digest of entryDigests) addLeaf(tree, leaf(digest))
  return tree.size > 0 ? rootOf(tree) : emptyHash
}

/** The place of an entry in its transaction, from 0, and the way from there to `eH`. */
export type InclusionProof = { leaf: number; width: number; terms: Uint8Array[] }

export const inclusionProofFields = 'leaf width terms'

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
  const [root, , isWhole] = climb(leaf(entryDigest), BigInt(at), BigInt(width - 1), terms)
  return isWhole && at < width ? root : null
}
