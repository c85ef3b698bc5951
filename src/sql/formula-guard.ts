/** Signs with which a formula begins, also in the wide forms of East Asian text. */
const sign = /[=+\-@＝＋－＠]/
/** What a spreadsheet passes over in front of one. */
const passed = /[\s"'\ufeff]/
const anySign = /[=+\-@＝＋－＠\t\r\n]/
/** Behind these a program with another list separator begins a cell, or a line. */
const separators = new Set([';', ',', '\t', '|', '\r', '\n'])

/**
 * A text with an apostrophe wherever a spreadsheet would read a formula: at its beginning, and behind
 * every character at which a program with another list separator would begin a cell.
 * `withoutGuards` gives the text again.
 * @param separator of the file, within whose quotes it separates nothing
 */
export function guarded(text: string, separator: string): string {
  if (!anySign.test(text)) return text
  const places = formulaPlaces(text, separator)
  if (/^'*[\t\r\n]/.test(text) && places[0] !== 0) places.unshift(0)
  return places.length === 0 ? text : cutAt(text, places, 0).join("'")
}

/** The text that was guarded. */
export function withoutGuards(text: string, separator: string): string {
  if (!text.includes("'") || !anySign.test(text)) return text
  const places = formulaPlaces(text, separator).filter((at) => text[at] === "'")
  if (/^''*[\t\r\n]/.test(text) && places[0] !== 0) places.unshift(0)
  return places.length === 0 ? text : cutAt(text, places, 1).join('')
}

/** Offsets at which a cell with a formula may begin, in one pass from the end. */
function formulaPlaces(text: string, separator: string): number[] {
  const places: number[] = []
  let leads = false
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const one = text[at] ?? ''
    leads = sign.test(one) || (leads && passed.test(one))
    const before = text[at - 1]
    const isPlace = before === undefined || (separators.has(before) && before !== separator)
    if (leads && isPlace) places.push(at)
  }
  return places.reverse()
}

/** The parts of a text between places, without so many characters behind each. */
function cutAt(text: string, places: readonly number[], without: number): string[] {
  const ends = [...places, text.length]
  return [
    text.slice(0, places[0]),
    ...places.map((place, at) => text.slice(place + without, ends[at + 1])),
  ]
}
