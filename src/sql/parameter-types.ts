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
 * What each `@name` of a text is used for, by its words alone, in their order. A name whose uses tell
 * no type is missing.
 */
export function parameterUses(text: string): Map<string, ParameterUse[]> {
  const found = new Map<string, ParameterUse[]>()
  for (const tokens of pieces(text)) {
    const references = tableReferences(text, tokens)
    tokens.forEach((token, at) => {
      if (!isNamed(text, token)) return
      const name = parameterName(text, token)
      const use = findUse({ text, tokens, at, references })
      if (use) found.set(name, [...(found.get(name) ?? []), use])
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
  return (
    castAt(place) ??
    clauseAt(place) ??
    comparedAt(place) ??
    calculatedAt(place) ??
    insertedAt(place)
  )
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
  const [first, last] = alone(place)
  const before = tokens[first - 1]
  if (isComparison(text, before)) return operandBefore(place, first - 2)
  if (isComparison(text, tokens[last + 1])) return operandBehind(place, last + 2)
  const word = keywordOf(text, before)
  if (word === 'BETWEEN') return operandBefore(place, beforeNot(place, first - 2))
  if (keywordOf(text, tokens[last + 1]) === 'BETWEEN') return operandBehind(place, last + 2)
  if (word === 'AND' && keywordOf(text, tokens[at - 3]) === 'BETWEEN')
    return operandBefore(place, beforeNot(place, at - 4))
  const opens = listStart(place, at)
  const isList = opens !== null && keywordOf(text, tokens[opens - 1]) === 'IN'
  return isList ? operandBefore(place, beforeNot(place, opens - 2)) : undefined
}

/** The places of a name with a sign before it, or with brackets around it alone, in a comparison. */
function alone({ text, tokens, at }: Place): readonly [first: number, last: number] {
  const sign = operatorOf(text, tokens[at - 1])
  const isCompared = isComparison(text, tokens[at - 2])
  if (isCompared && (sign === '-' || sign === '+')) return [at - 1, at]
  const isBracket = sign === '(' && operatorOf(text, tokens[at + 1]) === ')'
  return isCompared && isBracket ? [at - 1, at + 1] : [at, at]
}

/** `c + @x` and `@x * c`. */
function calculatedAt(place: Place): ParameterUse | undefined {
  const { text, tokens, at } = place
  const isCalculation = (token: Token | undefined) => /^[-+*/%]$/.test(operatorOf(text, token))
  const before = isCalculation(tokens[at - 1]) ? operandBefore(place, at - 2) : undefined
  return before ?? (isCalculation(tokens[at + 1]) ? operandBehind(place, at + 2) : undefined)
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

/** Functions whose values have one type, whatever they are given. */
const functions: ReadonlyMap<string, ColumnType> = new Map([
  ...['COUNT', 'LENGTH', 'CHAR_LENGTH', 'OCTET_LENGTH', 'POSITION', 'EXTRACT', 'DATE_PART'].map(
    (name) => [name, 'INTEGER'] as const,
  ),
  ...['UPPER', 'LOWER', 'TRIM', 'SUBSTRING', 'CONCAT', 'REPLACE', 'JSON_TYPEOF'].map(
    (name) => [name, 'VARCHAR'] as const,
  ),
  ['NOW', 'TIMESTAMP'],
])

/** Functions of one value whose type is theirs. */
const passing: ReadonlySet<string> = new Set(['SUM', 'MIN', 'MAX', 'AVG', 'ABS'])

/** The column, function or cast that ends at a place. */
function operandBefore(place: Place, end: number): ParameterUse | undefined {
  const { text, tokens } = place
  if (operatorOf(text, tokens[end - 1]) === '::') return typeNamed(wordOf(text, tokens[end]))
  if (operatorOf(text, tokens[end]) === ')') {
    const opens = listStart(place, end)
    return opens === null ? undefined : operandIn(place, opens, end)
  }
  const column = columnName(text, tokens[end])
  if (column === undefined) return undefined
  const isOwned = operatorOf(text, tokens[end - 1]) === '.'
  return columnOf(place, column, isOwned ? nameOf(text, tokens[end - 2]) : undefined)
}

/** The column, function or cast that begins at a place. */
function operandBehind(place: Place, start: number): ParameterUse | undefined {
  const { text, tokens } = place
  const isBracket = operatorOf(text, tokens[start]) === '('
  const opens = isBracket ? start : start + 1
  if (isBracket || operatorOf(text, tokens[opens]) === '(') {
    const closes = listEnd(place, opens)
    return closes === null ? undefined : operandIn(place, opens, closes)
  }
  const isOwned = operatorOf(text, tokens[start + 1]) === '.'
  return operandBefore(place, isOwned ? start + 2 : start)
}

/** What stands in two brackets, perhaps behind the name of a function. */
function operandIn(place: Place, opens: number, closes: number): ParameterUse | undefined {
  const { text, tokens } = place
  const name = wordOf(text, tokens[opens - 1])
  if (name === 'CAST') return typeNamed(wordOf(text, tokens[closes - 1]))
  const type = functions.get(name)
  if (type) return { kind: 'type', type }
  const isFunction = tokens[opens - 1]?.kind === 'identifier'
  if (isFunction && !passing.has(name)) return undefined
  // One column alone; a sum or a list of several says nothing for sure.
  const last = closes - 1
  const first = operatorOf(text, tokens[last - 1]) === '.' ? last - 2 : last
  return first === opens + 1 ? operandBefore(place, last) : undefined
}

/** The place of the bracket that closes the list which another one opens. */
function listEnd({ text, tokens }: Place, opens: number): number | null {
  let depth = 0
  for (let at = opens; at < tokens.length; at++) {
    const sign = operatorOf(text, tokens[at])
    if (sign === '(') depth++
    if (sign === ')') depth -= 1
    if (sign === ')' && depth === 0) return at
  }
  return null
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
