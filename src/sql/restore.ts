import { sqlValue } from './export'
import { quoteName } from './names'
import { type KeyCells, keyValue } from './row-source'

/** A parameter of a statement as immudb's `NamedParam` has it. */
export type SqlParam = { readonly name: string; readonly value: Readonly<Record<string, unknown>> }

export type ParamSql = { readonly sql: string; readonly params: readonly SqlParam[] }

type CellOf = { readonly name: string; readonly type: string; readonly value: string | null }

/**
 * The statement that writes an old content of a row again: an UPDATE of a row that is there, which
 * does nothing when it is gone, or an INSERT of one that is not, which the server refuses when it
 * is there. Null when the row has nothing but its key and is there.
 * @param cells the columns that the table has now
 */
export function restoreSql(
  table: string,
  key: KeyCells,
  cells: readonly CellOf[],
  isThere: boolean,
): ParamSql | null {
  const params: SqlParam[] = []
  const inKey = new Set(key.map(({ column }) => column))
  const written = (type: string, value: string | null): string => {
    const wire = value === null ? null : wireValue(type, value)
    if (wire === null) return sqlValue(type, value)
    const name = `p${params.length + 1}`
    params.push({ name, value: wire })
    return type === 'UUID' ? `CAST(@${name} AS UUID)` : `@${name}`
  }
  const others = cells.filter(({ name }) => !inKey.has(name))
  if (!isThere) {
    const all = [...key.map(({ column, ...cell }) => ({ name: column, ...cell })), ...others]
    const names = all.map(({ name }) => quoteName(name)).join(', ')
    const values = all.map(({ type, value }) => written(type, value)).join(', ')
    return { sql: `INSERT INTO ${quoteName(table)} (${names})\nVALUES (${values});`, params }
  }
  if (others.length === 0) return null
  const changes = others.map(
    ({ name, type, value }) => `${quoteName(name)} = ${written(type, value)}`,
  )
  const condition = key.map(
    ({ column, type, value }) => `${quoteName(column)} = ${written(type, value)}`,
  )
  const sql = `UPDATE ${quoteName(table)}\nSET ${changes.join(', ')}\nWHERE ${condition.join(' AND ')};`
  return { sql, params }
}

/** Null for what JSON cannot carry, such as the float NaN. */
function wireValue(type: string, value: string): SqlParam['value'] | null {
  return type === 'JSON' ? { s: value } : keyValue(type, value)
}
