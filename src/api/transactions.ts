import * as v from 'valibot'
import { isBase64 } from '~/lib/bytes'
import { askForFewer } from './ask-for-fewer'
import type { Client } from './client'
import { isTooLarge } from './errors'
import {
  base64,
  count,
  filledBase64,
  flag,
  id,
  int64,
  isRecord,
  list,
  listAnswer,
  object,
} from './schemas'

const metadata = object({ truncatedTxID: int64, extra: base64 })

const header = object({
  id,
  /** The hash of the transaction before this one. */
  prevAlh: base64,
  /** Seconds since 1970. */
  ts: int64,
  nentries: count,
  /** The hash over the digests of its entries. */
  eH: base64,
  /** The last transaction in the tree of hashes, and the root of that tree. */
  blTxId: int64,
  blRoot: base64,
  version: count,
  /** `truncatedTxID`: values from before it may be gone. `extra`: base64, such as the user's name. */
  metadata: v.optional(metadata, {}),
})
/** The header of a committed transaction; hashes are standard base64. */
export type TxHeader = v.InferOutput<typeof header>

const transactions = listAnswer('txs', object({ header }))

type Request = { database: string; signal?: AbortSignal; isPoll?: boolean }

/**
 * Transactions in order: oldest first from one on, or newest first from one down. `'0'` is what an
 * empty database says of its newest one: up to there is nothing, and nothing is sent. The server
 * refuses that number with “illegal arguments”.
 */
export type TxRange = { from: string; limit: number } | { upTo: string; limit: number }

/**
 * `POST /db/tx`: headers alone. An empty `entriesSpec` keeps the entries, possibly megabytes, out
 * of the answer. Empty when the range begins behind the newest transaction.
 */
export async function listTransactions(
  client: Client,
  request: Request & TxRange,
): Promise<TxHeader[]> {
  if (isNothing(request)) return []
  const answer = await client.call(transactions, pageCall(request, { entriesSpec: {} }))
  return answer.map(({ header }) => header)
}

function isNothing(range: TxRange): boolean {
  return ('from' in range ? range.from : range.upTo) === '0'
}

function pageCall(request: Request & TxRange, more: object) {
  const start =
    'from' in request ? { initialTx: request.from } : { initialTx: request.upTo, desc: true }
  return {
    method: 'POST',
    path: '/db/tx',
    body: { ...start, limit: request.limit, ...more },
    isRead: true,
    ...common(request),
  } as const
}

function common({ database, signal, isPoll = false }: Request) {
  return { database, isPoll, ...(signal ? { signal } : {}) }
}

/** An entry of a transaction: key and digest in standard base64, the key with its prefix. */
export type TxEntry = {
  readonly key: string
  readonly hValue: string
  /** Bytes of the stored value. */
  readonly vLen: number
  readonly isDeleted: boolean
  /** Seconds since 1970; null when it never expires. */
  readonly expiresAt: string | null
  readonly isNonIndexable: boolean
  /** The stored value in base64, where it was asked for and is not empty. */
  readonly value?: string
}

/** A transaction with the digests of its entries; null when they are more than one answer takes. */
export type TxEntries = { readonly header: TxHeader; readonly entries: readonly TxEntry[] | null }

type WireEntry = {
  key: string
  hValue: string
  vLen?: number
  metadata?: { deleted?: boolean; nonIndexable?: boolean; expiration?: { expiresAt?: string } }
  value?: string
}

/** By hand, because a page may have 100,000 entries and a schema is too slow for them. */
function isEntry(found: unknown): found is WireEntry {
  if (!isRecord(found)) return false
  const { key, hValue, vLen = 0, metadata: meta = {}, value = '' } = found
  const areBytes = [key, hValue, value].every((part) => typeof part === 'string' && isBase64(part))
  return areBytes && key !== '' && isSize(vLen) && isMetadata(meta)
}

const isSize = (found: unknown) => Number.isSafeInteger(found) && Number(found) >= 0

const entryMetadata = object({
  deleted: flag,
  nonIndexable: flag,
  expiration: v.optional(object({ expiresAt: int64 })),
})
const isMetadata = (meta: unknown) =>
  (isRecord(meta) && Object.keys(meta).length === 0) || v.is(entryMetadata, meta)

const tx = object({ header, entries: list(v.custom<WireEntry>(isEntry)) })
const txPage = listAnswer('txs', tx)

function readTx({ header, entries }: v.InferOutput<typeof tx>): TxEntries {
  return { header, entries: entries.map(readEntry) }
}

function readEntry({ key, hValue, vLen, metadata: meta, value }: WireEntry): TxEntry {
  return {
    key,
    hValue,
    vLen: vLen ?? 0,
    isDeleted: meta?.deleted ?? false,
    expiresAt: meta?.expiration ? String(meta.expiration.expiresAt ?? '0') : null,
    isNonIndexable: meta?.nonIndexable ?? false,
    ...(value ? { value } : {}),
  }
}

/**
 * `POST /db/tx`: transactions with all their entries by their digests, or with those of one kind.
 * When the answer is over 4 MiB it asks for fewer, and at last for the header alone. So it may
 * return fewer than asked for. It returns none only after the end of the history.
 */
export async function readTransactions(
  client: Client,
  request: Request & TxRange & { only?: ValuesOf; hasValues?: boolean },
): Promise<TxEntries[]> {
  if (isNothing(request)) return []
  const { only, hasValues = false } = request
  const action = hasValues ? 'RAW_VALUE' : 'ONLY_DIGEST'
  const more = only ? { entriesSpec: { [specs[only]]: { action } } } : {}
  const read = async (limit: number) => {
    const answer = await client.call(txPage, pageCall({ ...request, limit }, more))
    return answer.map(readTx)
  }
  return askForFewer(request.limit, read).catch((error) => {
    if (!isTooLarge(error)) throw error
    return onlyHeader(client, request)
  })
}

async function onlyHeader(client: Client, request: Request & TxRange): Promise<TxEntries[]> {
  const headers = await listTransactions(client, { ...request, limit: 1 })
  return headers.map((header) => ({ header, entries: null }))
}

/**
 * `GET /db/tx/{id}`: one transaction with all its entries by their digests, or its header alone
 * when they are over 4 MiB.
 * @throws ApiError with the reason `tx-not-found` for a number that no transaction has
 */
export async function readTransaction(
  client: Client,
  request: Request & { id: string },
): Promise<TxEntries> {
  try {
    return readTx(await client.call(tx, { ...oneCall(request), ...common(request) }))
  } catch (error) {
    if (!isTooLarge(error)) throw error
    const [found] = await onlyHeader(client, { ...request, from: request.id, limit: 1 })
    if (!found) throw error
    return found
  }
}

const oneCall = ({ id }: { id: string }) => ({ method: 'GET', path: `/db/tx/${id}` }) as const

/** The kinds of entries whose values the server sends; it sends none of documents. */
export type ValuesOf = 'keys' | 'sets' | 'sql'

const specs: Readonly<Record<ValuesOf, string>> = {
  keys: 'kvEntriesSpec',
  sets: 'zEntriesSpec',
  sql: 'sqlEntriesSpec',
}

/**
 * `GET /db/tx/{id}` with the stored values of some kinds of entries. Other kinds and expired
 * entries are not in the answer.
 * @throws ApiError of kind `too-large` when the values are over 4 MiB
 */
export async function readTransactionValues(
  client: Client,
  request: Request & { id: string; of: readonly ValuesOf[] },
): Promise<readonly TxEntry[]> {
  const search = new URLSearchParams(
    request.of.map((kind) => [`entriesSpec.${specs[kind]}.action`, 'RAW_VALUE']),
  )
  const { path } = oneCall(request)
  const call = { method: 'GET', path: `${path}?${search}`, ...common(request) } as const
  return readTx(await client.call(tx, call)).entries ?? []
}

const transactionPage = listAnswer(
  'txs',
  object({ header: object({ id, ts: int64 }), entries: list(object({ key: filledBase64 })) }),
)
/** The keys that a transaction wrote. */
export type TxKeys = {
  id: string
  /** Seconds since 1970. */
  ts: string
  /** Base64 of the raw keys; those of rows begin with the number of their table. */
  keys: readonly string[]
}

/**
 * `POST /db/tx` without `entriesSpec`, which lists entries of all kinds by their digests:
 * transactions from a given one on, oldest first.
 */
export async function listTxKeys(
  client: Client,
  request: { database: string; from: string; count: number },
): Promise<TxKeys[]> {
  const { database, from, count } = request
  if (isNothing({ from, limit: count })) return []
  const txs = await client.call(transactionPage, pageCall({ database, from, limit: count }, {}))
  return txs.map(({ header, entries }) => ({
    id: header.id,
    ts: header.ts,
    keys: entries.map(({ key }) => key),
  }))
}
