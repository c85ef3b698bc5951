import { type ColumnType, columnTypes } from '~/immudb/column-types'
import { keywordOf, nameOf, operatorOf } from './names'
import { isNamed, parameterName } from './parameter-values'
import { type TableReference, tableReferences } from './tables'
import { meaningfulTokens, type Token } from './tokens'

/** What a `@name` is compared with or written into: a type, or a column of one of some tables. */
export type ParameterUse =
  | { readonly kind: 'type'; readonly type: ColumnType }
  | { readonly kind: 'column'; readonly tables: readonly string[]; readonly column: string }

/** What the statement around a place says. */
type Place = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly at: number
  readonly references: readonly TableReference[]
}

/**
 * What each `@name` of a text is used for, by its words alone: the first use that tells a type. A
 * name whose use tells nothing is missing.
 */
export function parameterUses(text: string): Map<string, ParameterUse> {
  const found = new Map<string, ParameterUse>()
  for (const tokens of pieces(text)) {
    const references = tableReferences(text, tokens)
    tokens.forEach((token, at) => {
      if (!isNamed(text, token)) return
      const name = parameterName(text, token)
      const use = found.get(name) ?? findUse({ text, tokens, at, references })
      if (use) found.set(name, use)
    })
  }
  return found
}

function pieces(text: string): Token[][] {
  const found: Token[][] = [[]]
  for (const token of meaningfulTokens(text)) {
    if (token.kind === 'semicolon') found.push([])
    else found.at(-1)?.push(token)
  }
  return found.filter((tokens) => tokens.some((token) => isNamed(text, token)))
}

function findUse(place: Place): ParameterUse | undefined {
  return castAt(place) ?? clauseAt(place) ?? comparedAt(place) ?? insertedAt(place)
}

/** `CAST(@x AS INTEGER)` and `@x::INTEGER`. */
function castAt({ text, tokens, at }: Place): ParameterUse | undefined {
  const isCall = keywordOf(text, tokens[at - 2]) === 'CAST'
  const isBehind = operatorOf(text, tokens[at + 1]) === '::'
  const isAs = isCall && keywordOf(text, tokens[at + 1]) === 'AS'
  return isBehind || isAs ? typeNamed(wordOf(text, tokens[at + 2])) : undefined
}

function typeNamed(word: string): ParameterUse | undefined {
  const type = columnTypes.find((one) => one === word)
  return type && { kind: 'type', type }
}

/** Keywords that take a value of one type. */
const clauses: ReadonlyMap<string, ColumnType> = new Map([
  ['LIMIT', 'INTEGER'],
  ['OFFSET', 'INTEGER'],
  ['TX', 'INTEGER'],
  ['LIKE', 'VARCHAR'],
  ['SINCE', 'TIMESTAMP'],
  ['AFTER', 'TIMESTAMP'],
  ['UNTIL', 'TIMESTAMP'],
  ['BEFORE', 'TIMESTAMP'],
])

function clauseAt({ text, tokens, at }: Place): ParameterUse | undefined {
  const type = clauses.get(keywordOf(text, tokens[at - 1]))
  return type && { kind: 'type', type }
}

const isComparison = (text: string, token: Token | undefined) =>
  /^(=|!=|<>|<|<=|>|>=)$/.test(operatorOf(text, token))

/** `c = @x`, `@x = c`, `c BETWEEN @x AND @y`, `c IN (@x, @y)`. */
function comparedAt(place: Place): ParameterUse | undefined {
  const { text, tokens, at } = place
  const before = tokens[at - 1]
  if (isComparison(text, before)) return columnBefore(place, at - 2)
  if (isComparison(text, tokens[at + 1])) return columnBehind(place, at + 2)
  const word = keywordOf(text, before)
  if (word === 'BETWEEN') return columnBefore(place, beforeNot(place, at - 2))
  if (word === 'AND' && keywordOf(text, tokens[at - 3]) === 'BETWEEN')
    return columnBefore(place, beforeNot(place, at - 4))
  const opens = listStart(place, at)
  const isList = opens !== null && keywordOf(text, tokens[opens - 1]) === 'IN'
  return isList ? columnBefore(place, beforeNot(place, opens - 2)) : undefined
}

/** The place before a NOT, if one stands there. */
function beforeNot({ text, tokens }: Place, at: number): number {
  return keywordOf(text, tokens[at]) === 'NOT' ? at - 1 : at
}

/** The place of the bracket that opens the list around a place; null outside of one. */
function listStart({ text, tokens }: Place, at: number): number | null {
  let depth = 0
  for (let before = at - 1; before >= 0; before--) {
    const sign = operatorOf(text, tokens[before])
    if (sign === ')') depth++
    if (sign === '(' && depth-- === 0) return before
  }
  return null
}

/** The column whose name ends at a place. */
function columnBefore(place: Place, end: number): ParameterUse | undefined {
  const { text, tokens } = place
  const column = columnName(text, tokens[end])
  if (column === undefined) return undefined
  const isOwned = operatorOf(text, tokens[end - 1]) === '.'
  return columnOf(place, column, isOwned ? nameOf(text, tokens[end - 2]) : undefined)
}

/** The column whose name begins at a place. */
function columnBehind(place: Place, start: number): ParameterUse | undefined {
  const { text, tokens } = place
  const isOwned = operatorOf(text, tokens[start + 1]) === '.'
  const end = isOwned ? start + 2 : start
  const column = columnName(text, tokens[end])
  const isCall = operatorOf(text, tokens[end + 1]) === '('
  if (column === undefined || isCall) return undefined
  return columnOf(place, column, isOwned ? nameOf(text, tokens[start]) : undefined)
}

const columnName = (text: string, token: Token | undefined) =>
  token?.kind === 'parameter' ? undefined : nameOf(text, token)

function columnOf(
  { references }: Place,
  column: string,
  owner: string | undefined,
): ParameterUse | undefined {
  const owned = references.filter(
    ({ name, alias }) => owner === undefined || owner === (alias ?? name),
  )
  const tables = [...new Set(owned.map(({ name }) => name))]
  return tables.length === 0 ? undefined : { kind: 'column', tables, column }
}

/** `INSERT INTO t (a, b) VALUES (@x, @y)`, where the value is one item of its list. */
function insertedAt(place: Place): ParameterUse | undefined {
  const { text, tokens, at, references } = place
  const into = tokens.findIndex((token) => keywordOf(text, token) === 'INTO')
  const values = tokens.findIndex((token) => keywordOf(text, token) === 'VALUES')
  const opens = listStart(place, at)
  const isItem =
    /^[(,]$/.test(operatorOf(text, tokens[at - 1])) &&
    /^[,)]$/.test(operatorOf(text, tokens[at + 1]))
  if (into < 0 || values < into || opens === null || opens < values || !isItem) return undefined
  // A list of values stands in no other brackets, and behind no name of a function.
  const isRow = opens === values + 1 || operatorOf(text, tokens[opens - 1]) === ','
  if (!isRow || listStart(place, opens) !== null) return undefined
  const table = references.find(({ from }) => from === tokens[into + 1]?.from)?.name
  if (table === undefined || operatorOf(text, tokens[into + 2]) !== '(') return undefined
  // Columns stand at every second place, with commas in between.
  const column = nameOf(text, tokens[into + 3 + 2 * itemIndex(place, opens)])
  return column === undefined ? undefined : { kind: 'column', tables: [table], column }
}

/** Which item of its list the value is, from 0. */
function itemIndex({ text, tokens, at }: Place, opens: number): number {
  let depth = 0
  let index = 0
  for (const token of tokens.slice(opens + 1, at)) {
    const sign = operatorOf(text, token)
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === ',' && depth === 0) index++
  }
  return index
}

function wordOf(text: string, token: Token | undefined): string {
  return token === undefined ? '' : text.slice(token.from, token.to).toUpperCase()
}
