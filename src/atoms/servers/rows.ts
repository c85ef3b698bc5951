import { atom } from 'jotai'
import { measuredAtom, type Role, replicaGroupsAtom, roleOf, worstLag } from './replicas'
import { type Standing, standingsAtom } from './standings'
import { type ServerTrust, serverTrustAtom } from './trust'

/** A server as the list shows it. */
export type ServerRow = {
  standing: Standing
  role: Role
  /** Transactions; null: it has no replica or nothing is known. */
  lag: bigint | null
  verified: ServerTrust | null
}

/** All servers, those that need attention first and the others in the order of the list. */
export const serverRowsAtom = atom((get): readonly ServerRow[] => {
  const groups = get(replicaGroupsAtom)
  const measured = get(measuredAtom)
  const verified = get(serverTrustAtom)
  return get(standingsAtom)
    .map((standing) => ({
      standing,
      role: roleOf(standing, groups),
      lag: worstLag(standing, groups, measured),
      verified: verified?.get(standing.server.id) ?? null,
    }))
    .sort((one, other) => urgency(one) - urgency(other))
})

/** How much a server needs attention; the smallest first. */
export function urgency({
  standing: { kind, holdings, reason },
  lag,
  verified,
}: ServerRow): number {
  if (verified && verified.broken.length > 0) return 0
  if (kind === 'silent') return 1
  // A replica that is ahead of its primary has a history of its own.
  if (lag !== null && lag < 0n) return 2
  if (kind === 'no-session') return reason === '' ? 4 : 3
  if (kind === 'answers' && (reason !== '' || holdings?.some(({ loaded }) => !loaded))) return 5
  return lag !== null && lag > 0n ? 6 : 7
}

/** The transactions of the loaded databases, and how many of those gave no count. */
export function transactionsOf({ holdings }: Standing): { sum: bigint; unknown: number } | null {
  if (!holdings) return null
  const counts = holdings.filter(({ loaded }) => loaded).map(({ txId }) => txId)
  const known = counts.filter((txId): txId is string => txId !== null)
  return {
    sum: known.reduce((sum, txId) => sum + BigInt(txId), 0n),
    unknown: counts.length - known.length,
  }
}
