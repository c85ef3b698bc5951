import { typeSet } from './keywords'
import { keywordOf, lowerAscii, nameOf, operatorOf, quotedText } from './names'
import { isExtract, tableReferences } from './tables'
import { type Offsets, SentText } from './text-positions'
import { isTrivia, type Token, tokenize } from './tokens'

/** What happens to double-quoted text: known names stay names, all becomes text, or nothing changes. */
export type QuoteMode = 'automatic' | 'text' | 'never'

/** The text to send for one statement. */
export type PreparedSql = {
  readonly sql: string
  /** Sentences about differences between the typed and the sent text. */
  readonly notes: readonly string[]
  /** Maps the sent text back to the typed text. */
  readonly offsets: Offsets
}

/** Names of tables, columns and views in the database, in lower case. */
export type KnownNames = { readonly names: ReadonlySet<string> }

/**
 * Makes one statement ready for the server: exactly one semicolon at its end, none doubled inside,
 * no comment behind it, and double quotes turned into text quotes unless they hold a known name
 * (to immudb 1.11.1 a double quote always marks a name).
 * @param insertions what to add behind which UTF-16 offset, such as a period behind a table
 */
export function prepareSql(
  text: string,
  known: KnownNames,
  mode: QuoteMode,
  insertions?: ReadonlyMap<number, string>,
): PreparedSql {
  const tokens = tokenize(text)
  const last = tokens.findLastIndex((token) => !isTrivia(token) && token.kind !== 'semicolon')
  const kept = tokens.slice(0, last + 1)
  const isName = nameTest(text, kept, known, mode)
  const sent = new SentText(text)
  const notes = new Set<string>()
  let canEnd = false
  for (const token of kept) {
    if (token.kind === 'semicolon' && !canEnd) continue
    if (!isTrivia(token)) canEnd = token.kind !== 'semicolon'
    const isCopy = token.kind !== 'quoted' || token.unfinished || isName(token)
    if (!isCopy || token.kind === 'string') separate(sent, token)
    if (isCopy) sent.copy(token.from, token.to)
    else notes.add(sendAsText(sent, text, token))
    const inserted = insertions?.get(token.to)
    if (inserted !== undefined) sent.replace(inserted, token.to, token.to)
  }
  const end = kept.at(-1)
  // Behind an open quote a semicolon would become part of the text.
  if (end && !end.unfinished) sent.replace(';', end.to, end.to)
  return { sql: sent.sql, notes: [...notes], offsets: sent.offsets }
}

function nameTest(
  text: string,
  tokens: readonly Token[],
  known: KnownNames,
  mode: QuoteMode,
): (token: Token) => boolean {
  if (mode !== 'automatic') return () => mode === 'never'
  if (!tokens.some((token) => token.kind === 'quoted')) return () => true
  const own = ownNames(
    text,
    tokens.filter((token) => !isTrivia(token)),
  )
  return (token) => {
    const name = lowerAscii(quotedText(text, token))
    return name !== '' && (known.names.has(name) || own.has(name))
  }
}

/**
 * Adds a space: two adjacent texts would become one with a quote in it, and x'…' would become a
 * blob.
 */
function separate(sent: SentText, token: Token): void {
  if (sent.tail === "'" || (sent.tail === 'x' && token.kind === 'quoted'))
    sent.replace(' ', token.from, token.from)
}

function sendAsText(sent: SentText, source: string, token: Token): string {
  const literal = `'${quotedText(source, token).replaceAll("'", "''")}'`
  sent.replace(literal, token.from, token.to)
  return `${shorten(source.slice(token.from, token.to))} was sent as text ${shorten(literal)}`
}

/** Shortens a note to one line beside a result. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…${text.slice(-1)}` : text
}

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
 * The names that the statement itself identifies: tables, columns being defined or listed, aliases,
 * WITH names, functions. Given its tokens without spaces and comments; in lower case.
 */
function ownNames(source: string, tokens: readonly Token[]): Set<string> {
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

/** After a complete value only an alias can follow. */
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

/** Positions inside parentheses and lists that only allow column names. */
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
