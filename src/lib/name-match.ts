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
  /** Other whole names, such as `orders.total` of a column `total`. */
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
  return (of) => {
    const { plain, all } = lowerOf(of)
    // Most names are out by this, however many there are.
    if (!words.every((word) => all.includes(word))) {
      const { text = '' } = of
      const isInText = isForTexts && text !== '' && words.every((word) => text.includes(word))
      return isInText ? matchRanks.text : null
    }
    const isExact = (one: string) => one === whole || one === search
    if (isExact(of.name) || of.also?.some(isExact)) return matchRanks.exact
    if (plain.includes(lower)) return matchRanks.exactButCase
    if (plain[0]?.startsWith(lower)) return matchRanks.beginning
    return words.every((word) => beginsWord(all, word)) ? matchRanks.words : matchRanks.inside
  }
}

type Lower = { readonly plain: readonly string[]; readonly all: string }

const lowered = new WeakMap<Named, Lower>()

/** The names in lower case, and all that has to hold the words; made once for each. */
function lowerOf(of: Named): Lower {
  const known = lowered.get(of)
  if (known) return known
  const plain = [of.name, ...(of.also ?? [])].map((one) => one.toLowerCase())
  const all = [...plain, of.words?.toLowerCase() ?? ''].join(' ')
  const made = { plain, all }
  lowered.set(of, made)
  return made
}

/** Whether a word of a text begins so, in `user_name` and `shop/orders` too. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1]
    if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return true
  }
  return false
}
