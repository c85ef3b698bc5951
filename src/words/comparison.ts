import type { StateComparison } from '~/immudb/state-text'
import { formatTx } from '~/lib/text'

/** The result of comparing a trusted state from elsewhere with the one recorded here. */
export type ComparisonWords = {
  /** `verified` only for what a proof showed. */
  tone: 'verified' | 'error' | 'neutral' | 'warning'
  /** One or two words for a badge. */
  word: string
  text: string
}

const twoHistories =
  'The two states belong to different histories, or one was written down wrongly. Keep both, and check the server before anything else.'

/** What is known of the states that a trusted state is compared with. */
type Own = {
  /** The trusted state is of the server that answers. */
  isHere: boolean
  /** They were imported, and no answer of a server was compared with them. */
  isUncompared: boolean
}

/** The result from the records of this browser alone. */
export function comparisonWords(
  found: StateComparison,
  { isHere, isUncompared }: Own,
): ComparisonWords {
  switch (found.kind) {
    case 'same':
      if (isUncompared) {
        return {
          tone: 'neutral',
          word: 'Same as imported',
          text: `You imported the same hash for tx ${formatTx(found.txId)}. No answer of the server has been compared with it yet.`,
        }
      }
      return {
        tone: 'neutral',
        word: 'Same',
        text: `This browser recorded the same hash for tx ${formatTx(found.txId)}: the two states agree on the history up to there.`,
      }
    case 'different':
      return { tone: 'error', word: 'Different', text: twoHistories }
    case 'older':
      return {
        tone: 'neutral',
        word: 'Older',
        text: `It is older than the trusted state here, tx ${formatTx(found.ours)}, and that transaction itself was not recorded. A proof can link the two.`,
      }
    case 'newer':
      return {
        tone: 'neutral',
        word: 'Newer',
        text: `It is newer than the trusted state here, tx ${formatTx(found.ours)}. A proof can link the two.`,
      }
    case 'unknown':
      return {
        tone: 'neutral',
        word: 'Nothing recorded',
        text: isHere
          ? 'Nothing recorded to compare it with. You can take it over.'
          : 'It is of another server. This browser recorded nothing of this database there.',
      }
  }
}

/** What the server proved, or could not prove. */
type Answer =
  | { kind: 'taken'; why: string | null }
  | { kind: 'same' }
  | { kind: 'agrees' }
  | { kind: 'differs' }
  | { kind: 'ahead'; newest: string }
  | { kind: 'refused' }
  | { kind: 'unknown'; why: string }

export function serverWords(answer: Answer): ComparisonWords {
  switch (answer.kind) {
    case 'taken':
      return {
        tone: 'neutral',
        word: 'Taken over',
        text:
          answer.why === null
            ? 'It is the trusted state now. The server was checked against it: see above.'
            : `It is the trusted state now. The server has not been checked against it yet. ${answer.why}`.trim(),
      }
    case 'same':
      return {
        tone: 'neutral',
        word: 'Same',
        text: 'It is the trusted state of this browser. No proof was needed.',
      }
    case 'agrees':
      return {
        tone: 'verified',
        word: 'Agrees',
        text: 'The server proved, and this browser calculated, that it belongs to the history recorded here.',
      }
    case 'differs':
      return { tone: 'error', word: 'Different', text: twoHistories }
    case 'ahead':
      return {
        tone: 'warning',
        word: 'Not reached',
        text: `The server has no such transaction: its newest is tx ${formatTx(answer.newest)}. If the state is right, the server lost transactions, or this is another copy of it.`,
      }
    case 'refused':
      return {
        tone: 'error',
        word: 'Refused',
        text: 'The server’s proof of this transaction was refused, so the history is marked as broken. This says nothing about the state itself.',
      }
    case 'unknown':
      return {
        tone: 'warning',
        word: 'Not compared',
        text: `The two could not be compared. ${answer.why || 'Try again.'}`,
      }
  }
}
