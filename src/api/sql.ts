import * as v from 'valibot'
import type { Client } from './client'
import {
  base64,
  count,
  filled,
  filledList,
  id,
  int64,
  isRecord,
  nothing,
  object,
  text,
} from './schemas'

export type SqlRequest = {
  database: string
  sql: string
  /** Values of `@name` in the statement, as immudb's `SQLValue` has them. */
  params?: readonly { name: string; value: Readonly<Record<string, unknown>> }[]
  signal?: AbortSignal
}

const queryAnswer = object({
  // Present even without rows.
  columns: filledList(object({ name: text, type: filled })),
  // `src/sql/result.ts` checks the cells: for 2,500 rows of 20 columns, a schema per cell takes
  // longer than all of the drawing.
  rows: v.optional(v.array(v.unknown()), []),
})
export type QueryAnswer = v.InferOutput<typeof queryAnswer>

/** `POST /db/sqlquery` with one statement; the server ignores everything after the first. */
export function querySql(client: Client, request: SqlRequest): Promise<QueryAnswer> {
  return client.call(queryAnswer, {
    method: 'POST',
    path: '/db/sqlquery',
    body: { sql: request.sql, ...(request.params?.length ? { params: request.params } : {}) },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
}

const header = object({
  id,
  prevAlh: base64,
  ts: int64,
  nentries: count,
})

const updatedRows = count

/** A transaction that stored nothing; anything else without a header is not from immudb. */
const uncommitted = v.pipe(
  v.unknown(),
  v.check((found) => isRecord(found) && Object.keys(found).every(isOfUncommitted)),
  v.object({ updatedRows }),
)

const isOfUncommitted = (name: string) =>
  /^(updatedRows|firstInsertedPKs|lastInsertedPKs)$/.test(name)

const execAnswer = v.union([
  object({ txs: filledList(v.union([object({ header, updatedRows }), uncommitted])) }),
  v.pipe(
    nothing,
    v.transform(() => ({ txs: [] })),
  ),
])

/**
 * The transactions of a request: one that was committed has a header. The list is empty for
 * statements that make no transaction in this database, such as CREATE USER.
 */
export type ExecAnswer = { header?: v.InferOutput<typeof header>; updatedRows: number }[]

/** `POST /db/sqlexec`: all statements of one request are one transaction. Never sent twice. */
export async function execSql(client: Client, request: SqlRequest): Promise<ExecAnswer> {
  const answer = await client.call(execAnswer, {
    method: 'POST',
    path: '/db/sqlexec',
    body: { sql: request.sql, ...(request.params ? { params: request.params } : {}) },
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.txs
}
