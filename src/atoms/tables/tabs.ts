import { atom } from 'jotai'
import * as v from 'valibot'
import { samplesStorageKey } from '~/lib/storage-keys'
import { databaseAtom, serverAtom, serverPlaceAtom, sessionAtom } from '../session/session'
import { readTab, writeTab } from '../storage/tab'

/** Begins like that of samples, because a tab forgets both at the end of a session. */
const storageKey = `${samplesStorageKey}.tables`

const tableTab = v.object({
  table: v.string(),
  /** See `queryToAddress`. */
  q: v.exactOptional(v.string()),
  /** The part that is shown: structure, indexes or ddl; absent for the rows. */
  tab: v.exactOptional(v.string()),
})
const kept = v.object({ tabs: v.array(tableTab) })

/** A table that is open on Query, with what its address said when it was last shown. */
export type TableTab = Readonly<v.InferOutput<typeof tableTab>>

/** By database. */
const tabsAtom = atom<ReadonlyMap<string, readonly TableTab[]>>(new Map())

/**
 * Where the open tables of the database are kept for a reload of this tab; null for a session in
 * memory alone, which writes nothing to this computer.
 */
const placeAtom = atom((get) => {
  const session = get(sessionAtom)
  if (!session?.isStored) return null
  const server = (get(serverAtom) ?? '') + get(serverPlaceAtom)
  return `${storageKey} ${JSON.stringify([server, session.user, get(databaseAtom)])}`
})

/** The tables that were open before this page was loaded. */
const tabsBeforeAtom = atom((get): readonly TableTab[] => {
  const place = get(placeAtom)
  const found = place === null ? null : readTab(place)
  return v.is(kept, found) ? found.tabs : noTabs
})

/** The open tables of the database, in the order in which they were opened. */
export const tableTabsAtom = atom(
  (get) => get(tabsAtom).get(get(databaseAtom) ?? '') ?? get(tabsBeforeAtom),
)

const noTabs: readonly TableTab[] = []

const changeTabsAtom = atom(
  null,
  (get, set, change: (tabs: readonly TableTab[]) => readonly TableTab[]) => {
    const tabs = change(get(tableTabsAtom))
    const place = get(placeAtom)
    set(tabsAtom, new Map(get(tabsAtom)).set(get(databaseAtom) ?? '', tabs))
    if (place !== null) writeTab(place, { tabs })
  },
)

/** Keeps what the address says about the table that is shown. */
export const noteTableAtom = atom(null, (_get, set, shown: TableTab) =>
  set(changeTabsAtom, (tabs) =>
    tabs.some(({ table }) => table === shown.table)
      ? tabs.map((tab) => (tab.table === shown.table ? shown : tab))
      : [...tabs, shown],
  ),
)

/** Closes a table and returns the one to show in its place; null for the editor. */
export const closeTableAtom = atom(null, (get, set, table: string): TableTab | null => {
  const tabs = get(tableTabsAtom)
  const at = tabs.findIndex((tab) => tab.table === table)
  set(changeTabsAtom, (all) => all.filter((tab) => tab.table !== table))
  return tabs[at + 1] ?? tabs[at - 1] ?? null
})
