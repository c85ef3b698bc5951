import { ifUnchanged } from './edit-statements'
import { quoteName } from './names'
import { newParams, type Param } from './params'
import type { Cells } from './row-edits'
import type { WholeKey } from './row-key'

/** A parameter of a statement as immudb's `NamedParam` has it. */
export type SqlParam = Param

export type ParamSql = { readonly sql: string; readonly params: readonly SqlParam[] }

type CellOf = { readonly name: string; readonly type: string; readonly value: string | null }

/** A row as it was read. */
export type PresentRow = {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Those to be compared, the key among them. */
  readonly cells: Cells
}

/**
 * The statement that writes an old content of a row again: an UPDATE of a row that is there, which
 * the server refuses when the row is not as it was read, or an INSERT of one that is not, which it
 * refuses when it is there. Null when the row has nothing but its key and is there.
 * @param cells the columns that the table has now
 * @param now null when it is not there
 */
export function restoreSql(
  table: string,
  key: WholeKey,
  cells: readonly CellOf[],
  now: PresentRow | null,
): ParamSql | null {
  const params = newParams()
  const primaryKey = key.map(({ column }) => column)
  const written = (type: string, value: string | null) =>
    value === null ? 'NULL' : params.add(type, value)
  const others = cells.filter(({ name }) => !primaryKey.includes(name))
  if (now === null) {
    const all = [...key.map(({ column, ...cell }) => ({ name: column, ...cell })), ...others]
    const names = all.map(({ name }) => quoteName(name)).join(', ')
    const values = all.map(({ type, value }) => written(type, value)).join(', ')
    const sql = `INSERT INTO ${quoteName(table)} (${names})\nVALUES (${values});`
    return { sql, params: params.list }
  }
  if (others.length === 0) return null
  const changes = others.map(
    ({ name, type, value }) => `${quoteName(name)} = ${written(type, value)}`,
  )
  const same = ifUnchanged({ name: table, columns: now.columns }, key, now.cells, params)
  const sql = `UPDATE ${quoteName(table)}\nSET ${changes.join(', ')}\n${same};`
  return { sql, params: params.list }
}
