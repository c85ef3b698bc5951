import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import {
  hiddenSecret,
  readSettings,
  createDatabase as sendCreateDatabase,
  updateSettings,
} from '~/api/database-settings'
import { listDatabases } from '~/api/databases'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { failedCheck } from '~/core/write'
import type { DatabaseSettings } from '~/immudb/database-settings'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { defineWrite } from '~/trust/write'
import { databasesAtom, databasesKey, refreshDatabases } from './database-list'

const settingsKey = (name: string) => ['settings', name] as const

/** The settings of each database by name, without secrets, fetched each time they are shown. */
export const settingsOfAtom = atom(() =>
  memoizeByNames((name = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: settingsKey(name),
        queryFn: ({ signal }) => readSettings(client, name, signal),
        // Someone else may have changed them, and a save sends the difference from what is shown.
        refetchOnMount: 'always' as const,
        gcTime: 0,
      }
    }),
  ),
)

type Created = { database: string; name: string; settings: DatabaseSettings; wasFree: boolean }

const creating = defineWrite<Created, string>({
  of: 'databases',
  isSame: (one, other) => one.name === other.name,
  send: ({ get }, of) => sendCreateDatabase(get(clientAtom), of),
  secondReasons: ({ wasFree }) => (wasFree ? ['exists'] : []),
  settle: async (io, _, outcome) => {
    await refreshDatabases(io)
    return outcome
  },
})

/**
 * Creates a database once; null while another one is being created. Resolves with its stored name.
 * A held creation belongs to the open database, because the new one cannot be opened to release it.
 */
export function createDatabase(io: Io, name: string, settings: DatabaseSettings) {
  const wasFree = !io.get(databasesAtom).data?.some((one) => one.name === name)
  return creating.write(io, { database: io.get(databaseAtom) ?? '', name, settings, wasFree })
}

const saving = defineWrite<{ database: string; settings: DatabaseSettings }, void>({
  of: 'databases',
  isSame: (one, other) =>
    one.database === other.database &&
    JSON.stringify([...one.settings]) === JSON.stringify([...other.settings]),
  send: ({ get }, { database, settings }) =>
    updateSettings(get(clientAtom), { name: database, settings }),
  settle: async ({ get }, { database }, outcome) => {
    const cache = get(queryClientAtom)
    await Promise.all([
      cache.invalidateQueries({ queryKey: settingsKey(database) }),
      cache.invalidateQueries({ queryKey: databasesKey }),
    ])
    return outcome
  },
})

/** Saves the changed settings once; null while others are being saved. */
export const saveDatabaseSettings = (io: Io, name: string, settings: DatabaseSettings) =>
  saving.write(io, { database: name, settings })

/** A sentence about whether the database exists, after a creation without an answer. */
export async function checkCreated(io: Io, name: string): Promise<string> {
  try {
    const databases = await listDatabases(io.get(clientAtom))
    void refreshDatabases(io)
    const isThere = databases.some((one) => one.name === name)
    return isThere ? `${name} exists now.` : `${name} does not exist yet. Check again.`
  } catch (error) {
    return failedCheck(error)
  }
}

/** A sentence about whether the new settings are stored. Stored secrets are never read. */
export async function checkSettings(
  { get }: Io,
  name: string,
  wanted: DatabaseSettings,
): Promise<string> {
  try {
    const found = await readSettings(get(clientAtom), name)
    const isHidden = (path: string, value: string) =>
      value !== '' && found.get(path) === hiddenSecret
    const secrets = [...wanted].filter(([path, value]) => isHidden(path, value))
    const others = [...wanted].filter(([path, value]) => !isHidden(path, value))
    const isStored = others.every(([path, value]) => found.get(path) === value)
    if (!isStored) return 'They are not stored so far.'
    if (secrets.length === 0) return 'They are stored.'
    const password = 'Whether the password is the new one is not known. Save it again.'
    return others.length === 0 ? password : `The others are stored. ${password}`
  } catch (error) {
    return failedCheck(error)
  }
}
