import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import { listDatabases } from '~/api/databases'
import { readStart } from '~/api/server-databases'
import { listTables } from '~/api/tables'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { type Fleet, fleetAtom, serverListAtom } from '~/core/session/fleet'
import { listedAsAtom } from '~/core/session/session'
import { inTurn } from '~/lib/job-queue'
import { matcher } from '~/lib/name-match'
import { pathTo } from '~/lib/paths'
import type { Server } from '~/lib/servers'
import { cutText } from '~/lib/visible-text'
import { databasesAtom } from '../databases/database-list'
import { clientOf, hasSession } from '../servers/clients'
import { findSession } from '../servers/standings'
import {
  collections as collectionKind,
  collectionThing,
  keyIn,
  keys as keyKind,
  keysWith,
  mostRepeated,
  tables as tableKind,
  tableThing,
} from './content-kinds'
import { databases as databaseKind } from './server-kinds'
import type { Here, Lookup, Thing } from './thing'

/** Where a search looks. */
export const reaches = ['database', 'server', 'servers'] as const
export type Reach = (typeof reaches)[number]

/** Databases of one server that are asked; more would take the server too long. */
const mostDatabases = 50
/** Databases that are asked at once. */
const askedAtOnce = 4

/** Questions about other databases of this server, and about other servers, as far as asked for. */
export function lookupsElsewhere(here: Here, text: string, reach: Reach): readonly Lookup[] {
  if (reach === 'database' || text.trim() === '') return []
  const others = (here.io.get(databasesAtom).data ?? []).filter(
    ({ name, loaded }) => loaded && name !== here.database,
  )
  const turns = inTurn(askedAtOnce)
  const ofDatabases = others
    .slice(0, mostDatabases)
    .map(({ name }) => databaseLookup(here, name, text, turns))
  return reach === 'server' ? ofDatabases : [...ofDatabases, ...serverLookups(here, text)]
}

/** How many databases of this server are left out, because there are too many. */
export function leftOut(here: Here, reach: Reach): number {
  const all = here.io.get(databasesAtom).data ?? []
  const others = all.filter(({ name, loaded }) => loaded && name !== here.database)
  return reach === 'database' ? 0 : Math.max(0, others.length - mostDatabases)
}

function databaseLookup(
  { io, pages }: Here,
  database: string,
  text: string,
  turns: ReturnType<typeof inTurn>,
): Lookup {
  return {
    id: `in ${database} ${text}`,
    asks: asksOf(database, text),
    ask: (signal) =>
      turns(async () => {
        const client = io.get(clientAtom)
        await ensureDatabaseToken(io, client, database)
        return searchDatabase(client, { database, text, signal, hasSql: pages.has('query') })
      }, signal),
  }
}

const asksOf = (place: string, text: string) =>
  `Asks ${place} for tables and collections, and for keys that begin with “${cutText(text, mostRepeated)}”`

type Searched = { database: string; text: string; signal: AbortSignal; hasSql: boolean }

/** What one database has of a name. What it refuses is said, and keeps nothing else back. */
async function searchDatabase(
  client: Client,
  { database, text, signal, hasSql }: Searched,
): Promise<{ things: Thing[]; says?: string }> {
  const match = matcher(text)
  const prefix = keyIn(text)
  const failures: string[] = []
  const noneOf = (what: string) => (error: unknown) => {
    signal.throwIfAborted()
    failures.push(`${what}: ${sentence(error)}`)
    return []
  }
  const request = { database, signal }
  const tables = hasSql ? await listTables(client, request).catch(noneOf('Tables')) : []
  const collections = await listCollections(client, request).catch(noneOf('Collections'))
  const keys = prefix
    ? await keysWith(client, database, prefix, signal)
        .then(({ things }) => things)
        .catch(noneOf('Keys'))
    : []
  const names = [
    ...tables.map((name) => ({ ...tableThing(database, name), kind: tableKind })),
    ...collections.map((name) => ({ ...collectionThing(database, name), kind: collectionKind })),
  ].filter((thing) => match(thing) !== null)
  const things = [...names, ...keys.map((key) => ({ ...key, kind: keyKind }))].map((thing) => ({
    ...thing,
    database,
  }))
  const says = failures.length > 0 ? failures.join(' ') : undefined
  return { things, ...(says === undefined ? {} : { says }) }
}

function serverLookups(here: Here, text: string): Lookup[] {
  const fleet = here.io.get(fleetAtom)
  const shown = here.io.get(listedAsAtom)
  const listed = fleet?.store.get(serverListAtom).servers ?? []
  if (!fleet) return []
  return listed
    .filter(({ id }) => id !== shown?.id)
    .map((server) => ({
      id: `on ${server.id} ${text}`,
      asks: `${asksOf(`the server ${server.name}`, text)} in each database`,
      ask: (signal, tell) => searchServer(fleet, server, text, signal, tell),
    }))
}

async function searchServer(
  fleet: Fleet,
  server: Server,
  text: string,
  signal: AbortSignal,
  tell: Parameters<Lookup['ask']>[1],
): Promise<{ things: Thing[]; says?: string }> {
  const store = fleet.storeOf(server)
  if (!hasSession(store)) {
    const start = await readStart(store.get(clientAtom), signal)
    await findSession(store, start.server)
  }
  if (!hasSession(store)) {
    return { things: [], says: 'Not asked: there is no login to it here. Servers has one.' }
  }
  const client = clientOf(fleet, server)
  const match = matcher(text)
  const listed = (await listDatabases(client, signal)).filter(({ loaded }) => loaded)
  const things: Thing[] = []
  const failures: string[] = []
  const add = (more: readonly Thing[]) => {
    things.push(...more.map((thing) => onServer(server.name, thing)))
    tell({ things: [...things] })
  }
  const databases = listed.map(({ name }) => ({
    name,
    kind: databaseKind,
    isForeign: true,
    to: { path: pathTo('overview', { db: name }) },
  }))
  add(databases.filter((thing) => match(thing) !== null))
  for (const { name: database } of listed.slice(0, mostDatabases)) {
    const found = await searchDatabase(client, { database, text, signal, hasSql: true }).catch(
      (error: unknown) => {
        signal.throwIfAborted()
        return { things: [], says: sentence(error) }
      },
    )
    add(found.things)
    if (found.says !== undefined) failures.push(`${database}: ${found.says}`)
  }
  if (listed.length > mostDatabases) failures.push(`Only ${mostDatabases} databases were asked.`)
  return { things, ...(failures.length > 0 && { says: failures.join(' ') }) }
}

/** A thing of another server: its address names that server. */
function onServer(server: string, thing: Thing): Thing {
  if (!('path' in thing.to)) return thing
  const [path = '', search = ''] = thing.to.path.split('?')
  const named = new URLSearchParams(search)
  named.set('server', server)
  return { ...thing, server, to: { path: `${path}?${named}` } }
}
