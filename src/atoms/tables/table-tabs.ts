import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { placesOf } from '~/core/storage/places'

const tableTab = v.object({
  table: v.string(),
  /** See `queryToAddress`. */
  q: v.exactOptional(v.string()),
  /** The part that is shown: structure, indexes or ddl; absent for the rows. */
  tab: v.exactOptional(v.string()),
})

/** A table that is open on Query, with what its address said when it was last shown. */
export type TableTab = Readonly<v.InferOutput<typeof tableTab>>

const { readAtom, keepAtom } = placesOf('tables', v.array(tableTab))

/** The open tables of the database, in the order in which they were opened. */
export const tableTabsAtom = atom(
  (get): readonly TableTab[] => get(readAtom)(get(databaseAtom) ?? '') ?? noTabs,
)

const noTabs: readonly TableTab[] = []

function changeTabs({ get, set }: Io, change: (tabs: readonly TableTab[]) => readonly TableTab[]) {
  return set(keepAtom, [...change(get(tableTabsAtom))], get(databaseAtom) ?? '')
}

/** Keeps what the address says about the table that is shown. */
export function noteTable(io: Io, shown: TableTab) {
  return changeTabs(io, (tabs) =>
    tabs.some(({ table }) => table === shown.table)
      ? tabs.map((tab) => (tab.table === shown.table ? shown : tab))
      : [...tabs, shown],
  )
}

/** Closes a table and returns the one to show in its place; null for the editor. */
export function closeTable(io: Io, table: string): TableTab | null {
  const tabs = io.get(tableTabsAtom)
  const at = tabs.findIndex((tab) => tab.table === table)
  changeTabs(io, (all) => all.filter((tab) => tab.table !== table))
  return tabs[at + 1] ?? tabs[at - 1] ?? null
}
