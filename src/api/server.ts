import * as v from 'valibot'
import type { Call, Client } from './client'
import { base64, filled, filledBase64, int64, object, text } from './schemas'

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
