import * as v from 'valibot'
import { apiTimeout } from '~/lib/constants'
import type { Client } from './client'
import { id, int64, object, text } from './schemas'

const serverInfo = object({
  version: text,
  /** Seconds since 1970. */
  startedAt: id,
  numTransactions: int64,
  numDatabases: v.optional(v.number(), 0),
  /** Bytes. */
  databasesDiskSize: int64,
})
/** Figures of the whole server, without systemdb. */
export type ServerInfo = v.InferOutput<typeof serverInfo>

/** `GET /serverinfo`, without a token. Fails with “already closed” while a database is unloaded. */
export function readServerInfo(client: Client, signal?: AbortSignal): Promise<ServerInfo> {
  return client.call(serverInfo, {
    method: 'GET',
    path: '/serverinfo',
    isAnonymous: true,
    ...(signal ? { signal } : {}),
  })
}

/** The headers of the console's own page, from any answer. Rejects with `ApiError`. */
export async function readPageHeaders(client: Client, signal?: AbortSignal): Promise<Headers> {
  const request = { address: '/', timeout: apiTimeout, ...(signal ? { signal } : {}) }
  const { headers } = await client.download(request)
  return headers
}
