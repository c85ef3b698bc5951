import { type KeyColumn, type Seek, type SeekPart, seeksBehind } from './keyset'
import { literalOf } from './literals'
import { quoteName } from './names'
import { ResultShapeError, type ResultTable } from './result'

/**
 * What is compared: one table after transaction `from` and after transaction `to`. `from` may be
 * `0`, the empty database before its first transaction.
 */
export type Compared = { readonly table: string; readonly from: string; readonly to: string }

export type DiffAction = 'added' | 'changed' | 'deleted'

const words: Readonly<Record<string, DiffAction>> = {
  INSERT: 'added',
  UPDATE: 'changed',
  DELETE: 'deleted',
}

const actionNames: Readonly<Record<DiffAction, string>> = {
  added: 'INSERT',
  changed: 'UPDATE',
  deleted: 'DELETE',
}

export type DiffCounts = Readonly<Record<DiffAction, bigint>>

/**
 * A statement that counts the differences by kind, in one row for each that occurs. immudb accepts
 * no period that begins before transaction 1, so from there on every row was added.
 */
export function countSql({ table, from, to }: Compared): string {
  const name = quoteName(table)
  return from === '0'
    ? `SELECT COUNT(*) FROM ${name} UNTIL TX ${to};`
    : `SELECT _diff_action, COUNT(*) FROM ${diffOf(name, from, to)} GROUP BY _diff_action;`
}

/** The answer to `countSql`. */
export function readCounts({ columns }: ResultTable, from: string): DiffCounts {
  const counts = { added: 0n, changed: 0n, deleted: 0n }
  const [names, numbers] = from === '0' ? [undefined, columns[0]] : columns
  numbers?.values.forEach((count, row) => {
    const action = from === '0' ? 'added' : words[names?.values[row] ?? '']
    if (action === undefined) throw new ResultShapeError(`rows[${row}].values[0]`)
    counts[action] = BigInt(count ?? '0')
  })
  return counts
}

/** Where a page of differences begins. */
export type DiffPlace = {
  /** Differences on the pages before. */
  readonly done: number
  /** The key of the last of them, for tables that are paged by key; null on the first page. */
  readonly last: RowValues | null
}

export const firstPlace: DiffPlace = { done: 0, last: null }

/** The columns by which the differences are paged; null where they are counted off instead. */
export type PageKey = readonly KeyColumn[] | null

type Page = {
  readonly key: PageKey
  /** Null for all kinds. */
  readonly action: DiffAction | null
  readonly place: DiffPlace
  readonly size: number
  /** One of `seeksOf`. */
  readonly seek: Seek | null
}

/** The seeks of the statements behind a place, in the order of the rows that they find. */
export function seeksOf(key: PageKey, { last }: DiffPlace): readonly (Seek | null)[] {
  return key && last ? seeksBehind(key, last) : [null]
}

/**
 * A statement for one page of differences in the order of the primary key. Rows that were added or
 * changed come as they are at `to`, deleted ones as they were at `from`.
 */
export function pageSql(
  { table, from, to }: Compared,
  { key, action, place, size, seek }: Page,
): string {
  const name = quoteName(table)
  const after = seek ? ` WHERE ${seek.map(partSql).join(' AND ')}` : ''
  const skipped = key === null && place.done > 0 ? ` OFFSET ${place.done}` : ''
  const limit = ` LIMIT ${size}${skipped};`
  if (from === '0') return `SELECT * FROM ${name} UNTIL TX ${to}${after}${limit}`
  const all = `SELECT * FROM ${diffOf(name, from, to)}${after}`
  // The column of the action cannot stand in a condition beside DIFF itself.
  return action === null
    ? `${all}${limit}`
    : `SELECT * FROM (${all}) WHERE _diff_action = '${actionNames[action]}'${limit}`
}

const partSql = ({ name, type, sign, value }: SeekPart) =>
  `${quoteName(name)} ${sign} ${literalOf(type, value)}`

const diffOf = (name: string, from: string, to: string) =>
  `(DIFF OF ${name}) AFTER TX ${from} UNTIL TX ${to}`

/** A column of a table with its place in a row. */
export type DiffColumn = { readonly name: string; readonly type: string }

/** The values of a row, see `ResultColumn.values`. */
export type RowValues = readonly (string | null)[]

/** A row that differs between the two moments. */
export type Difference = {
  readonly action: DiffAction
  /** Null for a row that was added, and while it is not known. */
  readonly before: RowValues | null
  /** Null for a row that was deleted. */
  readonly after: RowValues | null
}

/** The answer to `pageSql`; changed rows lack what they were before. */
export function readDifferences(
  { columns, rowCount }: ResultTable,
  from: string,
): { columns: DiffColumn[]; rows: Difference[] } {
  const [actions, own] = from === '0' ? [null, columns] : [columns[0] ?? null, columns.slice(1)]
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const action = actions ? words[actions.values[row] ?? ''] : 'added'
    if (action === undefined) throw new ResultShapeError(`rows[${row}].values[0]`)
    const values = own.map((column) => column.values[row] ?? null)
    return action === 'deleted'
      ? { action, before: values, after: null }
      : { action, before: null, after: values }
  })
  return { columns: own.map(({ label, type }) => ({ name: label, type })), rows }
}

/** Rows asked for in one statement; each is found by its key, without a scan. */
export const rowsAtOnce = 100

/** A statement for rows of a table as they were right after a transaction, by their keys. */
export function rowsSql(
  table: string,
  tx: string,
  columns: readonly DiffColumn[],
  keys: readonly RowValues[],
): string {
  const parts = keys.map((key) => {
    const conditions = key.map((value, at) => {
      const { name = '', type = '' } = columns[at] ?? {}
      return `${quoteName(name)} = ${literalOf(type, value)}`
    })
    return `SELECT * FROM ${quoteName(table)} UNTIL TX ${tx} WHERE ${conditions.join(' AND ')}`
  })
  return `${parts.join(' UNION ALL ')};`
}

/** The rows of an answer, each with its values in the order of the columns. */
export function rowsOf({ columns, rowCount }: ResultTable): RowValues[] {
  return Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => column.values[row] ?? null),
  )
}

/** Whether a column of a changed row differs; false while the old row is not known. */
export function isChanged({ action, before, after }: Difference, column: number): boolean {
  if (action !== 'changed' || !before || !after) return false
  return (before[column] ?? null) !== (after[column] ?? null)
}

/** The differences as a table for an export: each column as it was and as it is. */
export function exportTable(
  columns: readonly DiffColumn[],
  rows: readonly (Difference & { readonly tx?: string })[],
  hasSteps: boolean,
): ResultTable {
  const text = (label: string, type: string, values: (string | null)[]) => ({
    name: label,
    table: '',
    label,
    type,
    values,
  })
  return {
    rowCount: rows.length,
    columns: [
      ...(hasSteps
        ? [
            text(
              '_tx',
              'INTEGER',
              rows.map(({ tx }) => tx ?? null),
            ),
          ]
        : []),
      text(
        '_change',
        'VARCHAR',
        rows.map(({ action }) => action),
      ),
      ...columns.flatMap(({ name, type }, at) => [
        text(
          `${name} (old)`,
          type,
          rows.map(({ before }) => before?.[at] ?? null),
        ),
        text(
          `${name} (new)`,
          type,
          rows.map(({ after }) => after?.[at] ?? null),
        ),
      ]),
    ],
  }
}
