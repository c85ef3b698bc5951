import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { fleetAtom } from '~/core/session/fleet'
import { logOut, replaceStoreAtom } from '~/core/session/session-end'
import type { Storage } from '~/core/storage/storage'
import {
  changeStoredPart,
  readStored,
  type Stored,
  storageAtom,
  storedAtom,
} from '~/core/storage/stored'
import { build } from '~/lib/build'
import { encodeUtf8 } from '~/lib/bytes'
import { storageKey } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import { sharedArea, tabArea } from '~/lib/storage-areas'
import { momentsStorageKey } from '~/lib/storage-keys'
import { deleteCookies } from './consent'

/** Marks a file as settings of this console; the number grows when older ones cannot be read. */
const schema = 1

const exported = v.object({
  product: v.picklist(['webconsole']),
  schema: v.picklist([schema]),
  view: v.unknown(),
  settings: v.unknown(),
})

/** A stored item and its approximate size in bytes. */
export type StoredItem = { key: string; size: number }

/** What this console keeps in the browser's storage, the largest first; looked up when shown. */
export const storedItemsAtom = atomWithQuery((get) => {
  const storage = get(fleetAtom)?.storage ?? get(storageAtom)
  return {
    queryKey: ['stored items'],
    queryFn: () => itemsOf(storage),
    refetchOnMount: 'always' as const,
  }
})

async function itemsOf(storage: Storage): Promise<readonly StoredItem[]> {
  const keys = await storage.keys()
  const items = keys.map(async (key) => ({ key, size: sizeOf(await storage.read(key)) }))
  return (await Promise.all(items)).sort((one, other) => other.size - one.size)
}

function sizeOf(value: unknown): number {
  return encodeUtf8(JSON.stringify(value) ?? '').length
}

/** The settings as text for a file: no token, no user, no names of databases, nothing typed. */
export const exportSettingsAtom = atom((get): string => {
  const { view, settings } = get(storedAtom)
  const { banner: _warning, ...looks } = view
  const { readOnly: _names, metrics: _typed, ...others } = settings
  const file = {
    product: 'webconsole',
    schema,
    version: build.version,
    view: looks,
    settings: others,
  }
  return `${JSON.stringify(file, null, 2)}\n`
})

/**
 * Imports settings from a file of `exportSettingsAtom`; unreadable parts become their defaults.
 * Returns null, or a sentence about why it failed.
 */
export function importSettings(io: Io, text: string): string | null {
  const found = v.safeParse(exported, parsedJson(text))
  if (!found.success) return 'This is not a file of settings of this console. Nothing was changed.'
  const { view, settings } = readStored({
    view: found.output.view,
    settings: found.output.settings,
  })
  void changeStoredPart(io, (stored) => ({
    ...stored,
    view: { ...view, banner: stored.view.banner },
    settings: {
      ...settings,
      readOnly: stored.settings.readOnly,
      metrics: stored.settings.metrics,
    },
  }))
  return null
}

/**
 * Removes all that this console keeps in this browser: settings, drafts, history, cookies, the
 * session. Trusted states, named moments and pinned keys stay. The server is told about the logout; nothing else
 * on it changes.
 */
export async function wipeStorage(io: Io) {
  const { get, set } = io
  const fleet = get(fleetAtom)
  const storage = fleet?.storage ?? get(storageAtom)
  const { end } = get(replaceStoreAtom)
  const empty: Stored = readStored(null)
  const notice =
    'Everything that this console kept in this browser was removed, except trusted states, named moments and pinned keys.'
  // Ending the session would copy this store's settings, which must be removed too.
  set(replaceStoreAtom, { end: () => {} })
  logOut(io, 'erase')
  fleet?.lock()
  for (const key of await storage.keys()) {
    if (key.split(' ')[0] !== momentsStorageKey) await storage.remove(key)
  }
  await storage.remove(storageKey)
  deleteCookies(io)
  forgetAreas()
  end({ stored: empty, session: null, notice })
}

function forgetAreas() {
  for (const area of [sharedArea, tabArea]) {
    for (const key of area.keys()) if (key.startsWith('webconsole')) area.remove(key)
  }
}
