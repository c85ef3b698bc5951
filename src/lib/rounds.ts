import { PlainError } from './plain-error'
import { cutText } from './visible-text'

/** Answers that would keep a loop going without an end, or numbers that nothing can count with. */
export class NoProgress extends PlainError {
  override readonly name = 'NoProgress'
}

/** Rounds of one loop; so many pages are more than a browser holds. */
const mostRounds = 20_000

/**
 * Returns what a loop over answers calls at the start of each round, so that it ends whatever the
 * server says.
 * @param most rounds that it may take
 * @returns takes the place of the round, if it has one: no place comes twice
 * @throws NoProgress
 */
export function rounds(most = mostRounds): (place?: unknown) => void {
  const seen = new Set<string>()
  let done = 0
  return (place) => {
    done += 1
    if (done > most) throw new NoProgress(`${unending} Reading changes nothing.`)
    if (place === undefined) return
    const name = JSON.stringify(place, (_, part) => (typeof part === 'bigint' ? `${part}` : part))
    if (seen.has(name)) throw sameAgain()
    seen.add(name)
  }
}

const unending = 'The server gave more and more answers without an end, so reading was stopped.'

/** For an answer that leaves a search where it was. */
export function sameAgain(): NoProgress {
  return new NoProgress(
    'The server gave the same answer again, so this cannot go on. Reading changes nothing.',
  )
}

/** Characters of a number that are shown. */
const shownDigits = 20

/**
 * A number of an answer as one to count with.
 * @throws NoProgress above 2^53, where a JavaScript number stays the same when 1 is added
 */
export function countable(number: string | number | bigint): number {
  const count = Number(number)
  if (Number.isSafeInteger(count)) return count
  throw new NoProgress(
    `The server gave the number ${cutText(String(number), shownDigits)}, which is too large to count with. Reading changes nothing.`,
  )
}
