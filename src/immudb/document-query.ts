import { parsedJson } from '~/lib/parsed-json'
import { afterPrefix, asPattern } from './like-pattern'
import type { Feature } from './server-versions'

/** How a field is compared. The server itself has fewer; `queryJson` makes the others of those. */
export const operators = [
  'EQ',
  'NE',
  'LT',
  'LE',
  'GT',
  'GE',
  'IN',
  'BETWEEN',
  'CONTAINS',
  'STARTS',
  'LIKE',
  'NOT_LIKE',
  'NULL',
  'NOT_NULL',
] as const
export type Operator = (typeof operators)[number]

export type FieldComparison = {
  readonly field: string
  readonly operator: Operator
  /** JSON, so that no digit of a number is lost; as many as `takes` says. */
  readonly values: readonly string[]
}

/** How many values an operator takes. */
export function takes(operator: Operator): 'none' | 'one' | 'two' | 'any' {
  if (operator === 'NULL' || operator === 'NOT_NULL') return 'none'
  return operator === 'BETWEEN' ? 'two' : operator === 'IN' ? 'any' : 'one'
}

const ofPatterns: ReadonlySet<Operator> = new Set(['CONTAINS', 'LIKE', 'NOT_LIKE'])

/** What a server must have for an operator; undefined where every one has it. */
export function featureOf(operator: Operator): Feature | undefined {
  return ofPatterns.has(operator) ? 'textFilters' : undefined
}

/** What is searched for in a collection. */
export type DocumentQuery = {
  /** Documents that any of these groups finds; a group finds those that meet all its comparisons. */
  readonly groups: readonly (readonly FieldComparison[])[]
  readonly orderBy: readonly { readonly field: string; readonly isDescending: boolean }[]
  /** Most documents; 0 for no limit. */
  readonly limit: number
}

/** Finds every document, in the order of the ids. */
export const everything: DocumentQuery = { groups: [], orderBy: [], limit: 0 }

/** The query as the server takes it; in lines to be read below an indent. */
export function queryJson(query: DocumentQuery, indent?: string): string {
  const [line, gap] = indent === undefined ? ['', ''] : [`\n${indent}`, ' ']
  const lines = (items: readonly string[], depth: string, ends: string) => {
    if (items.length === 0) return ends
    const inner = indent === undefined ? '' : `${line}${depth}  `
    const outer = indent === undefined ? '' : `${line}${depth}`
    return `${ends[0]}${inner}${items.join(`,${inner}`)}${outer}${ends[1]}`
  }
  const name = (text: string) => `${JSON.stringify(text)}:${gap}`
  const comparison = ({ field, operator, value }: SentComparison) =>
    `{${name('field')}${JSON.stringify(field)},${gap}${name('operator')}"${operator}",${gap}${name('value')}${value}}`
  const groups = query.groups.filter((group) => group.length > 0).flatMap(alternatives)
  const parts: string[] = []
  if (groups.length > 0) {
    const expressions = groups.map(
      (group) => `{${name('fieldComparisons')}${lines(group.map(comparison), '    ', '[]')}}`,
    )
    parts.push(`${name('expressions')}${lines(expressions, '  ', '[]')}`)
  }
  if (query.orderBy.length > 0) {
    const fields = query.orderBy.map(
      ({ field, isDescending }) =>
        `{${name('field')}${JSON.stringify(field)}${isDescending ? `,${gap}${name('desc')}true` : ''}}`,
    )
    parts.push(`${name('orderBy')}${lines(fields, '  ', '[]')}`)
  }
  if (query.limit > 0) parts.push(`${name('limit')}${query.limit}`)
  return lines(parts, '', '{}')
}

type SentComparison = { readonly field: string; readonly operator: string; readonly value: string }

/** A group as the server takes it: one for each combination of the values that may be there. */
function alternatives(group: readonly FieldComparison[]): SentComparison[][] {
  const begin: SentComparison[][] = [[]]
  return group.reduce(
    (all, one) => all.flatMap((before) => sentAs(one).map((more) => [...before, ...more])),
    begin,
  )
}

/** The server's comparisons for one: any of these must hold, each with all of its parts. */
function sentAs({ field, operator, values }: FieldComparison): SentComparison[][] {
  const one = (sent: string, value: string) => ({ field, operator: sent, value })
  const [value = 'null', second = 'null'] = values
  const text = textOf(value)
  switch (operator) {
    case 'NULL':
      return [[one('EQ', 'null')]]
    case 'NOT_NULL':
      return [[one('NE', 'null')]]
    case 'IN':
      return values.map((value) => [one('EQ', value)])
    case 'BETWEEN':
      return [[one('GE', value), one('LE', second)]]
    case 'CONTAINS':
      return [[one('LIKE', JSON.stringify(`%${asPattern(text)}%`))]]
    case 'STARTS': {
      const end = afterPrefix(text)
      const from = one('GE', value)
      return [end === null ? [from] : [from, one('LT', JSON.stringify(end))]]
    }
    default:
      return [[one(operator, value)]]
  }
}

function textOf(json: string): string {
  const value = parsedJson(json)
  return typeof value === 'string' ? value : ''
}

/** Most groups of the server that a search may become; 1.11.1 took 1,000 at once. */
export const mostAlternatives = 1_000

/** How many groups of the server a search becomes. */
export function countAlternatives({ groups }: Pick<DocumentQuery, 'groups'>): number {
  const of = (group: readonly FieldComparison[]) =>
    group.reduce(
      (count, { operator, values }) => count * (operator === 'IN' ? values.length : 1),
      1,
    )
  return groups.reduce((sum, group) => sum + of(group), 0)
}

/** Longest query in an address. */
export const addressLength = 1_500

/** The query as an address has it, empty for everything. One may be too long for an address. */
export function queryToAddress(query: DocumentQuery): string {
  const { groups, orderBy, limit } = query
  if (groups.length === 0 && orderBy.length === 0 && limit === 0) return ''
  return JSON.stringify([
    groups.map((group) => group.map(({ field, operator, values }) => [field, operator, ...values])),
    orderBy.map(({ field, isDescending }) => (isDescending ? [field, 1] : [field])),
    limit,
  ])
}

/** The query in an address; null when it cannot be read. */
export function queryFromAddress(text: string): DocumentQuery | null {
  if (text === '') return everything
  const [groups, orderBy, limit] = listOf(parsedJson(text)) ?? []
  const found = listOf(groups)?.map((group) => listOf(group)?.map(comparisonOf))
  const order = listOf(orderBy)?.map(orderOf)
  const isCount = typeof limit === 'number' && Number.isInteger(limit) && limit >= 0
  if (!found || !order || !isCount || limit > mostLimit) return null
  const whole = found.map((group) => group?.filter((one) => one !== null))
  const isWhole = found.every((group) => group !== undefined && !group.includes(null))
  if (!isWhole || order.includes(null)) return null
  const query = {
    groups: whole.flatMap((group) => (group ? [group] : [])),
    orderBy: order.filter((one) => one !== null),
    limit,
  }
  return countAlternatives(query) > mostAlternatives ? null : query
}

/** The server's field is of 32 bits. */
export const mostLimit = 4_294_967_295

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function comparisonOf(of: unknown): FieldComparison | null {
  const [field, name, ...rest] = listOf(of) ?? []
  const operator = operators.find((one) => one === name)
  const values = rest.filter((one) => typeof one === 'string')
  if (typeof field !== 'string' || !operator || values.length < rest.length) return null
  // They become parts of a request, so each must be one value and nothing more.
  if (!values.every(isScalar) || !isCountOf(operator, values.length)) return null
  if (textOperators.has(operator) && typeof parsedJson(values[0] ?? '') !== 'string') return null
  // Null has operators of its own; older links have it as a value.
  if (values[0] === 'null' && operator === 'EQ') return { field, operator: 'NULL', values: [] }
  if (values[0] === 'null' && operator === 'NE') return { field, operator: 'NOT_NULL', values: [] }
  return { field, operator, values }
}

const textOperators: ReadonlySet<Operator> = new Set(['CONTAINS', 'STARTS'])

function isCountOf(operator: Operator, count: number): boolean {
  const wanted = takes(operator)
  if (wanted === 'any') return count > 0
  return count === { none: 0, one: 1, two: 2 }[wanted]
}

function orderOf(value: unknown): DocumentQuery['orderBy'][number] | null {
  const [field, isDescending] = listOf(value) ?? []
  return typeof field === 'string' ? { field, isDescending: isDescending === 1 } : null
}

/** Whether a text is the JSON of a text, number, true, false or null. */
function isScalar(json: string): boolean {
  const value = parsedJson(json)
  return value !== undefined && (typeof value !== 'object' || value === null)
}
