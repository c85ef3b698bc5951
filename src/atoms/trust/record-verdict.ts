import type { Judged } from '~/proof/verdict'
import { trustOf } from './lookup'
import type { TrustRecord } from './record'
import type { Trust } from './trust'
import { verdictOfTrust } from './trust-verdict'

/**
 * The verdict on a database of a list.
 * @param trust what was found out in this page, if anything; what is recorded was not checked then
 */
export function verdictOfRecord(record: TrustRecord | null, trust: Trust | null): Judged {
  if (trust?.kind === 'broken') return verdictOfTrust(trust)
  if (!record) return verdictOfTrust(unchecked)
  // What is proven in a page that keeps nothing is no more than a first contact.
  if (trust?.kind === 'first') return verdictOfTrust(trust)
  const recorded = trustOf(record)
  if (recorded.kind !== 'consistent') return verdictOfTrust(recorded)
  return verdictOfTrust(trust?.kind === 'consistent' ? trust : { ...recorded, why: '' })
}

const unchecked: Trust = { kind: 'unchecked', why: null }
