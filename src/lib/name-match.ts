/** How well a name answers a search; the lower the better. */
export const matchRanks = {
  exact: 0,
  exactButCase: 1,
  beginning: 2,
  words: 3,
  inside: 4,
  text: 5,
} as const

/** What a name is found by. */
export type Named = {
  readonly name: string
  /** Other names that are as good, such as `orders.total` of a column `total`. */
  readonly also?: readonly string[] | undefined
  /** Further words, such as what a part of the settings holds. */
  readonly words?: string | undefined
  /** A long text, in lower case, which counts least. */
  readonly text?: string | undefined
}

/** Characters of a word that is looked for in long texts. */
const shortestInText = 3

/**
 * Returns what ranks names by a search: exact ones first, then those that begin with it, then those
 * that have all of its words, at the beginning of words or anywhere; null for any other name.
 */
export function matcher(search: string): (of: Named) => number | null {
  const whole = search.trim()
  const lower = whole.toLowerCase()
  const words = lower.split(/\s+/).filter(Boolean)
  const isForTexts = words.length > 0 && words.every(({ length }) => length >= shortestInText)
  return ({ name, also = [], words: more = '', text = '' }) => {
    const names = [name, ...also]
    if (names.some((one) => one === whole || one === search)) return matchRanks.exact
    const plain = names.map((one) => one.toLowerCase())
    if (plain.includes(lower)) return matchRanks.exactButCase
    if (plain.some((one) => one.startsWith(lower))) return matchRanks.beginning
    const all = more === '' ? plain.join(' ') : `${plain.join(' ')} ${more.toLowerCase()}`
    if (words.every((word) => all.includes(word))) {
      return words.every((word) => beginsWord(all, word)) ? matchRanks.words : matchRanks.inside
    }
    const isInText = isForTexts && text !== '' && words.every((word) => text.includes(word))
    return isInText ? matchRanks.text : null
  }
}

/** Whether a word of a text begins so, in `user_name` and `shop/orders` too. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1]
    if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return true
  }
  return false
}
