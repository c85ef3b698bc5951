import { quoteName } from '~/sql/names'
import { newParams } from '~/sql/params'
import type { Call, KeyPart } from './call'

/** A value of a primary key with its column. */
export type NamedKeyPart = KeyPart & { readonly name: string }

/** Reads one row by its key, of a period if one is given; the SDKs prove rows as they are now. */
export function rowCall(
  table: string,
  key: readonly NamedKeyPart[],
  { period = '', isVerified = false } = {},
): Call {
  const params = newParams()
  const conditions = key.map(({ name, type, value }) => {
    const [cell = null] = Object.values(value)
    return `${quoteName(name)} = ${params.add(type, String(cell))}`
  })
  const from = [quoteName(table), period].filter((part) => part !== '').join(' ')
  const sql = `SELECT * FROM ${from} WHERE ${conditions.join(' AND ')}`
  const { list } = params
  if (period !== '') return { kind: 'sql', sql, params: list, isQuery: true }
  const parts = key.map(({ type, value }) => ({ type, value }))
  return { kind: 'row', sql, params: list, table, key: parts, isVerified }
}
