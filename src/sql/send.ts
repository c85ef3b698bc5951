import { ownNames } from './double-quotes'
import { lowerAscii, quotedText } from './names'
import { type Offsets, SentText } from './offsets'
import { isTrivia, type Token, tokenize } from './tokens'

/** What happens to double-quoted text: known names stay names, all becomes text, or nothing changes. */
export type QuoteMode = 'automatic' | 'text' | 'never'

/** The text to send for one statement. */
export type PreparedSql = {
  readonly sql: string
  /** Sentences about what was sent differently from what was typed. */
  readonly notes: readonly string[]
  /** Leads from the sent text back to the typed one. */
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

/** Two texts side by side would become one with a quote in it, and x'…' would become a blob. */
function separate(sent: SentText, token: Token): void {
  if (sent.tail === "'" || (sent.tail === 'x' && token.kind === 'quoted'))
    sent.replace(' ', token.from, token.from)
}

function sendAsText(sent: SentText, source: string, token: Token): string {
  const literal = `'${quotedText(source, token).replaceAll("'", "''")}'`
  sent.replace(literal, token.from, token.to)
  return `${shorten(source.slice(token.from, token.to))} was sent as text ${shorten(literal)}`
}

/** Notes stand on one line beside a result. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…${text.slice(-1)}` : text
}
