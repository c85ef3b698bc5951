import { atom, type Getter, type Setter } from 'jotai'
import * as v from 'valibot'
import { byteFormats } from '~/lib/byte-formats'
import { draftDelay, keyDraftsStorageKey } from '~/lib/constants'
import { type Draft, draftsAtom, draftsNotKeptAtom, isChanged } from './key-drafts'
import { databaseAtom, sessionAtom } from './session'
import { storageAtom } from './stored'
import { keepForTab, keptForTab } from './tab-draft'

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
  firstText: v.string(),
  base,
  keepsExpiry: v.boolean(),
  isTooLarge: v.boolean(),
})
const kept = v.object({ user: v.string(), drafts: v.array(draft) })

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
  const user = get(sessionAtom)?.user
  if (user === undefined) return
  const changed = [...drafts.values()].filter(isChanged)
  const characters = changed.reduce((sum, one) => sum + one.text.length + one.firstText.length, 0)
  const isTooLong = characters > mostCharacters
  const value = { user, drafts: isTooLong ? [] : changed }
  keepForTab(value, 'keys')
  if (isTooLong) set(draftsNotKeptAtom, true)
  clearTimeout(get(timerAtom))
  const write = async () => {
    // Nobody is signed in any more when it was removed on purpose.
    if (get(sessionAtom)?.user !== user) return
    const isKept = await get(storageAtom).write(keyDraftsStorageKey, value)
    set(draftsNotKeptAtom, !isKept || isTooLong)
  }
  set(timerAtom, setTimeout(write, draftDelay))
}

const isLoadedAtom = atom(false)

/** Whether drafts that were kept before are back; looked up, once, where it is first shown. */
export const areDraftsBackAtom = atom(
  (get) => get(isLoadedAtom),
  async (get, set) => {
    const stored = ownDrafts(get, await get(storageAtom).read(keyDraftsStorageKey))
    if (get(isLoadedAtom)) return
    set(isLoadedAtom, true)
    const found = ownDrafts(get, keptForTab('keys')) ?? stored ?? []
    // What was typed in the meantime is newer.
    set(
      draftsAtom,
      new Map([...found.map((one) => [one.database, one] as const), ...get(draftsAtom)]),
    )
  },
)
areDraftsBackAtom.onMount = (load) => void load()

function ownDrafts(get: Getter, value: unknown): readonly Draft[] | null {
  const isOwn = v.is(kept, value) && value.user === get(sessionAtom)?.user
  return isOwn ? value.drafts : null
}
