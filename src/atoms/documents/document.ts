import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import { askOnGrowth } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { type Unreadable, whyUnreadable } from '~/core/unreadable'
import type { DocumentFields } from '~/immudb/document-json'
import { bisect } from '~/lib/bisection'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { keyOfDocuments } from './collections'

/** A document in one of its revisions. */
export type DocumentState =
  /** The collection never had it, or not this revision of it. */
  | { kind: 'absent' }
  /** As of a moment before its first revision, which was written in `first`. */
  | { kind: 'not-yet'; first: string }
  | { kind: 'live'; revision: DocumentRevision; document: DocumentFields }
  | { kind: 'deleted'; revision: DocumentRevision }
  /** It is there, but cannot be read. */
  | { kind: 'hidden'; revision: DocumentRevision; why: Unreadable }

type DocumentName = { database: string; collection: string; id: string; signal?: AbortSignal }

/** The n-th revision, or the newest one. */
async function auditOne(
  client: Client,
  of: DocumentName,
  number: number | 'newest',
  omitPayload: boolean,
): Promise<DocumentRevision | null> {
  const isNewest = number === 'newest'
  const page = isNewest ? 1 : number
  const order = { page, pageSize: 1, isNewestFirst: isNewest, omitPayload }
  const [found] = await auditDocument(client, { ...of, ...order })
  return found ?? null
}

/** A document in its newest revision or in a given one, as the audit has it. */
export async function readDocument(
  client: Client,
  of: DocumentName,
  number: number | 'newest',
): Promise<DocumentState> {
  // Audits answer from what is in the index. What is there is shown, even if more is to come.
  if (number === 'newest') await waitForIndex(client, of).catch(() => {})
  const whole = await auditOne(client, of, number, false).catch(whyUnreadable)
  if (typeof whole !== 'string') return stateOf(whole)
  const revision = await auditOne(client, of, number, true)
  return revision ? { kind: 'hidden', revision, why: whole } : { kind: 'absent' }
}

function stateOf(revision: DocumentRevision | null): DocumentState {
  if (revision === null) return { kind: 'absent' }
  const { isDeleted, document } = revision
  return isDeleted || document === null
    ? { kind: 'deleted', revision }
    : { kind: 'live', revision, document }
}

/** A document as of a transaction: its last revision up to there, by bisection over its revisions. */
export async function readPastDocument(
  client: Client,
  { tx, ...of }: DocumentName & { tx: string },
): Promise<DocumentState> {
  await waitForIndex(client, of).catch(() => {})
  const newest = await auditOne(client, of, 'newest', true)
  if (newest === null) return { kind: 'absent' }
  if (BigInt(newest.tx) <= BigInt(tx)) return readDocument(client, of, Number(newest.revision))
  const first = await auditOne(client, of, 1, true)
  if (first === null || BigInt(first.tx) > BigInt(tx)) {
    return { kind: 'not-yet', first: first?.tx ?? newest.tx }
  }
  const isUpTo = async (revision: bigint) => {
    const found = await auditOne(client, of, Number(revision), true)
    return found !== null && BigInt(found.tx) <= BigInt(tx)
  }
  const [last] = await bisect(1n, BigInt(newest.revision), isUpTo)
  return readDocument(client, of, Number(last))
}

/** Returns the query atom of a document in a revision or, for `''`, at present. */
export const documentStatesAtom = atom(() =>
  memoizeByNames((database = '', collection = '', id = '', revision = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: keyOfDocuments(database, 'document', collection, id, revision),
        // JSON of two documents may differ only in the sign of a zero.
        structuralSharing: false,
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: ({ signal, client: cache }) => {
          growth.note(cache)
          const number = revision === '' ? 'newest' : Number(revision)
          return readDocument(client, { database, collection, id, signal }, number)
        },
      }
    })
  }),
)

/** Returns the query atom of a document as of a transaction. */
export const pastDocumentsAtom = atom(() =>
  memoizeByNames((database = '', collection = '', id = '', tx = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: keyOfDocuments(database, 'past', collection, id, tx),
        structuralSharing: false,
        queryFn: ({ signal }) => readPastDocument(client, { database, collection, id, tx, signal }),
      }
    }),
  ),
)
