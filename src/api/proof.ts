import * as v from 'valibot'
import type { KeyValue } from '~/immudb/key-address'
import type { Call, Client } from './client'

/** The engine reads answers with proofs; this room trusts nothing in them. */
const unread = v.unknown()

type Asked = {
  database: string
  /** The transaction the proof starts or ends at; `0` when nothing is known before. */
  since: string
  signal?: AbortSignal
  /** A repeated background call. */
  isPoll?: boolean
}

/** `GET /db/state` as it comes. */
export function readVerifiableState(
  client: Client,
  { onServer, ...request }: Omit<Asked, 'since'> & Pick<Call, 'onServer'>,
): Promise<unknown> {
  const told = onServer ? { onServer } : {}
  return client.call(unread, { method: 'GET', path: '/db/state', ...common(request), ...told })
}

/** Which entries come with a transaction: all by their hashes, none, or those with values. */
export type WhichEntries = 'all' | 'none' | 'values'

const rawValues = { action: 'RAW_VALUE' }
const withValues = { kvEntriesSpec: rawValues, zEntriesSpec: rawValues, sqlEntriesSpec: rawValues }

/**
 * `GET /db/verifiable/tx/{tx}`. With any `entriesSpec` the server leaves out entries of documents,
 * so `values` looks up values and cannot prove entries.
 */
export function readVerifiableTx(
  client: Client,
  { tx, entries, since, ...request }: Asked & { tx: string; entries: WhichEntries },
): Promise<unknown> {
  const search = new URLSearchParams({ proveSinceTx: since })
  if (entries === 'none') search.set('entriesSpec.kvEntriesSpec.action', 'EXCLUDE')
  if (entries === 'values') {
    for (const kind of Object.keys(withValues)) {
      search.set(`entriesSpec.${kind}.action`, rawValues.action)
    }
  }
  const path = `/db/verifiable/tx/${tx}?${search}`
  return client.call(unread, { method: 'GET', path, ...common(request) })
}

/** Which revision of a key: the newest, that of a transaction, or one by its number. */
export type KeyRequest = { key: string; atTx?: string; atRevision?: string }

/** `POST /db/verifiable/get`; the key is standard base64. */
export function readVerifiableEntry(
  client: Client,
  { keyRequest, since, ...request }: Asked & { keyRequest: KeyRequest },
): Promise<unknown> {
  return postRead(client, '/db/verifiable/get', { keyRequest, proveSinceTx: since }, request)
}

/** A row by its primary key, one value for each of its columns in their order. */
export type RowRequest = { table: string; pkValues: readonly KeyValue[]; atTx?: string }

/** `POST /db/verifiable/sqlget`. */
export function readVerifiableRow(
  client: Client,
  { table, pkValues, atTx, since, ...request }: Asked & RowRequest,
): Promise<unknown> {
  const sqlGetRequest = { table, pkValues, ...(atTx === undefined ? {} : { atTx }) }
  return postRead(client, '/db/verifiable/sqlget', { sqlGetRequest, proveSinceTx: since }, request)
}

export type DocumentRequest = { collection: string; id: string; tx?: string }

/** The body of `readDocumentProof`. The engine compares the proof with it. */
export function documentRequest({ collection, id, tx = '0' }: DocumentRequest, since: string) {
  return {
    collectionName: collection,
    documentId: id,
    transactionId: tx,
    proofSinceTransactionId: since,
  }
}

/** `POST /v2/collection/{name}/document/{id}/proof`; `tx` `0` is the newest revision. */
export function readDocumentProof(
  client: Client,
  { collection, id, tx, since, ...request }: Asked & DocumentRequest,
): Promise<unknown> {
  const names = [collection, id].map(encodeURIComponent)
  const path = `/v2/collection/${names[0]}/document/${names[1]}/proof`
  const wanted = { collection, id, ...(tx === undefined ? {} : { tx }) }
  return postRead(client, path, documentRequest(wanted, since), request)
}

/** Which entries come with each transaction of a page. */
export type PageEntries = 'digests' | 'values' | 'headers'

const pageSpecs = { digests: undefined, values: withValues, headers: {} }

/** `POST /db/tx`: transactions in order, by their hashes or with the values that REST returns. */
export function readTxPage(
  client: Client,
  request: Omit<Asked, 'since'> & { initialTx: string; limit: number; entries?: PageEntries },
): Promise<unknown> {
  const { initialTx, limit, entries = 'digests', ...asked } = request
  const entriesSpec = pageSpecs[entries]
  const body = { initialTx, limit, ...(entriesSpec ? { entriesSpec } : {}) }
  return postRead(client, '/db/tx', body, asked)
}

type Rest = Omit<Asked, 'since'>

function postRead(client: Client, path: string, body: object, request: Rest): Promise<unknown> {
  return client.call(unread, { method: 'POST', path, body, isRead: true, ...common(request) })
}

function common({ database, signal, isPoll = false }: Rest) {
  return { database, isPoll, ...(signal ? { signal } : {}) }
}
