import { atom } from 'jotai'
import { ApiError } from '~/api/errors'
import { type Holding, listHoldings, readStart } from '~/api/server-databases'
import { type Io, mountedAtom } from '~/core/act'
import { clientAtom, type Store } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { type Fleet, fleetAtom, loginRefusalsAtom, serverListAtom } from '~/core/session/fleet'
import { serverAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { readStored, storageAtom } from '~/core/storage/stored'
import { storageKey } from '~/lib/constants'
import type { Server } from '~/lib/servers'
import { messages } from '~/lib/shared-sentences'
import { hasSession } from './clients'
import { comparedAtom, compareRound, type Look } from './lag'
import { measuredAtom, measureGroup } from './measure'
import { type Member, memberKey, type ReplicaGroup, replicaGroups } from './replicas'
import { limitReader } from './server-limits'
import type { Standing, StandingKind } from './standing'

/** How long a server may take for one answer here, in milliseconds. */
const patience = 5_000
/** Servers that are asked at the same time: a browser has six connections to one host. */
const askedAtOnce = 4
/** From one question to a server to the next, and the shortest time between two servers. */
const period = 60_000
const spacing = 1_500
/** Answers that come within this time are drawn together. */
const drawPause = 100

const standingsOfAtom = atom<ReadonlyMap<string, Standing>>(new Map())

/** One for each server of the list, in its order. */
export const standingsAtom = atom((get): readonly Standing[] => {
  const fleet = get(fleetAtom)
  const known = get(standingsOfAtom)
  const servers = get(serversAtom) ?? fleet?.store.get(serverListAtom).servers ?? []
  return servers.map((server) => known.get(server.id) ?? unasked(server))
})

/** The list as this store knows it; null before it is watched. */
const serversAtom = atom<readonly Server[] | null>(null)

function unasked(server: Server): Standing {
  return {
    server,
    kind: 'asking',
    since: 0,
    answeredAt: null,
    reason: '',
    version: '',
    startedAt: null,
    uuid: null,
    holdings: null,
  }
}

/** Asks all servers while it is mounted; see `watch`. */
export const watchServersAtom = mountedAtom(
  (get) => get(standingsAtom),
  (io) => {
    const fleet = io.get(fleetAtom)
    return fleet ? watch(io, fleet) : undefined
  },
)

/** Asks all servers at once, while they are watched. */
const roundAtom = atom<(() => void) | null>(null)

/** Asks all servers now, where they are watched. */
export const refreshStandings = ({ get }: Io) => get(roundAtom)?.()

/**
 * Asks each server once, and then one after the other so that each has its turn once a minute, or
 * less often where there are many. Members of groups are asked together, in an order in which their
 * figures can be compared: primaries, their replicas, and the primaries again. A hidden page asks
 * nothing.
 */
function watch(io: Io, fleet: Fleet): () => void {
  const gone = new AbortController()
  const waiting: Server[] = []
  const asked = new Set<string>()
  /** Asked when a login came that their question may not have known of. */
  const overtaken = new Set<string>()
  const drawn = drawTogether(io)
  const limits = limitReader(io, fleet, gone.signal)
  const servers = () => fleet.store.get(serverListAtom).servers
  const isSilent = ({ id }: Server) => io.get(standingsOfAtom).get(id)?.kind === 'silent'
  let lastRound = 0
  let looks = new Map<string, Look[]>()
  let count = 0
  const pump = () => {
    while (asked.size < askedAtOnce && !gone.signal.aborted) {
      const server = waiting.shift()
      if (!server) return
      asked.add(server.id)
      count += 1
      const from = count
      void ask(io, fleet, server, gone.signal)
        .then((standing) => {
          if (gone.signal.aborted) return
          count += 1
          if (standing.kind === 'answers' && standing.holdings) {
            const look = { from, to: count, txIds: txIdsIn(standing.holdings) }
            looks.set(server.id, [...(looks.get(server.id) ?? []), look])
          }
          drawn.add(standing)
          if (standing.kind === 'answers') limits.ask(server)
        })
        .finally(() => {
          asked.delete(server.id)
          if (overtaken.delete(server.id)) waiting.push(server)
          else awaited.delete(server.id)
          pump()
          proceed()
        })
    }
  }
  const queue = (...more: readonly Server[]) => {
    for (const server of more) {
      if (!asked.has(server.id) && !waiting.includes(server)) waiting.push(server)
    }
    pump()
  }
  /** What is left of a round, each step asked once the one before has answered. */
  let steps: (() => readonly Server[])[] = []
  /** Of the step that was begun. */
  const awaited = new Set<string>()
  let isRunning = false
  /** The groups of the round, with what is known of them by now. */
  let groups = (): readonly ReplicaGroup[] => []
  const groupsNow = () => replicaGroups(io.get(standingsAtom))
  const run = (first: () => readonly Server[], of = groupsNow) => {
    looks = new Map()
    groups = of
    const asking = (members: (group: ReplicaGroup) => readonly (Member | null)[]) => () => {
      const ids = idsOf(groups().flatMap(members))
      return servers().filter((server) => ids.has(server.id) && !isSilent(server))
    }
    const primaries = asking(({ primary }) => [primary])
    const replicas = asking((group) => group.replicas)
    steps = [first, primaries, replicas, primaries]
    isRunning = true
    proceed()
  }
  const proceed = () => {
    if (!isRunning || awaited.size > 0 || gone.signal.aborted) return
    // What was answered decides who is asked next.
    drawn.now()
    const step = steps.shift()
    if (!step) {
      isRunning = false
      return compare()
    }
    const members = step()
    for (const { id } of members) awaited.add(id)
    queue(...members)
    proceed()
  }
  const compare = () => {
    const found = compareRound(groups(), looks, Date.now())
    io.set(comparedAtom, (known) => new Map([...known, ...found]))
    const measured = io.get(measuredAtom)
    for (const group of groups()) {
      const isRead = group.replicas.some((replica) => measured.has(memberKey(replica)))
      if (isRead) void measureGroup(io, group)
    }
  }
  const round = () => {
    lastRound = Date.now()
    // A silent one holds a connection until its time is over, so nothing waits for it.
    const silent = servers().filter(isSilent)
    run(() => {
      const known = idsOf(groupsNow().flatMap(membersOf))
      return servers().filter((server) => !isSilent(server) && !known.has(server.id))
    })
    queue(...silent)
  }
  /** Those that had their turn. */
  const served = new Set<string>()
  const next = () => {
    const list = servers()
    if (list.every(({ id }) => served.has(id))) served.clear()
    const server = list.find(({ id }) => !served.has(id))
    const before = served.size
    if (server) {
      served.add(server.id)
      if (!document.hidden) take(server)
    }
    const turns = Math.max(1, served.size - before)
    timer = setTimeout(next, turns * Math.max(period / list.length, spacing))
  }
  const take = (server: Server) => {
    const of = (group: ReplicaGroup) => membersOf(group).some((one) => one.server.id === server.id)
    const own = groupsNow().filter(of)
    if (own.length === 0 || isSilent(server)) return queue(server)
    for (const id of idsOf(own.flatMap(membersOf))) if (id) served.add(id)
    if (!isRunning)
      run(
        () => [],
        () => groupsNow().filter(of),
      )
  }
  const shown = () => {
    if (!document.hidden && Math.abs(Date.now() - lastRound) > period) round()
  }
  const listed = () => io.set(serversAtom, servers())
  const stops = [
    fleet.store.sub(serverListAtom, () => {
      listed()
      round()
    }),
    // After a login elsewhere has succeeded or failed; others are not asked for it.
    fleet.store.sub(loginRefusalsAtom, () => {
      const standings = io.get(standingsOfAtom)
      // What was found a moment ago may not be drawn yet.
      const isWithout = (server: Server) => {
        const kind = standings.get(server.id)?.kind
        return kind === 'no-session' || (!kind && hasSession(fleet.storeOf(server)))
      }
      const without = servers().filter(isWithout)
      for (const { id } of without) if (asked.has(id)) overtaken.add(id)
      if (isRunning) queue(...without)
      else run(() => without)
    }),
  ]
  let timer = setTimeout(next, spacing)
  document.addEventListener('visibilitychange', shown)
  io.set(roundAtom, () => () => {
    limits.askAgain()
    round()
  })
  listed()
  if (!document.hidden) round()
  return () => {
    gone.abort()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', shown)
    io.set(roundAtom, null)
    drawn.end()
    for (const stop of stops) stop()
  }
}

const membersOf = ({ primary, replicas }: ReplicaGroup): readonly Member[] =>
  primary ? [primary, ...replicas] : replicas

const idsOf = (members: readonly (Member | null)[]): ReadonlySet<string | undefined> =>
  new Set(members.map((member) => member?.server.id))

function txIdsIn(holdings: readonly Holding[]): ReadonlyMap<string, string> {
  return new Map(holdings.flatMap(({ name, txId }) => (txId === null ? [] : [[name, txId]])))
}

/** Sets standings in groups, because each change draws the whole list. */
function drawTogether({ get, set }: Io) {
  const pending = new Map<string, Standing>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    timer = undefined
    set(standingsOfAtom, new Map([...get(standingsOfAtom), ...pending]))
    pending.clear()
  }
  return {
    add: (standing: Standing) => {
      pending.set(standing.server.id, standing)
      timer ??= setTimeout(draw, drawPause)
    },
    now: () => {
      clearTimeout(timer)
      if (pending.size > 0) draw()
    },
    end: () => clearTimeout(timer),
  }
}

/** Asks one server; never rejects. Its start is asked for once, and again of another server. */
async function ask(io: Io, fleet: Fleet, server: Server, gone: AbortSignal): Promise<Standing> {
  const before = io.get(standingsOfAtom).get(server.id) ?? unasked(server)
  const store = fleet.storeOf(server)
  const client = store.get(clientAtom)
  const timer = AbortSignal.timeout(patience)
  const signal = AbortSignal.any([gone, timer])
  const standing = (kind: StandingKind, more: Partial<Standing> = {}): Standing => {
    const isSame = kind === before.kind
    return { ...before, kind, reason: '', ...more, since: isSame ? before.since : Date.now() }
  }
  let known: Partial<Standing> = {}
  try {
    const isNew = before.answeredAt === null || before.uuid !== store.get(serverAtom)
    if (isNew) {
      const start = await readStart(client, signal)
      known = {
        uuid: start.server,
        version: start.version,
        startedAt: start.startedAt === null ? null : start.startedAt * 1_000,
        answeredAt: Date.now(),
      }
      await findSession(store, start.server)
    }
    if (!hasSession(store)) {
      return standing('no-session', { ...known, reason: reasonOf(fleet, server), holdings: null })
    }
    const holdings = await listHoldings(client, signal)
    // What another server lists belongs to no session here.
    if (!hasSession(store)) {
      return standing('no-session', { ...known, reason: reasonOf(fleet, server), holdings: null })
    }
    return standing('answers', { ...known, holdings, answeredAt: Date.now() })
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'session') {
      const reason = reasonOf(fleet, server) || 'The session has ended.'
      return standing('no-session', { ...known, reason, holdings: null })
    }
    if (error instanceof ApiError && !error.isOutcomeUnknown && error.wasSent === null) {
      const reason = sentence(error)
      return standing('answers', { ...known, reason, holdings: null, answeredAt: Date.now() })
    }
    const reason = timer.aborted ? `No answer within ${patience / 1_000} seconds.` : sentence(error)
    return standing('silent', { ...known, reason })
  }
}

/** Why there is no session with a server, as far as that is known. */
function reasonOf({ store, storeOf }: Fleet, server: Server): string {
  const of = storeOf(server)
  if (of.get(sessionAtom)?.isForeign) return messages.anotherServer
  const isEnded = of.get(sessionLossAtom) === 'ended'
  return store.get(loginRefusalsAtom).get(server.id) ?? (isEnded ? 'The session has ended.' : '')
}

/** Takes the session that this browser keeps, if the server that issued it answers. */
export async function findSession(store: Store, answering: string | null): Promise<void> {
  if (store.get(sessionAtom)) return
  const { token, user, server } = readStored(await store.get(storageAtom).read(storageKey)).auth
  if (!token || !user || server !== answering || store.get(sessionAtom)) return
  const since = Date.now()
  store.set(sessionAtom, { user, token, databaseTokens: new Map(), isStored: true, since })
}
