/** Levels of lists and objects in a file: no document that immudb stores has as many. */
const deepest = 500
/** Names in one object, of which a document can have many. */
const mostNames = 1_000_000
/** Characters between two reports. */
const reported = 4_194_304

type Level = { isObject: boolean; names: Set<string> }

/**
 * Why a JSON text is not one that this console wrote, as a sentence, or null. Nested too deeply, it
 * would break whatever walks through it; with one name twice, two readers could see two files in it.
 * Whether it is JSON at all is left to whoever parses it.
 * @param tell how much of it was read, from 0 to 1
 */
export function jsonFault(text: string, tell: (share: number) => void = () => {}): string | null {
  const levels: Level[] = []
  let told = 0
  for (let at = 0; at < text.length; at += 1) {
    if (at - told >= reported) {
      told = at
      tell(at / text.length)
    }
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      levels.push({ isObject: sign === '{', names: new Set() })
      if (levels.length > deepest) return `It is nested deeper than ${deepest} levels.`
    } else if (sign === '}' || sign === ']') {
      levels.pop()
    } else if (sign === '"') {
      const end = endOfString(text, at)
      const level = levels.at(-1)
      if (level?.isObject && isName(text, end)) {
        const name = nameOf(text.slice(at, end))
        if (level.names.has(name)) return `It has the name “${shown(name)}” twice in one object.`
        if (level.names.size === mostNames) return 'An object in it has too many names.'
        level.names.add(name)
      }
      at = end - 1
    }
  }
  return null
}

/** Behind the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function isName(text: string, end: number): boolean {
  let at = end
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1
  return text[at] === ':'
}

/** As it is read: one name can be written in several ways. */
function nameOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

const shown = (name: string) => (name.length > 40 ? `${name.slice(0, 40)}…` : name)
