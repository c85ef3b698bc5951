import * as v from 'valibot'
import type { Client } from './client'
import { isBecause } from './errors'
import { filled, flag, id, int64, isRecord, listAnswer, object, text } from './schemas'

const collections = listAnswer('collections', object({ name: filled }))

/** `GET /v2/collections`: the names of the collections of documents. */
export async function listCollections(
  client: Client,
  request: { database: string; signal?: AbortSignal },
): Promise<string[]> {
  const answer = await client.call(collections, {
    method: 'GET',
    path: '/v2/collections',
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.map(({ name }) => name)
}

const revision = object({
  transactionId: id,
  revision: id,
  metadata: v.optional(object({ deleted: flag })),
  /** The fields of the document; absent once it was deleted. */
  document: v.optional(v.custom<Record<string, unknown>>(isRecord)),
  username: text,
  ts: int64,
})

/** One revision of a document. */
export type DocumentRevision = {
  tx: string
  revision: string
  isDeleted: boolean
  document: Readonly<Record<string, unknown>> | null
  /** Who wrote it, as the server says. */
  user: string
  /** Seconds since 1970. */
  ts: string
}

const revisions = listAnswer('revisions', revision)

/**
 * `POST /v2/collection/{name}/document/{id}/audit`: revisions, oldest first; none behind the last
 * page and for an id that the collection never had.
 * @param request `page` counts from 1; `id` is in hex digits
 */
export async function auditDocument(
  client: Client,
  request: {
    database: string
    collection: string
    id: string
    page: number
    pageSize: number
    signal?: AbortSignal
  },
): Promise<DocumentRevision[]> {
  const { database, collection, id, page, pageSize, signal } = request
  const names = [collection, id].map(encodeURIComponent)
  try {
    const found = await client.call(revisions, {
      method: 'POST',
      path: `/v2/collection/${names[0]}/document/${names[1]}/audit`,
      body: { page, pageSize },
      database,
      isRead: true,
      ...(signal ? { signal } : {}),
    })
    return found.map(({ transactionId, metadata, document, username, ...rest }) => ({
      ...rest,
      tx: transactionId,
      isDeleted: metadata?.deleted ?? false,
      document: document ?? null,
      user: username,
    }))
  } catch (error) {
    if (isBecause(error, 'key-not-found', 'no-more-entries', 'document-not-found')) return []
    throw error
  }
}
