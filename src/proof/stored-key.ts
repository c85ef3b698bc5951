import { utf8Text, viewOf } from './bytes'
import { documentIdSize } from './stored'

/** What a stored key is the key of, as far as an audit needs to know. */
export type StoredKey =
  | { kind: 'row'; tableId: number }
  | { kind: 'document'; collectionId: number; id: Uint8Array }
  /** The name of a collection. */
  | { kind: 'collection-name'; collectionId: number }
  /** What else the engine of documents keeps about its collections. */
  | { kind: 'collection-catalog' }
  | { kind: 'other' }

const [sqlPrefix, documentPrefix] = [2, 3]
const rowStart = 'R.'
const idsAt = 1 + rowStart.length
const keyAt = idsAt + 3 * 4

/** Reads a key with its prefix; the reverse of `rowKey` and `documentKey`. */
export function readStoredKey(key: Uint8Array): StoredKey {
  const prefix = key[0]
  if (prefix !== sqlPrefix && prefix !== documentPrefix) return { kind: 'other' }
  const ids = rowIds(key)
  if (prefix === sqlPrefix) return ids ? { kind: 'row', tableId: ids } : { kind: 'other' }
  const id = ids ? documentId(key.subarray(keyAt)) : null
  if (ids && id) return { kind: 'document', collectionId: ids, id }
  const collectionId = namedId(key)
  return collectionId ? { kind: 'collection-name', collectionId } : { kind: 'collection-catalog' }
}

const nameStart = 'CTL.TABLE.'

/** The collection that an entry names, as one of the catalog names a table; 0 for any other key. */
function namedId(key: Uint8Array): number {
  const start = 1 + nameStart.length
  const isName = key.length === start + 8 && utf8Text(key.subarray(1, start)) === nameStart
  if (!isName || viewOf(key).getUint32(start) !== 1) return 0
  return viewOf(key).getUint32(start + 4)
}

/** The table of a row below the primary index of the only database; 0 for any other key. */
function rowIds(key: Uint8Array): number {
  if (key.length < keyAt || utf8Text(key.subarray(1, idsAt)) !== rowStart) return 0
  const view = viewOf(key)
  const isPrimary = view.getUint32(idsAt) === 1 && view.getUint32(idsAt + 8) === 0
  return isPrimary ? view.getUint32(idsAt + 4) : 0
}

/** A BLOB[32] in a key: filled up with zeros, then its length. */
function documentId(part: Uint8Array): Uint8Array | null {
  if (part.length !== 1 + documentIdSize + 4 || part[0] !== 0x80) return null
  const size = viewOf(part).getUint32(1 + documentIdSize)
  return size > 0 && size <= documentIdSize ? part.slice(1, 1 + size) : null
}
