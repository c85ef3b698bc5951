import { aggregateNames, atomSet, functionNames, typeSet } from './keywords'
import type { Token } from './tokens'

/** How a token is coloured; null for what looks like any text. */
export type TokenStyle =
  | 'keyword'
  | 'typeName'
  | 'atom'
  | 'variableName'
  | 'variableName.standard'
  | 'variableName.special'
  | 'string'
  | 'comment'
  | 'number'
  | 'operator'
  | 'invalid'

const functions: ReadonlySet<string> = new Set([...functionNames, ...aggregateNames])

/** The style of a token of `source`, by the names that the editor's colours go by. */
export function tokenStyle(source: string, token: Token): TokenStyle | null {
  const word = source.slice(token.from, token.to)
  switch (token.kind) {
    case 'keyword':
      return keywordStyle(word.toUpperCase())
    case 'identifier':
      return functions.has(word.toUpperCase()) && source[token.to] === '('
        ? 'variableName.standard'
        : null
    case 'quoted':
      return 'variableName'
    case 'string':
    case 'blob':
      return 'string'
    case 'comment':
      return 'comment'
    case 'number':
      return 'number'
    case 'parameter':
      return 'variableName.special'
    case 'operator':
      return 'operator'
    case 'unreadable':
      return 'invalid'
    case 'space':
    case 'semicolon':
      return null
  }
}

function keywordStyle(word: string): TokenStyle {
  if (typeSet.has(word)) return 'typeName'
  if (atomSet.has(word)) return 'atom'
  return functions.has(word) ? 'variableName.standard' : 'keyword'
}
