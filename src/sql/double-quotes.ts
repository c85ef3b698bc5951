import { typeSet } from './keywords'
import { keywordOf, nameOf, operatorOf } from './names'
import { isExtract, tableReferences } from './tables'
import type { Token } from './tokens'

/** Keywords behind which the grammar takes a name and never a text. */
const nameLeaders: ReadonlySet<string> = new Set([
  ...[
    'JOIN',
    'LATERAL',
    'INTO',
    'TABLE',
    'VIEW',
    'SEQUENCE',
    'COLUMN',
    'TO',
    'AS',
    'DATABASE',
    'USER',
  ],
  ...[
    'FOR',
    'OF',
    'EXISTS',
    'CONSTRAINT',
    'SAVEPOINT',
    'SET',
    'KEY',
    'RECURSIVE',
    'WITH',
    'REFERENCES',
  ],
  ...['USE', 'INDEX', 'UPDATE', 'RENAME'],
])

/**
 * The names that a statement itself shows to be names: tables, columns being defined or listed,
 * aliases, WITH names, functions. Given its tokens without spaces and comments; in lower case.
 */
export function ownNames(source: string, tokens: readonly Token[]): Set<string> {
  const names = new Set(tableReferences(source, tokens).map((reference) => reference.name))
  const lists = new Set([...columnLists(source, tokens), ...setTargets(source, tokens)])
  tokens.forEach((token, at) => {
    if (token.kind !== 'identifier' && token.kind !== 'quoted') return
    const name = nameOf(source, token)
    if (name !== undefined && (lists.has(at) || isNamePlace(source, tokens, at))) names.add(name)
  })
  return names
}

/** Whether the token stands where a text would be a syntax error. */
function isNamePlace(source: string, tokens: readonly Token[], at: number): boolean {
  const before = keywordOf(source, tokens[at - 1])
  const nextOperator = operatorOf(source, tokens[at + 1])
  if (before === 'FROM') return !isExtract(source, tokens, at - 1)
  if (before === 'ON') return ['INDEX', 'EXISTS'].includes(keywordOf(source, tokens[at - 2]))
  if (nameLeaders.has(before)) return true
  if (nextOperator === '.' || nextOperator === '(' || operatorOf(source, tokens[at - 1]) === '.')
    return true
  return endsValue(source, tokens[at - 1]) || typeSet.has(keywordOf(source, tokens[at + 1]))
}

/** Behind a finished value only an alias can follow. */
function endsValue(source: string, token: Token | undefined): boolean {
  if (!token) return false
  if (['identifier', 'quoted', 'string', 'number', 'blob', 'parameter'].includes(token.kind))
    return true
  const operator = operatorOf(source, token)
  return operator === ')' || operator === ']' || keywordOf(source, token) === 'END'
}

/** The columns that SET a = 1, b = 2 assigns to, behind the first. */
function setTargets(source: string, tokens: readonly Token[]): number[] {
  const found: number[] = []
  let depth = 0
  let inSet = false
  tokens.forEach((token, at) => {
    const keyword = keywordOf(source, token)
    const operator = operatorOf(source, token)
    if (operator === '(') depth++
    if (operator === ')') depth--
    if (keyword === 'SET') {
      inSet = true
      depth = 0
    } else if (keyword === 'WHERE' || token.kind === 'semicolon') inSet = false
    if (inSet && depth === 0 && operator === ',') found.push(at + 1)
  })
  return found
}

/** Positions inside parentheses and lists that can hold nothing but column names. */
function columnLists(source: string, tokens: readonly Token[]): Set<number> {
  const found = new Set<number>()
  tokens.forEach((_token, at) => {
    const keyword = keywordOf(source, tokens[at])
    const opensAt = listStart(source, tokens, at, keyword)
    if (opensAt === undefined) return
    for (let next = opensAt; next < tokens.length; next++) {
      const operator = operatorOf(source, tokens[next])
      if (operator === ')' || (operator === '' && nameOf(source, tokens[next]) === undefined)) break
      found.add(next)
    }
  })
  return found
}

/** The first position of a column list that the keyword at `at` announces. */
function listStart(
  source: string,
  tokens: readonly Token[],
  at: number,
  keyword: string,
): number | undefined {
  if (keyword === 'BY' && keywordOf(source, tokens[at - 1]) === 'GROUP') return at + 1
  const opens = (position: number) => operatorOf(source, tokens[position]) === '('
  if (keyword === 'KEY' || keyword === 'USING') return opens(at + 1) ? at + 2 : undefined
  if (keyword === 'INTO' || keyword === 'REFERENCES') return opens(at + 2) ? at + 3 : undefined
  if (keyword !== 'ON') return undefined
  if (keywordOf(source, tokens[at - 2]) === 'USE') return opens(at + 1) ? at + 2 : at + 1
  return ['INDEX', 'EXISTS'].includes(keywordOf(source, tokens[at - 1])) && opens(at + 2)
    ? at + 3
    : undefined
}
