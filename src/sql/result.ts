import { valueField } from '~/immudb/column-types'
import { isBase64 } from '~/lib/bytes'
import { PlainError } from '~/lib/plain-error'
import { messages } from '~/lib/shared-sentences'

/** The answer of sqlquery, column by column: one array of texts per column instead of row objects. */
export type ResultTable = {
  readonly columns: readonly ResultColumn[]
  readonly rowCount: number
}

export type ResultColumn = {
  /**
   * The server's name, such as `(orders.id)`, without the database that immudb up to 1.4 puts before
   * the table. It is not unique, so the position identifies a column.
   */
  readonly name: string
  /** The table or alias in the name, empty when there is none. */
  readonly table: string
  /** What to show as the heading. */
  readonly label: string
  /** INTEGER VARCHAR BOOLEAN BLOB UUID TIMESTAMP FLOAT JSON or ANY. */
  readonly type: string
  /**
   * One text per row, null for NULL. INTEGER and TIMESTAMP (µs since 1970, UTC) are exact decimal
   * digits, BOOLEAN is `true` or `false`, BLOB is base64, FLOAT may be `NaN` or `Infinity`.
   */
  readonly values: readonly (string | null)[]
}

/** The answer does not have the shape of a query result; `path` names the place. */
export class ResultShapeError extends PlainError {
  override readonly name = 'ResultShapeError'

  constructor(readonly path: string) {
    super(messages.unreadableAnswer)
  }
}

/**
 * Reads the answer of `POST /db/sqlquery` (also of the table calls, whose rows have no column
 * names). Checks by hand, because a schema library is too slow for a hundred thousand cells.
 * @throws ResultShapeError
 */
export function readResult(answer: unknown): ResultTable {
  const heads = list(field(answer, 'columns', 'answer'), 'columns').map(readHead)
  const rows = list(field(answer, 'rows', 'answer'), 'rows')
  const values = heads.map(() => new Array<string | null>(rows.length))
  for (let row = 0; row < rows.length; row++) {
    const cells = field(rows[row], 'values', `rows[${row}]`)
    if (!Array.isArray(cells) || cells.length !== heads.length)
      throw new ResultShapeError(`rows[${row}].values`)
    for (let column = 0; column < heads.length; column++) {
      const text = readCell(cells[column], heads[column]?.key ?? 's')
      if (text === undefined) throw new ResultShapeError(`rows[${row}].values[${column}]`)
      const target = values[column]
      if (target) target[row] = text
    }
  }
  return { columns: toColumns(heads, values), rowCount: rows.length }
}

type Head = { readonly name: string; readonly type: string; readonly key: string }

const allKeys = ['n', 's', 'b', 'bs', 'ts', 'f']
const numberKeys = ['n', 'f']

function readHead(head: unknown, at: number): Head {
  const name = field(head, 'name', `columns[${at}]`)
  const type = field(head, 'type', `columns[${at}]`)
  if (name !== undefined && typeof name !== 'string')
    throw new ResultShapeError(`columns[${at}].name`)
  if (typeof type !== 'string') throw new ResultShapeError(`columns[${at}].type`)
  return { name: withoutDatabase(name ?? ''), type, key: valueField(type) }
}

/** `(shop.orders.id)` as `(orders.id)`. No name of a table or column has a dot, as JSON may. */
const withoutDatabase = (name: string) =>
  name.replace(/^(\w*)\([^().'">]+\.(\w+\.\w+)\)$/, '$1($2)')

/** The value as text, null for NULL, undefined when it is not a value. */
function readCell(cell: unknown, key: string): string | null | undefined {
  if (!isObject(cell)) return undefined
  const expected = cell[key]
  if (expected !== undefined) return toText(expected, key)
  if ('null' in cell) return null
  // Bytes and times are nothing else. A column of type ANY, or a JSON field, may carry any kind.
  const others = key === 's' ? allKeys : key === 'n' || key === 'f' ? numberKeys : []
  for (const other of others) {
    const value = cell[other]
    if (value !== undefined) return toText(value, other)
  }
  return undefined
}

const digits = /^-?\d{1,19}$/

/** Checked here, so that everything behind may count with the digits and decode the bytes. */
function toText(value: unknown, key: string): string | undefined {
  if (typeof value === 'string') {
    if (key === 'bs') return isBase64(value) ? value : undefined
    return (key !== 'n' && key !== 'ts') || digits.test(value) ? value : undefined
  }
  if (typeof value === 'number') {
    // An integer that JavaScript had to round is no longer what the server holds.
    if (key !== 'f' && !Number.isSafeInteger(value)) return undefined
    return Object.is(value, -0) ? '-0' : String(value)
  }
  return typeof value === 'boolean' ? String(value) : undefined
}

function toColumns(
  heads: readonly Head[],
  values: readonly (string | null)[][],
): readonly ResultColumn[] {
  const names = heads.map(({ name }) => splitName(name))
  const uses = new Map<string, number>()
  for (const { column } of names) uses.set(column, (uses.get(column) ?? 0) + 1)
  return heads.map(({ name, type }, at) => {
    const { table = '', column = name } = names[at] ?? {}
    const isUnique = uses.get(column) === 1 || table === ''
    const label = isUnique ? column : `${table}.${column}`
    return { name, table, label, type, values: values[at] ?? [] }
  })
}

/** Takes `(orders.id)` or `SUM(orders.total)` apart; other names are a column as they stand. */
function splitName(name: string): { table: string; column: string } {
  const match = /^(\w*)\((\w*)\.(.*)\)$/s.exec(name)
  if (!match) return { table: '', column: name }
  const [, call = '', table = '', column = ''] = match
  return { table, column: call === '' ? column : `${call}(${column})` }
}

function list(value: unknown, path: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new ResultShapeError(path)
  return value
}

function field(value: unknown, key: string, path: string): unknown {
  if (!isObject(value)) throw new ResultShapeError(path)
  return value[key]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
