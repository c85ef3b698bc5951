import { atom, type Getter, type Setter } from 'jotai'
import * as v from 'valibot'
import { byteFormats } from '~/lib/byte-formats'
import { draftDelay } from '~/lib/constants'
import { databaseAtom } from '../session/session'
import { draftOwnerAtom, draftPlace, keepForTab, keptForTab } from '../storage/drafts'
import { readDraft } from '../storage/older-drafts'
import { storageAtom } from '../storage/stored'
import { type Draft, draftsAtom, draftsNotKeptAtom, isChanged } from './drafts'

const format = v.picklist(byteFormats)
const base = v.union([
  v.object({
    kind: v.picklist(['revision']),
    tx: v.string(),
    expiresAt: v.nullable(v.string()),
    target: v.nullable(v.string()),
  }),
  v.object({ kind: v.picklist(['nothing', 'something']) }),
])
const draft = v.object({
  database: v.string(),
  key: v.nullable(v.string()),
  keyText: v.string(),
  keyFormat: format,
  text: v.string(),
  format,
  base,
  keepsExpiry: v.boolean(),
  // Drafts of an older build have neither.
  expiry: v.optional(v.string()),
  target: v.optional(v.nullable(v.object({ text: v.string(), format }))),
  isTooLarge: v.boolean(),
})
const kept = v.object({ drafts: v.array(draft) })
/** Without the value as it was read: nothing that the server answered is kept on this computer. */
type Kept = v.InferOutput<typeof draft>

/** Characters of all drafts together; what is longer is only asked about before it is lost. */
const mostCharacters = 2_000_000

const timerAtom = atom<ReturnType<typeof setTimeout> | undefined>(undefined)

/** Takes the place of the draft of its database. */
export const keepKeyDraftAtom = atom(null, (get, set, of: Draft) =>
  change(get, set, new Map(get(draftsAtom)).set(of.database, of)),
)

/** Removes the draft of a database, or of the open one. */
export const dropDraftAtom = atom(null, (get, set, of?: string) => {
  const left = new Map(get(draftsAtom))
  left.delete(of ?? get(databaseAtom) ?? '')
  change(get, set, left)
})

/** This tab's own storage has it at once; the one of all tabs half a second after the last key. */
function change(get: Getter, set: Setter, drafts: ReadonlyMap<string, Draft>) {
  set(draftsAtom, drafts)
  const owner = get(draftOwnerAtom)
  if (owner === null) return
  keepForTab('keys', owner, { drafts: storable(drafts) ?? [] })
  if (storable(drafts) === null) set(draftsNotKeptAtom, true)
  clearTimeout(get(timerAtom))
  const timer = setTimeout(() => set(keepNowAtom), draftDelay)
  set(timerAtom, timer)
}

/** Null when they are too long to be stored. */
function storable(drafts: ReadonlyMap<string, Draft>): readonly Kept[] | null {
  const changed = [...drafts.values()]
    .filter(isChanged)
    .map(({ firstText: _read, ...typed }) => typed)
  const characters = changed.reduce((sum, { text }) => sum + text.length, 0)
  return characters > mostCharacters ? null : changed
}

/** Writes to the storage of all tabs what waits for it. */
const keepNowAtom = atom(null, async (get, set) => {
  const timer = get(timerAtom)
  const owner = get(draftOwnerAtom)
  clearTimeout(timer)
  set(timerAtom, undefined)
  if (timer === undefined || owner === null) return
  const drafts = storable(get(draftsAtom))
  const value = { drafts: drafts ?? [] }
  const isKept = await get(storageAtom).write(draftPlace('keys', owner), value)
  set(draftsNotKeptAtom, !isKept || drafts === null)
})

const isLoadedAtom = atom(false)

/** Looks up, once, what was kept before. */
const loadAtom = atom(null, async (get, set) => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return
  const stored = draftsOf(await readDraft(get(storageAtom), 'keys', owner))
  if (get(isLoadedAtom)) return
  set(isLoadedAtom, true)
  const ofTab = draftsOf(keptForTab('keys', owner))
  const found = (ofTab ?? stored ?? []).map((one) => [one.database, one] as const)
  // What was typed in the meantime is newer; what only this tab had is stored for all.
  if (found.length > 0) change(get, set, new Map([...found, ...get(draftsAtom)]))
})

/** Whether drafts that were kept before are back. Where it is shown, what is typed is kept. */
export const areDraftsBackAtom = atom(
  (get) => get(isLoadedAtom),
  (_get, set, now: 'load' | 'keep') => set(now === 'load' ? loadAtom : keepNowAtom),
)
areDraftsBackAtom.onMount = (run) => {
  void run('load')
  const onLeave = () => void run('keep')
  window.addEventListener('pagehide', onLeave)
  return () => {
    window.removeEventListener('pagehide', onLeave)
    onLeave()
  }
}

function draftsOf(value: unknown): readonly Draft[] | null {
  if (!v.is(kept, value)) return null
  return value.drafts.map((one) => ({
    ...one,
    expiry: one.expiry ?? '',
    target: one.target ?? null,
    firstText: null,
  }))
}
