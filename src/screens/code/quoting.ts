import { base64ToBytes, encodeUtf8 } from '~/lib/bytes'

/**
 * Values as literals of each language. Every snippet is ASCII: what is invisible, turns the order of
 * letters around, or looks like something else, stands there as an escape, and no encoding of a file
 * or a terminal changes it.
 */

const isPlain = (code: number) => code >= 0x20 && code <= 0x7e

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/** Halves of characters are replaced, as they are on the way to the server. */
export function wholeText(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

/** The same JSON in ASCII letters alone. */
export function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
}

/** JSON in ASCII letters alone. */
export function asciiJson(value: unknown): string {
  return ascii(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? wholeText(one) : one)),
  )
}

/** Letters of a text, each as it is or as an escape. */
function escaped(text: string, special: string, sign: (code: number) => string): string {
  return [...wholeText(text)]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0
      if (special.includes(letter)) return `\\${letter}`
      if (letter === '\n') return '\\n'
      return isPlain(code) ? letter : sign(code)
    })
    .join('')
}

/** A text of Go or Python. */
export function doubleQuoted(text: string): string {
  const body = escaped(text, '"\\', (code) => {
    if (code < 0x80) return `\\x${hex(code, 2)}`
    return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
  })
  return `"${body}"`
}

/** Bytes between quotes, for `[]byte("…")` of Go and `b"…"` of Python. */
export function quotedBytes(base64: string): string {
  const body = Array.from(base64ToBytes(base64), (code) => {
    const letter = String.fromCharCode(code)
    if (letter === '"' || letter === '\\') return `\\${letter}`
    return isPlain(code) ? letter : `\\x${hex(code, 2)}`
  })
  return `"${body.join('')}"`
}

/** A text of JavaScript. */
export function scriptText(text: string): string {
  const body = escaped(text, "'\\", (code) =>
    code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${code.toString(16)}}`,
  )
  return `'${body}'`
}

/**
 * A text of Java, which reads `\u0022` as a quote before it reads anything else: what is below
 * U+0100 has three octal digits instead.
 */
export function javaText(text: string): string {
  const units = [...wholeText(text)].flatMap((letter) => letter.split(''))
  const body = units.map((unit) => {
    const code = unit.charCodeAt(0)
    if (unit === '"' || unit === '\\') return `\\${unit}`
    if (unit === '\n') return '\\n'
    if (isPlain(code)) return unit
    return code < 0x100 ? `\\${code.toString(8).padStart(3, '0')}` : `\\u${hex(code, 4)}`
  })
  return `"${body.join('')}"`
}

/** Bytes of Java, as text of one letter for each byte. */
export function javaBytes(base64: string): string {
  const letters = Array.from(base64ToBytes(base64), (code) => String.fromCharCode(code)).join('')
  return `${javaText(letters)}.getBytes(StandardCharsets.ISO_8859_1)`
}

/**
 * A word of a POSIX shell. Between single quotes a shell reads nothing; what is not ASCII comes out
 * of `printf`, whose output is between double quotes and not read again. Line feeds at the end are
 * lost there. Null where the word has a NUL, which no argument of a program can have.
 */
export function shellWord(text: string): string | null {
  if (text.includes('\0')) return null
  const whole = wholeText(text)
  if (/^[\n\x20-\x7e]*$/.test(whole)) return `'${whole.replaceAll("'", String.raw`'\''`)}'`
  const body = Array.from(encodeUtf8(whole), (code, at) => {
    const letter = String.fromCharCode(code)
    if (letter === "'") return String.raw`'\''`
    if (letter === '%') return '%%'
    if (letter === '\\') return '\\\\'
    // A minus at the beginning would be an option, and a shell that is typed into may look for its
    // history behind a `!` between double quotes.
    const isSpecial = letter === '!' || (at === 0 && letter === '-')
    const isItself = letter === '\n' || (isPlain(code) && !isSpecial)
    return isItself ? letter : `\\${code.toString(8).padStart(3, '0')}`
  })
  return `"$(printf '${body.join('')}')"`
}

/** The lines of a literal: one for each line of the text, so that a statement stays readable. */
export function literalLines(text: string, literal: (line: string) => string): readonly string[] {
  return wholeText(text)
    .split(/(?<=\n)/)
    .map(literal)
}
