import { cutText } from '~/lib/visible-text'
import { inSlices } from '~/lib/work-in-slices'
import { keywordOf, lowerAscii, nameOf } from './names'
import type { Statement } from './statements'
import { isTrivia, type Token, tokenize } from './tokens'

/** A part of a statement that destroys more than a row or two. */
export type Danger = {
  /** What it does, a verb with its object such as `Drop table orders`. */
  readonly action: string
  /** The same without the name, which may be too long for a button: `Drop table`. */
  readonly short: string
  /** What is lost and what stays, one or more sentences. */
  readonly text: string
  /** The keyword that does it, such as `DROP`. */
  readonly verb: string
}

/**
 * The parts of a statement that destroy a lot: DROP, TRUNCATE, and DELETE or UPDATE without WHERE,
 * in each statement of a transaction. It only reads words, so it misses a condition that is always
 * true.
 */
export function dangersOf(statement: Pick<Statement, 'text'>): readonly Danger[] {
  const { text } = statement
  return pieces(text).flatMap((tokens) => dangerOf(text, tokens) ?? [])
}

/** The dangers of all statements, read in slices because there may be thousands. */
export async function dangersOfAll(
  statements: readonly Pick<Statement, 'text'>[],
): Promise<readonly Danger[]> {
  return (await inSlices(dangerSteps(statements))).flat()
}

function* dangerSteps(statements: readonly Pick<Statement, 'text'>[]) {
  for (const statement of statements) yield dangersOf(statement)
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
      return drops(text, tokens)
    case 'TRUNCATE': {
      const table = lastName(text, tokens)
      const told = `This removes all its rows. The table stays. ${unreadable}`
      return { verb, action: `Truncate table ${table}`, short: 'Truncate table', text: told }
    }
    case 'ALTER':
      return alters(text, tokens)
    case 'DELETE':
    case 'UPDATE':
      return hasWhere(text, tokens) ? null : changesRows(verb, text, tokens)
  }
  return null
}

// Tried on immudb 1.11.1: after DROP TABLE, TRUNCATE and DROP COLUMN neither HISTORY OF nor a
// period finds the old values, also when the table is made again; after DELETE and UPDATE both do.
const unreadable = 'SQL can no longer read these rows, not even as of an earlier transaction.'
const readable =
  'Earlier revisions of the rows can still be read with HISTORY OF, which immudb has since version 1.9.'

/** What is lost after DROP, by the word after it. */
const dropped: Readonly<Record<string, string>> = {
  TABLE: `This removes the table with its columns, indexes and rows. ${unreadable}`,
  INDEX:
    'The rows stay. Queries that name the index fail. A unique index no longer refuses equal values.',
  VIEW: 'The tables that it reads stay.',
  SEQUENCE: 'The server forgets its next number.',
  USER: 'This user can no longer log in. Open sessions may last until they expire. Everything that this user wrote stays.',
  DATABASE: 'This removes everything in the database.',
}

function drops(text: string, tokens: readonly Token[]): Danger {
  const what = wordOf(text, tokens[1])
  const rest = tokens.slice(2).filter((token) => !['IF', 'EXISTS'].includes(wordOf(text, token)))
  const kind = lowerAscii(what) || 'object'
  return {
    verb: 'DROP',
    action: `Drop ${kind} ${shown(text, rest)}`.trim(),
    short: `Drop ${kind}`,
    text: dropped[what] ?? 'This removes it with everything in it.',
  }
}

function alters(text: string, tokens: readonly Token[]): Danger | null {
  const at = tokens.findIndex((token) => wordOf(text, token) === 'DROP')
  if (at < 0) return null
  const what = lowerAscii(wordOf(text, tokens[at + 1]) || 'column')
  const table = nameAfter(text, tokens, 'TABLE')
  return {
    verb: 'DROP',
    action: `Drop ${what} ${lastName(text, tokens)} of ${table}`,
    short: `Drop ${what}`,
    text:
      what === 'constraint'
        ? 'The server no longer checks new rows against it.'
        : 'SQL can no longer read its values in any row, not even as of an earlier transaction.',
  }
}

/** DELETE and UPDATE without WHERE; LIMIT and OFFSET may leave some of the rows alone. */
function changesRows(verb: 'DELETE' | 'UPDATE', text: string, tokens: readonly Token[]): Danger {
  const table = nameAfter(text, tokens, verb === 'DELETE' ? 'FROM' : 'UPDATE')
  const isPartial = hasWord(text, tokens, 'LIMIT') || hasWord(text, tokens, 'OFFSET')
  const rows = isPartial ? 'rows' : 'all rows'
  const reach = isPartial ? 'LIMIT alone decides which rows' : 'Every row'
  const what = verb === 'DELETE' ? 'deleted' : 'changed'
  const short = `${verb === 'DELETE' ? 'Delete' : 'Update'} ${rows}`
  return {
    verb,
    action: `${short} of ${table}${isPartial ? ' up to a limit' : ''}`,
    short,
    text: `${reach} ${isPartial ? 'are' : 'is'} ${what}: there is no WHERE. ${readable}`,
  }
}

/** Characters of a name or statement that are shown. */
const shownLength = 80

/** The words from the first token to the last. */
function shown(text: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  return first && last ? cutText(text.slice(first.from, last.to), shownLength) : ''
}

function hasWhere(text: string, tokens: readonly Token[]): boolean {
  return hasWord(text, tokens, 'WHERE')
}

/** Whether the statement itself has this keyword; one in brackets belongs to a subquery. */
function hasWord(text: string, tokens: readonly Token[], word: string): boolean {
  let depth = 0
  for (const token of tokens) {
    const written = text.slice(token.from, token.to)
    if (token.kind === 'operator' && written === '(') depth += 1
    if (token.kind === 'operator' && written === ')') depth -= 1
    if (depth === 0 && keywordOf(text, token) === word) return true
  }
  return false
}

function nameAfter(text: string, tokens: readonly Token[], word: string): string {
  const at = tokens.findIndex((token) => wordOf(text, token) === word)
  return cutText(nameOf(text, tokens[at + 1]) ?? 'the table', shownLength)
}

function lastName(text: string, tokens: readonly Token[]): string {
  return cutText(nameOf(text, tokens.at(-1)) ?? 'the table', shownLength)
}

/** The server reads some words as names in one place and as keywords in another. */
function wordOf(text: string, token: Token | undefined): string {
  if (token?.kind !== 'keyword' && token?.kind !== 'identifier') return ''
  return text.slice(token.from, token.to).toUpperCase()
}
