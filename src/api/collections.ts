import type { Client } from './client'
import { filled, listAnswer, object } from './schemas'

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
