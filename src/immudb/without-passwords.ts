/** Spaces and comments, between which no backtracking can choose. */
const gap = /(?:\s|--[^\n\r]*[\n\r]|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source

/**
 * A literal as it was typed so far: closed on its line, closed on a later one of the same statement,
 * or still open, which takes what is left of the line and spares the statements below.
 */
function literal(quote: string): string {
  return `${quote}(?:(?:[^${quote}\n\r]|${quote}${quote})*${quote}(?!${quote})|(?:[^${quote};]|${quote}${quote})*${quote}(?!${quote})|[^\n\r]*)`
}

const password = new RegExp(`\\b(PASSWORD${gap})(?:${literal("'")}|${literal('"')})`, 'gi')

/**
 * SQL text with the passwords of CREATE USER and ALTER USER blanked, to be stored. Double quotes
 * count as well, since the console sends such a text in single ones.
 */
export function withoutPasswords(text: string): string {
  return text.replace(password, "$1''")
}
