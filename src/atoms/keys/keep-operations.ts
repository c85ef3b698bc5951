import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { type Drafts, draftKeeper } from '~/core/storage/draft-keeper'
import { operationDraftsAtom, operationsAtom, operationsNotKeptAtom } from './drafts'
import { type CollectedOperations, keptOperations, type OperationDraft } from './operation-drafts'

/** Limit in characters for all values together; longer ones are not stored. */
const mostCharacters = 2_000_000

const kept = v.object({ drafts: v.array(keptOperations) })

const keeper = draftKeeper<CollectedOperations>({
  kind: 'operations',
  draftsAtom: operationDraftsAtom,
  notKeptAtom: operationsNotKeptAtom,
  storable: (drafts: Drafts<CollectedOperations>) => {
    const all = [...drafts].map(([database, { operations, sentAfter }]) => ({
      database,
      operations,
      ...(sentAfter === null ? {} : { sentAfter }),
    }))
    const values = all.flatMap(({ operations }) => operations.map(({ value }) => value.text))
    return values.join('').length > mostCharacters ? null : all
  },
  read: (value) => {
    const { success, output } = v.safeParse(kept, value)
    if (!success) return null
    return output.drafts.map(
      ({ database, operations, sentAfter = null }) =>
        [database, { operations, sentAfter }] as const,
    )
  },
})

/** Replaces the operations that are collected in the open database, or another one; none drops them. */
export function keepOperations(
  { get, set }: Io,
  operations: readonly OperationDraft[],
  of?: string,
) {
  const all = new Map(get(operationDraftsAtom))
  const database = of ?? get(databaseAtom) ?? ''
  if (operations.length === 0) all.delete(database)
  else all.set(database, { operations, sentAfter: null })
  keeper.change(get, set, all)
}

/** Changes one operation of the open database, by its place; null removes it. */
export function changeOperation(io: Io, at: number, next: OperationDraft | null) {
  const others = next === null ? [] : [next]
  keepOperations(io, io.get(operationsAtom).toSpliced(at, 1, ...others))
}

/** Keeps with the operations of a database what `CollectedOperations` says about their sending. */
export function markSent({ get, set }: Io, database: string, sentAfter: string | null) {
  const all = new Map(get(operationDraftsAtom))
  const known = all.get(database)
  if (known) keeper.change(get, set, all.set(database, { ...known, sentAfter }))
}

/** Whether the stored operations are loaded. Screens that mount this atom keep them. */
export const areOperationsBackAtom = keeper.areBackAtom
