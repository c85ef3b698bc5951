/**
 * Why the content of an entry was not seen in an audit although its place in the history is proven:
 * only its digest is known then.
 */
export type ExceptionReason =
  /** It expired; the server keeps its value to itself. */
  | 'expired'
  /** The transaction is more than the REST gateway can send (4 MiB). */
  | 'too-large'
  /** The server says so, and by the sizes that it gives itself it is not. */
  | 'size-unexplained'
  /** It is too large, and it defines a table, without which nobody knows what the tables should be. */
  | 'catalog-unseen'
  /** So are the digests of its entries: only their number and their root are known. */
  | 'entries-too-large'
  /** They were not sent either, although they are too few to be more than that. */
  | 'entries-withheld'
  /** The server gave no proof of a row by itself; of a table that is no more it cannot. */
  | 'row-refused'
  /** The server refused to read the value, in its own words. */
  | 'refused'
  /** The server left it out and said nothing. */
  | 'withheld'
  /** What collections are is kept where REST does not reach. */
  | 'collection-catalog'
  /** No name that the server lists gave the document, and each is another collection's. */
  | 'collection-gone'
  /** No name that is listed gave the document, and one of them may be its collection's. */
  | 'collection-unclear'
  /** The server gave no proof of a document, in its own words. */
  | 'document-refused'

export type Exception = {
  reason: ExceptionReason
  tx: string
  /** The stored key, hex digits, cut off when it is long; empty for a transaction as a whole. */
  key: string
  /** What the server said; empty when it said nothing. */
  words: string
  /** How many entries it stands for when it is a transaction as a whole. */
  count?: number
}

/** All exceptions are counted; the first of each reason are listed. */
export type Exceptions = {
  counts: Partial<Record<ExceptionReason, number>>
  list: Exception[]
}

/** Seconds that clocks may differ before what is left out as expired counts as withheld. */
export const clockSlack = 300

/** So many are listed of one reason, so that a list that is kept stays short. */
export const listedOfReason = 10
const longestKey = 128
const longestWords = 120

export const noExceptions = (): Exceptions => ({ counts: {}, list: [] })

export function except({ counts, list }: Exceptions, found: Exception): void {
  counts[found.reason] = (counts[found.reason] ?? 0) + (found.count ?? 1)
  const isListed = list.filter(({ reason }) => reason === found.reason).length < listedOfReason
  if (!isListed) return
  list.push({
    ...found,
    key: shorten(found.key, longestKey),
    words: shorten(found.words, longestWords),
  })
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** What two audits did not see, one behind the other; the first of each reason are listed. */
export function joinExceptions(one: Exceptions, other: Exceptions): Exceptions {
  const counts = { ...one.counts }
  for (const reason of Object.keys(other.counts) as ExceptionReason[]) // as they are counted
    counts[reason] = (counts[reason] ?? 0) + (other.counts[reason] ?? 0)
  const all = [...one.list, ...other.list]
  const rank = (found: Exception) =>
    all.filter(({ reason }) => reason === found.reason).indexOf(found)
  return { counts, list: all.filter((found) => rank(found) < listedOfReason) }
}
