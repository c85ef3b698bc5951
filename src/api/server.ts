import * as v from 'valibot'
import { apiTimeout } from '~/lib/constants'
import type { Call, Client } from './client'
import { base64, filled, filledBase64, id, int64, object, text } from './schemas'

const health = object({ status: v.boolean(), version: text })
export type Health = v.InferOutput<typeof health>

/** `GET /health`, without a token. `version` is `-` when the server was built without a stamp. */
export function readHealth(
  client: Client,
  how: Pick<Call, 'onServer' | 'onClock' | 'isPoll' | 'signal' | 'mayRepeat'> = {},
): Promise<Health> {
  return client.call(health, { method: 'GET', path: '/health', isAnonymous: true, ...how })
}

/** The same with the server's id; null when it gives none. */
export async function readIdentity(
  client: Client,
  how: Pick<Call, 'isPoll'> = {},
): Promise<{ health: Health; server: string | null }> {
  let server: string | null = null
  const found = await readHealth(client, {
    ...how,
    onServer: (uuid) => {
      server = uuid
    },
  })
  return { health: found, server }
}

const state = object({
  db: filled,
  txId: int64,
  txHash: filledBase64,
  precommittedTxId: int64,
  precommittedTxHash: base64,
  signature: v.optional(object({ publicKey: text, signature: text })),
})
/** Newest transaction of a database; `txId` is `'0'` until the first write. */
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
