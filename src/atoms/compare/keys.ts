import { atom } from 'jotai'
import { atomWithInfiniteQuery } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { ApiError, isBecause, isTooLarge } from '~/api/errors'
import { type Entry, getKeys, listRevisions, waitForIndex } from '~/api/keys'
import { documentJson } from '~/immudb/document-json'
import { base64ToBytes, bytesToBase64, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { inTurn } from '~/lib/in-turn'
import type { DiffAction } from '~/sql/comparison'
import { unreadable } from '../keys/pages'
import { clientAtom } from '../session/client'
import type { RangeRead, Write } from '../transactions/reading'
import { decoded } from '../transactions/reading'
import { levelOnAtom } from '../users/viewer'

/** A key or document that was written between two moments. */
export type Written = {
  /** Base64 of a key; the hex digits of a document's id. */
  readonly id: string
  readonly writes: readonly Write[]
  /** The number of a document's collection; absent for keys. */
  readonly collectionId?: number
}

/** The keys that a range of transactions wrote, in the order of their bytes. */
export function writtenKeys({ writes }: RangeRead, prefix: string): Written[] {
  const start = bytesToHex(base64ToBytes(prefix))
  const found: (Written & { order: string })[] = []
  for (const [stored, of] of writes) {
    const entry = decoded(stored)
    if (entry.kind !== 'key') continue
    const order = bytesToHex(entry.key)
    if (order.startsWith(start)) found.push({ id: bytesToBase64(entry.key), writes: of, order })
  }
  return found.sort((one, other) => (one.order < other.order ? -1 : 1))
}

/** The documents of all collections that a range of transactions wrote, by their collections. */
export function writtenDocuments({ writes }: RangeRead): Written[] {
  const found: (Written & { collectionId: number })[] = []
  for (const [stored, of] of writes) {
    const entry = decoded(stored)
    if (entry.kind !== 'document') continue
    const { collectionId } = entry
    found.push({ id: bytesToHex(entry.id), writes: of, collectionId })
  }
  return found.sort((one, other) => one.collectionId - other.collectionId)
}

/** What was there at a moment: a value as text, or why there is none. */
export type ValueThen = { readonly text: string; readonly isKnown: boolean } | null

/** A key or document at both moments. */
export type ValueDifference = {
  readonly id: string
  /** `passing`: it came and went in between. */
  readonly action: DiffAction | 'passing' | 'rewritten'
  readonly before: ValueThen
  readonly after: ValueThen
  readonly writes: number
  /** The last transaction that wrote it. */
  readonly tx: string
}

function differenceOf({ id, writes }: Written, before: ValueThen, after: ValueThen) {
  const isSame = before?.isKnown && after?.isKnown && before.text === after.text
  const action: ValueDifference['action'] = before
    ? after
      ? isSame
        ? 'rewritten'
        : 'changed'
      : 'deleted'
    : after
      ? 'added'
      : 'passing'
  return { id, action, before, after, writes: writes.length, tx: writes.at(-1)?.tx ?? '0' }
}

type Ends = { readonly database: string; readonly from: string; readonly to: string }

/** Revisions asked for at once. */
const revisionsAtOnce = 50
/** Revisions behind the second moment that are passed before a document is given up. */
const mostPassed = 1_000

const unknown = (text: string): ValueThen => ({ text, isKnown: false })
const tooMany = 'not read: its revisions are too many or too large'
const tooLarge = 'not read: larger than 4 MiB'
const gone = 'not read: the server no longer has its value'

function unread(of: Written, why: string): ValueDifference {
  return differenceOf(of, unknown(why), of.writes.at(-1)?.isDeleted ? null : unknown(why))
}

function wasThere(entry: Entry | undefined): ValueThen {
  return !entry || entry.isDeleted ? null : { text: textOf(entry.value), isKnown: true }
}

type KeyAsked = Ends & {
  /** The key as it is now, where that is known. */
  readonly newest: Entry | undefined
  /** No write between the moments is missing. */
  readonly isWhole: boolean
  readonly signal: AbortSignal
}

async function keyDifference(
  client: Client,
  of: Written,
  { database, from, to, newest, isWhole, signal }: KeyAsked,
): Promise<ValueDifference> {
  const request = { database, key: of.id, signal }
  const isAsAtEnd = isWhole && newest?.target === null && newest.tx === of.writes.at(-1)?.tx
  if (isAsAtEnd && newest.revision === String(of.writes.length)) {
    return differenceOf(of, null, wasThere(newest))
  }
  try {
    // As many as were written in between, and the one before them.
    const limit = Math.min(of.writes.length + 1, revisionsAtOnce)
    const page = await newestRevisions(client, request, limit)
    const upTo = (tx: string) => page.find((entry) => BigInt(entry.tx) <= BigInt(tx))
    const before = upTo(from)
    const hasAll = page.length === 0 || page.at(-1)?.revision === '1'
    if (before || hasAll) return differenceOf(of, wasThere(before), wasThere(upTo(to)))
    const first = await revisionUpTo(client, request, page, from)
    return differenceOf(
      of,
      wasThere(first),
      wasThere(await revisionUpTo(client, request, page, to)),
    )
  } catch (error) {
    if (isBecause(error, 'value-gone')) {
      return truncatedDifference(client, of, { database, from, to }, signal)
    }
    if (!isTooLarge(error)) throw error
    return unread(of, tooMany)
  }
}

type KeyRequest = { readonly database: string; readonly key: string; readonly signal: AbortSignal }

/** The newest alone where more are larger than the server can send. */
async function newestRevisions(client: Client, request: KeyRequest, limit: number) {
  try {
    return await listRevisions(client, { ...request, offset: 0, limit })
  } catch (error) {
    if (!isTooLarge(error) || limit === 1) throw error
    return listRevisions(client, { ...request, offset: 0, limit: 1 })
  }
}

/** The newest revision up to a transaction, by bisection, as their numbers have no gaps. */
async function revisionUpTo(
  client: Client,
  request: KeyRequest,
  newest: readonly Entry[],
  tx: string,
): Promise<Entry | undefined> {
  let found = newest.find((entry) => BigInt(entry.tx) <= BigInt(tx))
  if (found) return found
  let count = Number(newest[0]?.revision ?? 0)
  let [low, high] = [1, Number(newest.at(-1)?.revision ?? 0) - 1]
  while (low <= high) {
    const wanted = Math.floor((low + high) / 2)
    const [entry] = await listRevisions(client, { ...request, offset: count - wanted, limit: 1 })
    if (!entry) break
    const ahead = Number(entry.revision ?? wanted) - wanted
    // New revisions came on top, so all are further down.
    count += ahead
    if (ahead > 0) continue
    if (BigInt(entry.tx) <= BigInt(tx)) {
      found = entry
      low = wanted + 1
    } else high = wanted - 1
  }
  return found
}

/** The level from which on the server gives many keys at once. */
const levelForMany = 2

/** The keys as they are now, by their names. Empty where the server does not give many at once. */
async function newestOf(
  client: Client,
  level: number,
  { database, keys, signal }: { database: string; keys: readonly string[]; signal: AbortSignal },
): Promise<ReadonlyMap<string, Entry>> {
  if (level < levelForMany) return new Map()
  const found = await getKeys(client, { database, keys, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    const isAnswer = error instanceof ApiError && /too-large|refused|permission/.test(error.kind)
    if (isAnswer) return []
    throw error
  })
  return new Map(found.map((entry) => [entry.key, entry]))
}

/** Revisions that are read one by one, newest first. */
const mostSingle = 50

/** Each revision alone, because a page of them fails when one of their values is gone. */
async function truncatedDifference(
  client: Client,
  of: Written,
  { database, from, to }: Ends,
  signal: AbortSignal,
): Promise<ValueDifference> {
  let after = of.writes.at(-1)?.isDeleted ? null : unknown(gone)
  let before = from === '0' ? null : unknown(gone)
  try {
    for (let offset = 0; offset < mostSingle; offset += 1) {
      const request = { database, key: of.id, offset, limit: 1, signal }
      const [found] = await listRevisions(client, request)
      if (found && BigInt(found.tx) > BigInt(to)) continue
      if (after?.isKnown === false) after = wasThere(found)
      if (found && BigInt(found.tx) > BigInt(from)) continue
      before = wasThere(found)
      break
    }
  } catch (error) {
    if (!isBecause(error, 'value-gone')) throw error
  }
  return differenceOf(of, before, after)
}

/** A value as people read it: text, else its bytes in hex. */
export function textOf(base64: string): string {
  const bytes = base64ToBytes(base64)
  return decodeUtf8(bytes) ?? `0x${bytesToHex(bytes)}`
}

async function documentDifference(
  client: Client,
  of: Written,
  { database, from, to, collection }: Ends & { collection: string },
  signal: AbortSignal,
): Promise<ValueDifference | null> {
  const asked = { database, collection, id: of.id, signal }
  const pageSize = revisionsAtOnce
  const bare = new Set<DocumentRevision>()
  const read = async (page: number) => {
    const wanted = { ...asked, page, pageSize, isNewestFirst: true }
    return auditDocument(client, { ...wanted, omitPayload: false }).catch(async (error) => {
      if (unreadable(error) === null) throw error
      const found = await auditDocument(client, { ...wanted, omitPayload: true })
      for (const revision of found) bare.add(revision)
      return found
    })
  }
  const was = (revision: DocumentRevision | undefined) =>
    revision && bare.has(revision) ? readAlone(client, asked, revision) : documentThen(revision)
  let after: DocumentRevision | undefined
  try {
    for (let page = 1; page * pageSize <= mostPassed; page += 1) {
      const found = await read(page)
      if (page === 1 && found.length === 0) return null
      after ??= found.find(({ tx }) => BigInt(tx) <= BigInt(to))
      const before = found.find(({ tx }) => BigInt(tx) <= BigInt(from))
      if (before || found.length < pageSize) {
        return differenceOf(of, await was(before), await was(after))
      }
    }
  } catch (error) {
    if (isBecause(error, 'document-not-found')) return null
    throw error
  }
  return unread(of, tooMany)
}

function documentThen(revision: DocumentRevision | undefined): ValueThen {
  if (!revision || revision.isDeleted) return null
  return { text: documentJson(revision.document), isKnown: true }
}

/** A revision whose page was more than one answer takes, or has a value that is gone. */
async function readAlone(
  client: Client,
  asked: { database: string; collection: string; id: string; signal: AbortSignal },
  { revision, isDeleted }: DocumentRevision,
): Promise<ValueThen> {
  if (isDeleted) return null
  try {
    // Oldest first its place is its number, which no new revision moves.
    const place = { page: Number(revision), pageSize: 1, isNewestFirst: false }
    const [found] = await auditDocument(client, { ...asked, ...place, omitPayload: false })
    return found ? documentThen(found) : unknown(gone)
  } catch (error) {
    const why = unreadable(error)
    if (why === null) throw error
    return unknown(why === 'gone' ? gone : tooLarge)
  }
}

export type ValuePage = {
  readonly rows: readonly ValueDifference[]
  readonly next: number | null
}

/** Keys or documents whose values are read in one go. */
const valuesAtOnce = 50
/** Requests that are under way at the same time. */
const requestsAtOnce = 4

type Read = (of: Written) => Promise<ValueDifference | null>

/** Makes the query of the values at both moments, page by page. */
function valuesQuery(
  name: readonly string[],
  written: readonly Written[],
  begin: (page: readonly Written[], signal: AbortSignal) => Promise<Read>,
) {
  return atomWithInfiniteQuery(() => ({
    staleTime: Number.POSITIVE_INFINITY,
    queryKey: ['compare values', ...name],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<ValuePage> => {
      const from = Number(pageParam)
      const next = from + valuesAtOnce
      const page = written.slice(from, next)
      const rows = await several(page, await begin(page, signal), signal)
      return { rows, next: next < written.length ? next : null }
    },
    getNextPageParam: (page: ValuePage) => page.next,
  }))
}

/** Reads some at a time and keeps their order; what fails ends the others. */
async function several(
  all: readonly Written[],
  read: Read,
  signal: AbortSignal,
): Promise<ValueDifference[]> {
  const failure = new AbortController()
  const end = AbortSignal.any([signal, failure.signal])
  const turn = inTurn(requestsAtOnce)
  const rows = await Promise.all(
    all.map((of) =>
      turn(() => read(of), end).catch((error: unknown) => {
        failure.abort(error)
        throw error
      }),
    ),
  )
  return rows.filter((row) => row !== null)
}

/**
 * Makes the query of what some keys were at both moments. For keys that are new since the first and
 * were not written after the second, one request tells all values of a page.
 */
export const keyValuesAtom = atom(
  (get) => (ends: Ends & { isWhole: boolean }, prefix: string, written: readonly Written[]) => {
    const { database, from, to } = ends
    return valuesQuery([database, from, to, 'keys', prefix], written, async (page, signal) => {
      const client = get(clientAtom)
      const keys = page.map(({ id }) => id)
      const newest = await newestOf(client, get(levelOnAtom)(database), {
        database,
        keys,
        signal,
      })
      return (of) => keyDifference(client, of, { ...ends, newest: newest.get(of.id), signal })
    })
  },
)

/**
 * Makes the query of what some documents were. Those of other collections are left out: the server
 * says of one document of each number whether it belongs to the collection of this name.
 */
export const documentValuesAtom = atom(
  (get) => (ends: Ends & { collection: string }, written: readonly Written[]) => {
    const isOwn = new Map<number, boolean>()
    const { database, from, to, collection } = ends
    return valuesQuery(
      [database, from, to, 'documents', collection],
      written,
      async (_page, signal) => {
        // A document that is not yet in the index would be taken for one of another collection.
        await waitForIndex(get(clientAtom), { database, signal })
        return async (of) => {
          const number = of.collectionId ?? 0
          if (isOwn.get(number) === false) return null
          const found = await documentDifference(get(clientAtom), of, ends, signal)
          isOwn.set(number, found !== null || isOwn.get(number) === true)
          return found
        }
      },
    )
  },
)
