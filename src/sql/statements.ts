import { keywordOf, lowerAscii, operatorOf, quotedText } from './names'
import { tableNames, tableReferences } from './tables'
import { isTrivia, readToken, type Token, tokenize } from './tokens'

/** What is still open when the text ends. */
type Unfinished = 'string' | 'quoted' | 'transaction'

/** One request to the server: a statement, or a whole BEGIN … COMMIT block. Offsets are UTF-16. */
export type Statement = {
  /** Offset of the first token that is neither space nor comment. */
  readonly from: number
  /** Offset behind the last such token; the semicolon is not included. */
  readonly to: number
  /** Offset behind its semicolon; the same as `to` when there is none. */
  readonly end: number
  /** End of the line that `end` is on: up to here a caret belongs to this statement. */
  readonly reach: number
  readonly text: string
  /** The text with its comments: those before it, inside it, and behind it on its line. */
  readonly written: string
  /** First keyword in upper case, empty when the text does not begin with a keyword. */
  readonly verb: string
  /** `query` goes to sqlquery, `exec` to sqlexec, `use` switches the console's database. */
  readonly kind: 'query' | 'exec' | 'use'
  /** The database named by USE. */
  readonly database?: string
  readonly isBlock: boolean
  /** Tables written or read, spelled as the server stores them. */
  readonly tables: readonly string[]
  readonly returning: boolean
  readonly unfinished?: Unfinished
}

/** Tokens between two semicolons, without spaces and comments; never empty. */
type Piece = { readonly tokens: readonly Token[]; readonly end: number }

const queryVerbs: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'SHOW', 'EXPLAIN', 'VALUES'])

/**
 * Splits SQL text at its semicolons, by token. A piece of spaces and comments is no statement;
 * BEGIN … COMMIT|ROLLBACK is one, because the server wants a transaction in one request.
 */
export function splitStatements(source: string): Statement[] {
  return [...statementSteps(source)].filter((statement) => statement !== null)
}

/**
 * The same in small steps for `inSlices`, because a long text would block the page. Starts at the
 * offset `start`, which must not be inside a token.
 */
export function* statementSteps(source: string, start = 0): Generator<Statement | null> {
  let block: Piece[] = []
  let before = start
  for (const piece of pieceSteps(source, start)) {
    const isBlock = block.length > 0 || startsWith(source, piece, 'BEGIN')
    if (isBlock) block.push(piece)
    const isOpen = isBlock && (block.length === 1 || !closesBlock(source, piece))
    yield isOpen ? null : toStatement(source, isBlock ? block : [piece], before, false)
    if (isOpen) continue
    block = []
    before = piece.end
  }
  if (block.length > 0) yield toStatement(source, block, before, true)
}

/**
 * The statement a caret belongs to: the one around it, else the nearest before on the same line,
 * else the next one, else the last. A caret right behind a semicolon belongs to what it ends.
 */
export function statementAt(
  statements: readonly Statement[],
  offset: number,
): Statement | undefined {
  const at = statements.findLastIndex((statement) => statement.from <= offset)
  const around = statements[at]
  const before = statements[at - 1]
  if (around?.from === offset && before?.end === offset) return before
  if (around && offset <= around.reach) return around
  return statements[at + 1] ?? around
}

function* pieceSteps(source: string, start = 0): Generator<Piece> {
  let tokens: Token[] = []
  for (let at = start; at < source.length; ) {
    const token = readToken(source, at)
    at = token.to
    if (token.kind !== 'semicolon') {
      if (!isTrivia(token)) tokens.push(token)
      continue
    }
    if (tokens.length > 0) yield { tokens, end: token.to }
    tokens = []
  }
  const last = tokens.at(-1)
  if (last) yield { tokens, end: last.to }
}

function startsWith(source: string, piece: Piece | undefined, keyword: string): boolean {
  return keywordOf(source, piece?.tokens[0]) === keyword
}

/** Whether the piece closes a transaction. */
function closesBlock(source: string, piece: Piece): boolean {
  if (startsWith(source, piece, 'COMMIT')) return true
  // ROLLBACK TO goes back to a savepoint and leaves the transaction open.
  const isPartial = keywordOf(source, piece.tokens[1]) === 'TO'
  return startsWith(source, piece, 'ROLLBACK') && !isPartial
}

function toStatement(
  source: string,
  pieces: readonly Piece[],
  before: number,
  isOpen: boolean,
): Statement {
  const isBlock = startsWith(source, pieces[0], 'BEGIN')
  const tokens = isBlock ? pieces.flatMap((piece) => piece.tokens) : (pieces[0]?.tokens ?? [])
  const from = tokens[0]?.from ?? 0
  const to = tokens.at(-1)?.to ?? from
  const end = pieces.at(-1)?.end ?? to
  const beforeEnd = source[end - 1] === ';' && end > to ? end - 1 : end
  const verb = keywordOf(source, firstWord(source, tokens))
  const database = verb === 'USE' && !isBlock ? usedDatabase(source, tokens) : undefined
  const unfinished = isOpen && isBlock ? 'transaction' : unfinishedIn(tokens)
  const text = source.slice(from, to)
  return {
    from,
    to,
    end,
    reach: lineEnd(source, end),
    text,
    verb,
    kind: database !== undefined ? 'use' : queryVerbs.has(verb) ? 'query' : 'exec',
    isBlock,
    // Computed on demand: the editor splits at each keystroke but needs the tables of one
    // statement.
    get tables() {
      return tableNames(
        [...pieceSteps(text)].flatMap((piece) => tableReferences(text, piece.tokens)),
      )
    },
    get written() {
      const start = before + (before === 0 ? 0 : lineRest(source.slice(before, from)))
      const behind = source.slice(end, end + lineRest(source.slice(end)))
      // A semicolon at the very end is redundant; one before a comment separates the two.
      return trimStatement(
        source.slice(start, trimStatement(behind) === '' ? beforeEnd : end) + behind,
      )
    },
    get returning() {
      return tokenize(text).some((token) => keywordOf(text, token) === 'RETURNING')
    },
    ...(database === undefined ? {} : { database }),
    ...(unfinished === undefined ? {} : { unfinished }),
  }
}

function firstWord(source: string, tokens: readonly Token[]): Token | undefined {
  return tokens.find((token) => token.kind !== 'unreadable' && operatorOf(source, token) !== '(')
}

/** The name after USE [DATABASE]. It may have characters that only the console accepts. */
function usedDatabase(source: string, tokens: readonly Token[]): string | undefined {
  const isLong = keywordOf(source, tokens[1]) === 'DATABASE' && tokens.length > 2
  const rest = tokens.slice(isLong ? 2 : 1)
  const first = rest[0]
  const last = rest.at(-1)
  if (!first || !last || keywordOf(source, first) === 'SNAPSHOT') return undefined
  if (rest.length === 1 && first.kind === 'quoted' && !first.unfinished)
    return lowerAscii(quotedText(source, first))
  const name = source.slice(first.from, last.to)
  return /[\s"']|--|\/\*/.test(name) ? undefined : lowerAscii(name)
}

function unfinishedIn(tokens: readonly Token[]): Unfinished | undefined {
  const last = tokens.at(-1)
  if (!last?.unfinished) return undefined
  return last.kind === 'quoted' ? 'quoted' : 'string'
}

/** The length of the comments at the beginning of a text, up to the end of the line. */
function lineRest(source: string): number {
  let at = 0
  while (at < source.length) {
    const token = readToken(source, at)
    if (!isTrivia(token) || (token.kind === 'space' && /[\n\r]/.test(source.slice(at, token.to))))
      break
    at = token.to
  }
  return at
}

/** Without the spaces of SQL at both ends; `trim` would take a byte order mark too, which is sent. */
function trimStatement(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && ' \t\r\n'.includes(text.charAt(from))) from++
  while (to > from && ' \t\r\n'.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** A written statement with its semicolon, so that another can follow it. */
export function withSemicolon(written: string): string {
  const tokens = tokenize(written)
  const last = tokens.findLast((token) => !isTrivia(token))
  if (!last || last.kind === 'semicolon' || last.unfinished) return written
  return `${written.slice(0, last.to)};${written.slice(last.to)}`
}

function lineEnd(source: string, from: number): number {
  let at = from
  while (at < source.length && source[at] !== '\n' && source[at] !== '\r') at++
  return at
}
