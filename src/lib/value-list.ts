import { inQuotes } from './csv'

/**
 * The values of a line such as `4, 5` or `Ann, "Lee, Bo"`: parted by commas, without the blanks
 * around them. One with a comma, a quote or blanks at its ends stands in double quotes, in which two
 * are one. Empty ones need quotes, too. Null for a line that ends inside quotes or has text beside them.
 */
export function valuesOf(line: string): string[] | null {
  const values: string[] = []
  const one = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^",]*)(?=,|$))(,|$)/y
  while (one.lastIndex <= line.length) {
    const { lastIndex } = one
    const found = one.exec(line)
    if (!found) return null
    const [, quoted, plain = '', end] = found
    if (quoted !== undefined) values.push(quoted.replaceAll('""', '"'))
    else if (plain.trim() !== '') values.push(plain.trim())
    if (end === '' || one.lastIndex === lastIndex) break
  }
  return values
}

/** A line that `valuesOf` reads as these values. */
export function lineOfValues(values: readonly string[]): string {
  const mustQuote = (text: string) => /^$|[",]|^\s|\s$/.test(text)
  return values.map((text) => (mustQuote(text) ? inQuotes(text) : text)).join(', ')
}
