export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'

/** What ends an array or object. */
export const closers: Readonly<Partial<Record<JsonKind, string>>> = { object: '}', array: ']' }

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const words = ['true', 'false', 'null'] as const
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Where the number that starts here ends; -1 when none starts here. */
export function numberEnd(text: string, at: number): number {
  number.lastIndex = at
  return number.test(text) ? number.lastIndex : -1
}

/** The word that starts here, and where it ends. */
export function wordEnd(text: string, at: number): { kind: JsonKind; end: number } | null {
  const kind = words.find((word) => text.startsWith(word, at))
  return kind ? { kind, end: at + kind.length } : null
}

/** Where the string that starts here ends, its quotes included; -1 when none does. */
export function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return -1
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -1
    if (code !== 0x5c) at += 1
    else {
      escaped.lastIndex = at
      if (!escaped.test(text)) return -1
      at = escaped.lastIndex
    }
  }
  return -1
}

/** The characters of a string literal that `stringEnd` accepted. */
export function stringText(literal: string): string {
  const text: unknown = JSON.parse(literal)
  return typeof text === 'string' ? text : literal
}
