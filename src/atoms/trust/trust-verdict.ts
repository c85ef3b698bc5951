import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import type { Trust } from './trust'

/** The verdict on the history of a database. */
export function verdictOfTrust(trust: Trust): Judged {
  return verdictOf({ ...knownOf(trust), content: 'same', open: [] })
}

function knownOf(trust: Trust): Pick<Known, 'proof' | 'ground' | 'history'> {
  const followed = { proof: 'holds', history: 'followed' } as const
  switch (trust.kind) {
    case 'unchecked':
    case 'checking':
      return { ...followed, proof: 'none', ground: 'stale' }
    case 'first':
      return { ...followed, ground: 'first' }
    case 'consistent':
      return { ...followed, ground: trust.why === null ? 'recorded' : 'stale' }
    case 'broken':
      return { ...followed, ground: 'recorded', history: 'broken' }
  }
}
