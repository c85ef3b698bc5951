import { typeSet } from './keywords'
import { keywordOf, lowerAscii, nameOf, operatorOf, quotedText } from './names'
import type { Statement } from './statements'
import { isExtract, tableReferences } from './tables'
import { isTrivia, meaningfulTokens, type Token, tokenize } from './tokens'

/**
 * Why a statement must not be sent, as a sentence for the operator; undefined when it may go.
 * Each case is one where immudb 1.11.1 reports success and does something else, or nothing.
 */
export function refusalOf(statement: Statement): string | undefined {
  if (statement.returning)
    return `${statement.verb} … RETURNING was not sent: this server reports success but stores nothing. Run it without RETURNING, then select the rows.`
  if (hasNul(statement.text))
    return 'The statement was not sent. It contains an invisible NUL character, and the server would run only the part before it.'
  if (storesName(statement.text))
    return 'The statement was not sent: CREATE and ALTER take no parameters. This server would keep the name without its value, and what is created would fail at each use. Write the value itself.'
  if (statement.isBlock && hasPartialRollback(statement.text))
    return 'The transaction was not sent. This server ignores ROLLBACK TO a savepoint and would store the changes that it should undo.'
  if (statement.unfinished === 'transaction')
    return 'The transaction was not sent: BEGIN has no COMMIT or ROLLBACK behind it, so the server would drop it.'
  return undefined
}

/** A NUL ends the text for the server's parser, except inside quotes and comments. */
function hasNul(text: string): boolean {
  if (!text.includes('\0')) return false
  return tokenize(text).some((token) => token.kind === 'unreadable' && text[token.from] === '\0')
}

/**
 * Whether a parameter stands in a definition. Tried on 1.11.1: a view with one says “missing
 * parameter” whatever is given, and a default “unexpected error”.
 */
function storesName(text: string): boolean {
  if (!/[@?$]/.test(text)) return false
  let verb = ''
  let isFirst = true
  return meaningfulTokens(text).some((token) => {
    if (isFirst) verb = keywordOf(text, token)
    isFirst = token.kind === 'semicolon'
    return token.kind === 'parameter' && (verb === 'CREATE' || verb === 'ALTER')
  })
}

function hasPartialRollback(text: string): boolean {
  const tokens = meaningfulTokens(text)
  return tokens.some(
    (token, at) =>
      keywordOf(text, token) === 'ROLLBACK' && keywordOf(text, tokens[at + 1]) === 'TO',
  )
}

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

/** What is known of the database that a statement is for. */
export type KnownNames = {
  /** Names of tables, columns and views, in lower case. */
  readonly names: ReadonlySet<string>
  /** The server reads `--` as two minus signs. */
  readonly lacksLineComments?: boolean
}

/**
 * Makes one statement ready for the server: exactly one semicolon at its end, none doubled inside,
 * no comment behind it or that the server cannot read, and double quotes turned into text quotes unless they hold a known name
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
    if (known.lacksLineComments && token.kind === 'comment' && text[token.from] === '-') {
      sent.replace(' ', token.from, token.to)
      continue
    }
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

/** A stretch of the sent text and the stretch of the typed text it stands for. */
type Segment = {
  readonly sentFrom: number
  readonly from: number
  to: number
  /** The text was sent as typed, so offsets inside correspond. */
  readonly isCopy: boolean
}

/** Maps the sent text back to the typed text. Offsets are UTF-16. */
export type Offsets = { readonly segments: readonly Segment[] }

/** Collects the text to send, piece by piece, and where each piece came from. */
class SentText {
  readonly offsets: { segments: Segment[] } = { segments: [] }
  sql = ''
  /** The last character of `sql`, kept because reading it from a long text each time is slow. */
  tail = ''

  constructor(private readonly source: string) {}

  copy(from: number, to: number): void {
    this.add(this.source.slice(from, to), from, to, true)
  }

  replace(text: string, from: number, to: number): void {
    this.add(text, from, to, false)
  }

  private add(text: string, from: number, to: number, isCopy: boolean): void {
    const last = this.offsets.segments.at(-1)
    if (isCopy && last?.isCopy && last.to === from) last.to = to
    else if (text !== '')
      this.offsets.segments.push({ sentFrom: this.sql.length, from, to, isCopy })
    this.sql += text
    this.tail = text.at(-1) ?? this.tail
  }
}

/** The range of the typed text that a range of the sent text stands for. */
export function typedRange(
  { segments }: Offsets,
  sentFrom: number,
  sentTo: number,
): { from: number; to: number } {
  const first = segmentAt(segments, sentFrom)
  const last = segmentAt(segments, Math.max(sentFrom, sentTo - 1))
  const from = first ? place(first, sentFrom, first.from) : 0
  const to = last ? place(last, sentTo, last.to) : from
  return { from, to: Math.max(from, to) }
}

function segmentAt(segments: readonly Segment[], sent: number): Segment | undefined {
  return segments.findLast((segment) => segment.sentFrom <= sent)
}

function place(segment: Segment, sent: number, otherwise: number): number {
  return segment.isCopy ? Math.min(segment.from + sent - segment.sentFrom, segment.to) : otherwise
}

/**
 * The UTF-16 offset of a UTF-8 byte offset. Inside a character it is the offset of the character;
 * beyond the text it is the length. A lone surrogate counts as the three bytes JSON sends for it.
 */
export function utf16Offset(text: string, bytes: number): number {
  let at = 0
  for (let seen = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (seen > bytes) return at
    at += code < 0x10000 ? 1 : 2
  }
  return at
}
