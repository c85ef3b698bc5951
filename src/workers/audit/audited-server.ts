import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import {
  documentRequest,
  type PageEntries,
  readDocumentProof,
  readTxPage,
  readVerifiableEntry,
  readVerifiableRow,
} from '~/api/proof'
import { describeTable, listTables } from '~/api/tables'
import type { KeyValue } from '~/immudb/key-address'
import type { ClaimedColumn } from '~/proof/compare-tables'

/** What a request is compared with, and the answer to it. */
export type Answered = { request: unknown; response: unknown }

/** What an audit asks of a database; everything rejects with `ApiError`. */
export type AuditedServer = {
  /** Transactions in order; `headers` leaves their entries out. */
  page(initialTx: bigint, limit: number, what: PageEntries): Promise<unknown>
  value(key: string, tx: string): Promise<Answered>
  document(collection: string, id: string, tx: string): Promise<Answered>
  row(table: string, pkValues: readonly KeyValue[], tx: string): Promise<Answered>
  collections(): Promise<readonly string[]>
  tables(): Promise<readonly string[]>
  describe(table: string): Promise<readonly ClaimedColumn[]>
}

/** A server as an audit asks it; proofs are asked for since the trusted transaction. */
export function openAuditedServer(
  client: Client,
  asked: { database: string; signal: AbortSignal },
  since: () => string,
): AuditedServer {
  return {
    page: (initialTx, limit, entries) =>
      readTxPage(client, { ...asked, initialTx: String(initialTx), limit, entries }),
    async value(key, atTx) {
      const keyRequest = { key, atTx }
      const response = await readVerifiableEntry(client, { ...asked, keyRequest, since: since() })
      return { request: { keyRequest }, response }
    },
    async document(collection, id, tx) {
      const wanted = { collection, id, tx }
      const response = await readDocumentProof(client, { ...asked, ...wanted, since: since() })
      return { request: documentRequest(wanted, since()), response }
    },
    async row(table, pkValues, atTx) {
      const sqlGetRequest = { table, pkValues, atTx }
      const response = await readVerifiableRow(client, {
        ...asked,
        ...sqlGetRequest,
        since: since(),
      })
      return { request: { sqlGetRequest }, response }
    },
    collections: () => listCollections(client, asked),
    tables: () => listTables(client, asked),
    describe: (table) => describeTable(client, { ...asked, table }),
  }
}
