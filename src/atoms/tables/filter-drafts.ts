import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { unappliedForms } from '~/core/drafts'
import { operators } from '~/sql/row-filter'

const condition = v.object({
  /** Tells it from the others. */
  id: v.number(),
  column: v.string(),
  operator: v.picklist(operators),
  /** Of a list, a value in each line. */
  text: v.string(),
  /** The last value of a range. */
  to: v.exactOptional(v.string()),
  /** The values that were applied, as long as nothing was typed: a field may hold them otherwise. */
  values: v.exactOptional(v.array(v.string())),
})

const draft = v.object({
  /** The filter that was applied then, as JSON: typed text belongs to it. */
  applied: v.string(),
  isAny: v.boolean(),
  conditions: v.array(condition),
})

/** A condition as it is typed. */
export type TypedCondition = v.InferOutput<typeof condition>

/** The conditions that are typed for the rows of a table and not applied. */
export type FilterDraft = v.InferOutput<typeof draft>

const { readAtom, keepAtom } = unappliedForms<FilterDraft>('filter', draft)

/** Reads the filter that was typed for a table while another one was applied; null for none. */
export const filterDraftAtom = atom((get) => {
  const read = get(readAtom)
  return (database: string, table: string, applied: string): FilterDraft | null => {
    const found = read(database, table)
    return found?.applied === applied ? found : null
  }
})

/** Keeps the filter that is typed for a table; null forgets it. */
export function keepFilterDraft(
  { set }: Io,
  database: string,
  table: string,
  typed: FilterDraft | null,
) {
  return set(keepAtom, typed, database, table)
}
