import type { Holding, Primary } from '~/api/server-databases'
import type { Server } from '~/lib/servers'
import type { Standing } from './standing'

/** A database on one server. */
export type Member = { server: Server; holding: Holding; standing: Standing }

/** Databases that copy the same one. */
export type ReplicaGroup = {
  key: string
  /** The name on the primary. */
  database: string
  /** Null: no server of the list is known to be it. */
  primary: Member | null
  /** Servers of the list that may be the primary where its settings fit several. */
  candidates: readonly string[]
  /** What the settings of the replicas say. */
  named: Primary
  replicas: readonly Member[]
}

/** Finds the primary of each replica by its settings: its database, then its host. */
export function replicaGroups(standings: readonly Standing[]): readonly ReplicaGroup[] {
  const members = standings.flatMap((standing) =>
    (standing.holdings ?? []).map((holding) => ({ server: standing.server, holding, standing })),
  )
  const groups = new Map<string, ReplicaGroup & { replicas: Member[] }>()
  for (const replica of members) {
    const named = replica.holding.primary
    if (!named) continue
    const candidates = candidatesFor(replica, named, members)
    const primary = candidates.length === 1 ? (candidates[0] ?? null) : null
    const place = primary ? primary.server.id : `${named.host}:${named.port}`
    const key = `${place} ${named.database}`
    const group = groups.get(key) ?? {
      key,
      database: named.database,
      primary,
      candidates: primary ? [] : candidates.map(({ server }) => server.name),
      named,
      replicas: [],
    }
    group.replicas.push(replica)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/**
 * The list names addresses of the REST interface, settings those of gRPC: only hosts can be
 * compared. Of several at one host, a primary comes before another replica.
 */
function candidatesFor(
  replica: Member,
  named: Primary,
  members: readonly Member[],
): readonly Member[] {
  const fitting = members.filter(
    ({ server, holding }) => holding.name === named.database && server.id !== replica.server.id,
  )
  const atHost = fitting.filter(({ server }) => hostOf(server.address) === plainHost(named.host))
  const first = atHost.filter(({ holding }) => holding.primary === null)
  return first.length > 0 ? first : atHost
}

function hostOf(address: string): string | null {
  try {
    return plainHost(new URL(address).hostname)
  } catch {
    return null
  }
}

const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

function plainHost(host: string): string {
  return ownHosts.has(host) ? 'localhost' : host.toLowerCase()
}

/** Tells a database on a server from all others. */
export function memberKey({ server, holding }: Member): string {
  return `${server.id} ${holding.name}`
}

/** What a server is for the databases of others. */
export type Role = 'primary' | 'replica' | 'primary and replica' | 'on its own' | null

/** The role of a server as far as settings show it; null while it has listed nothing. */
export function roleOf(standing: Standing, groups: readonly ReplicaGroup[]): Role {
  if (!standing.holdings) return null
  const isPrimary = groups.some(({ primary }) => primary?.server.id === standing.server.id)
  const isReplica = standing.holdings.some(({ primary }) => primary !== null)
  if (isPrimary && isReplica) return 'primary and replica'
  if (isPrimary || standing.holdings.some(({ acks }) => acks > 0)) return 'primary'
  return isReplica ? 'replica' : 'on its own'
}
