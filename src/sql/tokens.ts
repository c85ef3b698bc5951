import { keywordSet } from './keywords'

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
  const char = source[from] ?? ''
  const next = source[from + 1] ?? ''
  if (isSpace(char)) return { kind: 'space', from, to: skip(source, from, isSpace) }
  if (isLetter(char)) return readWord(source, from, next)
  if (isDigit(char) || (char === '.' && isDigit(next))) return readNumber(source, from)
  switch (char) {
    case "'":
      return closed('string', from, quoteEnd(source, from + 1, char), source)
    case '"':
      return closed('quoted', from, quoteEnd(source, from + 1, char), source)
    case ';':
      return { kind: 'semicolon', from, to: from + 1 }
    case '?':
      return { kind: 'parameter', from, to: from + 1 }
    case '@':
      return isLetter(next) ? readParameter(source, from, isWordPart) : unreadable(source, from)
    case '$':
      return isDigit(next) ? readParameter(source, from, isDigit) : unreadable(source, from)
  }
  if (char === '-' && next === '-') return readLineComment(source, from)
  if (char === '/' && next === '*')
    return closed('comment', from, commentEnd(source, from + 2), source)
  return readOperator(source, from, char, next)
}

/** Behind `--`, a line ends at a carriage return or a line feed; the mark itself is not included. */
function readLineComment(source: string, from: number): Token {
  return { kind: 'comment', from, to: skip(source, from, (char) => char !== '\n' && char !== '\r') }
}

function readWord(source: string, from: number, next: string): Token {
  // Only a small x starts a blob; X'00' is a name and a string to the server.
  if (source[from] === 'x' && next === "'")
    return closed('blob', from, quoteEnd(source, from + 2, "'"), source)
  const to = skip(source, from, isWordPart)
  const isKeyword = keywordSet.has(source.slice(from, to).toUpperCase())
  return { kind: isKeyword ? 'keyword' : 'identifier', from, to }
}

/** Digits with at most one point: no sign, no exponent, no separators. */
function readNumber(source: string, from: number): Token {
  const whole = skip(source, from, isDigit)
  const to = source[whole] === '.' ? skip(source, whole + 1, isDigit) : whole
  return { kind: 'number', from, to }
}

function readParameter(source: string, from: number, isPart: (char: string) => boolean): Token {
  return { kind: 'parameter', from, to: skip(source, from + 1, isPart) }
}

const comparisons: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', '!~'])

function readOperator(source: string, from: number, char: string, next: string): Token {
  if ((char === '-' && next === '>') || (char === ':' && next === ':'))
    return { kind: 'operator', from, to: from + 2 }
  if ('+-*/%(),[].'.includes(char)) return { kind: 'operator', from, to: from + 1 }
  if (!isComparison(char)) return unreadable(source, from)
  const to = skip(source, from, isComparison)
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

function skip(source: string, from: number, isPart: (char: string) => boolean): number {
  let at = from
  while (at < source.length && isPart(source[at] ?? '')) at++
  return at
}

const isSpace = (char: string) => char === ' ' || char === '\t' || char === '\n' || char === '\r'

const isDigit = (char: string) => char >= '0' && char <= '9'

const isLetter = (char: string) =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_'

const isWordPart = (char: string) => isLetter(char) || isDigit(char)

const isComparison = (char: string) => char !== '' && '!<=>~'.includes(char)
