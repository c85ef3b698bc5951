import * as v from 'valibot'
import type { Client } from './client'
import { int64, list, text } from './schemas'

export type SqlRequest = {
  database: string
  sql: string
  signal?: AbortSignal
}

const queryAnswer = v.object({
  columns: list(v.object({ name: text, type: v.string() })),
  // Cells are checked where they are turned into columns: a schema per cell costs more than the
  // whole of the drawing for 2,500 rows of 20 columns.
  rows: v.optional(v.array(v.unknown()), []),
})
export type QueryAnswer = v.InferOutput<typeof queryAnswer>

/** `POST /db/sqlquery` with one statement; the server ignores everything after the first. */
export function querySql(client: Client, request: SqlRequest): Promise<QueryAnswer> {
  return client.call(queryAnswer, {
    method: 'POST',
    path: '/db/sqlquery',
    body: { sql: request.sql },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
}

const header = v.object({
  id: int64,
  prevAlh: text,
  ts: int64,
  nentries: v.optional(v.number(), 0),
})

const execAnswer = v.object({
  txs: list(
    v.object({
      header: v.optional(header),
      updatedRows: v.optional(v.number(), 0),
    }),
  ),
  ongoingTx: v.optional(v.boolean(), false),
})
/** Committed transactions have a header; an entry without one stored nothing. */
export type ExecAnswer = v.InferOutput<typeof execAnswer>

/** `POST /db/sqlexec`: all statements of one request are one transaction. Never sent twice. */
export function execSql(client: Client, request: SqlRequest): Promise<ExecAnswer> {
  return client.call(execAnswer, {
    method: 'POST',
    path: '/db/sqlexec',
    body: { sql: request.sql },
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
}
