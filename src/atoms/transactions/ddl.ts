import type { CatalogueWrite } from '~/core/history/transaction-reader'
import { takesLength } from '~/immudb/column-types'
import { fromBase64, utf8Text } from '~/proof/kernel/bytes'
import {
  type StoredColumn,
  storedCheck,
  storedColumn,
  storedIndex,
  storedSequence,
} from '~/proof/stored-entry'
import { quoteName, UnwritableName } from '~/sql/names'
import type { TableState, TableStates } from '../tables/table-states'

/** A change of the catalogue: as SQL, or what is known of it in words. */
export type Ddl =
  | { kind: 'sql'; sql: string; note?: string }
  | { kind: 'words'; text: string; note?: string }

/**
 * The statements that made the changes of one transaction, as far as its entries and the tables
 * before it tell.
 * @param before the tables before the transaction; null when they are not known
 */
export function ddlOf(changes: readonly CatalogueWrite[], before: TableStates | null): Ddl[] {
  const byTable = new Map<number, CatalogueWrite[]>()
  const others: Ddl[] = []
  for (const change of changes) {
    const { of } = change
    if (change.isOfCollections) continue
    if ('tableId' in of) byTable.set(of.tableId, [...(byTable.get(of.tableId) ?? []), change])
    else others.push(...asWords(() => [otherPart(change)]))
  }
  const ofTables = [...byTable].flatMap(([id, changes]) =>
    asWords(() => ofTable(id, changes, before)),
  )
  return [...ofTables, ...others]
}

/** In words where no statement can hold a name, as immudb itself writes none. */
function asWords(write: () => Ddl[]): Ddl[] {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof UnwritableName)) throw error
    return [words(`A change whose statement cannot be written. ${error.why}`)]
  }
}

function otherPart({ of, isDeleted, value }: CatalogueWrite): Ddl {
  if (of.part === 'view') {
    const name = quoteName(of.name)
    if (isDeleted) return sql(`DROP VIEW ${name};`)
    return sql(`CREATE VIEW ${name} AS ${textOf(value) ?? '…'};`)
  }
  if (of.part === 'sequence') {
    const name = quoteName(of.name)
    if (isDeleted) return sql(`DROP SEQUENCE ${name};`)
    const state = storedSequence(fromBase64(value ?? '') ?? new Uint8Array())
    if (!state) return words(`The sequence ${name} changed.`)
    if (state.current === 0n) return sql(`CREATE SEQUENCE ${name};`)
    return words(`The sequence ${name} is at ${state.current}.`)
  }
  return words(
    `An entry of the catalogue that this console cannot read (${'text' in of ? of.text : ''}).`,
  )
}

const sql = (text: string, note?: string): Ddl => ({ kind: 'sql', sql: text, ...noteOf(note) })
const words = (text: string, note?: string): Ddl => ({ kind: 'words', text, ...noteOf(note) })
const noteOf = (note: string | undefined) => (note === undefined ? {} : { note })

const textOf = (value: string | null) => {
  const bytes = value === null ? null : fromBase64(value)
  return bytes && utf8Text(bytes)
}

const unknownBefore =
  'The entry holds the result alone. What the table was before is known once the history is read.'

function ofTable(
  tableId: number,
  changes: readonly CatalogueWrite[],
  states: TableStates | null,
): Ddl[] {
  const named = changes.find(({ of }) => of.part === 'table')
  const hasKey = changes.some(({ of }) => of.part === 'index' && of.indexId === 0)
  const before = states?.get(tableId) ?? null
  if (named?.isDeleted) return [dropTable(tableId, before)]
  // Only a new table gets a primary key.
  if (named && hasKey) return createTable(textOf(named.value), changes)
  const name = before?.name ?? null
  const table = name === null ? `table number ${tableId}` : quoteName(name)
  const context: Context = { before, isKnown: states !== null, name, table }
  return changes.map((change) => changeOf(change, context))
}

type Context = {
  before: TableState | null
  isKnown: boolean
  /** Before the transaction; null when it is not known. */
  name: string | null
  /** To be written into a statement or a sentence. */
  table: string
}

function dropTable(tableId: number, before: TableState | null): Ddl {
  if (before?.name) return sql(`DROP TABLE ${quoteName(before.name)};`)
  return words(
    `Table number ${tableId} was dropped.`,
    'Its name is in earlier transactions, which were not read.',
  )
}

function createTable(name: string | null, changes: readonly CatalogueWrite[]): Ddl[] {
  if (name === null)
    return [words('A table was created whose description the server did not send.')]
  const columns = new Map<number, string>()
  const lines: string[] = []
  const later: Ddl[] = []
  let key: readonly number[] = []
  for (const { of, value } of changes) {
    const bytes = fromBase64(value ?? '') ?? new Uint8Array()
    if (of.part === 'column') {
      const column = storedColumn(bytes)
      if (column) columns.set(of.columnId, column.name)
      lines.push(`  ${column ? columnSql(column, of.type) : '…'}`)
    }
    if (of.part === 'index' && of.indexId === 0) key = storedIndex(bytes)?.columnIds ?? []
  }
  for (const { of, value } of changes) {
    const bytes = fromBase64(value ?? '') ?? new Uint8Array()
    if (of.part === 'check') lines.push(`  ${checkSql(bytes)}`)
    if (of.part === 'index' && of.indexId !== 0) {
      later.push(sql(indexSql(quoteName(name), bytes, (id) => columns.get(id))))
    }
  }
  const keyNames = key.map((id) => nameOrNumber(columns.get(id), id)).join(', ')
  lines.push(`  PRIMARY KEY (${keyNames})`)
  return [sql(`CREATE TABLE ${quoteName(name)} (\n${lines.join(',\n')}\n);`), ...later]
}

function nameOrNumber(name: string | undefined, id: number): string {
  return name === undefined ? `column number ${id}` : quoteName(name)
}

function checkSql(value: Uint8Array): string {
  const check = storedCheck(value)
  return check ? `CONSTRAINT ${quoteName(check.name)} CHECK ${check.expression}` : 'CHECK …'
}

function indexSql(
  table: string,
  value: Uint8Array,
  columnOf: (id: number) => string | undefined,
): string {
  const index = storedIndex(value)
  const names = index?.columnIds.map((id) => nameOrNumber(columnOf(id), id)).join(', ') ?? '…'
  return `CREATE ${index?.isUnique ? 'UNIQUE ' : ''}INDEX ON ${table}(${names});`
}

function columnSql(column: StoredColumn, type: string): string {
  const { name, maxLen, isAutoIncrement, isNotNull, defaultSql } = column
  return [
    `${quoteName(name)} ${type}${takesLength(type) && maxLen > 0 ? `[${maxLen}]` : ''}`,
    isNotNull ? 'NOT NULL' : '',
    isAutoIncrement ? 'AUTO_INCREMENT' : '',
    defaultSql === null ? '' : `DEFAULT ${defaultSql}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function changeOf({ of, isDeleted, value }: CatalogueWrite, context: Context): Ddl {
  const { before, table } = context
  const bytes = fromBase64(value ?? '') ?? new Uint8Array()
  const nameOfColumn = (id: number) => before?.columns.get(id)?.name
  switch (of.part) {
    case 'table':
      return renameTable(textOf(value), context)
    case 'column': {
      const old = before?.columns.get(of.columnId)
      if (isDeleted) return dropColumn(of.columnId, old?.name, context)
      return columnChange(storedColumn(bytes), of, old, context)
    }
    case 'index': {
      if (!isDeleted) return statement(indexSql(table, bytes, nameOfColumn), context)
      const old = before?.indexes.get(of.indexId)
      const names = old?.columnIds.map((id) => nameOrNumber(nameOfColumn(id), id)).join(', ')
      if (names !== undefined) return statement(`DROP INDEX ON ${table}(${names});`, context)
      return words(`Index number ${of.indexId} of ${table} was dropped.`, unknownNote(context))
    }
    case 'check': {
      const old = before?.checks.get(of.check)
      if (!isDeleted) return statement(`ALTER TABLE ${table} ADD ${checkSql(bytes)};`, context)
      if (old) return sql(`ALTER TABLE ${table} DROP CONSTRAINT ${quoteName(old.name)};`)
      return words(`A check of ${table} was dropped.`, unknownNote(context))
    }
  }
  return words(`An entry of ${table} that this console cannot read.`)
}

const unknownNote = ({ isKnown }: Context) => (isKnown ? undefined : unknownBefore)

/** SQL only when its table has a name. */
function statement(text: string, { name, isKnown }: Context): Ddl {
  if (name !== null) return sql(text)
  return words(text.replace(/;$/, ''), isKnown ? undefined : unknownBefore)
}

function renameTable(name: string | null, context: Context): Ddl {
  const now = name === null ? '…' : quoteName(name)
  if (context.name !== null) return sql(`ALTER TABLE ${context.table} RENAME TO ${now};`)
  return words(`${capital(context.table)} was named ${now}.`, unknownNote(context))
}

function dropColumn(id: number, name: string | undefined, context: Context): Ddl {
  const { table } = context
  if (name !== undefined) return sql(`ALTER TABLE ${table} DROP COLUMN ${quoteName(name)};`)
  return words(`Column number ${id} of ${table} was dropped.`, unknownNote(context))
}

function columnChange(
  column: StoredColumn | null,
  { columnId, type }: { columnId: number; type: string },
  old: (StoredColumn & { type: string }) | undefined,
  context: Context,
): Ddl {
  const { table, isKnown } = context
  if (!column) return words(`Column number ${columnId} of ${table} changed.`)
  const now = columnSql(column, type)
  if (old && old.name !== column.name) {
    const names = `${quoteName(old.name)} TO ${quoteName(column.name)}`
    return sql(`ALTER TABLE ${table} RENAME COLUMN ${names};`)
  }
  if (old) return words(`Column ${quoteName(column.name)} of ${table} is now ${now}.`)
  if (isKnown) return statement(`ALTER TABLE ${table} ADD COLUMN ${now};`, context)
  return words(`Column number ${columnId} of ${table} was added or renamed: ${now}.`, unknownBefore)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
