import * as v from 'valibot'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { type DocumentQuery, queryJson } from '~/immudb/document-query'
import type { Client } from './client'
import { isBecause } from './errors'
import {
  filled,
  filledList,
  flag,
  id,
  int64,
  isRecord,
  listAnswer,
  nothing,
  object,
  orNothing,
  text,
} from './schemas'

/** The fields of a document in an answer. */
export const documentFields = v.pipe(
  v.unknown(),
  v.check(isRecord),
  v.transform((found) => found as DocumentFields), // just checked
)

/** A history is never empty: for a document that never existed, the server answers with an error. */
const audited = object({
  revisions: filledList(
    object({
      transactionId: id,
      revision: id,
      metadata: v.optional(object({ deleted: flag })),
      document: v.optional(documentFields),
      username: text,
      ts: int64,
    }),
  ),
})

/** One revision of a document. */
export type DocumentRevision = {
  revision: string
  tx: string
  /** Seconds since 1970. */
  ts: string
  /** Who wrote it, as the server noted it in the transaction. */
  author: string
  isDeleted: boolean
  /** Null for a deletion and when it was left out. */
  document: DocumentFields | null
}

/**
 * `POST /v2/collection/{name}/document/{id}/audit`: a page of revisions, deletions included; none
 * behind the last page and for a document that never existed.
 */
export async function auditDocument(
  client: Client,
  request: {
    database: string
    collection: string
    id: string
    /** From 1. */
    page: number
    pageSize: number
    omitPayload: boolean
    isNewestFirst: boolean
    signal?: AbortSignal
  },
): Promise<DocumentRevision[]> {
  const [collection, document] = [request.collection, request.id].map(encodeURIComponent)
  const { page, pageSize, omitPayload, isNewestFirst } = request
  try {
    const answer = await client.call(audited, {
      method: 'POST',
      path: `/v2/collection/${collection}/document/${document}/audit`,
      body: { page, pageSize, desc: isNewestFirst, omitPayload },
      database: request.database,
      isRead: true,
      ...(request.signal ? { signal: request.signal } : {}),
    })
    return answer.revisions.map(
      ({ transactionId, metadata, username, document = null, ...rest }) => ({
        ...rest,
        tx: transactionId,
        author: username,
        isDeleted: metadata?.deleted ?? false,
        document,
      }),
    )
  } catch (error) {
    // After the last revision the server answers with an error instead of an empty page.
    if (isBecause(error, 'key-not-found', 'no-more-entries', 'document-not-found')) return []
    throw error
  }
}

export type Replacement = {
  collection: string
  id: string
  /** The field of the collection that holds the ids. */
  idField: string
  /** The new content; a text is JSON without the id, to be sent as it is. */
  document: DocumentFields | string
}

const methodToReplace = 'PUT'

function pathToReplace({ collection }: Replacement): string {
  return `/v2/collection/${encodeURIComponent(collection)}/documents/replace`
}

/**
 * Always names the document: without an expression the server would replace every document of the
 * collection. With an indent it has lines to be read.
 */
function replaceBody({ id, idField, document }: Replacement, indent?: string): string {
  const query = JSON.stringify(queryOfId({ id, idField }))
  const whole =
    typeof document === 'string' ? document : documentJson({ ...document, [idField]: id }, indent)
  if (indent === undefined) return `{"query":${query},"document":${whole}}`
  return `{\n${indent}"query": ${query},\n${indent}"document": ${whole}\n}`
}

/** The request of `replaceDocument` as people read it. */
export function replaceText(of: Replacement): string {
  return `${methodToReplace} ${pathToReplace(of)}\n${replaceBody(of, '  ')}`
}

const replaced = listAnswer('revisions', object({ transactionId: id, revision: id }))

/**
 * `PUT /v2/collection/{name}/documents/replace` of one document. Resolves with the transaction and
 * the number of the new revision, or null when there is no such document, for instance because it
 * was deleted. The console never sends it twice.
 */
export async function replaceDocument(
  client: Client,
  { database, ...of }: Replacement & { database: string },
): Promise<{ tx: string; revision: string } | null> {
  const [found] = await client.call(replaced, {
    method: methodToReplace,
    path: pathToReplace(of),
    body: replaceBody(of),
    database,
  })
  return found ? { tx: found.transactionId, revision: found.revision } : null
}

/** The query of one document. Without an expression, the server would take every document. */
function queryOfId({ id, idField }: { id: string; idField: string }) {
  const byId = { field: idField, operator: 'EQ', value: id }
  return { expressions: [{ fieldComparisons: [byId] }], limit: 1 }
}

const inserted = object({ transactionId: id, documentIds: filledList(filled) })

/**
 * `POST /v2/collection/{name}/documents`: inserts documents in one transaction. Each is JSON, sent
 * as it is, without an id. Resolves with the transaction and the ids, in the same order.
 */
export async function insertDocuments(
  client: Client,
  request: { database: string; collection: string; documents: readonly string[] },
): Promise<{ tx: string; ids: string[] }> {
  const { transactionId, documentIds } = await client.call(inserted, {
    method: 'POST',
    path: `/v2/collection/${encodeURIComponent(request.collection)}/documents`,
    body: `{"documents":[${request.documents.join()}]}`,
    database: request.database,
  })
  return { tx: transactionId, ids: documentIds }
}

/**
 * `POST /v2/collection/{name}/documents/delete` of one document. The answer says neither whether
 * there was one nor which transaction deleted it.
 */
export async function deleteDocument(
  client: Client,
  request: { database: string; collection: string; id: string; idField: string },
): Promise<void> {
  await client.call(nothing, {
    method: 'POST',
    path: `/v2/collection/${encodeURIComponent(request.collection)}/documents/delete`,
    body: { query: queryOfId(request) },
    database: request.database,
  })
}

const counted = orNothing(object({ count: id }))

/** `POST /v2/collection/{name}/documents/count`: how many documents a query finds. */
export async function countDocuments(
  client: Client,
  request: { database: string; collection: string; query: DocumentQuery; signal?: AbortSignal },
): Promise<string> {
  const answer = await client.call(counted, {
    method: 'POST',
    path: `/v2/collection/${encodeURIComponent(request.collection)}/documents/count`,
    body: `{"query":${queryJson(request.query)}}`,
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer?.count ?? '0'
}
