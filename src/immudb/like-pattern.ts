/**
 * Patterns of LIKE as immudb 1.11.1 reads them (`sqlLikeToRegex` in embedded/sql/stmt.go): the whole
 * text must match, `%` stands for any characters and `_` for one, neither for a line break, and `\`
 * takes the sign behind it as it is. Upper and lower case differ.
 */

/** A text as a part of a pattern, so that `%`, `_` and `\` stand for themselves. */
export function asPattern(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
}

/**
 * The first character of a pattern that matches nothing; undefined for none. immudb reads the bytes
 * of a pattern one by one, so that no character beyond ASCII is found.
 */
export function unmatchable(pattern: string): string | undefined {
  return /[^\0-\x7f]/u.exec(pattern)?.[0]
}

/**
 * The smallest text above all that begin with this one, in the order of immudb, which is that of
 * bytes; null when there is none. So a beginning is found without a pattern, and by an index.
 */
export function afterPrefix(text: string): string | null {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0)
  while (points.length > 0) {
    const last = points.pop() ?? 0
    // Half characters are none: the one before them is followed by the one behind them.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next)
  }
  return null
}
