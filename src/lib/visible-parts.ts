import { listOf } from './text'
import { codePointName, shownFor, type TextKind, unseenIn } from './visible-text'

/** A stretch of plain text, or one invisible character. */
export type TextPart =
  | { kind: 'plain'; text: string }
  | {
      kind: 'mark'
      /** The character itself, for copying. */
      text: string
      /** What to show in its place, such as `⟨U+202E⟩`. */
      shown: string
      /** Its name, shown on demand. */
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

/** The name of an invisible character, such as `right-to-left override, U+202E`. */
export function nameFor(character: string): string {
  const name = names[character.codePointAt(0) ?? 0]
  return `${name ? `${name},` : 'hidden character'} ${codePointName(character)}`
}

/** Scripts that a word seldom mixes. Latin with an East Asian script is a usual mix. */
const scripts =
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Bengali Tamil Thai Lao Myanmar Khmer Ethiopic Cherokee Coptic Lisu Gothic Deseret Han Hiragana Katakana Bopomofo Hangul'.split(
    ' ',
  )

/** Built when a name first needs them. */
let letters: readonly RegExp[] | undefined

const ofEastAsia = /^(?:Han|Hiragana|Katakana|Bopomofo|Hangul)$/

/** Styled forms of ordinary letters, such as `𝐚` and `ａ`. */
const styled = [
  ['mathematical', /[\u{1d400}-\u{1d7ff}]/u],
  ['full-width', /[\uff21-\uff3a\uff41-\uff5a]/u],
] as const

/**
 * The scripts that one word of a name mixes, such as `['Latin', 'Cyrillic']`; empty when each word
 * keeps to one. An underscore does not end a word, because identifiers use it as a joint.
 */
export function mixedScripts(name: string): readonly string[] {
  if (!/[^\0-\x7f]/.test(name)) return []
  for (const [word] of name.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const found = scriptsOf(word)
    if (found.length > 1) return found
  }
  return []
}

function scriptsOf(word: string): string[] {
  const isStyled = styled.filter(([, look]) => look.test(word)).map(([name]) => name)
  const plain = word.replace(/[\u{1d400}-\u{1d7ff}\uff21-\uff3a\uff41-\uff5a]/gu, '')
  letters ??= scripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
  const found = scripts.filter((_, at) => letters?.[at]?.test(plain))
  const isUsual = found.every((script) => script === 'Latin' || ofEastAsia.test(script))
  return [...(isUsual ? found.slice(0, 1) : found), ...isStyled]
}

/** The note beside such a name; empty when it needs none. */
export function mixedScriptsNote(name: string): string {
  const found = mixedScripts(name)
  if (found.length === 0) return ''
  return `This name mixes ${listOf(found)} letters. It can look like another name.`
}
