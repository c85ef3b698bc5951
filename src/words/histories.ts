import { formatCount, formatTx } from '~/lib/text'
import { reasonWords } from './refusal'

/**
 * How two histories are related, for a badge and in a sentence. The tone of `same` is that of its
 * verdict.
 */
export type HistoryWords = { tone: 'neutral' | 'error'; word: string; text: string }

type Found =
  | { kind: 'same'; tx: string }
  | { kind: 'behind'; by: string; tx: string; isTreeOnly: boolean }
  | { kind: 'apart' }
  | { kind: 'forked'; facts: { after: string; sides: readonly { key: string | null }[] } }
  | ({ kind: 'unproven' } & Why)

type Why =
  | { why: 'failed'; of: string; text: string }
  | { why: 'shorter' | 'lags' | 'torn'; of: string }
  | { why: 'refused'; of: string; reason: string }
  | { why: 'empty'; of: string | null }

type Pair = { server: string; other: string | null; isOneId?: true; found: Found }

/** What was found about a server and the one that it was compared with. */
export function historyWords({ server, other, isOneId, found }: Pair): HistoryWords {
  const both = `${server} and ${other}`
  const id = isOneId ? ` ${oneId}` : ''
  switch (found.kind) {
    case 'same':
      return {
        tone: 'neutral',
        word: 'Same history',
        text: `${both} report the same state, tx ${formatTx(found.tx)}. Each proved it to this browser.${relayText(server, other)}${id}`,
      }
    case 'behind':
      return {
        tone: 'neutral',
        word: `Behind by ${formatCount(BigInt(found.by))}`,
        text: `The state of ${server}, tx ${formatTx(found.tx)}, is part of the history of ${other}. ${other} proved it to this browser.${found.isTreeOnly ? treeText(other) : ''}${id}`,
      }
    case 'forked':
      return {
        tone: 'error',
        word: forkWord(found.facts.after),
        text: `${forkText(found.facts.after, both)} ${signedText(found.facts.sides)}`,
      }
    case 'apart':
      return {
        tone: 'neutral',
        word: 'No common history',
        text: `${both} have no transaction in common. Each proved its own first transaction to this browser. That is normal unless one should be a copy of the other.`,
      }
    case 'unproven':
      return { tone: 'neutral', word: 'Not provable now', text: whyText(found, server, other) }
  }
}

/** A server may keep other transactions in its tree than in its chain. */
const treeText = (other: string | null) =>
  ` It was found in the tree of transactions; a deep audit of ${other} reads the chain as well.`

/** Nothing that a browser can see tells the two apart. */
const oneId =
  'Both give the same server ID. They may be one server under two names, or a copy of its files.'

/** A proof shows what was committed, and not on whose disk it is. */
const relayText = (server: string, other: string | null) =>
  ` This does not show that ${server} or ${other} stores anything itself. A server can pass questions on to another one.`

/** Two histories are a fork from the beginning only under one server ID. */
const forkWord = (after: string) =>
  after === '0' ? 'Forked: no common history' : `Forked after tx ${formatTx(after)}`

function forkText(after: string, both: string): string {
  const first = `tx ${formatTx(String(BigInt(after) + 1n))}`
  return after === '0'
    ? `${both} give the same server ID, and have no transaction in common. Each proved its own ${first} to this browser. Either one server shows two histories, or the database was made separately on a copy of its files.`
    : `${both} have the same history up to tx ${formatTx(after)}. Their ${first} differs, and each proved its own to this browser.`
}

function signedText(sides: readonly { key: string | null }[]): string {
  const keys = sides.map(({ key }) => key).filter((key) => key !== null)
  if (keys.length === 0) return 'Neither server signs its states.'
  if (keys.length === 1) return 'Only one of the two servers signs its states.'
  return keys[0] === keys[1]
    ? 'Both states are signed with one key.'
    : 'Both states are signed, each with its own key.'
}

function whyText(found: Why, server: string, other: string | null): string {
  switch (found.why) {
    case 'failed':
      return `${found.of} could not be compared. ${found.text}`
    case 'shorter':
      return `${found.of} no longer has a transaction that it reported before. Compare again.`
    case 'lags':
      return `The tree of transactions of ${found.of} lags, so its proof does not link the two states. Compare again after its next transactions.`
    case 'torn':
      return `The headers that ${found.of} proved do not continue one another. Run a deep audit of ${found.of}.`
    case 'refused':
      return `The proof of ${found.of} does not hold. ${reasonWords(found.reason).what}`
    case 'empty':
      return found.of === null
        ? `Neither ${server} nor ${other} has a committed transaction.`
        : `${found.of} has no committed transaction, so there is nothing to compare.`
  }
}
