import { atom } from 'jotai'
import { nearLimit } from '~/immudb/metrics'
import { type LimitRow, nearestOf } from '../limits/limit-rows'
import { isAhead, type Lag, worstLag } from './lag'
import { figuresAtom } from './measure'
import { type Role, replicaGroups, roleOf } from './replicas'
import { limitsOf, toldLimitsAtom } from './server-limits'
import type { Standing } from './standing'
import { standingsAtom } from './standings'
import { type ServerTrust, serverTrustAtom } from './trust'

/** The groups of all servers that have listed their databases. */
export const replicaGroupsAtom = atom((get) => replicaGroups(get(standingsAtom)))

/** A server as the list shows it. */
export type ServerRow = {
  standing: Standing
  role: Role
  /** Null: it is no replica or nothing is known. */
  lag: Lag | null
  verified: ServerTrust | null
  /** What is nearest to its limit comes first. */
  limits: readonly LimitRow[]
  /** When they were measured, in milliseconds since 1970; null: they are not. */
  measuredAt: number | null
}

/** The ids of servers in the order that was asked for; null for that of the list. */
const orderAtom = atom<readonly string[] | null>(null)

/** All servers. Rows change places only when someone asks for another order. */
export const serverRowsAtom = atom((get): readonly ServerRow[] => {
  const groups = get(replicaGroupsAtom)
  const figures = get(figuresAtom)
  const verified = get(serverTrustAtom)
  const told = get(toldLimitsAtom)
  const order = get(orderAtom)
  const rows = get(standingsAtom).map((standing) => ({
    standing,
    role: roleOf(standing, groups),
    lag: standing.kind === 'answers' ? worstLag(standing.server.id, groups, figures) : null,
    verified: verified?.get(standing.server.id) ?? null,
    ...limitsOf(standing, told.get(standing.server.id)),
  }))
  if (!order) return rows
  const placeOf = ({ standing }: ServerRow) => {
    const place = order.indexOf(standing.server.id)
    return place < 0 ? order.length : place
  }
  return rows.sort((one, other) => placeOf(one) - placeOf(other))
})

/** Whether those that needed attention stand first. Writing it puts them first, or back. */
export const isByUrgencyAtom = atom(
  (get) => get(orderAtom) !== null,
  (get, set, isWanted: boolean) => {
    const rows = [...get(serverRowsAtom)].sort((one, other) => urgency(one) - urgency(other))
    set(orderAtom, isWanted ? rows.map(({ standing }) => standing.server.id) : null)
  },
)

/** How much a server needs attention; the smallest first. */
export function urgency({
  standing: { kind, holdings, reason },
  lag,
  verified,
  limits,
}: ServerRow): number {
  if (verified && verified.broken.length > 0) return 0
  if (kind === 'silent') return 1
  // A replica that is ahead of its primary has a history of its own.
  if (isAhead(lag)) return 2
  if (kind === 'no-session') return reason === '' ? 4 : 3
  if ((nearestOf(limits)?.share ?? 0) >= nearLimit) return 5
  if (kind === 'answers' && (reason !== '' || holdings?.some(({ loaded }) => !loaded))) return 5
  return lag !== null && lag.least > 0n ? 6 : 7
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
