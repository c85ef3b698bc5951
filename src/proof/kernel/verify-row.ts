import { areEqual, bytesToHex, concat, hexToBytes } from './bytes'
import { readEntryMetadata } from './entry'
import { hash } from './hash'
import { checkIncluded } from './inclusion'
import type { CellFacts, EntryFacts, RowFacts } from './proven-facts'
import {
  type Check,
  openOfEntry,
  type Proven,
  proveTx,
  readVerifiableTx,
  withDescription,
} from './proven-tx'
import { anyFields, bytes, type Fields, fieldsOf, list, text, uint64 } from './read'
import { answerMismatch, checkAtTx, inRequest, requestPart } from './request'
import { type Cells, rawCells, readRow } from './row'
import { checkPinned, claimedSchema, isOlderForm, type Schema, schemaFields } from './schema'
import { askedCell, isCellOf, isReadable, keyPart, showCell } from './sql-type'
import { malformed, ProofError, refusalOf } from './steps'
import { rowKey } from './stored'
import { withValues } from './values'

const badRow = refusalOf('row-encoding', 'content')
const olderForm = refusalOf('older-form', 'answer')
const answerFields = `sqlEntry verifiableTx inclusionProof ${schemaFields}`

/**
 * One row by its primary key, VERIFY.md 7.6: the answer of `/db/verifiable/sqlget`. Names and types
 * of columns are only reported by the server unless a schema is pinned. The proof covers the key.
 * An answer in the older form is checked all the same, so that the form excuses nothing, and proves
 * nothing.
 */
export function verifyRow(check: Check, response: unknown): Proven<RowFacts> {
  const asked = requestPart(check.request, 'sqlGetRequest')
  const fields = fieldsOf(response, 'answer', answerFields)
  const entryFields = fieldsOf(fields.sqlEntry, 'sqlEntry', 'tx key value metadata')
  const tx = uint64(entryFields, 'tx')
  bytes(entryFields, 'key') // of an index, no part of the proof
  const metadata = readEntryMetadata(entryFields)
  const deleted = readDeleted(metadata, asked, tx)
  const proven = proveTx(check, readVerifiableTx(fields.verifiableTx), tx)
  const table = inRequest(() => text(asked, 'table'))
  const schema = claimedSchema(fields, table, check.known.db)
  const isOlder = isOlderForm(fields)
  const row = bytes(entryFields, 'value')
  const primaryKey = askedKey(schema, asked)
  const key = rowKey(schema.tableId, primaryKey.encoded)
  const entry = { key, metadata, hValue: hash(row) }
  const position = checkIncluded(fields.inclusionProof, entry, proven.header, check.ladder)
  // Up to 1.5 a deletion keeps no cells; the entry's key says which row it was.
  const isBare = isOlder && deleted && row.length === 0
  const cells: Cells = isBare ? new Map() : readRow(row)
  if (!isBare) checkKeyCells(cells, primaryKey.cells)
  const content = readContent(cells, schema)
  // A server does not go back to the older form: one that has left it could hide a row behind it.
  if (isOlder && check.known.hasNewerForm) throw olderForm('MaxColId')
  checkPinned(schema, check.known.schema)
  const facts = {
    tableId: schema.tableId,
    deleted,
    key: bytesToHex(key),
    tx: String(tx),
    ts: String(proven.header.ts),
    position,
    ...content,
  }
  const open = withDescription(check, openOfEntry(proven), check.known.schema !== null)
  return { facts, ...proven.outcome, open, isOlderForm: isOlder }
}

function readDeleted(
  { deleted, expiresAt, nonIndexable }: ReturnType<typeof readEntryMetadata>,
  asked: Fields,
  tx: bigint,
): boolean {
  const atTx = checkAtTx(asked, 'atTx', tx)
  if (expiresAt !== null || nonIndexable || (deleted && atTx === 0n)) {
    throw answerMismatch('metadata')
  }
  return deleted
}

type PrimaryKey = { encoded: Uint8Array; cells: Cells }

/** The primary key of the request in the types that the schema claims. */
function askedKey({ pk, cols }: Schema, asked: Fields): PrimaryKey {
  const values = inRequest(() =>
    list(asked, 'pkValues').map((value) => anyFields(value, 'pkValues')),
  )
  if (values.length === 0) malformed('pkValues', 'request')
  if (values.length !== pk.length) throw answerMismatch('PKIDs')
  const byId = new Map(cols.map((column) => [column.id, column]))
  const cells = new Map<number, Uint8Array>()
  const parts = pk.map((id, at) => {
    const { type, maxLen } = byId.get(id) ?? { type: '', maxLen: 0 }
    const cell = inRequest(() => askedCell(type, values[at] ?? {}))
    const part = cell && keyPart(type, maxLen, cell)
    if (!part) {
      throw new ProofError('entry-not-included', 'value', 'pkValues')
    }
    cells.set(id, cell)
    return part
  })
  return { encoded: concat(...parts), cells }
}

/**
 * The Go client does not compare the row's cells with the key, so another column could pass for it.
 */
function checkKeyCells(cells: Cells, asked: Cells): void {
  for (const [id, cell] of asked) {
    const found = cells.get(id)
    if (!found || !areEqual(found, cell)) throw answerMismatch('pkValues')
  }
}

/** The content of a row's cells, read with this schema. */
function readContent(
  cells: Cells,
  { cols, maxColId }: Schema,
): Pick<RowFacts, 'raw' | 'named' | 'hidden'> {
  const ids = new Set(cols.map(({ id }) => id))
  const hidden = [...cells.keys()].filter((id) => !ids.has(id))
  const beyond = hidden.find((id) => id > maxColId || id < 1)
  if (beyond !== undefined) throw badRow('MaxColId')
  const named = cols.map(({ id, name, type }): [string, CellFacts | null] => {
    const cell = cells.get(id)
    if (!cell) return [name, null]
    if (!isCellOf(type, cell)) throw badRow('ColTypesById')
    const raw = bytesToHex(cell)
    // Bytes that are not UTF-8 must stay bytes, because many would become the same replacement
    // character.
    if (!isReadable(type, cell)) return [name, { type, value: raw, raw, isBytes: true }]
    return [name, { type, value: showCell(type, cell), raw }]
  })
  return { raw: rawCells(cells), named: Object.fromEntries(named), hidden }
}

/** A row in a proven transaction. */
export type StoredRow = Pick<RowFacts, 'raw' | 'named' | 'hidden'> & { deleted: boolean }

/** Rows of one transaction: each by its primary key, as a request has it. */
export type RowsAsked = {
  schema: Schema
  keys: readonly (readonly Fields[])[]
  /** The proven entries of the transaction. */
  entries: readonly EntryFacts[]
  /** A second answer of `/db/verifiable/tx`, with `RAW_VALUE`. */
  answer: unknown
}

/**
 * Rows among the proven entries of a transaction, in the order of their keys. This proves many rows
 * for the cost of one. A row is null when it is not there, its value is not known or it is wrong:
 * its own proof then says what is wrong.
 * @throws ProofError for an answer that does not belong to the entries, as `withValues`
 */
export function rowsInTx({ schema, keys, entries, answer }: RowsAsked): (StoredRow | null)[] {
  const filled = withValues(entries, anyFields(answer, 'answer').tx)
  const byKey = new Map(filled.map((entry) => [entry.key, entry]))
  return keys.map((pkValues) => {
    try {
      return rowInTx(schema, pkValues, byKey)
    } catch (error) {
      if (error instanceof ProofError) return null
      throw error
    }
  })
}

/**
 * A row among the proven entries of a transaction, VERIFY.md 7.6 and 7.2.
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
  const entry = entries.get(bytesToHex(key))
  const value = entry?.value === undefined ? null : hexToBytes(entry.value)
  if (!entry || value === null) return null
  const cells = readRow(value)
  checkKeyCells(cells, primaryKey.cells)
  return { deleted: entry.meta.deleted, ...readContent(cells, schema) }
}
