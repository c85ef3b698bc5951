import { atom } from 'jotai'
import { atomWithInfiniteQuery } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { ApiError, isBecause } from '~/api/errors'
import { type Entry, listRevisions } from '~/api/keys'
import { base64ToBytes, bytesToBase64, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import type { DiffAction } from '~/sql/comparison'
import { clientAtom } from '../session/client'
import type { RangeRead, Write } from '../transactions/reading'
import { decoded } from '../transactions/reading'

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
/** Revisions behind the second moment that are passed before a key is given up. */
const mostPassed = 1_000

const unknown = (text: string): ValueThen => ({ text, isKnown: false })
const isTooLarge = (error: unknown) => error instanceof ApiError && error.kind === 'too-large'
const tooMany = 'not read: its revisions are too many or too large'
const gone = 'not read: the server no longer has its value'

async function keyDifference(
  client: Client,
  of: Written,
  { database, from, to }: Ends,
  signal: AbortSignal,
): Promise<ValueDifference> {
  let after: Entry | undefined
  try {
    for (let offset = 0; offset < mostPassed; offset += revisionsAtOnce) {
      const request = { database, key: of.id, offset, limit: revisionsAtOnce, signal }
      const page = await listRevisions(client, request)
      after ??= page.find(({ tx }) => BigInt(tx) <= BigInt(to))
      const before = page.find(({ tx }) => BigInt(tx) <= BigInt(from))
      const isEnd = page.length < revisionsAtOnce
      if (before || isEnd) return differenceOf(of, valueThen(before), valueThen(after))
    }
  } catch (error) {
    if (isBecause(error, 'value-gone')) {
      return truncatedDifference(client, of, { database, from, to }, signal)
    }
    if (!isTooLarge(error)) throw error
  }
  const isDeleted = of.writes.at(-1)?.isDeleted ?? false
  const why = tooMany
  return differenceOf(of, unknown(why), isDeleted ? null : unknown(why))
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
      if (after?.isKnown === false) after = valueThen(found)
      if (found && BigInt(found.tx) > BigInt(from)) continue
      before = valueThen(found)
      break
    }
  } catch (error) {
    if (!isBecause(error, 'value-gone')) throw error
  }
  return differenceOf(of, before, after)
}

const valueThen = (entry: Entry | undefined): ValueThen =>
  !entry || entry.isDeleted ? null : { text: textOf(entry.value), isKnown: true }

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
  const wasThere = (revision: DocumentRevision | undefined): ValueThen =>
    !revision || revision.isDeleted
      ? null
      : { text: JSON.stringify(revision.document), isKnown: true }
  let after: DocumentRevision | undefined
  let why = tooMany
  const pageSize = revisionsAtOnce
  try {
    for (let page = 1; page * pageSize <= mostPassed; page += 1) {
      const asked = {
        database,
        collection,
        id: of.id,
        page,
        pageSize,
        omitPayload: false,
        isNewestFirst: true,
        signal,
      }
      const found = await auditDocument(client, asked)
      if (page === 1 && found.length === 0) return null
      after ??= found.find(({ tx }) => BigInt(tx) <= BigInt(to))
      const before = found.find(({ tx }) => BigInt(tx) <= BigInt(from))
      if (before || found.length < pageSize) {
        return differenceOf(of, wasThere(before), wasThere(after))
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.reason === 'document-not-found') return null
    if (error.reason === 'value-gone') why = gone
    else if (!isTooLarge(error)) throw error
  }
  const isDeleted = of.writes.at(-1)?.isDeleted ?? false
  return differenceOf(of, unknown(why), isDeleted ? null : unknown(why))
}

export type ValuePage = {
  readonly rows: readonly ValueDifference[]
  readonly next: number | null
}

/** Keys or documents whose values are read in one go; each takes a request. */
const valuesAtOnce = 25

/** Makes the query of the values at both moments, page by page. */
function valuesQuery(
  name: readonly string[],
  written: readonly Written[],
  read: (of: Written, signal: AbortSignal) => Promise<ValueDifference | null>,
) {
  return atomWithInfiniteQuery(() => ({
    staleTime: Number.POSITIVE_INFINITY,
    queryKey: ['compare values', ...name],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<ValuePage> => {
      const from = Number(pageParam)
      const rows: ValueDifference[] = []
      for (const of of written.slice(from, from + valuesAtOnce)) {
        const row = await read(of, signal)
        if (row) rows.push(row)
      }
      const next = from + valuesAtOnce
      return { rows, next: next < written.length ? next : null }
    },
    getNextPageParam: (page: ValuePage) => page.next,
  }))
}

/** Makes the query of what some keys were at both moments. */
export const keyValuesAtom = atom(
  (get) => (ends: Ends, prefix: string, written: readonly Written[]) =>
    valuesQuery([ends.database, ends.from, ends.to, 'keys', prefix], written, (of, signal) =>
      keyDifference(get(clientAtom), of, ends, signal),
    ),
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
      async (of, signal) => {
        const number = of.collectionId ?? 0
        if (isOwn.get(number) === false) return null
        const found = await documentDifference(get(clientAtom), of, ends, signal)
        isOwn.set(number, found !== null || isOwn.get(number) === true)
        return found
      },
    )
  },
)
