import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftKeeper } from '~/core/storage/draft-keeper'
import type { NewColumn } from '~/sql/schema-changes'

export const column = v.object({
  name: v.string(),
  type: v.string(),
  length: v.string(),
  isNullable: v.boolean(),
  isPrimaryKey: v.boolean(),
  isAutoIncrement: v.boolean(),
})
const kept = v.object({
  drafts: v.array(v.object({ database: v.string(), table: v.string(), columns: v.array(column) })),
})

/** A table that was typed and not created yet. */
export type NewTableDraft = { readonly table: string; readonly columns: readonly NewColumn[] }

/** By database. */
const draftsAtom = atom<ReadonlyMap<string, NewTableDraft>>(new Map<string, NewTableDraft>())

const keeper = draftKeeper<NewTableDraft>({
  kind: 'tables',
  draftsAtom,
  notKeptAtom: atom(false),
  storable: (drafts) => [...drafts].map(([database, draft]) => ({ database, ...draft })),
  read: (value) =>
    v.is(kept, value) ? value.drafts.map(({ database, ...draft }) => [database, draft]) : null,
})

/** Whether the stored drafts are loaded. Forms that mount this atom keep what is typed. */
export const areNewTablesBackAtom = keeper.areBackAtom

/** Gives what was typed for a new table of a database. */
export const newTableDraftAtom = atom((get) => {
  const drafts = get(draftsAtom)
  return (database: string) => drafts.get(database)
})

/** Keeps what is typed for a new table of a database; null forgets it. */
export function keepNewTable(
  { get, set }: Io,
  database: string,
  draft: NewTableDraft | null,
): void {
  const drafts = new Map(get(draftsAtom))
  if (draft === null) drafts.delete(database)
  else drafts.set(database, { table: draft.table, columns: draft.columns })
  keeper.change(get, set, drafts)
}
