import { concat, u8, u16, u64 } from './bytes'
import { addLeaf, climb, emptyTree, rootOf } from './growing-tree'
import { emptyHash, hash, leaf } from './hash'
import { count, digests, type Fields, fieldsOf, flag, int64, isMissing } from './read'
import { malformed } from './steps'

/** `KVMetadata`, VERIFY.md 3.2; embedded/store/kv_metadata.go. */
export type EntryMetadata = {
  deleted: boolean
  /** Unix seconds; null when the entry does not expire. */
  expiresAt: bigint | null
  nonIndexable: boolean
}

export function readEntryMetadata({ metadata }: Fields): EntryMetadata {
  if (isMissing(metadata)) return { deleted: false, expiresAt: null, nonIndexable: false }
  const known = 'deleted expiration nonIndexable'
  const fields = fieldsOf(metadata, 'metadata', known)
  return {
    deleted: flag(fields, 'deleted'),
    expiresAt: readExpiration(fields),
    nonIndexable: flag(fields, 'nonIndexable'),
  }
}

/** An object without a time means an expiration at 0. */
function readExpiration({ expiration }: Fields): bigint | null {
  if (isMissing(expiration)) return null
  return int64(fieldsOf(expiration, 'expiration', 'expiresAt'), 'expiresAt')
}

/** `EM` of VERIFY.md 3.2. */
export function entryMetadataBytes(metadata: EntryMetadata): Uint8Array {
  const { deleted, expiresAt, nonIndexable } = metadata
  return concat(
    ...(deleted ? [u8(0)] : []),
    ...(expiresAt === null ? [] : [u8(1), u64(expiresAt)]),
    ...(nonIndexable ? [u8(2)] : []),
  )
}

export type Entry = { key: Uint8Array; metadata: EntryMetadata; hValue: Uint8Array }

/**
 * The digest of an entry under a header of this version, VERIFY.md 3.2; `TxEntryDigest_v1_1` and
 * `TxEntryDigest_v1_2` of embedded/store/tx.go. The version must be the proven header's: the Go
 * client uses the version in the answer. `key` is the stored key, with its prefix.
 */
export function entryDigest(version: number, { key, metadata, hValue }: Entry): Uint8Array {
  const encoded = entryMetadataBytes(metadata)
  if (version === 0) {
    if (encoded.length > 0) malformed('metadata')
    return hash(key, hValue)
  }
  if (key.length > 0xffff) malformed('key')
  return hash(u16(encoded.length), encoded, u16(key.length), key, hValue)
}

/**
 * Root over the digests of one transaction's entries, VERIFY.md 3.3 and embedded/htree/htree.go.
 * Pairing level by level, with an odd last node moving up, gives the same tree as growing it. Only
 * the root of no entries differs: `H("")`.
 */
export function entriesRoot(entryDigests: readonly Uint8Array[]): Uint8Array {
  const tree = emptyTree()
  for (const digest of entryDigests) addLeaf(tree, leaf(digest))
  return tree.size > 0 ? rootOf(tree) : emptyHash
}

/** The place of an entry in its transaction, from 0, and the way from there to `eH`. */
type InclusionProof = { leaf: number; width: number; terms: Uint8Array[] }

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
