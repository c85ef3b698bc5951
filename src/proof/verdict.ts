import type { OpenPart } from './proven-tx'

/**
 * What this browser concludes about an answer, a database, a report or a file. Only the first is
 * green.
 */
export type Verdict = 'verified' | 'verified-in-part' | 'unproven' | 'contradicted' | 'failed'

/** Everything that a verdict depends on. */
export type Known = {
  /**
   * The engine's outcome. `altered`: a file records another outcome. `redescribed`: the description
   * of the table or collection differs from the recorded one. `none`: there is no proof.
   */
  proof: 'holds' | 'none' | 'refused' | 'altered' | 'redescribed'
  /**
   * What vouches for the history that the proof leads to: a state or a key that this browser keeps,
   * or less. `stale`: a kept state, but the newest one could not be checked. `first`: nothing was
   * known. `memory`: only what this page has seen since it was opened. `late`: storage has not
   * answered. `file`: a state in the file itself. `file-newer`: the content is newer than that.
   */
  ground: 'recorded' | 'key' | 'stale' | 'first' | 'memory' | 'late' | 'file' | 'file-newer'
  /**
   * What this browser now knows about that history. `other` and `other-key`: it keeps another hash
   * for the same transaction, or another key for the same server.
   */
  history: 'followed' | 'forgotten' | 'broken' | 'other' | 'other-key'
  /**
   * Whether the screen, the request or the server differs from what is proven. `odd`: an audit
   * found something that an operator should look into.
   */
  content: 'same' | 'different' | 'odd'
  /** What the proof leaves open. `content`: something shown or asked for that it does not cover. */
  open: readonly (OpenPart | 'content')[]
}

/** The reason for a verdict, which decides its words. */
export type Cause =
  | 'whole'
  | 'open'
  | Exclude<Known['ground'], 'recorded' | 'key'>
  | Exclude<Known['history'], 'followed'>
  | Exclude<Known['proof'], 'holds'>
  | Exclude<Known['content'], 'same'>

export type Judged = { verdict: Verdict; cause: Cause }

/** The verdict on everything known. No other code compares these inputs. */
export function verdictOf({ proof, ground, history, content, open }: Known): Judged {
  if (proof === 'altered' || proof === 'refused') return { verdict: 'failed', cause: proof }
  if (history === 'other' || history === 'other-key') return contradictedBy(history)
  if (proof === 'redescribed') return contradictedBy(proof)
  if (proof === 'none') return { verdict: 'unproven', cause: proof }
  if (history === 'broken') return contradictedBy(history)
  if (content !== 'same') return contradictedBy(content)
  // Without a comparison with a record, there is no history that could be forgotten.
  if (ground === 'late') return { verdict: 'unproven', cause: ground }
  if (history === 'forgotten') return { verdict: 'unproven', cause: history }
  if (ground !== 'recorded' && ground !== 'key') return { verdict: 'unproven', cause: ground }
  const isWhole = open.every((part) => part === 'tree')
  return isWhole
    ? { verdict: 'verified', cause: 'whole' }
    : { verdict: 'verified-in-part', cause: 'open' }
}

function contradictedBy(cause: Cause): Judged {
  return { verdict: 'contradicted', cause }
}

/** The verdict before any check. */
export const unchecked: Judged = { verdict: 'unproven', cause: 'none' }

/** From the worst to the best. */
const order: readonly Verdict[] = [
  'failed',
  'contradicted',
  'unproven',
  'verified-in-part',
  'verified',
]

/** The worst of several verdicts; null for none. */
export function gravestOf(all: readonly Judged[]): Judged | null {
  const rank = ({ verdict }: Judged) => order.indexOf(verdict)
  return all.reduce<Judged | null>(
    (worst, one) => (worst === null || rank(one) < rank(worst) ? one : worst),
    null,
  )
}

export type Tone = 'verified' | 'neutral' | 'warning' | 'error'

/** Causes that can have an innocent reason. */
const mild: ReadonlySet<Cause> = new Set<Cause>(['different', 'odd', 'redescribed'])

/** How a verdict is coloured. */
export function toneOf({ verdict, cause }: Judged): Tone {
  if (verdict === 'verified') return 'verified'
  if (verdict === 'unproven' || verdict === 'verified-in-part') return 'neutral'
  return mild.has(cause) ? 'warning' : 'error'
}
