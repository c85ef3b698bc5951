import type { Client } from './client'
import { filled, listAnswer, object } from './schemas'

const collections = listAnswer('collections', object({ name: filled }))

const described = object({ collection: object({ documentIdFieldName: filled }) })

/** `GET /v2/collection/{name}`: the field that holds the ids of its documents. */
export async function readIdField(
  client: Client,
  request: { database: string; collection: string; signal?: AbortSignal },
): Promise<string> {
  const answer = await client.call(described, {
    method: 'GET',
    path: `/v2/collection/${encodeURIComponent(request.collection)}`,
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.collection.documentIdFieldName
}

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
