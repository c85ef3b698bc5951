import { hexToBytes } from '@noble/hashes/utils.js'
import type { EntryFacts, RowFacts } from './facts'
import { hex } from './hash'
import type { Fields } from './read'
import { readRow } from './row'
import type { Schema } from './schema'
import { rowKey } from './stored'
import { askedKey, checkKeyCells, readContent } from './verify-row'

/** What a proven transaction has of a row. */
export type StoredRow = Pick<RowFacts, 'raw' | 'named' | 'hidden'> & { deleted: boolean }

/**
 * A row among the proven entries of a transaction, VERIFY.md 7.6 and 7.2, which proves many rows of
 * one transaction at the cost of one.
 * @param schema pinned or derived; names and types of columns are no part of the proof
 * @param pkValues the primary key as a request has it
 * @param entries by their keys in hex digits, with values where the server gave them
 * @returns null when the transaction has no such entry, or its value is not known
 * @throws ProofError when the entry is not a row of this table with this primary key
 */
export function rowInTx(
  schema: Schema,
  pkValues: readonly Fields[],
  entries: ReadonlyMap<string, EntryFacts>,
): StoredRow | null {
  const primaryKey = askedKey(schema, { pkValues })
  const key = rowKey(schema.tableId, primaryKey.encoded)
  const entry = entries.get(hex(key))
  if (entry?.value === undefined) return null
  const cells = readRow(hexToBytes(entry.value))
  checkKeyCells(cells, primaryKey.cells)
  return { deleted: entry.meta.deleted, ...readContent(cells, schema) }
}
