import type { Param } from '~/sql/params'

/** A column of a table in memory; only INTEGER, VARCHAR and UUID are told apart. */
export type ModelColumn = { readonly name: string; readonly type: string }

/** Rows in memory, read by the statements of the table screen as immudb 1.11.1 was seen to. */
export type RowModel = {
  readonly table: string
  readonly columns: readonly ModelColumn[]
  /** Columns of the primary key, by which rows with equal values are ordered. */
  readonly key: readonly string[]
  /** See `ResultColumn.values`; by the places of the columns. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Columns of the other indexes. */
  readonly indexes?: readonly (readonly string[])[]
  /** A column with a unique index. */
  readonly unique?: string
  /** The key counts up by itself. */
  readonly counts?: boolean
  /** The last key that was counted. */
  readonly last?: number
  /** The server describes no view. */
  readonly isView?: boolean
}

const statement =
  /^SELECT (\*|COUNT\(\*\)|[\w, ]+) FROM "?(\w+)"?(?: UNTIL TX \d+)?(?: USE INDEX ON \(([^)]*)\))?(?: WHERE (.*?))?(?: ORDER BY (.*?))?(?: LIMIT (\d+))?(?: OFFSET (\d+))?;$/s

/** The answer to a statement, as the server sends it; null for one that is not of these. */
export function answerRows(model: RowModel, sql: string, params: readonly Param[] = []) {
  const [, what, table, , where, order, limit, offset = '0'] = statement.exec(sql) ?? []
  if (table !== model.table) return null
  const values = new Map(params.map(({ name, value }) => [`@${name}`, Object.values(value)[0]]))
  const found = model.rows
    .filter((row) => where === undefined || holds(model, row, where, values))
    .sort(byOrder(model, order ?? ''))
  if (what === 'COUNT(*)')
    return answerOf([{ name: `(${table}.col0)`, type: 'INTEGER' }], [[String(found.length)]])
  const end = limit === undefined ? undefined : Number(offset) + Number(limit)
  const names = what === '*' ? model.columns.map(({ name }) => name) : (what ?? '').split(', ')
  const places = names.map((name) => model.columns.findIndex((column) => column.name === name))
  const columns = places.map((at) => {
    const { name = '', type = '' } = model.columns[at] ?? {}
    return { name: `(${table}.${name})`, type }
  })
  const rows = found.slice(Number(offset), end)
  return answerOf(
    columns,
    rows.map((row) => places.map((at) => row[at] ?? null)),
  )
}

/** The field of a cell, by the type of its column. */
const fieldsOf = new Map([
  ['INTEGER', 'n'],
  ['TIMESTAMP', 'ts'],
])

function answerOf(columns: readonly ModelColumn[], rows: readonly (readonly (string | null)[])[]) {
  const cell = (type: string, value: string | null) =>
    value === null ? { null: null } : { [fieldsOf.get(type) ?? 's']: value }
  return {
    columns,
    rows: rows.map((row) => ({
      values: columns.map(({ type }, at) => cell(type, row[at] ?? null)),
    })),
  }
}

type Row = readonly (string | null)[]
type Values = ReadonlyMap<string, unknown>

function holds(model: RowModel, row: Row, written: string, values: Values): boolean {
  const text = written.replace(/\((\w+) BETWEEN (@\w+) AND (@\w+)\)/g, '$1 >= $2 AND $1 <= $3')
  const [, group, rest] = /^\((.*)\) AND (.*)$/s.exec(text) ?? []
  if (group !== undefined && rest !== undefined)
    return holds(model, row, group, values) && holds(model, row, rest, values)
  const any = text.split(' OR ')
  if (any.length > 1) return any.some((one) => holds(model, row, one, values))
  return text.split(' AND ').every((one) => holdsOne(model, row, one, values))
}

function holdsOne(model: RowModel, row: Row, text: string, values: Values): boolean {
  const [, listed, list] = /^(\w+) IN \((.*)\)$/.exec(text) ?? []
  if (listed !== undefined && list !== undefined)
    return list.split(', ').some((one) => holdsOne(model, row, `${listed} = ${one}`, values))
  const [, name = '', operator = '', right = ''] =
    /^"?(\w+)"? (=|!=|<=|>=|<|>|LIKE|IS NOT|IS) (.*)$/s.exec(text) ?? []
  const at = model.columns.findIndex((column) => column.name === name)
  if (at < 0) throw new Error(`column does not exist (${name}): ${text}`)
  const value = row[at] ?? null
  if (right === 'NULL') return (value === null) === (operator === 'IS')
  const given = values.get(right.replace(/^CAST\((@\w+) AS UUID\)$/, '$1'))
  if (given === undefined) throw new Error(`no parameter: ${text}`)
  const sign = compare(value, given === null ? null : String(given), model.columns[at]?.type ?? '')
  switch (operator) {
    case '=':
      return sign === 0
    case '!=':
      return sign !== 0
    case '<':
      return sign < 0
    case '<=':
      return sign <= 0
    case '>':
      return sign > 0
    default:
      return sign >= 0
  }
}

/** NULL is smaller than every value. */
function compare(one: string | null, other: string | null, type: string): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (type !== 'INTEGER') return Buffer.compare(Buffer.from(one), Buffer.from(other))
  const [a, b] = [BigInt(one), BigInt(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function byOrder({ columns, key }: RowModel, order: string) {
  const isDescending = / DESC/.test(order)
  const named = order === '' ? [] : order.split(', ').map((part) => part.replace(/"|( \w+$)/g, ''))
  const places = [...named, ...key].map((name) => columns.findIndex((one) => one.name === name))
  return (one: Row, other: Row): number => {
    for (const at of places) {
      const sign = compare(one[at] ?? null, other[at] ?? null, columns[at]?.type ?? '')
      if (sign !== 0) return isDescending ? -sign : sign
    }
    return 0
  }
}
