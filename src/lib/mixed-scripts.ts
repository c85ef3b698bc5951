/** Scripts whose letters people tell apart; Latin and those of East Asia are often used together. */
const scripts =
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Bengali Tamil Thai Lao Myanmar Khmer Ethiopic Cherokee Coptic Lisu Gothic Deseret Han Hiragana Katakana Bopomofo Hangul'.split(
    ' ',
  )

/** Made when a name first needs them. */
let letters: readonly RegExp[] | undefined

const ofEastAsia = /^(?:Han|Hiragana|Katakana|Bopomofo|Hangul)$/

/** Letters of other shapes for the same words, such as `𝐚` and `ａ`. */
const styled = [
  ['mathematical', /[\u{1d400}-\u{1d7ff}]/u],
  ['full-width', /[\uff21-\uff3a\uff41-\uff5a]/u],
] as const

/**
 * Names of the scripts that one word of a name mixes, such as `['Latin', 'Cyrillic']`; none when
 * each word keeps to one. An underscore joins words, since it joins those of identifiers.
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

/** What the mark of such a name says; empty when it needs none. */
export function mixedScriptsNote(name: string): string {
  const found = mixedScripts(name)
  if (found.length === 0) return ''
  return `This name mixes ${listed(found)} letters. It can look like another name.`
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
}
