import { parsedJson } from '~/lib/parsed-json'

/** How a field is compared; LIKE takes a pattern with `%`. */
export const operators = ['EQ', 'NE', 'LT', 'LE', 'GT', 'GE', 'LIKE', 'NOT_LIKE'] as const
export type Operator = (typeof operators)[number]

export type FieldComparison = {
  readonly field: string
  readonly operator: Operator
  /** JSON, so that no digit of a number is lost. */
  readonly value: string
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
  const comparison = ({ field, operator, value }: FieldComparison) =>
    `{${name('field')}${JSON.stringify(field)},${gap}${name('operator')}"${operator}",${gap}${name('value')}${value}}`
  const groups = query.groups.filter((group) => group.length > 0)
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

/** Longest query in an address. */
export const addressLength = 1_500

/** The query as an address has it, empty for everything. One may be too long for an address. */
export function queryToAddress(query: DocumentQuery): string {
  const { groups, orderBy, limit } = query
  if (groups.length === 0 && orderBy.length === 0 && limit === 0) return ''
  return JSON.stringify([
    groups.map((group) => group.map(({ field, operator, value }) => [field, operator, value])),
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
  return {
    groups: whole.flatMap((group) => (group ? [group] : [])),
    orderBy: order.filter((one) => one !== null),
    limit,
  }
}

/** The server's field is of 32 bits. */
export const mostLimit = 4_294_967_295

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function comparisonOf(value: unknown): FieldComparison | null {
  const [field, name, json] = listOf(value) ?? []
  const operator = operators.find((one) => one === name)
  if (typeof field !== 'string' || typeof json !== 'string' || !operator) return null
  // It becomes a part of a request, so it must be one value and nothing more.
  return isScalar(json) ? { field, operator, value: json } : null
}

function orderOf(value: unknown): DocumentQuery['orderBy'][number] | null {
  const [field, isDescending] = listOf(value) ?? []
  return typeof field === 'string' ? { field, isDescending: isDescending === 1 } : null
}

/** Whether a text is the JSON of a text, number, true, false or null. */
export function isScalar(json: string): boolean {
  const value = parsedJson(json)
  return value !== undefined && (typeof value !== 'object' || value === null)
}
