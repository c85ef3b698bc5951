/** What an exception of an audit means, by its code: a heading and a sentence. */
export type ExceptionWords = { title: string; text: string }

const words: Readonly<Record<string, ExceptionWords>> = {
  expired: {
    title: 'Expired',
    text: 'The server keeps the values of expired entries to itself.',
  },
  'too-large': {
    title: 'Too large to be sent',
    text: 'The server says that the transaction or the value is more than the 4 MiB that it can answer with. The audit cannot tell.',
  },
  'size-unexplained': {
    title: 'Too large only by the server’s word',
    text: 'The server says that this is more than the 4 MiB that it can answer with. By the sizes that it gives itself, it is less. Find out why it keeps the values back.',
  },
  'catalog-unseen': {
    title: 'Definitions of tables that were not seen',
    text: 'The server says that the transaction is more than the 4 MiB that it can answer with. Nothing tells what tables there are without them, so one that is hidden or described otherwise would not be noticed. Find out why so large a transaction defines tables.',
  },
  'entries-too-large': {
    title: 'Too many entries to be sent',
    text: 'The server says that even the digests of the transaction are more than 4 MiB. Of its entries only their number and their root are known.',
  },
  'entries-withheld': {
    title: 'Entries left out without a reason',
    text: 'The server says that even the digests of the transaction are more than the 4 MiB that it can answer with. By their number, which the hash of the transaction covers, they cannot be.',
  },
  'row-refused': {
    title: 'Rows without a proof',
    text: 'The server says that the transaction is more than the 4 MiB that it can answer with, and gave no proof of the row by itself. Its words are listed. That is to be expected of a table that was renamed or dropped since; of any other, find out why.',
  },
  refused: {
    title: 'Refused by the server',
    text: 'The server did not read the value. Its words say why: values that were changed on its disk are found this way.',
  },
  withheld: {
    title: 'Left out without a reason',
    text: 'The server listed the entry but did not send its value.',
  },
  'collection-catalog': {
    title: 'Definitions of collections',
    text: 'The server gives no way to read how it stores names and indexes of collections.',
  },
  'collection-gone': {
    title: 'Documents of collections said to be gone',
    text: 'The server says that their collection, by whose name documents are asked for, is no more: those that it lists have other numbers. Nothing proves that it was deleted. What is in these documents was not seen.',
  },
  'collection-unclear': {
    title: 'Documents that no listed collection gave',
    text: 'They may belong to a collection that the server lists and keeps back; or theirs was deleted, and of one that is listed no document was there to tell them apart. If you do not know of a deleted collection, ask who runs the server.',
  },
  'document-refused': {
    title: 'Documents without a proof',
    text: 'The server gave no proof of the document. Its words are listed.',
  },
}

/**
 * Reasons that an honest server hardly has unless something is wrong with what it stores, and that
 * hide it if something is.
 */
const alarming: ReadonlySet<string> = new Set([
  'catalog-unseen',
  'size-unexplained',
  'row-refused',
  'refused',
  'withheld',
  'entries-withheld',
  'document-refused',
  'collection-unclear',
])

/** Whether somebody should look into it. */
export function isAlarming(reason: string): boolean {
  return alarming.has(reason)
}

/** What was not seen for a reason that an honest server may have, but only its word stands for. */
const onItsWord: ReadonlySet<string> = new Set(['collection-gone'])

/** Whether it keeps a report from being green though nobody need look into it. */
export function isOnItsWord(reason: string): boolean {
  return onItsWord.has(reason)
}

export function exceptionWords(reason: string): ExceptionWords {
  return words[reason] ?? { title: reason, text: '' }
}

/** `about 12 s left`, `about 3 min left`, `about 2 h 10 min left`; empty when nobody can know. */
export function remainingWords(left: number, rate: number): string {
  if (!(rate > 0) || left <= 0) return ''
  const seconds = Math.ceil(left / rate)
  if (seconds < 60) return `about ${seconds} s left`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `about ${minutes} min left`
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** A stored key, hex digits, as its text where it is one of a key and readable. */
export function keyWords(digits: string): string {
  const pairs = digits.startsWith('00') ? digits.slice(2).match(/../g) : null
  const text = String.fromCharCode(...(pairs ?? []).map((pair) => Number.parseInt(pair, 16)))
  return /^[!-~][ -~]*$/.test(text) ? text : digits
}
