import type { StoreName } from './store'
import type { RecordStore, StoredIn } from './stored-records'
import type { KnownServer, KnownServers, LogLine, TrustRecord } from './trust-record'

/** All values of a store that can be read. */
export async function valuesOf<S extends StoreName>(
  store: RecordStore,
  name: S,
): Promise<StoredIn[S][]> {
  return (await store.all(name)).map(([, value]) => value)
}

/** What operators did, the newest last. */
export async function linesOf(store: RecordStore): Promise<LogLine[]> {
  return (await valuesOf(store, 'log')).sort((one, other) => one.at - other.at)
}

/** The accepted servers at an address; where the list was lost, those of which records are kept. */
export async function listedServers(
  store: RecordStore,
  origin: string,
): Promise<KnownServers | null> {
  const known = await store.read('servers', origin)
  if (known) return known
  const records = await valuesOf(store, 'points')
  const own = records.filter(({ id }) => id.origin === origin)
  return recordedServers(own, await linesOf(store))
}

/** Changes the list of an address, or what stands in for it; see `RecordStore.change`. */
async function changeServers(
  store: RecordStore,
  origin: string,
  change: (known: KnownServers | null) => KnownServers | undefined,
): Promise<KnownServers | null> {
  const listed = await listedServers(store, origin)
  return store.change('servers', origin, (known) => {
    const next = change(known ?? listed)
    return next ?? (known ? undefined : (listed ?? undefined))
  })
}

/** Lets a server answer at an address; whether it may then. See `withServer`. */
export async function acceptIn(
  store: RecordStore,
  origin: string,
  server: string,
  reason?: string,
): Promise<boolean> {
  const known = await changeServers(store, origin, (all) => withServer(all, server, reason))
  return isKnown(known, server)
}

/** Whether a server may not answer any more. See `withoutServer`. */
export async function revokeIn(
  store: RecordStore,
  origin: string,
  server: string,
): Promise<boolean> {
  return !isKnown(await changeServers(store, origin, (all) => withoutServer(all, server)), server)
}

/** Notes which of the known servers answers; resolves with the one that did so before, or null. */
export async function noteAnsweringIn(
  store: RecordStore,
  origin: string,
  server: string,
): Promise<string | null> {
  let before: string | null = null
  await changeServers(store, origin, (known) => {
    const next = answeredBy(known, server)
    before = next && known ? known.last : null
    return next
  })
  return before
}

/** The servers of these records, but for those that an operator revoked; null for none. */
function recordedServers(
  records: readonly TrustRecord[],
  log: readonly LogLine[],
): KnownServers | null {
  const servers = new Map<string, KnownServer>()
  for (const { id, firstContact } of records) {
    const { origin, server } = id
    const decided = log.findLast(
      (line) => line.id.origin === origin && line.id.server === server && isDecision(line),
    )
    if (decided?.what !== 'server-revoked') servers.set(server, { server, at: firstContact.at })
  }
  return servers.size > 0 ? { servers: [...servers.values()], last: null } : null
}

const isDecision = ({ what }: LogLine) => what === 'server-accepted' || what === 'server-revoked'

/**
 * The list with one more accepted server, or undefined when it is already in it, or when it has no
 * reason and is not the first.
 */
function withServer(
  known: KnownServers | null,
  server: string,
  reason?: string,
): KnownServers | undefined {
  const { servers, last } = known ?? { servers: [], last: null }
  const isFirst = servers.length === 0
  if (isKnown(known, server) || (reason === undefined && !isFirst)) return undefined
  const one: KnownServer = { server, at: Date.now(), ...(reason === undefined ? {} : { reason }) }
  // One is accepted while it answers.
  return { servers: [...servers, one], last: isFirst || reason !== undefined ? server : last }
}

/** Without one, or undefined when it is not there or the last one. */
function withoutServer(known: KnownServers | null, server: string): KnownServers | undefined {
  if (!known || !isKnown(known, server) || known.servers.length === 1) return undefined
  return { ...known, servers: known.servers.filter((one) => one.server !== server) }
}

/**
 * The list with the server that answers now, or undefined when that is unknown or answered last.
 */
function answeredBy(known: KnownServers | null, server: string): KnownServers | undefined {
  if (!known || !isKnown(known, server) || known.last === server) return undefined
  return { ...known, last: server }
}

export function isKnown(known: KnownServers | null, server: string): boolean {
  return known?.servers.some((one) => one.server === server) ?? false
}
