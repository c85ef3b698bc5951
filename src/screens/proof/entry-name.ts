import { bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { type CatalogueKey, storedEntry } from '~/proof/stored-entry'

/** What an entry is, by its stored key, in words. */
export type EntryName = { kind: string; text: string }

/**
 * The name of an entry of a transaction, as far as its key alone tells.
 * @param stored with its prefix
 */
export function entryName(stored: Uint8Array): EntryName {
  const entry = storedEntry(stored)
  switch (entry.kind) {
    case 'key':
      return { kind: 'key', text: textOf(entry.key) }
    case 'sorted-set':
      return { kind: 'sorted set', text: textOf(entry.set) }
    case 'row':
      return { kind: 'row', text: `table number ${entry.tableId}` }
    case 'document':
      return { kind: 'document', text: `collection number ${entry.collectionId}` }
    case 'index-entry':
      return { kind: 'index entry', text: `table number ${entry.tableId}` }
    case 'document-index-entry':
      return { kind: 'index entry', text: `collection number ${entry.collectionId}` }
    case 'catalogue':
    case 'collection-catalogue':
      return { kind: 'catalogue', text: partName(entry.of) }
    case 'other':
      return { kind: 'other', text: hexOf(stored) }
  }
}

const partName = (of: CatalogueKey) => (of.part === 'unreadable' ? of.text.toLowerCase() : of.part)

/** Bytes as text, or as hex digits when they are no UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? hexOf(bytes)
}

const hexOf = (bytes: Uint8Array) => `hex ${bytesToHex(bytes)}`
