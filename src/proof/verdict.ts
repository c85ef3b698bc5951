import type { OpenPart } from './proven-tx'

/** What this browser says of an answer, a database, a report or a file. Green is the first alone. */
export type Verdict = 'verified' | 'verified-in-part' | 'unproven' | 'contradicted' | 'failed'

/** All that a verdict follows from. */
export type Known = {
  /**
   * What the engine made of it. `altered`: a file says another outcome of itself. `redescribed`: the
   * table or collection is described in another way than is recorded. `none`: there is no proof.
   */
  proof: 'holds' | 'none' | 'refused' | 'altered' | 'redescribed'
  /**
   * What vouches for the history that the proof leads to: a state or a key that this browser keeps,
   * or less. `stale`: a state that is kept, and the newest could not be checked. `first`: nothing was
   * known. `memory`: what this page was told since it was opened. `late`: storage has not answered.
   * `file`: a state in the file itself, and the content may be `file-newer` than that.
   */
  ground: 'recorded' | 'key' | 'stale' | 'first' | 'memory' | 'late' | 'file' | 'file-newer'
  /**
   * What this browser knows of that history by now. `other` and `other-key`: it keeps another hash of
   * the same transaction, or another key of the same server.
   */
  history: 'followed' | 'forgotten' | 'broken' | 'other' | 'other-key'
  /**
   * Whether the screen, the request or the server says something else than what is proven. `odd`: an
   * audit met something that somebody should look into.
   */
  content: 'same' | 'different' | 'odd'
  /** What the proof leaves open. `content`: something shown or asked for that it does not cover. */
  open: readonly (OpenPart | 'content')[]
}

/** The one thing that a verdict is given for, by which its words are chosen. */
export type Cause =
  | 'whole'
  | 'open'
  | Exclude<Known['ground'], 'recorded' | 'key'>
  | Exclude<Known['history'], 'followed'>
  | Exclude<Known['proof'], 'holds'>
  | Exclude<Known['content'], 'same'>

export type Judged = { verdict: Verdict; cause: Cause }

/** Says what everything known comes to. Nothing else compares these inputs. */
export function verdictOf({ proof, ground, history, content, open }: Known): Judged {
  if (proof === 'altered' || proof === 'refused') return { verdict: 'failed', cause: proof }
  if (history === 'other' || history === 'other-key') return contradictedBy(history)
  if (proof === 'redescribed') return contradictedBy(proof)
  if (proof === 'none') return { verdict: 'unproven', cause: proof }
  if (history === 'broken') return contradictedBy(history)
  if (content !== 'same') return contradictedBy(content)
  // What was compared with nothing that was recorded belongs to no history that could be forgotten.
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

/** What nobody has checked. */
export const unchecked: Judged = { verdict: 'unproven', cause: 'none' }

/** From the gravest to the best. */
const order: readonly Verdict[] = [
  'failed',
  'contradicted',
  'unproven',
  'verified-in-part',
  'verified',
]

/** The verdict of what is proven in several steps: that of the gravest. Null for no step. */
export function gravestOf(all: readonly Judged[]): Judged | null {
  const rank = ({ verdict }: Judged) => order.indexOf(verdict)
  return all.reduce<Judged | null>(
    (worst, one) => (worst === null || rank(one) < rank(worst) ? one : worst),
    null,
  )
}

export type Tone = 'verified' | 'neutral' | 'warning' | 'error'

/** What may have changed in good faith. */
const mild: ReadonlySet<Cause> = new Set<Cause>(['different', 'odd', 'redescribed'])

/** How a verdict is coloured. */
export function toneOf({ verdict, cause }: Judged): Tone {
  if (verdict === 'verified') return 'verified'
  if (verdict === 'unproven' || verdict === 'verified-in-part') return 'neutral'
  return mild.has(cause) ? 'warning' : 'error'
}
