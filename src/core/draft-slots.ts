import { type Atom, atom } from 'jotai'
import * as v from 'valibot'
import { draftDelay, draftRetry, largeTextLength } from '~/lib/constants'
import type { Io } from './act'
import {
  type DraftKind,
  type DraftOwner,
  draftOwnerAtom,
  draftPlace,
  isOlderSql,
  keptInTab,
  listIn,
  readStored,
} from './drafts'
import { databaseAtom } from './session/session'
import { storageAtom } from './storage/stored'
import { readTab, writeTab } from './storage/tab'

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
  /** Slots that this tab loaded and left as they were: what another tab stored since is newer. */
  readonly seen: Set<string>
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
    /** It had no room for all. */
    isPart: false,
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
    state.tab = { place, kept, gone: slotsIn(value, 'gone'), seen: slotsIn(value, 'seen') }
    return state.tab
  }

  /**
   * Writing a long draft blocks the page, and so do many: the tab keeps what was changed last, and
   * all of it when the page is left.
   */
  function keepInTab(io: Io, slots: Iterable<string>, isLeaving = false): void {
    const owner = io.get(draftOwnerAtom)
    if (owner === null) return
    const { place, kept, gone, seen } = tabDrafts(io, owner)
    for (const slot of slots) {
      const draft = io.get(draftsAtom).get(slot)
      const now = storable(io, slot)
      const isLater = !isLeaving && draft !== undefined && isLong(draft)
      kept.delete(slot)
      if (now !== null && !isLater) kept.set(slot, now)
      if (now === null) gone.add(slot)
      else gone.delete(slot)
    }
    let room = isLeaving ? Number.POSITIVE_INFINITY : largeTextLength
    const lengthIn = (slot: string) => {
      const draft = io.get(draftsAtom).get(slot)
      return draft === undefined ? 0 : lengthOf(draft)
    }
    const drafts = [...kept]
      .reverse()
      .flatMap(([slot, entry]) => {
        room -= lengthIn(slot)
        return room < 0 ? [] : [entry]
      })
      .reverse()
    const lists = Object.entries({ gone, seen }).filter(([, list]) => list.size > 0)
    const named = lists.map(([name, list]) => [name, [...list]])
    io.get(stateAtom).isPart = room < 0
    writeTab(place, { drafts, ...Object.fromEntries(named) })
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
    const owner = io.get(draftOwnerAtom)
    if (owner) tabDrafts(io, owner).seen.delete(slot)
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
    if (long.length > 0 || io.get(stateAtom).isPart)
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
    for (const of of value === null ? [] : slotsIn(ofTab, 'seen')) own.delete(of)
    const known = io.get(draftsAtom)
    const { changed } = io.get(stateAtom)
    const isSought = (of: string, draft: T) =>
      (group === '' || groupOf(draft, of) === group) && !known.has(of) && !changed.has(of)
    const found = [...all, ...own].filter(([of, draft]) => isSought(of, draft))
    const gone = slotsIn(ofTab, 'gone')
    const drafts = new Map(found.filter(([of]) => own.has(of) || !gone.has(of)))
    io.set(draftsAtom, new Map([...drafts, ...known]))
    // What only this tab had, or an older console kept in another form, is stored for all tabs.
    const storedNow = new Set(listIn(io, kind, value).map((entry) => JSON.stringify(entry)))
    for (const of of drafts.keys()) {
      const isSame = storedNow.has(JSON.stringify(storable(io, of)))
      if (!isSame || isOlderSql(kind, value) || isOlderSql(kind, ofTab)) changed.add(of)
    }
    const { seen } = tabDrafts(io, owner)
    for (const of of drafts.keys()) if (!own.has(of)) seen.add(of)
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

/** The slots that a tab emptied, in which it does not show what others typed before, or only saw. */
function slotsIn(value: unknown, name: 'gone' | 'seen'): Set<string> {
  const slots: unknown = Object(value)[name]
  return new Set(Array.isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [])
}
