/** A stretch of text as it is, or one character that would not be seen. */
export type TextPart =
  | { kind: 'plain'; text: string }
  | {
      kind: 'mark'
      /** The character itself, for copying. */
      text: string
      /** What to show in its place, such as `⟨U+202E⟩`. */
      shown: string
      /** What to say about it on demand. */
      name: string
    }

/**
 * Characters that are invisible, reorder their neighbours or break the line: controls, soft
 * hyphen, zero-width and bidirectional characters, fillers, tags, and halves of pairs.
 */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x061c, 0x061c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x2069],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]

const names = new Map([
  [0x00, 'null character'],
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0xad, 'soft hyphen'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'end of direction change'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'end of isolate'],
  [0xfeff, 'byte order mark'],
])

const short = new Map([
  [0x09, '⇥'],
  [0x0a, '↵'],
  [0x0d, '␍'],
])

const escaped = (codePoint: number) => `\\u{${codePoint.toString(16)}}`
const hiddenClass = hiddenRanges.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')
const anyHidden = new RegExp(`[${hiddenClass}]`, 'u')
const eachHidden = new RegExp(`[${hiddenClass}]`, 'gu')

/** Whether a text holds a character that would not be seen. */
export function hasHidden(text: string): boolean {
  return anyHidden.test(text)
}

/**
 * Splits a text so that hidden characters can be shown as marks. With `lines`, tabs and line ends
 * stay as they are, for a view that keeps white space.
 */
export function visibleParts(text: string, { lines = false } = {}): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(eachHidden)) {
    if (lines && (character === '\n' || character === '\t' || character === '\r')) continue
    if (index > from) parts.push({ kind: 'plain', text: text.slice(from, index) })
    parts.push(mark(character))
    from = index + character.length
  }
  if (from < text.length) parts.push({ kind: 'plain', text: text.slice(from) })
  return parts
}

/** The text with its hidden characters written out, for names that can only be plain text. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.kind === 'plain' ? part.text : part.shown))
    .join('')
}

/** The beginning of a text, at most `limit` UTF-16 units long and never ending in half a character. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  const splits = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, splits ? limit - 1 : limit)
}

function mark(character: string): TextPart {
  const codePoint = character.codePointAt(0) ?? 0
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
  const name = names.get(codePoint)
  return {
    kind: 'mark',
    text: character,
    shown: short.get(codePoint) ?? `⟨${code}⟩`,
    name: name ? `${name}, ${code}` : `hidden character ${code}`,
  }
}
