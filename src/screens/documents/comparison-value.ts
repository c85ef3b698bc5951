import type { Collection } from '~/immudb/collection'
import type { FieldComparison, Operator } from '~/immudb/document-query'
import { parsedJson } from '~/lib/parsed-json'

/** A comparison as it is typed. */
export type TypedComparison = {
  /** Tells it from others of its group. */
  readonly id: number
  readonly field: string
  readonly operator: Operator
  readonly text: string
  readonly isNull: boolean
}

/** The JSON of a typed value by the type of its field, or why it has none. */
export function comparedValue(
  of: Collection,
  { field, operator, text, isNull }: Omit<TypedComparison, 'id'>,
): { json: string } | { problem: string } {
  const type = of.fields.find(({ name }) => name === field)?.type
  if (type === undefined) return { problem: `The collection does not declare the field ${field}.` }
  const isPattern = operator === 'LIKE' || operator === 'NOT_LIKE'
  if (isPattern && type !== 'STRING') {
    return { problem: `${operator} compares text, and ${field} is of type ${type}.` }
  }
  if (isNull) {
    if (operator === 'EQ' || operator === 'NE') return { json: 'null' }
    return { problem: 'null is compared with EQ or NE only.' }
  }
  const plain = text.trim()
  switch (type) {
    case 'STRING':
      return { json: JSON.stringify(text) }
    case 'UUID':
      return plain === ''
        ? { problem: `Enter a UUID for ${field}.` }
        : { json: JSON.stringify(plain) }
    case 'BOOLEAN':
      return /^(true|false)$/.test(plain)
        ? { json: plain }
        : { problem: `${field} is true or false.` }
    default: {
      const isNumber = typeof parsedJson(plain) === 'number'
      const isRight = isNumber && (type === 'DOUBLE' || /^-?\d+$/.test(plain))
      return isRight
        ? { json: plain }
        : { problem: `${field} is compared with ${type === 'DOUBLE' ? 'a' : 'a whole'} number.` }
    }
  }
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
