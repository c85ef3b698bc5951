import { atom, type Getter, type PrimitiveAtom, type Setter } from 'jotai'
import { draftDelay } from '~/lib/constants'
import { type DraftKind, draftOwnerAtom, draftPlace, keepForTab, keptForTab } from './drafts'
import { readStoredDraft } from './kept-drafts'
import { storageAtom } from './stored'

/** Drafts by a name of their own, such as that of their database. */
export type Drafts<T> = ReadonlyMap<string, T>

type KeeperOf<T> = {
  kind: DraftKind
  draftsAtom: PrimitiveAtom<Drafts<T>>
  /** Set while the browser's storage cannot keep them. */
  notKeptAtom: PrimitiveAtom<boolean>
  /** What is stored; null when it is too long for that. */
  storable: (drafts: Drafts<T>) => readonly unknown[] | null
  /** The drafts in a stored value; null for anything else. */
  read: (value: unknown) => readonly (readonly [string, T])[] | null
}

/** Keeps typed text in the storage of this tab and of all tabs, for the user on this server. */
export function draftKeeper<T>({ kind, draftsAtom, notKeptAtom, storable, read }: KeeperOf<T>) {
  const timerAtom = atom<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isLoadedAtom = atom(false)

  /**
   * Writes to this tab's storage at once, and to that of all tabs half a second after the last
   * keystroke.
   */
  const change = (get: Getter, set: Setter, drafts: Drafts<T>): void => {
    set(draftsAtom, drafts)
    const owner = get(draftOwnerAtom)
    if (owner === null) return
    const stored = storable(drafts)
    keepForTab(kind, owner, { drafts: stored ?? [] })
    if (stored === null) set(notKeptAtom, true)
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
    set(notKeptAtom, !isKept || drafts === null)
  })

  /** Loads the stored drafts, once. */
  const loadAtom = atom(null, async (get, set) => {
    const owner = get(draftOwnerAtom)
    if (owner === null) return
    const stored = read(await readStoredDraft(get(storageAtom), kind, owner))
    if (get(isLoadedAtom)) return
    set(isLoadedAtom, true)
    const found = read(keptForTab(kind, owner)) ?? stored ?? []
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
  return { change, areBackAtom }
}
