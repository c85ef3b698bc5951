import { scanKeys } from '~/api/keys'
import { readPart } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sharedPrefix } from '~/immudb/saved-query'
import { textToBase64 } from '~/lib/bytes'
import { pageSizes } from '~/lib/constants'
import { pathTo, type Search } from '~/lib/paths'
import { type KnownQuery, knownQueriesAtom } from '../queries/known-queries'
import { sharedIn } from '../queries/shared-queries'
import { type EditorName, openEditorsAtom } from '../query/editor'
import { nameOf } from '../query/editors'
import { type Here, inDatabase, type Kind, type Thing } from './thing'

const queryThing = (here: Here, { id, name, folder, database }: KnownQuery): Thing => ({
  name,
  isForeign: true,
  ...(folder === '' ? {} : { of: folder }),
  ...(database === here.database ? {} : { database }),
  to: { path: pathTo('query', { db: database, query: id }) },
})

const hasShared = ({ io, database }: Here) =>
  io.get(knownQueriesAtom).some((one) => one.database === database && 'entry' in one)

/** Queries that were saved, in this browser or in immudb. One opens in an editor and is not run. */
export const savedQueries: Kind = {
  label: 'Saved query',
  isInDatabases: true,
  known: (here) => here.io.get(knownQueriesAtom).map((query) => queryThing(here, query)),
  lookup(here) {
    const { io, database } = here
    if (database === '' || hasShared(here)) return null
    return {
      id: `queries ${database}`,
      asks: `Asks the server for the queries that are shared in ${database}`,
      async ask(signal) {
        const prefix = textToBase64(sharedPrefix)
        const { part, isMost } = await readPart(pageSizes.keys, (limit) =>
          scanKeys(io.get(clientAtom), { database, prefix, after: null, offset: 0, limit, signal }),
        )
        if (typeof part === 'string') return { things: [], says: 'They cannot be read here.' }
        const found = part.map((entry) => sharedIn(database, entry))
        const things = found.flatMap((one) => ('place' in one ? [queryThing(here, one)] : []))
        const isCut = part.length === pageSizes.keys || isMost
        return { things, ...(isCut && { says: `Only the first ${part.length}.` }) }
      },
    }
  },
}

/** The first editor of a database, whose id is empty, is that of an address without one. */
const ofEditor = ({ id }: EditorName): Search => (id === '' ? {} : { editor: id })

/** Editors that were given a name. */
export const editors: Kind = {
  label: 'Editor',
  known: ({ io, database }) =>
    io
      .get(openEditorsAtom)(database)
      .filter(({ name }) => name !== undefined)
      .map((editor) => ({
        name: nameOf(editor),
        isForeign: true,
        to: { path: pathTo('query', inDatabase(database, ofEditor(editor))) },
      })),
}
