import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import type { DocumentRevision } from '~/api/documents'
import { ApiError, isBecause, isMissing, isTooLarge } from '~/api/errors'
import { getKey, waitForIndex } from '~/api/keys'
import { querySql } from '~/api/sql'
import {
  readTransaction,
  readTransactionValues,
  type TxEntry,
  type ValuesOf,
} from '~/api/transactions'
import { memoryOf } from '~/core/history/transaction-memory'
import { documentRevisions, type WholeDocument, withContent } from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import { unreadable } from '~/core/unreadable'
import { base64ToBytes } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import type { KeyContent } from '~/proof/stored-entry'
import { readResult } from '~/sql/result'
import type { WholeKey } from '~/sql/row-key'
import { rowsBefore } from '~/sql/row-source'
import { collectionNamesQuery } from '../documents/collection-names'
import { keyOf, type RowBefore, type RowsBefore } from './changed-rows'

/** What was read stays right for ever. */
const forEver = { staleTime: Number.POSITIVE_INFINITY, structuralSharing: false } as const

const keyOfTx = (database: string, id: string) => ['transactions', database, 'one', id] as const

/** Returns the query atom of a transaction with its entries by their digests. */
export const txsAtom = atom(() =>
  memoizeByNames((database = '', id = '') =>
    atomWithQuery((get) => ({
      ...forEver,
      queryKey: keyOfTx(database, id),
      queryFn: async ({ signal }) => {
        const memory = memoryOf(get, database)
        const found = await readTransaction(get(clientAtom), { database, id, signal })
        memory.add([found])
        return found
      },
    })),
  ),
)

/** The values of a transaction, by stored key; all of them in base64. */
export type TxValues = {
  readonly byKey: ReadonlyMap<string, string>
  /** Kinds whose values together are more than one answer takes. */
  readonly tooLarge: readonly ValuesOf[]
  /** Whether the server no longer has some of them, as after a truncation. */
  readonly areGone: boolean
  /** Why the server refused some others, in its words. */
  readonly refusal: string | null
}

const allKinds: readonly ValuesOf[] = ['keys', 'sets', 'sql']

/** Returns the query atom of the stored values of a transaction, as far as the server sends them. */
export const txValuesAtom = atom(() =>
  memoizeByNames((database = '', id = '') =>
    atomWithQuery((get) => ({
      ...forEver,
      queryKey: [...keyOfTx(database, id), 'values'],
      queryFn: ({ signal }) => readValues(get, database, id, signal),
    })),
  ),
)

async function readValues(
  get: Getter,
  database: string,
  id: string,
  signal: AbortSignal,
): Promise<TxValues> {
  const byKey = new Map<string, string>()
  const tooLarge: ValuesOf[] = []
  let areGone = false
  let refusal: string | null = null
  const read = async (of: readonly ValuesOf[]) => {
    const entries = await readTransactionValues(get(clientAtom), { database, id, of, signal })
    for (const { key, value = '' } of entries) byKey.set(key, value)
  }
  try {
    await read(allKinds)
  } catch (error) {
    if (!isSplittable(error)) throw error
    for (const kind of allKinds) {
      try {
        await read([kind])
      } catch (failure) {
        if (!isSplittable(failure)) throw failure
        if (failure.kind === 'too-large') tooLarge.push(kind)
        else if (failure.reason === 'value-gone') areGone = true
        else refusal = failure.message
      }
    }
  }
  return { byKey, tooLarge, areGone, refusal }
}

/** Whether other kinds may succeed where these failed. */
function isSplittable(error: unknown): error is ApiError {
  const isOfServer = error instanceof ApiError && error.reason !== 'tx-not-found'
  return isOfServer && (error.kind === 'too-large' || error.kind === 'refused')
}

/**
 * Returns the query atom of what one key held in a transaction; null when it alone is more than one
 * answer takes, or the server does not give it any more.
 */
export const keyValuesAtom = atom(() =>
  memoizeByNames((database = '', id = '', key = '') =>
    atomWithQuery((get) => ({
      ...forEver,
      queryKey: [...keyOfTx(database, id), 'key', key],
      queryFn: async ({ signal }): Promise<KeyContent | null> => {
        try {
          const asked = { database, key, atTx: id, signal }
          const { value, target } = await getKey(get(clientAtom), asked)
          if (target === null) return { kind: 'value', value: base64ToBytes(value) }
          // The answer has the value of the other key, which this transaction need not have written.
          const atTx = target.isBound ? BigInt(target.tx) : 0n
          return { kind: 'reference', key: base64ToBytes(target.key), atTx }
        } catch (error) {
          if (isTooLarge(error)) return null
          if (isMissing(error)) return null
          throw error
        }
      },
    })),
  ),
)

/** Rows that are asked for in one statement. */
export const rowsAtOnce = 16

/** A batch of rows that a transaction wrote, all of one table. */
export type RowBatch = {
  database: string
  tx: string
  /** The name that the server's queries know. */
  table: string
  keys: readonly WholeKey[]
}

/** Returns the query atom of rows as they were before a transaction, by the text of their batch. */
export const rowsBeforeAtom = atom(() =>
  memoizeByNames((text = '') =>
    atomWithQuery((get) => {
      const batch = JSON.parse(text) as RowBatch
      const { database, tx } = batch
      return {
        ...forEver,
        queryKey: [...keyOfTx(database, tx), 'before', text],
        queryFn: async ({ signal }): Promise<RowsBefore> =>
          // Nothing is before the first one, and the server refuses to look there.
          tx === '1' ? new Map() : new Map(await readBefore(get(clientAtom), batch, signal)),
      }
    }),
  ),
)

/** Halves the batch where some rows cannot be read, until these are alone. */
async function readBefore(
  client: Client,
  batch: RowBatch,
  signal: AbortSignal,
): Promise<[string, RowBefore][]> {
  const { database, tx, table, keys } = batch
  const [first] = keys
  if (!first) return []
  const nameOf = (key: WholeKey) => keyOf(key.map(({ value }) => value))
  try {
    const sql = rowsBefore(table, keys, tx)
    const { columns, rowCount } = readResult(await querySql(client, { database, sql, signal }))
    return Array.from({ length: rowCount }, (_, row) => {
      const cells = columns.map(({ label, type, values }) => {
        return [label, { type, value: values[row] ?? null }] as const
      })
      const byName = new Map(cells)
      return [keyOf(first.map(({ column }) => byName.get(column)?.value ?? null)), byName]
    })
  } catch (error) {
    if (unreadable(error) === null) throw error
    if (keys.length === 1) return [[nameOf(first), null]]
    const half = Math.ceil(keys.length / 2)
    const some = await readBefore(client, { ...batch, keys: keys.slice(0, half) }, signal)
    return [...some, ...(await readBefore(client, { ...batch, keys: keys.slice(half) }, signal))]
  }
}

/** A document in a transaction, with its revision before. */
export type DocumentThen = {
  collection: string
  now: WholeDocument
  before: WholeDocument | null
}

/**
 * Returns the query atom of a document in a transaction; null when no listed collection has it, for
 * instance because the collection was deleted.
 */
export const documentsAtom = atom(() =>
  memoizeByNames((database = '', tx = '', collectionId = '', id = '') =>
    atomWithQuery((get) => ({
      ...forEver,
      queryKey: [...keyOfTx(database, tx), 'document', collectionId, id],
      queryFn: ({ signal }) => findDocument(get, { database, tx, collectionId, id, signal }),
    })),
  ),
)

type WantedDocument = {
  database: string
  tx: string
  collectionId: string
  id: string
  signal: AbortSignal
}

/** The names of collections by their numbers, which only a document of theirs tells. */
const namesKey = (database: string) => ['transactions', database, 'collections'] as const

/** Asks again once the index has all: the transaction itself says that it wrote the document. */
async function findDocument(get: Getter, wanted: WantedDocument): Promise<DocumentThen | null> {
  const found = await lookForDocument(get, wanted)
  if (found) return found
  await waitForIndex(get(clientAtom), wanted)
  return lookForDocument(get, wanted)
}

async function lookForDocument(get: Getter, wanted: WantedDocument): Promise<DocumentThen | null> {
  const { database, collectionId } = wanted
  const cache = get(queryClientAtom)
  const names = await cache.fetchQuery(collectionNamesQuery(get(clientAtom), database))
  const known = cache.getQueryData<ReadonlyMap<string, string>>(namesKey(database)) ?? new Map()
  const name = known.get(collectionId)
  const others = names.filter((one) => one !== name && ![...known.values()].includes(one))
  for (const collection of name === undefined ? others : [name]) {
    const found = await revisionAt(get, wanted, collection)
    if (!found) continue
    cache.setQueryData(namesKey(database), new Map([...known, [collectionId, collection]]))
    return found
  }
  return null
}

/** Newest revisions that are read together, with their contents. */
const revisionsAtOnce = 20

/** The revision that a transaction wrote. */
async function revisionAt(
  get: Getter,
  { database, id, tx, signal }: WantedDocument,
  collection: string,
): Promise<DocumentThen | null> {
  const client = get(clientAtom)
  const name = { database, collection, id }
  const options = { atOnce: revisionsAtOnce, hasContent: true }
  const revisions = documentRevisions(client, name, options)
  const { last } = await revisions.upTo(tx, signal)
  if (last?.tx !== tx) return null
  const before = await revisions.at(Number(last.revision) - 1, signal)
  const whole = (one: DocumentRevision) => withContent(client, { ...name, signal }, one)
  return {
    collection,
    now: await whole(last),
    before: before === null || typeof before === 'string' ? null : await whole(before),
  }
}

/** Whether a value cannot be there: it is empty, or the server sent it. */
export function isShown({ key, vLen }: TxEntry, values: TxValues | undefined): boolean {
  return vLen === 0 || (values?.byKey.has(key) ?? false)
}

/** Whether the failure says that no transaction has the number. */
export function isUnknownTx(error: unknown): boolean {
  return isBecause(error, 'tx-not-found')
}
