import type { OpenPart } from './proven-tx'

/**
 * What this browser concludes about an answer, a database, a report or a file. Only the first is
 * green.
 */
export type Verdict = 'verified' | 'verified-in-part' | 'unproven' | 'contradicted' | 'failed'

/** Something shown, compared with what is proven; only `same` is proven as it is shown. */
type Compared = { readonly match: string }

/** Everything that a verdict depends on. */
export type Known<Leaf extends Compared> = {
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
   * `each-other`: the claim is that two servers have one history, and each proved the other's state.
   */
  ground:
    | 'recorded'
    | 'key'
    | 'each-other'
    | 'stale'
    | 'first'
    | 'memory'
    | 'late'
    | 'file'
    | 'file-newer'
  /**
   * What this browser now knows about that history. `other` and `other-key`: it keeps another hash
   * for the same transaction, or another key for the same server.
   */
  history: 'followed' | 'forgotten' | 'broken' | 'other' | 'other-key'
  /**
   * Everything that is shown beside the mark, or that was sent, compared with the proof; empty where
   * a screen draws only what is proven.
   */
  shown: readonly Leaf[]
  /** Whether an audit found something that an operator should look into. */
  isOdd: boolean
  /**
   * What the proof leaves open. `header`: it says nothing of the entries of its transaction.
   * `report`: a file has more than its proof is about. `one-server`: two answers may be of one.
   */
  open: readonly (OpenPart | 'header' | 'report' | 'one-server')[]
}

/** The reason for a verdict, which decides its words. */
export type Cause =
  | 'whole'
  | 'open'
  | Exclude<Known<Compared>['ground'], Vouching>
  | Exclude<Known<Compared>['history'], 'followed'>
  | Exclude<Known<Compared>['proof'], 'holds'>
  | 'different'
  | 'outdated'
  | 'odd'

/** Grounds that a verdict needs to be green. */
type Vouching = 'recorded' | 'key' | 'each-other'

export type Judged<Leaf> = {
  verdict: Verdict
  cause: Cause
  /** Of `different`, `outdated` and `open`: what is shown and not proven, with both values. */
  parts?: readonly Leaf[]
}

/** The verdict on everything known. No other code compares these inputs. */
export function verdictOf<Leaf extends Compared>({
  proof,
  ground,
  history,
  shown,
  isOdd,
  open,
}: Known<Leaf>): Judged<Leaf> {
  const different = shown.filter(({ match }) => match === 'differs')
  if (proof === 'altered' || proof === 'refused') return { verdict: 'failed', cause: proof }
  if (history === 'other' || history === 'other-key') return contradictedBy(history)
  if (proof === 'redescribed') return contradictedBy(proof)
  if (proof === 'none') return { verdict: 'unproven', cause: proof }
  if (history === 'broken') return contradictedBy(history)
  if (different.length > 0) return { ...contradictedBy('different'), parts: different }
  const outdated = shown.filter(({ match }) => match === 'outdated')
  if (outdated.length > 0) return { ...contradictedBy('outdated'), parts: outdated }
  if (isOdd) return contradictedBy('odd')
  // Without a comparison with a record, there is no history that could be forgotten.
  if (ground === 'late') return { verdict: 'unproven', cause: ground }
  if (history === 'forgotten') return { verdict: 'unproven', cause: history }
  if (!isVouching(ground)) return { verdict: 'unproven', cause: ground }
  const parts = shown.filter(({ match }) => match !== 'same')
  const isWhole = open.every((part) => part === 'tree') && parts.length === 0
  return isWhole
    ? { verdict: 'verified', cause: 'whole' }
    : { verdict: 'verified-in-part', cause: 'open', ...(parts.length > 0 ? { parts } : {}) }
}

function isVouching(ground: Known<Compared>['ground']): ground is Vouching {
  return ground === 'recorded' || ground === 'key' || ground === 'each-other'
}

function contradictedBy(cause: Cause): Judged<never> {
  return { verdict: 'contradicted', cause }
}
