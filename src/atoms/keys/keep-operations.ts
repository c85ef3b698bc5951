import { atom } from 'jotai'
import type * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import { databaseAtom } from '~/core/session/session'
import { type CollectedOperations, keptOperations, type OperationDraft } from './operation-drafts'

/** Operations that are collected for one transaction, by database. */
export const operationDrafts = draftsOf<CollectedOperations, v.InferOutput<typeof keptOperations>>({
  kind: 'operations',
  schema: keptOperations,
  read: ({ database, operations, sentAfter = null }) => [database, { operations, sentAfter }],
  write: ({ operations, sentAfter }, database) => ({
    database,
    operations: [...operations],
    ...(sentAfter === null ? {} : { sentAfter }),
  }),
  lengthOf: ({ operations }) => operations.reduce((sum, { value }) => sum + value.text.length, 0),
})

const none: readonly OperationDraft[] = []

/** Those of the open database. */
export const operationsAtom = atom((get) => get(operationDrafts.hereAtom)?.operations ?? none)

/** Replaces the operations that are collected in the open database, or another one; none drops them. */
export function keepOperations(io: Io, operations: readonly OperationDraft[], of?: string) {
  const collected = operations.length === 0 ? null : { operations, sentAfter: null }
  operationDrafts.put(io, of ?? io.get(databaseAtom) ?? '', collected)
}

/** Changes one operation of the open database, by its place; null removes it. */
export function changeOperation(io: Io, at: number, next: OperationDraft | null) {
  const others = next === null ? [] : [next]
  keepOperations(io, io.get(operationsAtom).toSpliced(at, 1, ...others))
}

/** Keeps with the operations of a database what `CollectedOperations` says about their sending. */
export function markSent(io: Io, database: string, sentAfter: string | null) {
  const known = io.get(operationDrafts.draftsAtom).get(database)
  // Written again without a change, it would take away what another tab has marked since.
  if (!known || known.sentAfter === sentAfter) return
  operationDrafts.put(io, database, { ...known, sentAfter })
}
