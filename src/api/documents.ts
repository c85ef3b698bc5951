import * as v from 'valibot'
import type { Client } from './client'
import { isBecause } from './errors'
import { filledList, flag, id, int64, isRecord, object, text } from './schemas'

const fields = v.pipe(
  v.unknown(),
  v.check(isRecord),
  v.transform((found) => found as Readonly<Record<string, unknown>>), // just checked
)

/** A history is never empty: for a document that never existed, the server answers with an error. */
const audited = object({
  revisions: filledList(
    object({
      transactionId: id,
      revision: id,
      metadata: v.optional(object({ deleted: flag })),
      document: v.optional(fields),
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
  document: Readonly<Record<string, unknown>> | null
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
