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
import { failedCheck, placeIn } from '~/core/write'
import type { DatabaseSettings } from '~/immudb/database-settings'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { idle, type Write } from '~/lib/write-state'
import { runWrite } from '~/trust/write'
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

const creatingAtom = atom<Write<string>>(idle)

/**
 * Creates a database once; null while another one is being created. Resolves with its stored name.
 * A held creation belongs to the open database, because the new one cannot be opened to release it.
 */
export async function createDatabase(io: Io, name: string, settings: DatabaseSettings) {
  const wasFree = !io.get(databasesAtom).data?.some((one) => one.name === name)
  return runWrite<string>(io, placeIn(io, creatingAtom), {
    database: io.get(databaseAtom) ?? '',
    of: 'databases',
    send: () => sendCreateDatabase(io.get(clientAtom), { name, settings }),
    secondReasons: wasFree ? ['exists'] : [],
    settle: async (outcome) => {
      await refreshDatabases(io)
      return outcome
    },
  })
}

const savingAtom = atom<Write<void>>(idle)

/** Saves the changed settings once; null while others are being saved. */
export async function saveDatabaseSettings(io: Io, name: string, settings: DatabaseSettings) {
  return runWrite<void>(io, placeIn(io, savingAtom), {
    database: name,
    of: 'databases',
    send: () => updateSettings(io.get(clientAtom), { name, settings }),
    settle: async (outcome) => {
      const cache = io.get(queryClientAtom)
      await Promise.all([
        cache.invalidateQueries({ queryKey: settingsKey(name) }),
        cache.invalidateQueries({ queryKey: databasesKey }),
      ])
      return outcome
    },
  })
}

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
