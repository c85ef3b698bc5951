import { locale } from './locale'

/** A server's text as a sentence: first letter capital, exactly one full stop at the end. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  if (!trimmed) return ''
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

/** Cuts a foreign text to a length that fits a screen, and says so. */
export function shorten(text: string, limit = 2_048): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`
}

/** `1 row`, `2 rows`: the count in the reader's digits and the noun that fits it. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 || count === 1n ? one : many}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(` ${last} `)
}

const counts = new Intl.NumberFormat(locale)

/** A whole number with thousands separators; exact for bigint. */
export function formatCount(count: number | bigint): string {
  return counts.format(count)
}

/** A transaction id as operators read it: `12,904`; the text itself when it is not a number. */
export function formatTx(id: string): string {
  return /^\d+$/.test(id) ? counts.format(BigInt(id)) : id
}
