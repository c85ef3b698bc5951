import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import type { DocumentRevision } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import { askOnGrowth } from '~/core/history/newest-state'
import {
  type DocumentName,
  documentRevisions,
  readDocumentRevision,
} from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import type { Unreadable } from '~/core/unreadable'
import type { DocumentFields } from '~/immudb/document-json'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { provenFactsAtom } from '~/trust/proven-content'
import { documentRequest } from '~/trust/verification'
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

type Asked = DocumentName & { readonly signal?: AbortSignal }

/** A document in its newest revision or in a given one, as the audit has it. */
export async function readDocument(
  client: Client,
  of: Asked,
  number: number | 'newest',
): Promise<DocumentState> {
  // Audits answer from what is in the index. What is there is shown, even if more is to come.
  if (number === 'newest') await waitForIndex(client, of).catch(() => {})
  const revision = await readDocumentRevision(client, of, number)
  if (revision === null) return { kind: 'absent' }
  const { hidden, ...rest } = revision
  return hidden === null ? stateOf(rest) : { kind: 'hidden', revision: rest, why: hidden }
}

function stateOf(revision: DocumentRevision): DocumentState {
  const { isDeleted, document } = revision
  return isDeleted || document === null
    ? { kind: 'deleted', revision }
    : { kind: 'live', revision, document }
}

/** A document as of a transaction. */
export async function readPastDocument(
  client: Client,
  { tx, ...of }: Asked & { tx: string },
): Promise<DocumentState> {
  await waitForIndex(client, of).catch(() => {})
  const { last, next } = await documentRevisions(client, of).upTo(tx, of.signal)
  if (last) return readDocument(client, of, Number(last.revision))
  return next ? { kind: 'not-yet', first: next.tx } : { kind: 'absent' }
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

/** A document as it is proven, where a proof of what is shown was made; else as the server said. */
export const provenDocumentStateAtom = atom((get) => {
  const factsOf = get(provenFactsAtom)
  return (
    database: string,
    collection: string,
    id: string,
    state: DocumentState,
  ): DocumentState => {
    if (!('revision' in state)) return state
    const { tx } = state.revision
    const facts = factsOf(database, 'document', documentRequest({ collection, id, tx }))
    if (!facts) return state
    const revision = { ...state.revision, ts: facts.ts }
    if (facts.deleted) return { kind: 'deleted', revision }
    return { kind: 'live', revision, document: facts.document }
  }
})
