import { formatTx, listOf } from '~/lib/text'

// Every sentence on a write without an answer stands here once. Writers add what they sent.

/** What a check cannot find out. */
export const sendersUnknown = 'Transactions do not say who sent them.'

/**
 * A check found nothing, which is not the end of it.
 * @param what what is not there, as a sentence
 * @param may what the server may still do
 * @param next what to do, without a full stop
 */
export function notSoFar(what: string, may = 'commit it', next = 'check again'): string {
  return `${what} A busy server may still ${may}: ${next}.`
}

/** The same, where no transaction came since the write was sent. */
export function stillNewest(tx: string, done = 'stored'): string {
  return notSoFar(`Not ${done} so far: tx ${formatTx(tx)} is still the newest.`)
}

export type SentThing = 'it' | 'them'

export const checkBeforeSending = (thing: SentThing) => `Check before you send ${thing} again.`

/** Of a write that was sent by a page that was left. */
export function pageSawNoAnswer(thing: SentThing): string {
  return `${thing === 'it' ? 'It was' : 'They were'} sent from this browser, and this page saw no answer.`
}

/** Shown when the server does not prevent repeats by the browser. */
const repeated = 'The browser may have sent it more than once by itself'

/** Where a refusal may answer a repeat by the browser. */
export const adviceOnRepeat = `${repeated}; the first may be done. ${checkBeforeSending('it')}`

/** How often a write without an answer may have run, and what to do. */
export function adviceWithoutAnswer(isOnce: boolean): string {
  const often = isOnce
    ? 'The server runs it at most once, even if the browser repeats it.'
    : `${repeated}.`
  return `${often} ${checkBeforeSending('it')}`
}

/** The second attempt was refused, which says nothing about the first. */
export function secondRefused(text: string, done = 'done'): string {
  return `The second attempt was refused: ${text} The first may have been ${done}.`
}

export function checkFailed(why: string): string {
  return `The check itself failed. ${why} Nothing more is known.`
}

/** `tx 4, tx 5`. */
export const namedTxs = (txs: readonly string[]) => txs.map((tx) => `tx ${formatTx(tx)}`).join(', ')

/** `tx 4, tx 5 and tx 6`, within a sentence. */
export const listedTxs = (txs: readonly string[]) => listOf(txs.map((tx) => `tx ${formatTx(tx)}`))

/** Transactions that may hold the same write; empty where there are none. */
export function possibleCopies(txs: readonly string[], which = ''): string {
  return txs.length === 0 ? '' : ` Possible copies${which}: ${namedTxs(txs)}.`
}
