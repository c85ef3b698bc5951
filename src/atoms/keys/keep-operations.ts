import { atom } from 'jotai'
import * as v from 'valibot'
import { databaseAtom } from '../session/session'
import { type Drafts, draftKeeper } from '../storage/draft-keeper'
import { operationDraftsAtom, operationsNotKeptAtom } from './drafts'
import { keptOperations, type OperationDraft } from './operation-drafts'

/** Limit in characters for all values together; longer ones are not stored. */
const mostCharacters = 2_000_000

const kept = v.object({ drafts: v.array(keptOperations) })

const keeper = draftKeeper<readonly OperationDraft[]>({
  kind: 'operations',
  draftsAtom: operationDraftsAtom,
  notKeptAtom: operationsNotKeptAtom,
  storable: (drafts: Drafts<readonly OperationDraft[]>) => {
    const all = [...drafts].map(([database, operations]) => ({ database, operations }))
    const values = all.flatMap(({ operations }) => operations.map(({ value }) => value.text))
    return values.join('').length > mostCharacters ? null : all
  },
  read: (value) =>
    v.is(kept, value)
      ? value.drafts.map(({ database, operations }) => [database, operations] as const)
      : null,
})

/** Replaces the operations that are collected in the open database, or another one; none drops them. */
export const keepOperationsAtom = atom(
  null,
  (get, set, operations: readonly OperationDraft[], of?: string) => {
    const all = new Map(get(operationDraftsAtom))
    const database = of ?? get(databaseAtom) ?? ''
    if (operations.length === 0) all.delete(database)
    else all.set(database, operations)
    keeper.change(get, set, all)
  },
)

/** Whether the stored operations are loaded. Screens that mount this atom keep them. */
export const areOperationsBackAtom = keeper.areBackAtom
