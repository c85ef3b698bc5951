import { atom } from 'jotai'
import type { Holding, Primary } from '~/api/holdings'
import { readState } from '~/api/server'
import { listTransactions } from '~/api/transactions'
import type { Server } from '~/lib/servers'
import { sentence } from '../session/failure'
import { clientOf } from './clients'
import { type Fleet, fleetAtom } from './fleet'
import { type Standing, standingsAtom } from './standings'

/** How long a server may take until its state is here, in milliseconds. */
const patience = 10_000

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

/** The groups of all servers that have listed their databases. */
export const replicaGroupsAtom = atom((get) => replicaGroups(get(standingsAtom)))

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

/** What a server said of a database when it was asked. */
export type Measured =
  | {
      kind: 'read'
      committed: string
      precommitted: string
      /** Time of the newest transaction in milliseconds since 1970; null where there is none. */
      time: number | null
    }
  | { kind: 'failed'; reason: string }

/** By `memberKey`. */
export const measuredAtom = atom<ReadonlyMap<string, Measured>>(new Map())

export function memberKey({ server, holding }: Member): string {
  return `${server.id} ${holding.name}`
}

/**
 * Reads states and the times of the newest transactions of a group: those of the replicas, and then
 * that of the primary. So a replica cannot seem to be ahead only because it was asked later.
 */
export const measureGroupAtom = atom(null, async (get, set, group: ReplicaGroup) => {
  const fleet = get(fleetAtom)
  if (!fleet) return
  const read = async (member: Member) => {
    const found = await measure(fleet, member)
    return [memberKey(member), found] as const
  }
  const found = await Promise.all(group.replicas.map(read))
  if (group.primary) found.push(await read(group.primary))
  set(measuredAtom, (before) => new Map([...before, ...found]))
})

async function measure(fleet: Fleet, { server, holding, standing }: Member): Promise<Measured> {
  if (standing.kind !== 'answers') return { kind: 'failed', reason: standing.reason }
  const client = clientOf(fleet, server)
  const signal = AbortSignal.timeout(patience)
  try {
    const state = await readState(client, holding.name, signal)
    const [newest] =
      state.txId === '0'
        ? []
        : await listTransactions(client, {
            database: holding.name,
            upTo: state.txId,
            limit: 1,
            signal,
            isPoll: true,
          })
    return {
      kind: 'read',
      committed: state.txId,
      precommitted: state.precommittedTxId,
      time: newest ? Number(newest.ts) * 1_000 : null,
    }
  } catch (error) {
    const isLate = signal.aborted
    return {
      kind: 'failed',
      reason: isLate ? `No answer within ${patience / 1_000} seconds.` : sentence(error),
    }
  }
}

/** How far a replica is behind its primary, from what both say; null where one is not known. */
export type Lag = {
  /** Negative: the replica has transactions that the primary does not have. */
  transactions: bigint | null
  /** Whether the primary was asked after the replica. Lists are read at any time. */
  isInOrder: boolean
  /** Between the newest transactions of both, in milliseconds. */
  time: number | null
}

/** The lag by the states where they were read, else by the counts of the lists. */
export function lagOf(
  primary: Member | null,
  replica: Member,
  measured: ReadonlyMap<string, Measured>,
): Lag {
  const ends = primary && [primary, replica].map((member) => measured.get(memberKey(member)))
  const [ahead, behind] = ends ?? []
  if (ahead?.kind === 'read' && behind?.kind === 'read') {
    const isTimed = ahead.time !== null && behind.time !== null
    return {
      transactions: BigInt(ahead.committed) - BigInt(behind.committed),
      isInOrder: true,
      time: isTimed ? Number(ahead.time) - Number(behind.time) : null,
    }
  }
  const [most, least] = [primary?.holding.txId ?? null, replica.holding.txId]
  const isKnown =
    most !== null &&
    least !== null &&
    primary?.standing.kind === 'answers' &&
    replica.standing.kind === 'answers'
  const transactions = isKnown ? BigInt(most) - BigInt(least) : null
  return { transactions, isInOrder: false, time: null }
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

/** The replica of a server that differs most from its primary, either way; null: nothing is known. */
export function worstLag(
  { server }: Standing,
  groups: readonly ReplicaGroup[],
  measured: ReadonlyMap<string, Measured>,
): bigint | null {
  const size = (lag: bigint) => (lag < 0n ? -lag : lag)
  return groups
    .flatMap(({ primary, replicas }) =>
      replicas
        .filter((replica) => replica.server.id === server.id)
        .map((replica) => lagOf(primary, replica, measured).transactions),
    )
    .reduce((worst, lag) => {
      if (lag === null) return worst
      return worst === null || size(lag) > size(worst) ? lag : worst
    }, null)
}
