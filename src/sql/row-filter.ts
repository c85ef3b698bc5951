import { quoteName } from './names'
import type { Params } from './params'

export const operators = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'LIKE',
  'IS NULL',
  'IS NOT NULL',
] as const
export type Operator = (typeof operators)[number]

export type Condition = {
  readonly column: string
  readonly operator: Operator
  /** As `ResultColumn.values` has it; empty where the operator takes none. */
  readonly value: string
}

/** Conditions on the rows of a table: all of them or any must hold. */
export type RowFilter = { readonly isAny: boolean; readonly conditions: readonly Condition[] }

export const noFilter: RowFilter = { isAny: false, conditions: [] }

const withoutValue: ReadonlySet<Operator> = new Set(['IS NULL', 'IS NOT NULL'])

export const takesValue = (operator: Operator): boolean => !withoutValue.has(operator)

/**
 * The condition of a filter; empty for one that lets every row through.
 * @param typeOf the type of a column without its length
 */
export function filterSql(
  { isAny, conditions }: RowFilter,
  params: Pick<Params, 'add'>,
  typeOf: (column: string) => string,
): string {
  return conditions
    .map(({ column, operator, value }) => {
      const name = quoteName(column)
      return takesValue(operator)
        ? `${name} ${operator} ${params.add(typeOf(column), value)}`
        : `${name} ${operator}`
    })
    .join(isAny ? ' OR ' : ' AND ')
}

/** An order of rows by the first column of an index; null for that of the primary key. */
export type RowOrder = { readonly column: string | null; readonly isDescending: boolean }

export const keyOrder: RowOrder = { column: null, isDescending: false }

/** What a link says about the rows that it shows. */
export type RowQuery = { readonly filter: RowFilter; readonly order: RowOrder }

const codes: Readonly<Record<Operator, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  LIKE: 'like',
  'IS NULL': 'null',
  'IS NOT NULL': 'notnull',
}
const byCode = new Map(operators.map((operator) => [codes[operator], operator]))

/**
 * A filter and an order in an address, such as `age:gt:3,name:like:a%25,^by:age:desc`. No column
 * begins with `^`. Undefined for all rows in the order of the key.
 */
export function queryToAddress({ filter, order }: RowQuery): string | undefined {
  const parts = filter.conditions.map(({ column, operator, value }) =>
    takesValue(operator)
      ? `${column}:${codes[operator]}:${escaped(value)}`
      : `${column}:${codes[operator]}`,
  )
  if (filter.isAny && parts.length > 1) parts.push('^any')
  if (order.column !== null || order.isDescending)
    parts.push(`^by:${order.column ?? ''}${order.isDescending ? ':desc' : ''}`)
  return parts.length > 0 ? parts.join(',') : undefined
}

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll(',', '%2C')

/** The filter and order in an address; null for a text that is not one. */
export function queryFromAddress(address: string): RowQuery | null {
  let [isAny, order] = [false, keyOrder]
  const conditions: Condition[] = []
  for (const part of address === '' ? [] : address.split(',')) {
    const by = /^\^by:(\w*)(:desc)?$/.exec(part)
    if (part === '^any') isAny = true
    else if (by) order = { column: by[1] || null, isDescending: by[2] !== undefined }
    else {
      const condition = readCondition(part)
      if (condition === null) return null
      conditions.push(condition)
    }
  }
  return { filter: { isAny, conditions }, order }
}

function readCondition(part: string): Condition | null {
  const [, column = '', code = '', , value] = /^([^:^]+):([a-z]+)(:(.*))?$/s.exec(part) ?? []
  const operator = byCode.get(code)
  if (operator === undefined || takesValue(operator) !== (value !== undefined)) return null
  const text = (value ?? '').replace(/%(25|2C)/gi, (_, found) => (found === '25' ? '%' : ','))
  return { column, operator, value: text }
}
