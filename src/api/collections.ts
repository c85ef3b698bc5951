import * as v from 'valibot'
import type { Client } from './client'
import { list, text } from './schemas'

const collections = v.object({ collections: list(v.object({ name: text })) })

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
  return answer.collections.map(({ name }) => name)
}
