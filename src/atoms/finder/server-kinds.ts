import { fleetAtom, serverListAtom } from '~/core/session/fleet'
import { listedAsAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { databasesAtom } from '../databases/database-list'
import { usersAtom } from '../users/user-list'
import { inDatabase, type Kind } from './thing'

/** The databases of the shown server: opened, or where they cannot be, shown on Databases. */
export const databases: Kind = {
  label: 'Database',
  known: ({ io }) =>
    (io.get(databasesAtom).data ?? []).map(({ name, loaded }) => ({
      name,
      isForeign: true,
      ...(loaded ? {} : { note: 'not loaded' }),
      to: { path: loaded ? pathTo('overview', { db: name }) : pathTo('databases', { name }) },
    })),
}

export const users: Kind = {
  label: 'User',
  known: ({ io, database }) =>
    (io.get(usersAtom).data ?? []).map(({ user, active }) => ({
      name: user,
      isForeign: true,
      ...(active ? {} : { note: 'inactive' }),
      to: { path: pathTo('users', inDatabase(database, { user })) },
    })),
}

export const servers: Kind = {
  label: 'Server',
  known: ({ io }) => {
    const listed = io.get(fleetAtom)?.store.get(serverListAtom).servers ?? []
    if (listed.length < 2) return []
    const shown = io.get(listedAsAtom)
    return listed.map(({ id, name, address }) => ({
      name,
      isForeign: true,
      words: address,
      ...(id === shown?.id ? { note: 'shown now' } : {}),
      to: { path: pathTo('overview', { server: name }) },
    }))
  },
}
