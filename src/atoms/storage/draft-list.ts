import { atom, type Getter, type PrimitiveAtom, type Setter } from 'jotai'
import { draftDelay } from '~/lib/constants'
import { type DraftKind, draftOwnerAtom, draftPlace, keepForTab, keptForTab } from './drafts'
import { readStoredDraft } from './kept-drafts'
import { storageAtom } from './stored'

/**
 * Limit in characters for all drafts together. Longer drafts are not stored; the console asks
 * before they are lost.
 */
const mostCharacters = 2_000_000

type Options<D> = {
  kind: Exclude<DraftKind, 'sql'>
  drafts: PrimitiveAtom<ReadonlyMap<string, D>>
  /** Set while the browser's storage cannot keep the drafts. */
  notKept: PrimitiveAtom<boolean>
  isChanged(draft: D): boolean
  /** A draft as it is stored: without what the server answered. */
  stored(draft: D): unknown
  /** The drafts in what was stored; null for anything else. */
  read(value: unknown): readonly D[] | null
}

/**
 * Keeps texts that users type, one in each database, until they are saved: through errors, reloads
 * and logouts.
 */
export function draftList<D extends { database: string; text: string }>(of: Options<D>) {
  const { kind, drafts: draftsAtom, notKept } = of
  const timerAtom = atom<ReturnType<typeof setTimeout> | undefined>(undefined)

  /** Null when the drafts are too long to store. */
  const storable = (drafts: ReadonlyMap<string, D>): readonly unknown[] | null => {
    const changed = [...drafts.values()].filter(of.isChanged)
    const characters = changed.reduce((sum, { text }) => sum + text.length, 0)
    return characters > mostCharacters ? null : changed.map(of.stored)
  }

  /**
   * Writes to this tab's storage at once, and to that of all tabs half a second after the last
   * keystroke.
   */
  const change = (get: Getter, set: Setter, drafts: ReadonlyMap<string, D>) => {
    set(draftsAtom, drafts)
    const owner = get(draftOwnerAtom)
    if (owner === null) return
    keepForTab(kind, owner, { drafts: storable(drafts) ?? [] })
    if (storable(drafts) === null) set(notKept, true)
    clearTimeout(get(timerAtom))
    const timer = setTimeout(() => set(keepNowAtom), draftDelay)
    set(timerAtom, timer)
  }

  /** Writes waiting drafts to the storage of all tabs. */
  const keepNowAtom = atom(null, async (get, set) => {
    const timer = get(timerAtom)
    const owner = get(draftOwnerAtom)
    clearTimeout(timer)
    set(timerAtom, undefined)
    if (timer === undefined || owner === null) return
    const drafts = storable(get(draftsAtom))
    const value = { drafts: drafts ?? [] }
    const isKept = await get(storageAtom).write(draftPlace(kind, owner), value)
    set(notKept, !isKept || drafts === null)
  })

  const isLoadedAtom = atom(false)

  /** Loads the stored drafts, once. */
  const loadAtom = atom(null, async (get, set) => {
    const owner = get(draftOwnerAtom)
    if (owner === null) return
    const stored = of.read(await readStoredDraft(get(storageAtom), kind, owner))
    if (get(isLoadedAtom)) return
    set(isLoadedAtom, true)
    const ofTab = of.read(keptForTab(kind, owner))
    const found = (ofTab ?? stored ?? []).map((one) => [one.database, one] as const)
    // Text typed in the meantime is newer. Drafts that only this tab had are stored for all.
    if (found.length > 0) change(get, set, new Map([...found, ...get(draftsAtom)]))
  })

  /** Whether the stored drafts are loaded. Screens that mount this atom keep typed text. */
  const areBackAtom = atom(
    (get) => get(isLoadedAtom),
    (_get, set, now: 'load' | 'keep') => set(now === 'load' ? loadAtom : keepNowAtom),
  )
  areBackAtom.onMount = (run) => {
    void run('load')
    const onLeave = () => void run('keep')
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }

  return {
    areBackAtom,
    /** Replaces the draft of its database. */
    keepAtom: atom(null, (get, set, draft: D) =>
      change(get, set, new Map(get(draftsAtom)).set(draft.database, draft)),
    ),
    /** Removes the draft of a database. */
    dropAtom: atom(null, (get, set, database: string) => {
      const left = new Map(get(draftsAtom))
      left.delete(database)
      change(get, set, left)
    }),
  }
}
