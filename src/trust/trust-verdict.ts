import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { type Trust, trustOf } from './trust'
import type { TrustRecord } from './trust-record'

/** The verdict on the history of a database. */
export function verdictOfTrust(trust: Trust): Judged {
  return verdictOf({ ...knownOf(trust), shown: [], isOdd: false, open: [] })
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

/**
 * The verdict on a database of a list.
 * @param trust what this page found, if anything; without it the record is unchecked
 */
export function verdictOfRecord(record: TrustRecord | null, trust: Trust | null): Judged {
  if (trust?.kind === 'broken') return verdictOfTrust(trust)
  if (!record) return verdictOfTrust(unchecked)
  // In a page without storage, a proof is no more than a first contact.
  if (trust?.kind === 'first') return verdictOfTrust(trust)
  const recorded = trustOf(record)
  if (recorded.kind !== 'consistent') return verdictOfTrust(recorded)
  return verdictOfTrust(trust?.kind === 'consistent' ? trust : { ...recorded, why: '' })
}

const unchecked: Trust = { kind: 'unchecked', why: null }
