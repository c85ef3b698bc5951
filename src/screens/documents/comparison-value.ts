import type { TypedComparison } from '~/atoms/documents/search-drafts'
import type { Collection, FieldType } from '~/immudb/collection'
import { type FieldComparison, type Operator, operators, takes } from '~/immudb/document-query'
import { roundedTo } from '~/immudb/document-text'
import { unmatchable } from '~/immudb/like-pattern'
import { parsedJson } from '~/lib/parsed-json'
import { lineOfValues, valuesOf } from '~/lib/value-list'
import {
  type ComparisonOperator,
  comparisonOperators,
  comparisonText,
  quoted,
} from '~/words/comparison-operators'

type Compared = { readonly values: readonly string[] } | { readonly problem: string }

/** Each operator among those that filters of tables have as well. */
const names: Readonly<Record<Operator, ComparisonOperator>> = {
  EQ: 'equal',
  NE: 'not equal',
  LT: 'less',
  LE: 'less or equal',
  GT: 'greater',
  GE: 'greater or equal',
  IN: 'one of',
  BETWEEN: 'between',
  CONTAINS: 'contains',
  STARTS: 'starts with',
  LIKE: 'like',
  NOT_LIKE: 'not like',
  NULL: 'null',
  NOT_NULL: 'not null',
}

export const operatorWord = (operator: Operator) => comparisonOperators[names[operator]]

/** A comparison as a sentence has it. */
export function wordsOfComparison({ field, operator, values }: FieldComparison): string {
  const shown = values.map((json) => {
    const read = parsedJson(json)
    return typeof read === 'string' ? quoted(read) : json
  })
  return comparisonText(field, names[operator], shown)
}

const ofText: ReadonlySet<Operator> = new Set(['CONTAINS', 'STARTS', 'LIKE', 'NOT_LIKE'])
const ofPatterns: ReadonlySet<Operator> = new Set(['CONTAINS', 'LIKE', 'NOT_LIKE'])
const ofBooleans: ReadonlySet<Operator> = new Set(['EQ', 'NE', 'NULL', 'NOT_NULL'])

/** The operators that make sense for a field. */
export function operatorsOf(of: Collection, field: string): readonly Operator[] {
  const type = of.fields.find(({ name }) => name === field)?.type
  // Every document has an id.
  if (field === of.idField) {
    return operators.filter((one) => !ofText.has(one) && takes(one) !== 'none')
  }
  if (type === 'BOOLEAN') return operators.filter((one) => ofBooleans.has(one))
  return operators.filter((one) => type === 'STRING' || !ofText.has(one))
}

/** The JSON of what is typed, by the type of its field, or why it has none. */
export function comparedValues(
  of: Collection,
  { field, operator, text, upTo }: Omit<TypedComparison, 'id'>,
): Compared {
  const type = of.fields.find(({ name }) => name === field)?.type
  if (type === undefined) return { problem: undeclared(field) }
  if (ofText.has(operator) && (field === of.idField || type !== 'STRING')) {
    const what = field === of.idField ? 'holds the ids' : `is of type ${type}`
    return { problem: `“${operatorWord(operator)}” compares text, and ${field} ${what}.` }
  }
  const problem = ofText.has(operator) && problemOfText(operator, text)
  if (problem) return { problem }
  const typed = typedTexts(operator, text, upTo)
  if (typeof typed === 'string') return { problem: typed }
  const values: string[] = []
  for (const one of typed) {
    const value = jsonOf(field === of.idField ? 'id' : type, field, one)
    if ('problem' in value) return value
    values.push(value.json)
  }
  return { values }
}

/** The values that are typed; a sentence when they cannot be told apart. */
function typedTexts(operator: Operator, text: string, upTo: string): readonly string[] | string {
  switch (takes(operator)) {
    case 'none':
      return []
    case 'one':
      return [text]
    case 'two':
      return [text, upTo]
    case 'any': {
      const found = valuesOf(text)
      if (found === null) return 'Put a value with a comma in double quotes, such as "Lee, Bo".'
      return found.length === 0 ? 'Enter values with commas between them.' : found
    }
  }
}

function problemOfText(operator: Operator, text: string): string | undefined {
  if (text === '' && operator !== 'LIKE' && operator !== 'NOT_LIKE') return 'Enter some text.'
  const sign = ofPatterns.has(operator) ? unmatchable(text) : undefined
  if (sign === undefined) return undefined
  const instead =
    operator === 'CONTAINS' ? 'Use “starts with” or “=”.' : 'Write “_” for any one character.'
  return `immudb finds only ASCII characters inside a text, not “${sign}”. ${instead}`
}

type Value = { readonly json: string } | { readonly problem: string }

function jsonOf(type: FieldType | 'id', field: string, text: string): Value {
  const plain = text.trim()
  switch (type) {
    case 'id':
      return /^[0-9a-f]{32}$/i.test(plain)
        ? { json: JSON.stringify(plain) }
        : { problem: 'An id has 32 digits and letters a to f.' }
    case 'STRING':
      return { json: JSON.stringify(text) }
    case 'UUID':
      return uuid.test(plain)
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
  const { field, operator } = line
  const value = comparedValues(of, line)
  if ('problem' in value) return undefined
  const rounded = value.values
    .map((json) => (/^-?\d/.test(json) ? roundedTo(json) : null))
    .find((one) => one !== null)
  if (rounded !== undefined) return `immudb compares with doubles, so with ${rounded}.`
  if (operator === 'CONTAINS') return 'Finds no text with a line break before or after it.'
  if (operator === 'LIKE') return '% is any text and _ any one character, but no line break.'
  if (operator === 'NOT_LIKE') return `Finds texts with line breaks and documents without ${field}.`
  if (field === of.idField || !/^(NE|LT|LE)$/.test(operator)) return undefined
  return `Finds documents without ${field} as well.`
}

/** A comparison of a search as it would be typed. */
export function typedOf(
  of: Collection,
  { field, operator, values }: FieldComparison,
  id: number,
): TypedComparison {
  const isText = of.fields.find(({ name }) => name === field)?.type !== 'INTEGER'
  const texts = values.map((json) => {
    const read = parsedJson(json)
    return typeof read === 'string' && isText ? read : json
  })
  const text = operator === 'IN' ? lineOfValues(texts) : (texts[0] ?? '')
  return { id, field, operator, text, upTo: operator === 'BETWEEN' ? (texts[1] ?? '') : '' }
}
