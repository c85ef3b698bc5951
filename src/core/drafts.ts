import { atom } from 'jotai'
import * as v from 'valibot'
import { draftStorageKey, keyDraftsStorageKey } from '~/lib/constants'
import type { Io } from './act'
import { databaseAtom, serverAtom, serverPlaceAtom, sessionAtom } from './session/session'
import type { Storage } from './storage/storage'
import { storageAtom } from './storage/stored'
import { readTab, removeTab, writeTab } from './storage/tab'

/** Drafts are shown only to the user who typed them, on the server they were typed for. */
export type DraftOwner = { readonly server: string; readonly user: string }

const kinds = [
  'sql',
  'keys',
  'rows',
  'operations',
  'documents',
  'tables',
  'collections',
  // Typed and not applied; only its tab keeps it.
  'forms',
  // Nothing typed, but where its tab was.
  'places',
] as const
export type DraftKind = (typeof kinds)[number]

/** The storage key of one owner's drafts, shared and per tab. */
export function draftPlace(kind: DraftKind, { server, user }: DraftOwner): string {
  const place = kind === 'sql' ? draftStorageKey : `${draftStorageKey}.${kind}`
  return `${place} ${JSON.stringify([server, user])}`
}

const lastOwnerAtom = atom<{ owner: DraftOwner | null; isOver: boolean }>(() => ({
  owner: null,
  isOver: false,
}))

/**
 * The owner of this store's drafts; null before a login and once they are erased. Stays after
 * logout, so that text typed right before it is still saved.
 */
export const draftOwnerAtom = atom((get): DraftOwner | null => {
  const last = get(lastOwnerAtom)
  const session = get(sessionAtom)
  // Two servers of a list may have the same id: one can be a copy of the other.
  const server = (get(serverAtom) ?? '') + get(serverPlaceAtom)
  if (session) last.owner = { server, user: session.user }
  return last.isOver ? null : last.owner
})

export const keptInTab = (kind: DraftKind, owner: DraftOwner): unknown =>
  readTab(draftPlace(kind, owner))

/** An older console kept one text of SQL, which goes to the database that is opened first. */
export function isOlderSql(kind: DraftKind, value: unknown): value is { text: string } {
  return kind === 'sql' && typeof Object(value).text === 'string'
}

export function listIn({ get }: Io, kind: DraftKind, value: unknown): readonly unknown[] {
  if (isOlderSql(kind, value)) return [[get(databaseAtom) ?? '', value.text]]
  const { drafts } = Object(value)
  return Array.isArray(drafts) ? drafts : []
}

/** Where an older console kept drafts for all users and servers, and for a tab. */
const olderPlaces = {
  sql: { all: draftStorageKey, tab: 'webconsole.draft' },
  keys: { all: keyDraftsStorageKey, tab: 'webconsole.draftkeys' },
} as const

const olderOf = (kind: DraftKind) => (kind === 'sql' || kind === 'keys' ? olderPlaces[kind] : null)

/** The drafts of all tabs. Those of an older console first move to their owner's place. */
export async function readStored(
  storage: Storage,
  kind: DraftKind,
  owner: DraftOwner,
): Promise<unknown> {
  const place = draftPlace(kind, owner)
  const older = olderOf(kind)
  if (older !== null && readTab(place) === null) {
    const ofTab = asNow(readTab(older.tab), owner)
    if (ofTab !== null) {
      writeTab(place, ofTab)
      removeTab(older.tab)
    }
  }
  const kept = await storage.read(place)
  if (kept !== null || older === null) return kept
  const found = asNow(await storage.read(older.all), owner)
  if (found !== null && (await storage.write(place, found))) await storage.remove(older.all)
  return found
}

/**
 * An older draft as it is kept now: without its user, and without the values that had been read.
 * Null for another user's draft, or none.
 */
function asNow(value: unknown, owner: DraftOwner): unknown {
  const { user, drafts, ...rest } = Object(value)
  if (user !== owner.user) return null
  if (!Array.isArray(drafts)) return rest
  const withoutRead = (draft: unknown) => {
    const { firstText: _, ...typed } = Object(draft)
    return typed
  }
  return { drafts: drafts.map(withoutRead) }
}

/** How many drafts there are of each kind, in this tab or in storage. */
export type DraftCounts = Readonly<Record<DraftKind, number>>

/** Counts what this tab and the browser's storage keep of the drafts of the signed-in user. */
export async function countDrafts(io: Io): Promise<DraftCounts> {
  const owner = io.get(draftOwnerAtom)
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<DraftKind, number>
  if (owner === null) return counts
  const count = (kind: DraftKind, value: unknown) => listIn(io, kind, value).filter(isFilled).length
  for (const kind of kinds) {
    const isOfTab = kind === 'forms' || kind === 'places'
    const stored = isOfTab ? null : await readStored(io.get(storageAtom), kind, owner)
    counts[kind] = Math.max(count(kind, keptInTab(kind, owner)), count(kind, stored))
  }
  return counts
}

/** Whether something was typed in a stored draft; a text of SQL may be empty. */
const isFilled = (entry: unknown) =>
  Array.isArray(entry) ? entry[1] !== '' : (Object(entry).fact ?? 'text') === 'text'

/** Whether this tab has kept drafts, as far as that can be told at once. */
export function hasDraftsInTab(io: Io): boolean {
  const owner = io.get(draftOwnerAtom)
  if (owner === null) return false
  return kinds.some(
    (kind) =>
      kind !== 'places' && listIn(io, kind, keptInTab(kind, owner)).filter(isFilled).length > 0,
  )
}

/** Saves no more drafts of this store's user, who is returned; null for none. */
export function endDrafts({ get }: Io): DraftOwner | null {
  const owner = get(draftOwnerAtom)
  get(lastOwnerAtom).isOver = true
  return owner
}

/** Erases an owner's drafts for good; each that storage still has is a false. */
export function eraseDrafts(storage: Storage, owner: DraftOwner): readonly Promise<boolean>[] {
  return kinds.map((kind) => {
    const older = olderOf(kind)
    removeTab(draftPlace(kind, owner))
    if (older !== null) removeTab(older.tab)
    return storage.remove(draftPlace(kind, owner))
  })
}

const keptForms = v.object({ drafts: v.array(v.tuple([v.string(), v.unknown()])) })

/** Forms that are remembered; the one that was typed in least recently goes first. */
const mostForms = 50

/**
 * Limit in characters for all forms together, as they are stored. Other drafts need room in the
 * same storage: once it is full, the copy of a reload is an older one.
 */
const mostFormCharacters = 500_000

/** What forms of one kind keep. */
export type UnappliedForms<T> = ReturnType<typeof unappliedForms<T>>

/**
 * Keeps in this tab what is typed in forms of one kind and not applied yet, so that a reload or a
 * log-out does not lose it. A form reads it once, when it opens, and has it itself from then on.
 * @param kind such as `filter`
 * @param schema what is typed, as it can be stored
 * @param place other than `forms` for what is not typed
 */
export function unappliedForms<T>(
  kind: string,
  schema: v.GenericSchema<unknown, T>,
  place: 'forms' | 'places' = 'forms',
) {
  const keyOf = (name: readonly unknown[]) => JSON.stringify([kind, ...name])
  return {
    /** Reads what was typed in the form of a name; null for nothing. */
    readAtom: atom((get) => (...name: readonly unknown[]): T | null => {
      const owner = get(draftOwnerAtom)
      const found = v.safeParse(schema, owner && formsOf(owner, place).get(keyOf(name)))
      return found.success ? found.output : null
    }),
    /** Keeps what is typed in the form of a name; null forgets it. */
    keepAtom: atom(null, (get, _set, typed: T | null, ...name: readonly unknown[]): void => {
      const owner = get(draftOwnerAtom)
      if (owner === null) return
      const forms = formsOf(owner, place)
      const key = keyOf(name)
      forms.delete(key)
      if (typed !== null && lengthOf([[key, typed]]) <= mostFormCharacters) forms.set(key, typed)
      const left = [...forms].slice(-mostForms)
      while (lengthOf(left) > mostFormCharacters) left.shift()
      writeTab(draftPlace(place, owner), { drafts: left })
    }),
  }
}

const lengthOf = (typed: unknown) => JSON.stringify(typed).length

/** Whether the same is typed, whatever ids its parts got. */
export function isSameTyped(one: unknown, other: unknown): boolean {
  const textOf = (typed: unknown) =>
    JSON.stringify(typed, (key, value) => (key === 'id' ? undefined : value))
  return textOf(one) === textOf(other)
}

function formsOf(owner: DraftOwner, place: 'forms' | 'places'): Map<string, unknown> {
  const value = keptInTab(place, owner)
  return new Map(v.is(keptForms, value) ? value.drafts : [])
}
