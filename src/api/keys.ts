import * as v from 'valibot'
import { toUrlSafe } from '~/immudb/key-address'
import type { Client } from './client'
import { ApiError, isBecause, isTooLarge } from './errors'
import {
  base64,
  filledBase64,
  filledList,
  flag,
  id,
  int64,
  list,
  listAnswer,
  nothing,
  object,
} from './schemas'

/** An id that is left out when it does not apply, so that zero cannot mean two things. */
const optionalId = v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/)))

const reference = object({ tx: id, key: filledBase64, atTx: optionalId, revision: optionalId })

const metadata = object({
  deleted: flag,
  nonIndexable: flag,
  expiration: v.optional(object({ expiresAt: int64 })),
})

/** An entry as the server writes it (`schema.Entry`); keys and values are standard base64. */
export const wireEntry = v.pipe(
  object({
    tx: id,
    key: filledBase64,
    value: base64,
    revision: optionalId,
    expired: flag,
    metadata: v.optional(metadata),
    referencedBy: v.optional(reference),
  }),
  v.transform(readEntry),
)

type WireEntry = {
  tx: string
  key: string
  value: string
  revision?: string | undefined
  expired: boolean
  metadata?: v.InferOutput<typeof metadata> | undefined
  referencedBy?: v.InferOutput<typeof reference> | undefined
}

/** One revision of a key. For a reference everything but the value is that of the reference. */
export type Entry = {
  /** Standard base64, like the value. */
  key: string
  value: string
  tx: string
  /** Absent when it was asked for by its transaction. */
  revision: string | null
  isDeleted: boolean
  isExpired: boolean
  /** Seconds since 1970; null when it never expires. */
  expiresAt: string | null
  /** The entry that the key refers to, whose value this is; `isBound` fixes it to that revision. */
  target: { key: string; tx: string; revision: string | null; isBound: boolean } | null
}

function readEntry(wire: WireEntry): Entry {
  const { referencedBy: own } = wire
  const target = own && {
    key: wire.key,
    tx: wire.tx,
    revision: wire.revision ?? null,
    isBound: own.atTx !== undefined && own.atTx !== '0',
  }
  return {
    key: own ? own.key : wire.key,
    value: wire.value,
    tx: own ? own.tx : wire.tx,
    revision: (own ? own.revision : wire.revision) ?? null,
    isDeleted: wire.metadata?.deleted ?? false,
    isExpired: wire.expired,
    expiresAt: wire.metadata?.expiration?.expiresAt ?? null,
    target: target ?? null,
  }
}

type Request = { database: string; signal?: AbortSignal }

const entries = listAnswer('entries', wireEntry)
/** A history is never empty: for a key that never existed, the server answers with an error. */
const revisions = object({ entries: filledList(wireEntry) })
const maybeRevisions = object({ entries: list(wireEntry) })

export type Scan = Request & {
  prefix: string
  /** The key after which to continue, or with `isInclusive` at which; null starts at the first. */
  after: string | null
  isInclusive?: boolean
  /** Keys to skip from there. */
  offset: number
  limit: number
}

/**
 * `POST /db/scan`: live keys in the order of their bytes, each with its whole value. It leaves out
 * deleted, expired and unindexed keys. References to such keys, and keys whose values a truncation
 * removed, are left out too but count against the limit: only an empty answer may be the end.
 * @throws {ApiError} `bad-answer` for keys that were not asked for: who goes on behind the last key
 * of such an answer may never come to an end
 */
export function scanKeys(client: Client, scan: Scan): Promise<Entry[]> {
  const scanned = v.pipe(
    entries,
    v.check((found) => isScan(scan, found)),
  )
  return client.call(scanned, {
    method: 'POST',
    path: '/db/scan',
    body: {
      prefix: scan.prefix,
      ...(scan.after === null ? {} : { seekKey: scan.after }),
      ...(scan.isInclusive ? { inclusiveSeek: true } : {}),
      offset: String(scan.offset),
      limit: String(scan.limit),
    },
    database: scan.database,
    isRead: true,
    ...(scan.signal ? { signal: scan.signal } : {}),
  })
}

/** Whether each key has the prefix and is behind the one before, the first behind the start. */
function isScan({ prefix, after, isInclusive = false }: Scan, found: readonly Entry[]): boolean {
  const beginning = atob(prefix)
  const keys = found.map(({ key }) => atob(key))
  const start = after === null ? '' : atob(after)
  return keys.every((key, at) => {
    const before = keys[at - 1] ?? start
    const isBehind = key > before || (at === 0 && isInclusive && key === start)
    return isBehind && key.startsWith(beginning)
  })
}

/** Nothing at all where there is none. */
const count = v.union([
  object({ count: id }),
  v.pipe(
    nothing,
    v.transform(() => ({ count: '0' })),
  ),
])

/**
 * `GET /db/count/{prefix}`: the keys that begin with a prefix, which the server walks through to
 * count; `GET /db/countall` for all of them.
 */
export async function countKeys(
  client: Client,
  { database, prefix, signal }: Request & { prefix: string },
): Promise<string> {
  // An empty prefix would be answered with nothing.
  const path = prefix === '' ? '/db/countall' : `/db/count/${toUrlSafe(prefix)}`
  const request = { method: 'GET', path, database, ...(signal ? { signal } : {}) } as const
  return (await client.call(count, request)).count
}

type KeyRequest = Request & { key: string }

/**
 * `GET /db/get/{key}`: the newest revision, a given one, or that of a transaction; a reference
 * brings its target's value.
 */
export function getKey(
  client: Client,
  request: KeyRequest & { revision?: string; atTx?: string },
): Promise<Entry> {
  const { revision, atTx } = request
  const atRevision = revision === undefined ? '' : `?atRevision=${revision}`
  const query = atTx === undefined ? atRevision : `?atTx=${atTx}`
  return client.call(wireEntry, {
    method: 'GET',
    path: `/db/get/${toUrlSafe(request.key)}${query}`,
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
}

/** Milliseconds to wait for an index; the server sets no limit. */
const indexWait = 1_000

/** One zero byte. The answer does not depend on whether there is such a key. */
const anyKey = 'AA=='

/**
 * `GET /db/get/{key}` waits on the server until all that is committed is in its indexes, as queries
 * do. Audits of documents do not wait: they answer from what is there, so call this before.
 * @throws ApiError of kind `index-behind` after a second
 */
export async function waitForIndex(
  client: Client,
  { database, signal }: { database: string; signal?: AbortSignal },
): Promise<void> {
  const timer = AbortSignal.timeout(indexWait)
  const until = signal ? AbortSignal.any([signal, timer]) : timer
  try {
    await getKey(client, { database, key: anyKey, signal: until })
  } catch (error) {
    if (timer.aborted && !signal?.aborted) {
      throw new ApiError({ kind: 'index-behind', text: 'not yet in the index' })
    }
    if (!isTooLarge(error) && !isBecause(error, 'key-not-found', 'value-gone')) throw error
  }
}

/**
 * `POST /db/getall`: the newest revision of each key. It leaves out deleted, expired and unindexed
 * keys, and needs the level to write.
 */
export function getKeys(
  client: Client,
  request: Request & { keys: readonly string[] },
): Promise<Entry[]> {
  return client.call(entries, {
    method: 'POST',
    path: '/db/getall',
    body: { keys: request.keys },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
}

/**
 * `POST /db/history`: revisions, newest first, deletions included; none for a key that never
 * existed. The server does not resolve references here, and they look like ordinary values.
 * @param request `isOldestFirst`: the offset is counted from the first revision, so new ones move
 * none, and there may be none there
 */
export async function listRevisions(
  client: Client,
  request: KeyRequest & { offset: number; limit: number; isOldestFirst?: boolean },
): Promise<Entry[]> {
  try {
    const answer = await client.call(request.isOldestFirst ? maybeRevisions : revisions, {
      method: 'POST',
      path: '/db/history',
      body: {
        key: request.key,
        offset: String(request.offset),
        limit: request.limit,
        desc: !request.isOldestFirst,
      },
      database: request.database,
      isRead: true,
      ...(request.signal ? { signal: request.signal } : {}),
    })
    return answer.entries
  } catch (error) {
    // Right behind the last revision the server answers with an error; further on, with nothing.
    if (isBecause(error, 'key-not-found', 'no-more-entries')) return []
    throw error
  }
}

export const header = object({ id, ts: int64 })
/** A committed transaction; `ts` is seconds since 1970. */
export type TxHeader = v.InferOutput<typeof header>

/** What must still be true for the write to be committed. */
export type Precondition =
  | { kind: 'must-not-exist' }
  | { kind: 'must-exist' }
  | { kind: 'not-modified-after'; tx: string }

export type SetRequest = Request & {
  key: string
  value: string
  /** Seconds since 1970. */
  expiresAt: string | null
  precondition: Precondition
}

/**
 * `POST /db/set` of one key. The console never sends it twice; the precondition makes a repeat
 * harmless.
 */
export function setKey(client: Client, request: SetRequest): Promise<TxHeader> {
  const { key, value, expiresAt } = request
  const metadata = expiresAt === null ? {} : { metadata: { expiration: { expiresAt } } }
  return client.call(header, {
    method: 'POST',
    path: '/db/set',
    body: {
      KVs: [{ key, value, ...metadata }],
      preconditions: [wirePrecondition(key, request.precondition)],
    },
    database: request.database,
  })
}

export type ReferenceRequest = Request & {
  key: string
  /** The key whose value it shows. */
  target: string
  /** The transaction whose value it shows for ever; null for the newest one. */
  atTx: string | null
  precondition: Precondition
}

/**
 * `POST /db/setreference`: a key that shows the value of another one. The server refuses a target
 * that is missing or itself a reference. The console never sends it twice.
 */
export function setReference(client: Client, request: ReferenceRequest): Promise<TxHeader> {
  const { key, target, atTx } = request
  return client.call(header, {
    method: 'POST',
    path: '/db/setreference',
    body: {
      key,
      referencedKey: target,
      ...(atTx === null ? {} : { atTx, boundRef: true }),
      preconditions: [wirePrecondition(key, request.precondition)],
    },
    database: request.database,
  })
}

/** A precondition about a key, as the server reads it. */
export function wirePrecondition(key: string, precondition: Precondition): object {
  switch (precondition.kind) {
    case 'must-not-exist':
      return { keyMustNotExist: { key } }
    case 'must-exist':
      return { keyMustExist: { key } }
    case 'not-modified-after':
      return { keyNotModifiedAfterTX: { key, txID: precondition.tx } }
  }
}

/** `POST /db/deletekey`: a new revision that says “deleted”; the older ones stay. */
export function deleteKey(client: Client, request: KeyRequest): Promise<TxHeader> {
  return client.call(header, {
    method: 'POST',
    path: '/db/deletekey',
    body: { keys: [request.key] },
    database: request.database,
  })
}
