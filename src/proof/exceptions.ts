import { cutText } from '~/lib/visible-text'

/**
 * Why an audit did not read the content of an entry although its place in the history is proven.
 * Then only its digest is known.
 */
export type ExceptionReason =
  /** It expired; the server no longer returns its value. */
  | 'expired'
  /** The transaction is more than the REST gateway can send (4 MiB). */
  | 'too-large'
  /** The server calls it too large, but the sizes that it reports contradict that. */
  | 'size-unexplained'
  /** It is too large and defines a table, so the tables cannot be derived from the history. */
  | 'catalog-unseen'
  /** Even the digests of its entries are too large: only their number and their root are known. */
  | 'entries-too-large'
  /** The server did not send the digests, although they are few enough. */
  | 'entries-withheld'
  /** The server gave no separate proof of a row. For a dropped table it cannot. */
  | 'row-refused'
  /** The server refused to read the value. */
  | 'refused'
  /** The server left it out without a reason. */
  | 'withheld'
  /** It defines a collection, which REST does not return. */
  | 'collection-catalog'
  /** No listed name returned the document, and each belongs to another collection. */
  | 'collection-gone'
  /** No listed name returned the document, and one of them may belong to its collection. */
  | 'collection-unclear'
  /** The server refused to prove a document. */
  | 'document-refused'

export type Exception = {
  reason: ExceptionReason
  tx: string
  /** The stored key, hex digits, cut off when it is long; empty for a transaction as a whole. */
  key: string
  /** The server's text; empty when it gave none. */
  words: string
  /** The number of entries, for a whole transaction. */
  count?: number
}

/** All exceptions are counted; the first of each reason are listed. */
export type Exceptions = {
  counts: Partial<Record<ExceptionReason, number>>
  list: Exception[]
}

/** Seconds by which clocks may differ before a missing expired value counts as withheld. */
export const clockSlack = 300

/** Listed per reason, so that saved lists stay short. */
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
    key: cutText(found.key, longestKey),
    words: cutText(found.words, longestWords),
  })
}

/** The exceptions of two audits in order; the first of each reason are listed. */
export function joinExceptions(one: Exceptions, other: Exceptions): Exceptions {
  const counts = { ...one.counts }
  for (const reason of Object.keys(other.counts) as ExceptionReason[]) // as they are counted
    counts[reason] = (counts[reason] ?? 0) + (other.counts[reason] ?? 0)
  const all = [...one.list, ...other.list]
  const rank = (found: Exception) =>
    all.filter(({ reason }) => reason === found.reason).indexOf(found)
  return { counts, list: all.filter((found) => rank(found) < listedOfReason) }
}
