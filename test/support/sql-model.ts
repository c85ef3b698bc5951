import type { Param } from '~/sql/params'

/** A row by its columns, each value as a result has it. */
export type ModelRow = Map<string, string | null>

/** A table in memory that carries out what staged edits send, as immudb 1.11.1 was seen to. */
export type ModelTable = {
  rows: ModelRow[]
  key: readonly string[]
  /** A column with a unique index. */
  unique?: string | undefined
  counts: boolean
  /** The last key that was counted; a transaction does not give that of a deleted row again. */
  last?: number
}

/** Carries out one statement and returns how many rows it changed. */
export function carryOut(table: ModelTable, sql: string, params: readonly Param[]): number {
  const values = new Map(params.map(({ name, value }) => [`@${name}`, plain(value)]))
  if (table.counts) table.last = Math.max(table.last ?? 0, newest(table))
  const insert = /^INSERT INTO \S+ \((.*)\)\nVALUES \((.*)\);$/s.exec(sql)
  if (insert) {
    const [names, given] = [listed(insert[1]), listed(insert[2])]
    const row: ModelRow = new Map(names.map((name, at) => [name, paramOf(values, given[at] ?? '')]))
    const [first = ''] = table.key
    if (table.counts && !row.has(first)) row.set(first, String((table.last ?? 0) + 1))
    if (table.rows.some((one) => keyOf(table, one) === keyOf(table, row))) throw new Error('exists')
    table.rows.push(row)
    checkUnique(table)
    return 1
  }
  const [, set, where = '', same = ''] =
    /^(?:DELETE FROM \S+|UPDATE \S+\nSET (.*))\nWHERE (.*)\nLIMIT 1 \/ \(SELECT COUNT\(\*\) FROM \S+ WHERE (.*)\);$/s.exec(
      sql,
    ) ?? []
  const rowsWith = (conditions: string) => {
    const each = conditions.replace(/NOT NOT \((.*)\)$/s, '$1').split(' AND ')
    return table.rows.filter((row) => each.every((one) => holds(row, one, values)))
  }
  const found = rowsWith(where)
  if (rowsWith(same).length === 0) throw new Error('changed')
  for (const row of found) {
    if (set === undefined) table.rows.splice(table.rows.indexOf(row), 1)
    else for (const one of set.split(', ')) assign(row, one, values)
  }
  checkUnique(table)
  return found.length
}

function checkUnique({ rows, unique }: ModelTable) {
  const values = unique === undefined ? [] : rows.map((row) => row.get(unique) ?? null)
  if (new Set(values).size < values.length) throw new Error('exists')
}

function assign(row: ModelRow, text: string, values: ReadonlyMap<string, string | null>) {
  const [name = '', value = ''] = text.split(' = ')
  row.set(bare(name), paramOf(values, value))
}

const newest = ({ rows, key }: ModelTable) =>
  Math.max(0, ...rows.map((row) => Number(row.get(key[0] ?? ''))))

const keyOf = ({ key }: ModelTable, row: ModelRow) =>
  JSON.stringify(key.map((name) => row.get(name) ?? null))

const listed = (text = '') => text.split(', ').map(bare)
const bare = (name: string) => name.replace(/^"(.*)"$/, '$1')

function paramOf(values: ReadonlyMap<string, string | null>, text: string): string | null {
  if (text === 'NULL') return null
  const name = text.replace(/^CAST\((@\w+) AS UUID\)$/, '$1')
  if (!values.has(name)) throw new Error(`no parameter: ${text}`)
  return values.get(name) ?? null
}

/** Throws for a condition that no staged edit has. */
function holds(row: ModelRow, text: string, values: ReadonlyMap<string, string | null>): boolean {
  const [, left = '', operator = '', right = ''] = /^(.*?) (=|<>|IS) (.*)$/.exec(text) ?? []
  const name = bare(/^(?:JSON_TYPEOF|CAST)\((\S+?)(?: AS VARCHAR)?\)$/.exec(left)?.[1] ?? left)
  const value = row.get(name) ?? null
  if (operator === 'IS') return right === 'NOT NULL' ? value !== null : value === null
  if (operator === '<>') return value === 'NaN'
  if (operator !== '=') throw new Error(`no condition: ${text}`)
  if (left.startsWith('CAST') && isZero(value)) return value === paramOf(values, right)
  const other = paramOf(values, right)
  if (value === 'NaN') return false
  return value === other || (isZero(value) && isZero(other))
}

const isZero = (value: string | null) => value === '0' || value === '-0'

/** The text that a result has for a value of a request. */
function plain(value: Param['value']): string | null {
  if ('null' in value) return null
  const [of] = Object.values(value)
  return Object.is(of, -0) ? '-0' : String(of)
}
