import * as v from 'valibot'
import type { Client } from './client'
import { ApiError } from './errors'
import { filled, flag, id, listAnswer, object, text } from './schemas'
import { readHealth } from './server'

const wrapped = <S extends v.GenericSchema>(value: S) => v.optional(object({ value }))
const count = v.optional(v.number(), 0)

// The settings contain a password and a user name, so the list keeps neither.
const replication = object({
  replica: wrapped(flag),
  primaryDatabase: wrapped(text),
  primaryHost: wrapped(text),
  primaryPort: wrapped(count),
  syncReplication: wrapped(flag),
  syncAcks: wrapped(count),
  allowTxDiscarding: wrapped(flag),
  skipIntegrityCheck: wrapped(flag),
})

const holdings = listAnswer(
  'databases',
  object({
    name: filled,
    loaded: flag,
    // The server leaves a zero out, and also a count that it cannot give.
    numTransactions: v.optional(id),
    settings: v.optional(object({ replicationSettings: v.optional(replication) })),
  }),
)

/** Where a replica gets its transactions, as its settings say. */
export type Primary = { database: string; host: string; port: number }

/** A database as one server holds it. */
export type Holding = {
  name: string
  loaded: boolean
  /** The newest transaction in decimal; null when the server does not say. */
  txId: string | null
  /** Null: it is no replica. */
  primary: Primary | null
  isSync: boolean
  /** Replicas that must confirm a commit; 0 for a replica. */
  acks: number
  /** Settings of a replica with which it may hold something else than its primary. */
  allowsDiscarding: boolean
  skipsCheck: boolean
}

/** `POST /db/list/v2`, asked once and without waiting for a login. */
export async function listHoldings(client: Client, signal: AbortSignal): Promise<Holding[]> {
  const answer = await client.call(holdings, {
    method: 'POST',
    path: '/db/list/v2',
    body: {},
    isRead: true,
    mayRepeat: false,
    canWait: false,
    isPoll: true,
    signal,
  })
  return answer.map(({ name, loaded, numTransactions, settings }) => {
    const of = settings?.replicationSettings
    const isReplica = of?.replica?.value ?? false
    return {
      name,
      loaded,
      txId: numTransactions ?? null,
      primary: isReplica
        ? {
            database: of?.primaryDatabase?.value ?? '',
            host: of?.primaryHost?.value ?? '',
            port: of?.primaryPort?.value ?? 0,
          }
        : null,
      isSync: of?.syncReplication?.value ?? false,
      acks: of?.syncAcks?.value ?? 0,
      allowsDiscarding: of?.allowTxDiscarding?.value ?? false,
      skipsCheck: of?.skipIntegrityCheck?.value ?? false,
    }
  })
}

const started = object({ version: text, startedAt: id })

/** What a server says of itself without a login. */
export type ServerStart = {
  /** The id of its answer's header; null when it gives none. */
  server: string | null
  version: string
  /** Seconds since 1970; null when the server does not say. */
  startedAt: number | null
}

/**
 * `GET /serverinfo`, which fails while a database is unloaded; then `GET /health`, which knows no
 * start. Each is asked once and without a token.
 */
export async function readStart(client: Client, signal: AbortSignal): Promise<ServerStart> {
  let server: string | null = null
  const how = {
    signal,
    mayRepeat: false,
    isPoll: true,
    onServer: (uuid: string | null) => {
      server = uuid
    },
  } as const
  try {
    const call = { method: 'GET', path: '/serverinfo', isAnonymous: true, ...how } as const
    const { version, startedAt } = await client.call(started, call)
    return { server, version, startedAt: Number(startedAt) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.isOutcomeUnknown || error.wasSent !== null)
      throw error
    const { version } = await readHealth(client, how)
    return { server, version, startedAt: null }
  }
}
