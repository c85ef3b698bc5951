import { PlainError } from '~/lib/plain-error'
import { cutText } from '~/lib/visible-text'
import { columnWordSet, keywordSet, unreservedSet } from './keywords'
import type { Token } from './tokens'

/** Lower case as the server makes it: ASCII letters only. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The content of a closed double-quoted text, with doubled quotes read as one. */
export function quotedText(source: string, token: Token): string {
  return source.slice(token.from + 1, token.to - 1).replaceAll('""', '"')
}

/**
 * The name a token gives to a table or column, or undefined when it cannot be one. Names are
 * lower-cased, except keywords used as a name: the grammar of 1.11.1 takes those as typed.
 */
export function nameOf(source: string, token: Token | undefined): string | undefined {
  if (!token) return undefined
  const text = source.slice(token.from, token.to)
  if (token.kind === 'identifier') return lowerAscii(text)
  if (token.kind === 'quoted' && !token.unfinished) return lowerAscii(quotedText(source, token))
  if (token.kind === 'keyword' && unreservedSet.has(text.toUpperCase())) return text
  return undefined
}

/** A name that no statement can hold. Nothing that needs it is sent. */
export class UnwritableName extends PlainError {
  override readonly name = 'UnwritableName'

  /** A sentence about the name alone. */
  readonly why: string

  constructor(name: string) {
    const why =
      name === ''
        ? 'The name of a table or column is empty.'
        : `“${cutText(name, longestShown)}” cannot be the name of a table or column. immudb takes only letters a–z, digits and underscores.`
    super(`${why} No statement with it was sent.`)
    this.why = why
  }
}

const longestShown = 100

/**
 * Writes a name so that the server reads exactly this name, with quotes only where needed. This is
 * the only way for a name into a statement. Also between double quotes the lexer of immudb 1.11.1
 * reads nothing but ASCII letters, digits and `_` (`Lex` and `readWord` in embedded/sql/parser.go),
 * and it knows no way to write a quote there.
 * @throws UnwritableName for any other name
 */
export function quoteName(name: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(name)) throw new UnwritableName(name)
  const isKeyword = keywordSet.has(name.toUpperCase())
  const isLower = name === lowerAscii(name)
  // Only unquoted keywords keep their capitals, and the grammar takes few of them as names.
  if (isKeyword && !isLower && !isNameWord(name)) throw new UnwritableName(name)
  return (isKeyword && isLower) || /^\d/.test(name) ? `"${name}"` : name
}

const isNameWord = (name: string) =>
  unreservedSet.has(name.toUpperCase()) || columnWordSet.has(name.toUpperCase())

/** Whether `quoteName` takes the name. */
export function isWritable(name: string): boolean {
  try {
    return quoteName(name) !== ''
  } catch {
    return false
  }
}

/** @throws UnwritableName for the first of these names that no statement can hold */
export function checkNames(names: readonly string[]): void {
  names.forEach(quoteName)
}

/** A statement that is only shown; a comment of one line with the reason where it has no text. */
export function shownStatement(write: () => string): string {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof UnwritableName)) throw error
    return `-- ${error.why.replace(/[\r\n]+/g, ' ')}`
  }
}

/** The keyword a token spells, in upper case; empty for anything else. */
export function keywordOf(source: string, token: Token | undefined): string {
  return token?.kind === 'keyword' ? source.slice(token.from, token.to).toUpperCase() : ''
}

/** The text of an operator such as `(` or `.`; empty for anything else. */
export function operatorOf(source: string, token: Token | undefined): string {
  return token?.kind === 'operator' ? source.slice(token.from, token.to) : ''
}
