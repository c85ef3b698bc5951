import type { TypedComparison } from '~/atoms/documents/search-drafts'
import type { Collection } from '~/immudb/collection'
import type { FieldComparison } from '~/immudb/document-query'
import { roundedTo } from '~/immudb/document-text'
import { parsedJson } from '~/lib/parsed-json'

/** The JSON of a typed value by the type of its field, or why it has none. */
export function comparedValue(
  of: Collection,
  { field, operator, text, isNull }: Omit<TypedComparison, 'id'>,
): { json: string } | { problem: string } {
  const type = of.fields.find(({ name }) => name === field)?.type
  if (type === undefined) return { problem: undeclared(field) }
  const isPattern = operator === 'LIKE' || operator === 'NOT_LIKE'
  const isId = field === of.idField
  if (isPattern && (isId || type !== 'STRING')) {
    const what = isId ? 'holds the ids' : `is of type ${type}`
    return { problem: `${operator} compares text, and ${field} ${what}.` }
  }
  if (isNull) {
    if (operator === 'EQ' || operator === 'NE') return { json: 'null' }
    return { problem: 'null is compared with EQ or NE only.' }
  }
  const plain = text.trim()
  if (isId && !/^[0-9a-f]{32}$/i.test(plain)) {
    return { problem: 'An id has 32 digits and letters a to f.' }
  }
  switch (isId ? 'UUID' : type) {
    case 'STRING':
      return { json: JSON.stringify(text) }
    case 'UUID':
      return isId || uuid.test(plain)
        ? { json: JSON.stringify(plain) }
        : {
            problem: `Enter a UUID for ${field}: 32 digits and letters a to f, with or without “-”.`,
          }
    case 'BOOLEAN':
      return /^(true|false)$/.test(plain)
        ? { json: plain }
        : { problem: `${field} is true or false.` }
    default: {
      const isNumber = Number.isFinite(parsedJson(plain))
      const isRight = isNumber && (type === 'DOUBLE' || /^-?\d+$/.test(plain))
      return isRight
        ? { json: plain }
        : { problem: `${field} is compared with ${type === 'DOUBLE' ? 'a' : 'a whole'} number.` }
    }
  }
}

export const undeclared = (field: string) => `The collection does not declare the field ${field}.`

const uuid = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i

/** What a comparison finds that its reader may not expect, as measured on 1.11.1. */
export function hintOf(of: Collection, line: TypedComparison): string | undefined {
  const { field, operator, isNull } = line
  const value = comparedValue(of, line)
  if ('problem' in value) return undefined
  const rounded = /^-?\d/.test(value.json) ? roundedTo(value.json) : null
  if (rounded !== null) return `immudb compares with doubles, so with ${rounded}.`
  if (isNull || field === of.idField || !/^(NE|LT|LE|NOT_LIKE)$/.test(operator)) return undefined
  return `Finds documents without ${field} as well.`
}

/** A comparison of a search as it would be typed. */
export function typedOf(
  of: Collection,
  { field, operator, value }: FieldComparison,
  id: number,
): TypedComparison {
  const read = parsedJson(value)
  const isText = of.fields.find(({ name }) => name === field)?.type !== 'INTEGER'
  const text = typeof read === 'string' && isText ? read : value
  return { id, field, operator, text: read === null ? '' : text, isNull: read === null }
}
