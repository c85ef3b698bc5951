import { type Atom, atom } from 'jotai'
import * as v from 'valibot'
import {
  draftDelay,
  draftRetry,
  draftStorageKey,
  keyDraftsStorageKey,
  largeTextLength,
} from '~/lib/constants'
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
type DraftKind = (typeof kinds)[number]

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

/** Drafts of one kind, as their noun declares them. */
type DraftsOf<T, K> = {
  kind: Exclude<DraftKind, 'forms' | 'places'>
  /** One draft as it is stored. */
  schema: v.GenericSchema<unknown, K>
  /** The slot of a stored draft, such as its database, and the draft. */
  read: (kept: K) => readonly [slot: string, draft: T]
  /** What is stored of a draft, without answers of the server; null where nothing was typed. */
  write: (draft: T, slot: string) => K | null
  /** The characters that were typed. */
  lengthOf?: (draft: T) => number
  /** Most characters of a draft that is stored. The console asks before a longer one is lost. */
  most?: number
  /** What is loaded together, such as a database; without it each slot by itself. */
  groupOf?: (draft: T, slot: string) => string
}

const atRiskAtom = atom<ReadonlySet<DraftKind>>(new Set<DraftKind>())

type TabDrafts = {
  readonly place: string
  /** As they are stored, by their slots. */
  readonly kept: Map<string, unknown>
  /** Slots that this tab emptied. */
  readonly gone: Set<string>
}

/** The kinds of drafts that are stored nowhere and would be lost with the page. */
export const draftsAtRiskAtom: Atom<ReadonlySet<string>> = atRiskAtom

/**
 * The drafts of one kind, a slot for each. A tab keeps its own at once, which survives a reload, and
 * half a second after the last change they are stored for all tabs of the user on this server. Only
 * what this tab changed is written, so that tabs do not undo each other.
 */
export function draftsOf<T, K>({
  kind,
  schema,
  read,
  write,
  lengthOf = () => 0,
  most = 2_000_000,
  groupOf = (_draft, slot) => slot,
}: DraftsOf<T, K>) {
  const draftsAtom = atom<ReadonlyMap<string, T>>(new Map<string, T>())
  const loadedAtom = atom<ReadonlySet<string>>(new Set<string>())
  const stateAtom = atom(() => ({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    /** Slots that were changed and are not stored for all tabs yet. */
    changed: new Set<string>(),
    hasFailed: false,
    /** What the tab keeps, which nothing else writes while the page is there. */
    tab: null as TabDrafts | null,
  }))

  const isTooLong = (draft: T) => lengthOf(draft) > most
  const isLong = (draft: T) => lengthOf(draft) > largeTextLength

  /** What is stored of the draft in a slot; null for none, or one that is too long. */
  function storable({ get }: Io, slot: string): K | null {
    const draft = get(draftsAtom).get(slot)
    return draft === undefined || isTooLong(draft) ? null : write(draft, slot)
  }

  const parsed = (entry: unknown): readonly [string, T] | null => {
    const found = v.safeParse(schema, entry)
    return found.success ? read(found.output) : null
  }

  /** The drafts in a stored value. */
  const draftsIn = (io: Io, value: unknown) =>
    new Map(
      listIn(io, kind, value)
        .map(parsed)
        .filter((found) => found !== null),
    )

  /** A stored list with some slots as they are now, the last changed at its end. */
  function withSlots(io: Io, value: unknown, now: ReadonlyMap<string, K | null>): unknown[] {
    const others = listIn(io, kind, value).filter((entry) => {
      const found = parsed(entry)
      return found === null || !now.has(found[0])
    })
    return [...others, ...[...now.values()].filter((kept) => kept !== null)]
  }

  function tabDrafts(io: Io, owner: DraftOwner): TabDrafts {
    const state = io.get(stateAtom)
    const place = draftPlace(kind, owner)
    if (state.tab?.place === place) return state.tab
    const value = readTab(place)
    const kept = new Map<string, unknown>()
    for (const entry of listIn(io, kind, value)) {
      const found = parsed(entry)
      if (found !== null) kept.set(found[0], entry)
    }
    state.tab = { place, kept, gone: new Set(goneIn(value)) }
    return state.tab
  }

  /** Writing a long draft blocks the page, so the tab keeps it only when the page is left. */
  function keepInTab(io: Io, slots: Iterable<string>, isLeaving = false): void {
    const owner = io.get(draftOwnerAtom)
    if (owner === null) return
    const { place, kept, gone } = tabDrafts(io, owner)
    for (const slot of slots) {
      const draft = io.get(draftsAtom).get(slot)
      const now = storable(io, slot)
      const isLater = !isLeaving && draft !== undefined && isLong(draft)
      kept.delete(slot)
      if (now !== null && !isLater) kept.set(slot, now)
      if (now === null) gone.add(slot)
      else gone.delete(slot)
    }
    const drafts = [...kept.values()]
    writeTab(place, gone.size === 0 ? { drafts } : { drafts, gone: [...gone] })
  }

  function noteRisk(io: Io): void {
    const { changed, hasFailed } = io.get(stateAtom)
    const isAtRisk = [...changed].some((slot) => {
      const draft = io.get(draftsAtom).get(slot)
      if (draft === undefined || !(hasFailed || isTooLong(draft))) return false
      return write(draft, slot) !== null
    })
    const kindsAtRisk = new Set(io.get(atRiskAtom))
    if (kindsAtRisk.has(kind) === isAtRisk) return
    if (isAtRisk) kindsAtRisk.add(kind)
    else kindsAtRisk.delete(kind)
    io.set(atRiskAtom, kindsAtRisk)
  }

  /** Puts a draft into a slot; null drops the one that is there. */
  function put(io: Io, slot: string, draft: T | null): void {
    const drafts = new Map(io.get(draftsAtom))
    if (draft === null) drafts.delete(slot)
    else drafts.set(slot, draft)
    io.set(draftsAtom, drafts)
    const state = io.get(stateAtom)
    state.changed.delete(slot)
    state.changed.add(slot)
    keepInTab(io, [slot])
    noteRisk(io)
    clearTimeout(state.timer)
    state.timer = setTimeout(() => void keep(io), draftDelay)
  }

  /** Stores now what was changed. False when this browser cannot. */
  async function keep(io: Io): Promise<boolean> {
    const state = io.get(stateAtom)
    clearTimeout(state.timer)
    const owner = io.get(draftOwnerAtom)
    const slots = [...state.changed]
    if (owner === null || slots.length === 0) return true
    const before = io.get(draftsAtom)
    const now = new Map(slots.map((slot) => [slot, storable(io, slot)]))
    const isKept = await io.get(storageAtom).change(draftPlace(kind, owner), (value) => ({
      drafts: withSlots(io, value, now),
    }))
    state.hasFailed = !isKept
    const drafts = io.get(draftsAtom)
    for (const slot of isKept ? slots : []) {
      const draft = drafts.get(slot)
      const isStored = draft === undefined || !isTooLong(draft)
      if (isStored && draft === before.get(slot)) state.changed.delete(slot)
    }
    // Storage may have been slow, or have room again.
    if (!isKept) state.timer = setTimeout(() => void keep(io), draftRetry)
    noteRisk(io)
    return isKept
  }

  /** The page is left for whatever reason. */
  function leave(io: Io): void {
    void keep(io)
    const long = [...io.get(draftsAtom)].filter(([, draft]) => isLong(draft))
    if (long.length > 0)
      keepInTab(
        io,
        long.map(([slot]) => slot),
        true,
      )
  }

  /**
   * Loads what is stored, once; what this tab has comes first.
   * @param group empty for all
   */
  async function load(io: Io, group = ''): Promise<void> {
    const owner = io.get(draftOwnerAtom)
    if (owner === null || io.get(loadedAtom).has(group)) return
    const value = await readStored(io.get(storageAtom), kind, owner)
    if (io.get(loadedAtom).has(group)) return
    io.set(loadedAtom, new Set(io.get(loadedAtom)).add(group))
    const ofTab = keptInTab(kind, owner)
    const [own, all] = [draftsIn(io, ofTab), draftsIn(io, value)]
    const known = io.get(draftsAtom)
    const { changed } = io.get(stateAtom)
    const isSought = (of: string, draft: T) =>
      (group === '' || groupOf(draft, of) === group) && !known.has(of) && !changed.has(of)
    const found = [...all, ...own].filter(([of, draft]) => isSought(of, draft))
    const gone = new Set(goneIn(ofTab))
    const drafts = new Map(found.filter(([of]) => own.has(of) || !gone.has(of)))
    io.set(draftsAtom, new Map([...drafts, ...known]))
    // What only this tab had, or an older console kept in another form, is stored for all tabs.
    const storedNow = new Set(listIn(io, kind, value).map((entry) => JSON.stringify(entry)))
    for (const of of drafts.keys()) {
      const isSame = storedNow.has(JSON.stringify(storable(io, of)))
      if (!isSame || isOlderSql(kind, value) || isOlderSql(kind, ofTab)) changed.add(of)
    }
    keepInTab(io, drafts.keys())
    await keep(io)
  }

  /** Whether the stored drafts are loaded. Screens that mount this atom keep what is typed. */
  const areBackAtom = atom(
    (get) => get(loadedAtom).has(''),
    (get, set, act: (io: Io) => unknown) => act({ get, set }),
  )
  areBackAtom.onMount = (run) => {
    void run((io) => load(io))
    const onLeave = () => void run(leave)
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }
  return {
    /** By their slots. */
    draftsAtom: atom((get) => get(draftsAtom)),
    /** The draft of the open database. */
    hereAtom: atom((get) => get(draftsAtom).get(get(databaseAtom) ?? '') ?? null),
    /** The groups for which the stored drafts were looked up. */
    loadedAtom: atom((get) => get(loadedAtom)),
    areBackAtom,
    put,
    load,
    keep,
    leave,
  }
}

const keptInTab = (kind: DraftKind, owner: DraftOwner): unknown => readTab(draftPlace(kind, owner))

/** The slots that a tab emptied, in which it does not show what others typed before. */
function goneIn(value: unknown): string[] {
  const { gone } = Object(value)
  return Array.isArray(gone) ? gone.filter((slot) => typeof slot === 'string') : []
}

/** An older console kept one text of SQL, which goes to the database that is opened first. */
function isOlderSql(kind: DraftKind, value: unknown): value is { text: string } {
  return kind === 'sql' && typeof Object(value).text === 'string'
}

function listIn({ get }: Io, kind: DraftKind, value: unknown): readonly unknown[] {
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
async function readStored(storage: Storage, kind: DraftKind, owner: DraftOwner): Promise<unknown> {
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
