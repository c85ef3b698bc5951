/** What an exception of an audit means, by its code: a heading and a sentence. */
export type ExceptionWords = { title: string; text: string }

const words: Readonly<Record<string, ExceptionWords>> = {
  expired: {
    title: 'Expired',
    text: 'The server does not send the values of expired entries.',
  },
  'too-large': {
    title: 'Too large to be sent',
    text: 'The server says that it is larger than the 4 MiB of an answer. The audit cannot check that.',
  },
  'size-unexplained': {
    title: 'Too large only by the server’s word',
    text: 'The server says that it is larger than the 4 MiB of an answer. By the sizes that it reports itself, it is smaller. Find out why it withholds the values.',
  },
  'catalog-unseen': {
    title: 'Definitions of tables that were not seen',
    text: 'The server says that it is larger than the 4 MiB of an answer. Without these definitions, a hidden or differently described table would not be noticed. Find out why so large a transaction defines tables.',
  },
  'entries-too-large': {
    title: 'Too many entries to be sent',
    text: 'The server says that even the digests are larger than 4 MiB. Only the number of entries and their root hash are known.',
  },
  'entries-withheld': {
    title: 'Entries left out without a reason',
    text: 'The server says that even the digests are larger than 4 MiB. By their proven number, they cannot be.',
  },
  'row-refused': {
    title: 'Rows without a proof',
    text: 'The server says that it is larger than the 4 MiB of an answer, and gave no proof of the row alone. Normal for a table renamed or dropped since; for any other, find out why.',
  },
  refused: {
    title: 'Refused by the server',
    text: 'The server did not read the value: see its message. Values changed on its disk show up like this.',
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
    text: 'The server says that their collection no longer exists. Nothing proves that it was deleted. The content of these documents was not seen.',
  },
  'collection-unclear': {
    title: 'Documents of no listed collection',
    text: 'Their collection was deleted, or the server withholds it. If you know of no deletion, ask the operator of the server.',
  },
  'document-refused': {
    title: 'Documents without a proof',
    text: 'The server gave no proof of the document. Its messages are listed.',
  },
}

/**
 * Reasons that an honest server hardly ever has. They may hide damage to what it stores.
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

/** Whether someone should look into it. */
export function isAlarming(reason: string): boolean {
  return alarming.has(reason)
}

/** Reasons that an honest server may have, but that nothing except its word supports. */
const onItsWord: ReadonlySet<string> = new Set(['collection-gone'])

/** Whether it keeps a report from being green, even if nobody needs to look into it. */
export function isOnItsWord(reason: string): boolean {
  return onItsWord.has(reason)
}

export function exceptionWords(reason: string): ExceptionWords {
  return words[reason] ?? { title: reason, text: '' }
}

/** `about 12 s left`, `about 3 min left`, `about 2 h 10 min left`; empty when that is not known. */
export function remainingWords(left: number, rate: number): string {
  if (!(rate > 0) || left <= 0) return ''
  const seconds = Math.ceil(left / rate)
  if (seconds < 60) return `about ${seconds} s left`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `about ${minutes} min left`
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** A stored key, given in hex digits, as text if it is a readable key; else the digits. */
export function keyWords(digits: string): string {
  const pairs = digits.startsWith('00') ? digits.slice(2).match(/../g) : null
  const text = String.fromCharCode(...(pairs ?? []).map((pair) => Number.parseInt(pair, 16)))
  return /^[!-~][ -~]*$/.test(text) ? text : digits
}
