import { listOf } from '~/lib/text'
import { beginning } from '~/lib/visible-text'

/** Something that is shown and not wholly proven, as sentences name it, with both values as text. */
export type NamedPart = {
  name: string
  match: 'rounded' | 'reordered' | 'replaced' | 'unclear' | 'uncovered'
  shown: string
  proven: string
}

/** Parts that a sentence names; the others are counted. */
const mostNamed = 6

/** What is shown and not wholly proven, as the end of a sentence; null for nothing. */
export function openPartWords(parts: readonly NamedPart[]): string | null {
  const sentences = (['uncovered', 'rounded', 'reordered', 'replaced', 'unclear'] as const).flatMap(
    (match) => {
      const found = parts.filter((part) => part.match === match)
      return found.length === 0 ? [] : [words[match](found)]
    },
  )
  return sentences.length === 0 ? null : sentences.join('; ')
}

function namesOf(parts: readonly NamedPart[]): string {
  const names = [...new Set(parts.map(({ name }) => name))]
  const more = names.length - mostNamed
  return listOf([...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])])
}

/** Characters of a value within a sentence. */
const valueLength = 60

const words: Readonly<Record<NamedPart['match'], (parts: readonly NamedPart[]) => string>> = {
  uncovered: (parts) => `not covered by the proof: ${namesOf(parts)}`,
  rounded: (parts) => {
    const [first] = parts
    const of = first
      ? `: stored is ${beginning(first.proven, valueLength)}, shown ${beginning(first.shown, valueLength)}`
      : ''
    return `immudb rounded numbers in ${namesOf(parts)}${of}`
  },
  reordered: (parts) =>
    `immudb shows the names within ${namesOf(parts)} in another order than they are stored`,
  replaced: (parts) =>
    `what is stored in ${namesOf(parts)} is no text or number that JSON has, and immudb shows other text in its place`,
  unclear: (parts) => `whether the JSON of ${namesOf(parts)} matches the stored value is not known`,
}

/** Why a write cannot be in the transaction that the server named, as the end of a sentence. */
export function oldTxWords(named: string, before: string): string {
  return `the server named tx ${named}, but tx ${before} was there before this was sent, so it is not what was sent`
}
