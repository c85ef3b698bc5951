import { QueryClient } from '@tanstack/query-core'
import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { listDatabases } from '~/api/databases'
import { readStart } from '~/api/server-databases'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken, type Store } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { type Fleet, fleetAtom, serverListAtom } from '~/core/session/fleet'
import { listedAsAtom } from '~/core/session/session'
import { inTurn } from '~/lib/job-queue'
import { matcher } from '~/lib/name-match'
import { pages, pathTo } from '~/lib/paths'
import { PlainError } from '~/lib/plain-error'
import type { Server } from '~/lib/servers'
import { formatTx } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { databasesAtom } from '../databases/database-list'
import { clientOf, hasSession } from '../servers/clients'
import { findSession } from '../servers/standings'
import { documentId, mostRepeated, rows } from './content-kinds'
import { txIn } from './history-kinds'
import { databases as databaseKind } from './server-kinds'
import type { Here, Kind, Lookup, Place, Thing } from './thing'

/** Where a search looks. */
export const reaches = ['database', 'server', 'servers'] as const
export type Reach = (typeof reaches)[number]

/** Databases of one server that are asked; more would take the server too long. */
const mostDatabases = 50
/** Databases that are asked at once. */
const askedAtOnce = 4

/** What other databases answered, by their servers and names, for as long as the panel is open. */
export type Known = Map<string, QueryClient>

/** A search beyond the open database. */
export type FarSearch = { readonly text: string; readonly reach: Reach; readonly known: Known }

/** Questions about other databases of this server, and about other servers, as far as asked for. */
export function lookupsElsewhere(
  kinds: readonly Kind[],
  here: Here,
  { text, reach, known }: FarSearch,
): readonly Lookup[] {
  if (reach === 'database' || text.trim() === '') return []
  const turns = inTurn(askedAtOnce)
  const ofDatabases = otherDatabases(here)
    .slice(0, mostDatabases)
    .map((database): Lookup => {
      const there = { ...here, database, io: ioOf(here.io, { database }, known) }
      return {
        id: `in ${database} ${text}`,
        asks: asksOf(here, database, text),
        ask: (signal) =>
          turns(async () => {
            await ensureDatabaseToken(here.io, here.io.get(clientAtom), database)
            return searchDatabase(kinds, there, text, signal)
          }, signal),
      }
    })
  const far = { text, reach, known }
  return reach === 'server' ? ofDatabases : [...ofDatabases, ...serverLookups(kinds, here, far)]
}

const otherDatabases = ({ io, database }: Here) =>
  (io.get(databasesAtom).data ?? []).flatMap(({ name, loaded }) =>
    loaded && name !== database ? [name] : [],
  )

/** How many databases of this server are left out, because there are too many. */
export function leftOut(here: Here, reach: Reach): number {
  return reach === 'database' ? 0 : Math.max(0, otherDatabases(here).length - mostDatabases)
}

/** Where else a search looks through things, however many there are. */
export function placesElsewhere(here: Here, reach: Reach): readonly Place[] {
  if (reach === 'database') return []
  const near = otherDatabases(here).map((database): Place => ({ database }))
  if (reach === 'server') return near
  return [...near, ...otherServers(here.io).map(({ id }) => ({ database: null, server: id }))]
}

function otherServers(io: Pick<Io, 'get'>): readonly Server[] {
  const shown = io.get(listedAsAtom)
  const listed = io.get(fleetAtom)?.store.get(serverListAtom).servers ?? []
  return listed.filter(({ id }) => id !== shown?.id)
}

/**
 * The store as an action sees it that is about another database, or about one of another server: with
 * a client that opens each database first, and with answers of its own, which grow old with the panel.
 * @throws PlainError for a server that is not on the list any more
 */
export function ioOf(io: Io, { database, server }: Place, known: Known = new Map()): Io {
  const name = JSON.stringify([server, database])
  const cache =
    known.get(name) ??
    new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  known.set(name, cache)
  const fleet = io.get(fleetAtom)
  const listed = server === undefined ? null : otherServers(io).find(({ id }) => id === server)
  if (server !== undefined && (!fleet || !listed)) {
    throw new PlainError('This server is not on the list any more.')
  }
  const store: Io = fleet && listed ? fleet.storeOf(listed) : io
  const client = fleet && listed ? clientOf(fleet, listed) : opening(io)
  const get = ((atom: Parameters<Getter>[0]) =>
    atom === queryClientAtom ? cache : atom === clientAtom ? client : store.get(atom)) as Getter
  return { get, set: store.set }
}

/** The client of the shown server, for calls about any of its databases. */
function opening(io: Io): Client {
  const client = io.get(clientAtom)
  return {
    ...client,
    call: async (schema, call) => {
      if (call.database !== undefined) await ensureDatabaseToken(io, client, call.database)
      return client.call(schema, call)
    },
  }
}

/** What one database is asked, in the words that stand before the answer. */
function asksOf(here: Here, place: string, text: string): string {
  const shown = cutText(text, mostRepeated)
  const id = txIn(here, text)
  const asked = [
    'tables, columns, collections, shared queries',
    ...(id === null ? [] : [`transaction ${formatTx(id)}`]),
    ...(documentId.test(text.trim()) ? ['the document with this id'] : []),
    ...(/\w[\s:#/(]+\S/.test(text.trim()) ? ['a row of this name'] : []),
  ]
  return `Asks ${place} for ${asked.join(', ')} and keys that begin with “${shown}”`
}

/** What one database has of a name. What it refuses is said, and keeps nothing else back. */
async function searchDatabase(
  kinds: readonly Kind[],
  there: Here,
  text: string,
  signal: AbortSignal,
): Promise<{ things: Thing[]; says?: string }> {
  const { database } = there
  const of = kinds.filter(({ isInDatabases }) => isInDatabases)
  const match = matcher(text)
  const asked = new Set<string>()
  const things: Thing[] = []
  const says: string[] = []
  // Lists come first: what is in them may lead to a further question, such as that for a row.
  for (let isMore = true; isMore; ) {
    isMore = false
    for (const kind of of) {
      const lookup = kind.lookup?.(there, text)
      if (!lookup || asked.has(lookup.id)) continue
      asked.add(lookup.id)
      isMore = true
      try {
        const found = await lookup.ask(signal, () => {})
        things.push(...found.things.map((thing) => ({ kind, ...thing })))
        if (found.says && (found.things.length > 0 || kind === rows)) says.push(found.says)
      } catch (error) {
        signal.throwIfAborted()
        says.push(`${pluralOf(kind)}: ${sentence(error)}`)
      }
    }
  }
  for (const kind of of) {
    const listed = [...(kind.known?.(there) ?? []), ...(kind.read?.(there, text) ?? [])]
    things.push(...listed.filter(isIn(database)).map((thing) => ({ kind, ...thing })))
  }
  const found = things
    .filter((thing) => thing.isNamed || thing.key !== undefined || match(thing) !== null)
    .map((thing) => ({ ...thing, database }))
  return { things: found, ...(says.length > 0 && { says: says.join(' ') }) }
}

const pluralOf = ({ label }: Kind) => `${label.replace(/([^aeiou])y$/, '$1ie')}s`

/** Some kinds know things of all databases. */
const isIn =
  (database: string) =>
  ({ to }: Thing) =>
    'path' in to && new URLSearchParams(to.path.split('?')[1]).get('db') === database

function serverLookups(kinds: readonly Kind[], here: Here, far: FarSearch): Lookup[] {
  const { io } = here
  const fleet = io.get(fleetAtom)
  if (!fleet) return []
  return otherServers(io).map((server) => ({
    id: `on ${server.id} ${far.text}`,
    asks: `${asksOf(here, `the server ${server.name}`, far.text)}, in each database`,
    ask: (signal, tell) => searchServer(kinds, { here, fleet, server, signal, tell }, far),
  }))
}

type OnServer = {
  here: Here
  fleet: Fleet
  server: Server
  signal: AbortSignal
  tell: Parameters<Lookup['ask']>[1]
}

/** Every page: what a user of another server is offered is not known here. */
const allPages = new Set(pages.map(({ name }) => name))

async function searchServer(
  kinds: readonly Kind[],
  { here, fleet, server, signal, tell }: OnServer,
  { text, known }: FarSearch,
): Promise<{ things: Thing[]; says?: string }> {
  const names = await databasesOf(fleet, server, signal)
  if (names === null) return { things: [], says: noLogin }
  const match = matcher(text)
  const things: Thing[] = []
  const failures: string[] = []
  const add = (more: readonly Thing[]) => {
    things.push(...more.map((thing) => onServer(server.name, thing)))
    tell({ things: [...things] })
  }
  const databases = names.map((name) => ({
    name,
    kind: databaseKind,
    isForeign: true,
    to: { path: pathTo('overview', { db: name }) },
  }))
  add(databases.filter((thing) => match(thing) !== null))
  for (const database of names.slice(0, mostDatabases)) {
    const io = ioOf(here.io, { database, server: server.id }, known)
    const there = { ...here, database, io, pages: allPages }
    const store = fleet.storeOf(server)
    const found = await ensureDatabaseToken(store, store.get(clientAtom), database)
      .then(() => searchDatabase(kinds, there, text, signal))
      .catch((error: unknown) => {
        signal.throwIfAborted()
        return { things: [], says: sentence(error) }
      })
    add(found.things)
    if (found.says !== undefined) failures.push(`${database}: ${found.says}`)
  }
  if (names.length > mostDatabases) failures.push(`Only ${mostDatabases} databases were asked.`)
  return { things, ...(failures.length > 0 && { says: failures.join(' ') }) }
}

const noLogin = 'Not asked: there is no login to it here. Servers has one.'

/** The loaded databases of another server; null without a login to it. */
async function databasesOf(
  fleet: Fleet,
  server: Server,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const store: Store = fleet.storeOf(server)
  if (!hasSession(store)) {
    const start = await readStart(store.get(clientAtom), signal)
    await findSession(store, start.server)
  }
  if (!hasSession(store)) return null
  const listed = await listDatabases(clientOf(fleet, server), signal)
  return listed.flatMap(({ name, loaded }) => (loaded ? [name] : []))
}

/**
 * The places that a whole server stands for.
 * @throws PlainError where there is no login to it
 */
export async function placesOn(io: Io, id: string, signal: AbortSignal): Promise<Place[]> {
  const fleet = io.get(fleetAtom)
  const server = otherServers(io).find((one) => one.id === id)
  const names = fleet && server ? await databasesOf(fleet, server, signal) : null
  if (names === null) throw new PlainError('There is no login to it here. Servers has one.')
  return names.map((database) => ({ database, server: id }))
}

/** The name of another server, as it is shown. */
export const serverName = (io: Pick<Io, 'get'>, id: string) =>
  otherServers(io).find((one) => one.id === id)?.name ?? id

/** A thing of another server: its address names that server. */
export function onServer(server: string, thing: Thing): Thing {
  if (!('path' in thing.to)) return thing
  const [path = '', search = ''] = thing.to.path.split('?')
  const named = new URLSearchParams(search)
  named.set('server', server)
  return { ...thing, server, to: { path: `${path}?${named}` } }
}
