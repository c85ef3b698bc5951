import { codePointName, shownFor, type TextKind, unseenIn } from './visible-text'

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

const names: Readonly<Record<number, string>> = {
  0: 'null character',
  9: 'tab',
  10: 'line feed',
  13: 'carriage return',
  27: 'escape',
  32: 'space',
  160: 'no-break space',
  173: 'soft hyphen',
  847: 'combining grapheme joiner',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of direction change',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'end of isolate',
  10240: 'blank Braille pattern',
  12288: 'ideographic space',
  65039: 'emoji selector',
  65279: 'byte order mark',
}

type Reading = {
  kind?: TextKind
  /** Tabs and line feeds stay as they are, for a view that keeps white space. */
  lines?: boolean
}

/** Splits a text so that hidden characters can be shown as marks. */
export function visibleParts(text: string, { kind = 'text', lines }: Reading = {}): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(unseenIn(kind))) {
    if (lines && (character === '\n' || character === '\t')) continue
    if (index > from) parts.push({ kind: 'plain', text: text.slice(from, index) })
    parts.push({
      kind: 'mark',
      text: character,
      shown: shownFor(character),
      name: nameFor(character),
    })
    from = index + character.length
  }
  if (from < text.length) parts.push({ kind: 'plain', text: text.slice(from) })
  return parts
}

/** What an unseen character is called, such as `right-to-left override, U+202E`. */
export function nameFor(character: string): string {
  const name = names[character.codePointAt(0) ?? 0]
  return `${name ? `${name},` : 'hidden character'} ${codePointName(character)}`
}
