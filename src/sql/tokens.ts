import { memoizeByNames } from '~/lib/memoize-by-names'
import { keywordSet, longestKeyword } from './keywords'

export type TokenKind =
  | 'keyword'
  | 'identifier'
  | 'quoted'
  | 'string'
  | 'number'
  | 'blob'
  | 'parameter'
  | 'operator'
  | 'semicolon'
  | 'comment'
  | 'space'
  | 'unreadable'

/** A piece of SQL text. Offsets are UTF-16, `to` is exclusive. */
export type Token = {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  /** The text ended before the closing quote or comment mark. */
  readonly unfinished?: true
}

/**
 * Cuts SQL text into tokens as the lexer of immudb 1.11.1 does (embedded/sql/parser.go), except
 * that a double-quoted text may hold anything: the server reads only letters, digits and `_` there.
 * The tokens cover the text without gaps; what the server cannot read is a token too.
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    const token = readToken(source, at)
    tokens.push(token)
    at = token.to
  }
  return tokens
}

/** Spaces and comments, which mean nothing to the server. */
export function isTrivia(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'comment'
}

/**
 * The tokens that mean something to the server. The last texts are remembered, because a statement
 * is read by whatever asks what it names, writes, sorts or reads of the past.
 */
export const meaningfulTokens: (source: string) => readonly Token[] = memoizeByNames(
  (source = '') => tokenize(source).filter((token) => !isTrivia(token)),
  16,
)

/** The offset behind the closing quote of a text whose opening quote is behind `from`, or -1. */
export function quoteEnd(source: string, from: number, quote: string): number {
  for (let at = source.indexOf(quote, from); at >= 0; at = source.indexOf(quote, at + 2)) {
    if (source[at + 1] !== quote) return at + 1
  }
  return -1
}

/** The offset behind the mark that ends a block comment, or -1. */
export function commentEnd(source: string, from: number): number {
  const at = source.indexOf('*/', from)
  return at < 0 ? -1 : at + 2
}

/** The token that starts at `from`, which must lie inside the text. */
export function readToken(source: string, from: number): Token {
  const code = source.charCodeAt(from)
  const next = source.charCodeAt(from + 1)
  if (isSpace(code)) return { kind: 'space', from, to: skip(source, from + 1, isSpace) }
  if (isLetter(code)) return readWord(source, from, next)
  if (isDigit(code) || (code === point && isDigit(next))) return readNumber(source, from)
  switch (source[from]) {
    case "'":
      return closed('string', from, quoteEnd(source, from + 1, "'"), source)
    case '"':
      return closed('quoted', from, quoteEnd(source, from + 1, '"'), source)
    case ';':
      return { kind: 'semicolon', from, to: from + 1 }
    case '?':
      return { kind: 'parameter', from, to: from + 1 }
    case '@':
      return isLetter(next) ? readParameter(source, from, isWordPart) : unreadable(source, from)
    case '$':
      return isDigit(next) ? readParameter(source, from, isDigit) : unreadable(source, from)
  }
  return readComment(source, from) ?? readOperator(source, from)
}

/** Behind `--`, a line ends at a carriage return or a line feed, which is not included. */
function readComment(source: string, from: number): Token | undefined {
  if (source.startsWith('--', from))
    return { kind: 'comment', from, to: skip(source, from, isInLine) }
  if (!source.startsWith('/*', from)) return undefined
  return closed('comment', from, commentEnd(source, from + 2), source)
}

function readWord(source: string, from: number, next: number): Token {
  // Only a small x starts a blob; X'00' is a name and a string to the server.
  if (next === quote && source[from] === 'x')
    return closed('blob', from, quoteEnd(source, from + 2, "'"), source)
  const to = skip(source, from + 1, isWordPart)
  const word = source.slice(from, to)
  const isKeyword = to - from <= longestKeyword && keywordSet.has(word.toUpperCase())
  return { kind: isKeyword ? 'keyword' : 'identifier', from, to }
}

/** Digits with at most one point: no sign, no exponent, no separators. */
function readNumber(source: string, from: number): Token {
  const whole = skip(source, from, isDigit)
  const to = source.charCodeAt(whole) === point ? skip(source, whole + 1, isDigit) : whole
  return { kind: 'number', from, to }
}

function readParameter(source: string, from: number, isPart: (code: number) => boolean): Token {
  return { kind: 'parameter', from, to: skip(source, from + 1, isPart) }
}

const comparisons: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', '!~'])

function readOperator(source: string, from: number): Token {
  if (source.startsWith('->', from) || source.startsWith('::', from))
    return { kind: 'operator', from, to: from + 2 }
  if ('+-*/%(),[].'.includes(source.charAt(from))) return { kind: 'operator', from, to: from + 1 }
  const to = skip(source, from, isComparison)
  if (to === from) return unreadable(source, from)
  return { kind: comparisons.has(source.slice(from, to)) ? 'operator' : 'unreadable', from, to }
}

/** One whole code point, so that no character is ever cut in two. */
function unreadable(source: string, from: number): Token {
  const size = (source.codePointAt(from) ?? 0) > 0xffff ? 2 : 1
  return { kind: 'unreadable', from, to: from + size }
}

function closed(kind: TokenKind, from: number, end: number, source: string): Token {
  return end < 0 ? { kind, from, to: source.length, unfinished: true } : { kind, from, to: end }
}

/** Behind the text the code is NaN, which is part of nothing. */
function skip(source: string, from: number, isPart: (code: number) => boolean): number {
  let at = from
  while (isPart(source.charCodeAt(at))) at++
  return at
}

// Character codes, because comparing one-character strings takes several times as long.
const point = 0x2e
const quote = 0x27

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

const isLetter = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f

const isWordPart = (code: number) => isLetter(code) || isDigit(code)

/** `<`, `=`, `>`, `!` and `~`. */
const isComparison = (code: number) =>
  (code >= 0x3c && code <= 0x3e) || code === 0x21 || code === 0x7e

const isInLine = (code: number) => code >= 0 && code !== 0x0a && code !== 0x0d
