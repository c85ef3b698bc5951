import * as v from 'valibot'
import { apiTimeout } from '~/lib/constants'
import type { Client } from './client'
import { int64, text } from './schemas'

const health = v.object({ status: v.boolean(), version: text })
export type Health = v.InferOutput<typeof health>

/** `GET /health`, without a token. `version` is `-` when the server was built without a stamp. */
export function readHealth(client: Client, signal?: AbortSignal): Promise<Health> {
  return client.call(health, {
    method: 'GET',
    path: '/health',
    isAnonymous: true,
    ...(signal ? { signal } : {}),
  })
}

const state = v.object({
  db: text,
  txId: int64,
  txHash: text,
  precommittedTxId: int64,
  precommittedTxHash: text,
  signature: v.optional(v.object({ publicKey: text, signature: text })),
})
/** Newest transaction of a database; `txId` is `'0'` while nothing was ever written. */
export type State = v.InferOutput<typeof state>

/** `GET /db/state` of one database. */
export function readState(client: Client, database: string, signal?: AbortSignal): Promise<State> {
  return client.call(state, {
    method: 'GET',
    path: '/db/state',
    database,
    isPoll: true,
    ...(signal ? { signal } : {}),
  })
}

const serverInfo = v.object({
  version: text,
  /** Seconds since 1970. */
  startedAt: int64,
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

/**
 * The headers that come with the console's own page. Any answer counts; only its headers matter.
 * Rejects with `ApiError`.
 */
export async function readPageHeaders(client: Client, signal?: AbortSignal): Promise<Headers> {
  const request = { address: '', timeout: apiTimeout, ...(signal ? { signal } : {}) }
  const { headers } = await client.download(request)
  return headers
}
