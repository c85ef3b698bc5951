import { keywordOf, lowerAscii, nameOf } from './names'
import type { Statement } from './statements'
import { isTrivia, type Token, tokenize } from './tokens'

/** A part of a statement that destroys more than a row or two. */
export type Danger = {
  /** What will happen, a sentence that names the object. */
  readonly text: string
  /** The keyword that does it, such as `DROP`. */
  readonly verb: string
}

/**
 * What in a statement destroys much: DROP, TRUNCATE, and DELETE or UPDATE without WHERE; each
 * statement of a transaction counts. Empty when nothing does. Only words are read, so a condition
 * that is always true is not found.
 */
export function dangersOf(statement: Pick<Statement, 'text'>): readonly Danger[] {
  const { text } = statement
  return pieces(text).flatMap((tokens) => dangerOf(text, tokens) ?? [])
}

/** Whether a statement changes anything: rows, tables, users or grants. */
export function isWriting(statement: Pick<Statement, 'kind'>): boolean {
  return statement.kind === 'exec'
}

function pieces(text: string): Token[][] {
  const found: Token[][] = [[]]
  for (const token of tokenize(text)) {
    if (token.kind === 'semicolon') found.push([])
    else if (!isTrivia(token)) found.at(-1)?.push(token)
  }
  return found.filter((tokens) => tokens.length > 0)
}

function dangerOf(text: string, tokens: readonly Token[]): Danger | null {
  const verb = wordOf(text, tokens[0])
  switch (verb) {
    case 'DROP':
      return { verb, text: `${objectOf(text, tokens)} is dropped, with everything in it.` }
    case 'TRUNCATE':
      return { verb, text: `All rows of ${lastName(text, tokens)} are removed.` }
    case 'ALTER':
      return alters(text, tokens)
    case 'DELETE':
      return hasWhere(text, tokens)
        ? null
        : { verb, text: `Every row of ${nameAfter(text, tokens, 'FROM')} is deleted: no WHERE.` }
    case 'UPDATE':
      return hasWhere(text, tokens)
        ? null
        : { verb, text: `Every row of ${nameAfter(text, tokens, 'UPDATE')} is changed: no WHERE.` }
  }
  return null
}

function alters(text: string, tokens: readonly Token[]): Danger | null {
  const at = tokens.findIndex((token) => wordOf(text, token) === 'DROP')
  if (at < 0) return null
  const what = lowerAscii(wordOf(text, tokens[at + 1]) || 'column')
  const table = nameAfter(text, tokens, 'TABLE')
  return { verb: 'DROP', text: `The ${what} ${lastName(text, tokens)} of ${table} is dropped.` }
}

/** `The table orders`, `The index on orders (id)` … by the word behind DROP. */
function objectOf(text: string, tokens: readonly Token[]): string {
  const what = lowerAscii(wordOf(text, tokens[1])) || 'object'
  const rest = tokens.slice(2).filter((token) => !['IF', 'EXISTS'].includes(wordOf(text, token)))
  const first = rest[0]
  const last = rest.at(-1)
  const shown = first && last ? text.slice(first.from, last.to) : ''
  return `The ${what} ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`.trim()
}

function hasWhere(text: string, tokens: readonly Token[]): boolean {
  // One inside of brackets belongs to a query within.
  let depth = 0
  for (const token of tokens) {
    const shown = text.slice(token.from, token.to)
    if (token.kind === 'operator' && shown === '(') depth += 1
    if (token.kind === 'operator' && shown === ')') depth -= 1
    if (depth === 0 && keywordOf(text, token) === 'WHERE') return true
  }
  return false
}

function nameAfter(text: string, tokens: readonly Token[], word: string): string {
  const at = tokens.findIndex((token) => wordOf(text, token) === word)
  return nameOf(text, tokens[at + 1]) ?? 'the table'
}

function lastName(text: string, tokens: readonly Token[]): string {
  return nameOf(text, tokens.at(-1)) ?? 'the table'
}

/** Some words are names to the server in one place and words in another. */
function wordOf(text: string, token: Token | undefined): string {
  if (token?.kind !== 'keyword' && token?.kind !== 'identifier') return ''
  return text.slice(token.from, token.to).toUpperCase()
}
