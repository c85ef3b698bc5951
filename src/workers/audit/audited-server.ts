import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import { ApiError, type ErrorKind, sentence } from '~/api/errors'
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
import { outagePollDelays } from '~/lib/constants'
import { pause } from '~/lib/retry'
import type { AuditNews } from '~/proof/audit-messages'
import type { ClaimedColumn } from '~/proof/compare-tables'

/** What a request is compared with, and the answer to it. */
export type Answered = { request: unknown; response: unknown }

/** The calls of an audit; all reject with `ApiError`. */
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

/** Wraps a server for an audit. Proofs start at the trusted transaction. */
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

type RetryOptions = {
  tell: (news: AuditNews) => void
  isWanted: () => boolean
  signal: AbortSignal
}

/**
 * A server that is away for a while must not end an audit of hours or count as a finding. Calls are
 * repeated until it answers, and the page learns that the audit waits.
 */
export function retryingServer(
  server: AuditedServer,
  { tell, isWanted, signal }: RetryOptions,
): AuditedServer {
  let isWaiting = false
  const wait = (error: unknown) => {
    isWaiting = true
    tell({ kind: 'waiting', why: 'server', words: sentence(error) })
  }
  const asked = async <T>(ask: () => Promise<T>, isLarge = false): Promise<T> => {
    for (let again = 0; ; again += 1) {
      try {
        const answer = await ask()
        if (isWaiting) tell({ kind: 'going-on' })
        isWaiting = false
        return answer
      } catch (error) {
        if (!isAway(error, again) || !isWanted()) throw error
        wait(error)
        // A smaller page may arrive in time.
        if (isLarge && isTimeout(error)) throw error
        await pause(outagePollDelays[again] ?? longestWait, signal)
      }
    }
  }
  return {
    page: (from, limit, what) => asked(() => server.page(from, limit, what), limit > 1),
    value: (...of) => asked(() => server.value(...of)),
    document: (...of) => asked(() => server.document(...of)),
    row: (...of) => asked(() => server.row(...of)),
    collections: () => asked(() => server.collections()),
    tables: () => asked(() => server.tables()),
    describe: (table) => asked(() => server.describe(table)),
  }
}

/** Most milliseconds before an audit tries again. */
const longestWait = 10_000
const mostBroken = 3
/** The server is away or busy, or a proxy in front wants its log-in or limits the rate. */
const waitedFor: ReadonlySet<ErrorKind> = new Set([
  'network',
  'unavailable',
  'timeout',
  'busy',
  'proxy',
])

const isTimeout = (error: unknown) => error instanceof ApiError && error.kind === 'timeout'

/** A broken answer counts as a network failure unless it keeps coming. */
function isAway(error: unknown, again: number): boolean {
  if (!(error instanceof ApiError)) return false
  const { kind } = error
  if (kind === 'bad-answer' || kind === 'not-immudb') return again < mostBroken
  return waitedFor.has(kind)
}
