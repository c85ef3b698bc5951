import { keywordSet, unreservedSet } from './keywords'
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

/** Writes a name so that the server reads exactly this name, with quotes only where needed. */
export function quoteName(name: string): string {
  const isWord = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
  const needsQuotes = !isWord || (keywordSet.has(name.toUpperCase()) && name === lowerAscii(name))
  return needsQuotes ? `"${name}"` : name
}

/** The keyword a token spells, in upper case; empty for anything else. */
export function keywordOf(source: string, token: Token | undefined): string {
  return token?.kind === 'keyword' ? source.slice(token.from, token.to).toUpperCase() : ''
}

/** The text of an operator such as `(` or `.`; empty for anything else. */
export function operatorOf(source: string, token: Token | undefined): string {
  return token?.kind === 'operator' ? source.slice(token.from, token.to) : ''
}
