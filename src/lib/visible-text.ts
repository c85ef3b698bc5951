/**
 * Characters that are invisible or reorder their neighbours, by Unicode property: controls,
 * formats, separators, halves of pairs, and characters that fonts omit or draw empty (fillers, the
 * blank Braille pattern, the object mark). The plain space is the only blank that needs no mark.
 */
const unseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\p{NChar}\u2800\ufffc\u{1d159}](?<! )`

/** A combining mark without a letter, or the seventh on one letter: it overlaps its neighbours. */
const homeless = String.raw`\p{M}(?<![\p{L}\p{N}\p{P}\p{S}\p{Co}]\p{M}{1,6})`

/** A space that is lost at an end of a name or beside another. */
const lostSpace = ' (?:(?<=^ |  )|(?= |$))'

/**
 * Characters that join others into one emoji: the emoji selector, the joiner between two pictures,
 * a key cap, the flags of England, Scotland and Wales.
 */
const pictureParts = [
  String.raw`\p{ExtPict}\ufe0f`,
  String.raw`[0-9#*]\ufe0f(?=\u20e3)`,
  String.raw`\p{ExtPict}[\ufe0f\p{EMod}]?\u200d(?=\p{ExtPict})`,
  String.raw`\u{1f3f4}(?=\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})[\u{e0061}-\u{e007f}]{1,6}`,
].join('|')

const inText = new RegExp(`${unseen}|${homeless}`, 'gu')

const searches = {
  text: inText,
  name: new RegExp(`${inText.source}|${lostSpace}`, 'gu'),
  value: new RegExp(`(?:${inText.source})(?<!${pictureParts})`, 'gu'),
}

/**
 * The kind of a text. In a `value` emoji stay whole. In a `name` lost spaces are marked too,
 * because two names must never look the same. `text` is everything else.
 */
export type TextKind = keyof typeof searches

/** Finds each character that needs a mark. */
export function unseenIn(kind: TextKind): RegExp {
  return searches[kind]
}

const short: Readonly<Record<string, string>> = { '\t': '⇥', '\n': '↵', '\r': '⟨CR⟩', ' ': '␣' }

/** Whether a text has an invisible character. */
export function hasHidden(text: string, kind: TextKind = 'text'): boolean {
  return text.search(searches[kind]) >= 0
}

/** The text with its hidden characters written out, for names that can only be plain text. */
export function visibleText(text: string, kind: TextKind = 'text'): string {
  return text.replace(searches[kind], shownFor)
}

/** The beginning of a text, at most `limit` UTF-16 units long and never ending in half a character. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  const splits = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, splits ? limit - 1 : limit)
}

/** The text, or its beginning with `…` where it is longer than `limit`. */
export function cutText(text: string, limit: number): string {
  return text.length > limit ? `${beginning(text, limit)}…` : text
}

/** The mark for an invisible character, such as `⟨U+202E⟩`. */
export function shownFor(character: string): string {
  return short[character] ?? `⟨${codePointName(character)}⟩`
}

/** Such as `U+202E`. */
export function codePointName(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
