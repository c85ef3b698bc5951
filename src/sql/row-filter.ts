import type { Feature } from '~/immudb/server-versions'
import { quoteName } from './names'
import type { Params } from './params'

export const operators = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'IN',
  'BETWEEN',
  'CONTAINS',
  'STARTS WITH',
  'LIKE',
  'NOT LIKE',
  'IS NULL',
  'IS NOT NULL',
] as const
export type Operator = (typeof operators)[number]

export type Condition = {
  readonly column: string
  readonly operator: Operator
  /**
   * As `ResultColumn.values` has them: those of IN, the first and last of BETWEEN, none for NULL,
   * and one for the other operators.
   */
  readonly values: readonly string[]
}

/** Conditions on the rows of a table: all of them or any must hold. */
export type RowFilter = { readonly isAny: boolean; readonly conditions: readonly Condition[] }

export const noFilter: RowFilter = { isAny: false, conditions: [] }

/** How many values an operator takes; `list` for one or more. */
export function valuesTaken(operator: Operator): 0 | 1 | 2 | 'list' {
  switch (operator) {
    case 'IS NULL':
    case 'IS NOT NULL':
      return 0
    case 'BETWEEN':
      return 2
    case 'IN':
      return 'list'
    default:
      return 1
  }
}

const ofText: ReadonlySet<Operator> = new Set(['CONTAINS', 'STARTS WITH', 'LIKE', 'NOT LIKE'])

/** The operators for a type: the server compares no JSON, and looks for a part in nothing but text. */
export function operatorsFor(type: string): readonly Operator[] {
  if (type === 'VARCHAR') return operators
  if (type === 'JSON') return ['CONTAINS', 'IS NULL', 'IS NOT NULL']
  return operators.filter((operator) => !ofText.has(operator))
}

/** What a server must have for an operator; undefined where every one has it. */
export function featureOf(operator: Operator): Feature | undefined {
  if (ofText.has(operator)) return 'textFilters'
  return operator === 'BETWEEN' ? 'ranges' : undefined
}

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
    .map((condition) => conditionSql(condition, params, typeOf(condition.column)))
    .join(isAny ? ' OR ' : ' AND ')
}

function conditionSql(
  { column, operator, values }: Condition,
  params: Pick<Params, 'add'>,
  type: string,
): string {
  const name = quoteName(column)
  const [first = '', last = ''] = values
  const isNan = type === 'FLOAT' && first === 'NaN'
  switch (operator) {
    case 'IS NULL':
    case 'IS NOT NULL':
      return `${name} ${operator}`
    case 'IN':
      return listSql(name, type, values, params)
    case 'BETWEEN':
      return `(${name} BETWEEN ${params.add(type, first)} AND ${params.add(type, last)})`
    // LIKE matches no line break, and reads a letter of several bytes behind \ as one byte.
    case 'CONTAINS':
      return `POSITION(${params.add('VARCHAR', first)}, ${textOf(name, type)}) > 0`
    case 'STARTS WITH':
      return `POSITION(${params.add('VARCHAR', first)}, ${textOf(name, type)}) = 1`
    default:
      if (isNan && operator === '=') return isNanSql(name)
      if (isNan && operator === '!=') return `${name} = ${name}`
      return `${name} ${operator} ${params.add(type, first)}`
  }
}

const textOf = (name: string, type: string) => (type === 'JSON' ? `CAST(${name} AS VARCHAR)` : name)

/** To the server NaN equals nothing, itself included. */
const isNanSql = (name: string) => `${name} != ${name}`

function listSql(
  name: string,
  type: string,
  values: readonly string[],
  params: Pick<Params, 'add'>,
): string {
  const equal = values.filter((value) => type !== 'FLOAT' || value !== 'NaN')
  const list = equal.map((value) => params.add(type, value)).join(', ')
  const found = equal.length > 0 ? [`${name} IN (${list})`] : []
  return equal.length === values.length
    ? found.join('')
    : `(${[...found, isNanSql(name)].join(' OR ')})`
}

/** An order of rows by a column; null for that of the primary key. */
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
  IN: 'in',
  BETWEEN: 'between',
  CONTAINS: 'contains',
  'STARTS WITH': 'starts',
  LIKE: 'like',
  'NOT LIKE': 'notlike',
  'IS NULL': 'null',
  'IS NOT NULL': 'notnull',
}
const byCode = new Map(operators.map((operator) => [codes[operator], operator]))

/**
 * A filter and an order in an address, such as `age:gt:3,name:in:a:b%25,^by:age:desc`. Undefined
 * for all rows in the order of the key.
 */
export function queryToAddress({ filter, order }: RowQuery): string | undefined {
  const parts = filter.conditions.map(({ column, operator, values }) => {
    const isOne = valuesTaken(operator) === 1
    const texts = values.map((value) => escaped(value, isOne ? /[%,]/g : /[%,:]/g))
    return [escapedName(column), codes[operator], ...texts].join(':')
  })
  if (filter.isAny && parts.length > 1) parts.push('^any')
  if (order.column !== null || order.isDescending)
    parts.push(`^by:${escapedName(order.column ?? '')}${order.isDescending ? ':desc' : ''}`)
  return parts.length > 0 ? parts.join(',') : undefined
}

const escapedName = (name: string) => escaped(name, /[%,:^]/g)

function escaped(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function unescaped(text: string): string {
  return text.replace(/%(25|2C|3A|5E)/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The filter and order in an address; null for a text that is not one. */
export function queryFromAddress(address: string): RowQuery | null {
  let [isAny, order] = [false, keyOrder]
  const conditions: Condition[] = []
  for (const part of address === '' ? [] : address.split(',')) {
    const by = /^\^by:([^:^]*)(:desc)?$/.exec(part)
    if (part === '^any') isAny = true
    else if (by)
      order = { column: unescaped(by[1] ?? '') || null, isDescending: by[2] !== undefined }
    else {
      const condition = readCondition(part)
      if (condition === null) return null
      conditions.push(condition)
    }
  }
  return { filter: { isAny, conditions }, order }
}

function readCondition(part: string): Condition | null {
  const [, name = '', code = '', , text] = /^([^:^]+):([a-z]+)(:(.*))?$/s.exec(part) ?? []
  const operator = byCode.get(code)
  if (operator === undefined) return null
  const taken = valuesTaken(operator)
  const texts = text === undefined ? [] : taken === 1 ? [text] : text.split(':')
  const isRight = taken === 'list' ? texts.length > 0 : texts.length === taken
  return isRight ? { column: unescaped(name), operator, values: texts.map(unescaped) } : null
}
