import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { unappliedForms } from '~/core/drafts'
import { type Operator, operators } from '~/immudb/document-query'

const id = v.number()
const ofNull: Partial<Record<Operator, Operator>> = { EQ: 'NULL', NE: 'NOT_NULL' }

const comparison = v.pipe(
  v.object({
    /** Tells it from others of its group. */
    id,
    field: v.string(),
    operator: v.picklist(operators),
    text: v.string(),
    /** The second value of two; the console of 28 November 2026 took one. */
    upTo: v.optional(v.string(), ''),
    /** Of that console, which had no operators for null. */
    isNull: v.optional(v.boolean(), false),
  }),
  v.transform(({ isNull, operator, ...typed }) => ({
    ...typed,
    operator: (isNull && ofNull[operator]) || operator,
  })),
)

const draft = v.object({
  /** The search that was shown then, as an address has it: typed text belongs to it. */
  shown: v.string(),
  /** Each must hold in one of its groups: OR of AND. */
  groups: v.array(v.object({ id, lines: v.array(comparison) })),
  /** The field; empty for the ids. */
  order: v.string(),
  isDescending: v.boolean(),
  limit: v.string(),
})

/** A comparison as it is typed. */
export type TypedComparison = v.InferOutput<typeof comparison>

/** A search that is typed for a collection and not sent. */
export type SearchDraft = v.InferOutput<typeof draft>

const { readAtom, keepAtom } = unappliedForms<SearchDraft>('search', draft)

/** Reads the search that was typed for a collection while another one was shown; null for none. */
export const searchDraftAtom = atom((get) => {
  const read = get(readAtom)
  return (database: string, collection: string, shown: string): SearchDraft | null => {
    const found = read(database, collection)
    return found?.shown === shown ? found : null
  }
})

/** Keeps the search that is typed for a collection; null forgets it. */
export function keepSearchDraft(
  { set }: Io,
  database: string,
  collection: string,
  typed: SearchDraft | null,
) {
  return set(keepAtom, typed, database, collection)
}
