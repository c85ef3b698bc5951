import type { TxEntries, TxEntry } from '~/api/transactions'
import { decoded } from '~/core/history/transaction-reader'
import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import type { StoredEntry } from '~/proof/stored-entry'

/** What a transaction is about. */
export type TxKind = 'sql' | 'keys' | 'documents' | 'catalogue' | 'truncation'

export const txKinds: readonly TxKind[] = ['sql', 'keys', 'documents', 'catalogue', 'truncation']

/** Which transactions a list shows. */
export type TxFilter = {
  kind: TxKind | null
  /** Fewest entries. */
  entries: number
  /** Part of the name of a table, collection, key or user, or of the id of a document; '' for any. */
  touched: string
}

/** What is looked for: a text in lower case, and the tables and collections whose names have it. */
export type Sought = {
  readonly text: string
  readonly tables: ReadonlySet<number>
  readonly collections: ReadonlySet<number>
  /** Only tables that there are today could be found by their names. */
  readonly isOfToday: boolean
}

/** Whether a transaction removed the values of earlier ones. */
export function isTruncation({ header }: Pick<TxEntries, 'header'>): boolean {
  return header.metadata.truncatedTxID !== '0'
}

/** The kinds of a transaction; null while its entries are not known. */
export function kindsOf(tx: TxEntries): readonly TxKind[] | null {
  if (isTruncation(tx)) return ['truncation']
  const { entries } = tx
  if (entries === null) return null
  const found = new Set(entries.map(({ key }) => kindOf(decoded(key))))
  return txKinds.filter((kind) => found.has(kind))
}

function kindOf({ kind }: StoredEntry): TxKind | null {
  switch (kind) {
    case 'key':
    case 'sorted-set':
      return 'keys'
    case 'row':
    case 'index-entry':
      return 'sql'
    case 'document':
    case 'document-index-entry':
      return 'documents'
    case 'catalogue':
    case 'collection-catalogue':
      return 'catalogue'
    case 'other':
      return null
  }
}

/** Something that a transaction touched: a table or collection by its number, or a key. */
export type Touched =
  | { kind: 'table' | 'collection'; id: number; count: number }
  | { kind: 'key'; name: string }

/** Keys that are named in a list. */
const mostKeys = 3

/** The tables and collections that a transaction touched, and its first keys. */
export function touchedBy(entries: readonly TxEntry[]): Touched[] {
  const tables = new Map<string, Touched & { count: number }>()
  const keys: Touched[] = []
  for (const { key } of entries) {
    const entry = decoded(key)
    const of = ownerOf(entry)
    if (of) {
      const name = `${of.kind} ${of.id}`
      const isCounted = entry.kind === 'row' || entry.kind === 'document'
      const before = tables.get(name)?.count ?? 0
      tables.set(name, { ...of, count: before + (isCounted ? 1 : 0) })
    } else if (keys.length < mostKeys) {
      if (entry.kind === 'catalogue' && 'name' in entry.of)
        keys.push({ kind: 'key', name: entry.of.name })
      if (entry.kind === 'key') keys.push({ kind: 'key', name: nameOf(entry.key) })
      if (entry.kind === 'sorted-set') keys.push({ kind: 'key', name: nameOf(entry.set) })
    }
  }
  return [...tables.values(), ...keys]
}

/** Whether a transaction touched what is looked for; null where its entries would tell. */
export function isTouching({ header, entries }: TxEntries, sought: Sought): boolean | null {
  const has = (name: string) => name.toLowerCase().includes(sought.text)
  // The engine notes there who wrote a document.
  const { extra } = header.metadata
  if (extra !== '' && has(decodeUtf8(base64ToBytes(extra)) ?? '')) return true
  return entries?.some(({ key }) => isEntryOf(decoded(key), sought, has)) ?? null
}

function isEntryOf(entry: StoredEntry, sought: Sought, has: (name: string) => boolean): boolean {
  const owner = ownerOf(entry)
  const ids = owner?.kind === 'table' ? sought.tables : sought.collections
  if (owner && ids.has(owner.id)) return true
  switch (entry.kind) {
    case 'key':
      return has(wholeName(entry.key))
    case 'sorted-set':
      return has(wholeName(entry.set)) || has(wholeName(entry.key))
    case 'document':
      return has(bytesToHex(entry.id))
    case 'catalogue':
      return 'name' in entry.of && has(entry.of.name)
  }
  return false
}

const wholeName = (bytes: Uint8Array) => decodeUtf8(bytes) ?? `0x${bytesToHex(bytes)}`

function ownerOf(entry: StoredEntry): { kind: 'table' | 'collection'; id: number } | null {
  switch (entry.kind) {
    case 'row':
    case 'index-entry':
      return { kind: 'table', id: entry.tableId }
    case 'document':
    case 'document-index-entry':
      return { kind: 'collection', id: entry.collectionId }
    case 'catalogue':
    case 'collection-catalogue': {
      const kind = entry.kind === 'catalogue' ? 'table' : 'collection'
      return 'tableId' in entry.of ? { kind, id: entry.of.tableId } : null
    }
  }
  return null
}

const nameOf = (bytes: Uint8Array) => decodeUtf8(bytes) ?? `0x${bytesToHex(bytes.subarray(0, 16))}`
