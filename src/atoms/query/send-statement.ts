import type { Getter } from 'jotai'
import {
  ApiError,
  isBecause,
  isTooLarge,
  type Reason,
  sentence,
  technicalDetails,
} from '~/api/errors'
import { type ExecAnswer, execSql, querySql, type SqlRequest } from '~/api/sql'
import { readSqlRefusal } from '~/api/sql-errors'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom, loginWaitAtom } from '~/core/session/client'
import { serverNow } from '~/core/session/server-clock'
import { mayBeSecond, withoutAnswer } from '~/core/write'
import { pageRows } from '~/lib/constants'
import { counted } from '~/lib/text'
import { catalogueChangeIn } from '~/sql/catalogue-change'
import { explainSqlError, locateSqlError } from '~/sql/errors'
import { ResultShapeError, readResult } from '~/sql/result'
import type { PreparedSql } from '~/sql/send'
import type { Statement } from '~/sql/statements'
import type { Moment } from '~/sql/time-travel'
import type { Failure, NewEntry } from './output'
import { firstPage, pagesMessage } from './result-pages'

/** How statements reach the server: by their first keyword, or as the operator says. */
export type RunMode = 'automatic' | 'query' | 'exec'

export type Sending = {
  statement: Statement
  /** The whole text of the editor when it was started. */
  text: string
  database: string
  mode: RunMode
  signal: AbortSignal
}

/**
 * The settings of a run. During the run only the newest transaction changes, and with USE the
 * database and its moment.
 */
export type RunContext = Omit<Sending, 'statement'> & {
  lastTx: string | null
  moment: Moment | null
  /** Why there is no such moment as the address names; null when nothing is wrong. */
  noMoment: string | null
}

/** The entry of a statement in the output before it is sent. */
export function entryOf(
  get: Getter,
  { statement, text, database }: Pick<Sending, 'statement' | 'text' | 'database'>,
): NewEntry {
  return {
    stream: 'rows',
    status: 'running',
    database,
    line: text.slice(0, statement.from).split('\n').length,
    source: statement.written,
    sent: null,
    notes: [],
    tx: null,
    timeTravel: false,
    at: null,
    timestamp: Date.now(),
    sentAt: serverNow(get),
    elapsed: null,
    result: null,
    paging: null,
    message: null,
    failure: null,
    txBefore: newestKnown(get, database),
    tables: statement.tables,
    finding: null,
    warning: null,
  }
}

/** Where a failed statement went wrong, as offsets in the editor's text. */
export type Marker = { from: number; to: number; message: string }

/** Whether the statement goes to sqlquery. */
export function isQuery(statement: Statement, mode: RunMode): boolean {
  return mode === 'automatic' ? statement.kind === 'query' : mode === 'query'
}

/** Sends the statement and returns its result; never rejects. */
export async function send(
  get: Getter,
  sending: Sending,
  prepared: PreparedSql,
): Promise<{ change: Partial<NewEntry>; marker: Marker | null; mayBeSecond?: boolean }> {
  const started = performance.now()
  const waited = get(loginWaitAtom).spent
  // Not the time in which it waited for someone to log in again.
  const time = () => performance.now() - started - (get(loginWaitAtom).spent - waited)
  const { statement, database, signal, mode } = sending
  if (signal.aborted) {
    const message = 'Cancelled before it was sent.'
    return { change: { status: 'cancelled', elapsed: 0, message }, marker: null }
  }
  const request = { database, sql: prepared.sql, signal }
  const client = get(clientAtom)
  try {
    const isRead = isQuery(statement, mode)
    const { isNothing = false, ...change } = isRead
      ? await queried(get, request)
      : await executed(await execSql(client, request), statement, client.runsOnce())
    return {
      change: { ...change, elapsed: time() },
      marker: null,
      // A statement with nothing left to do makes no transaction: an earlier repeat may have done it.
      mayBeSecond: isNothing && !client.runsOnce(),
    }
  } catch (error) {
    const elapsed = time()
    const { change, marker } = await failed(error, sending, prepared)
    return { change: { ...change, elapsed }, marker }
  }
}

/** Rows of a page where they are long. */
const longRows = 100

/** Not even a single row of the result has room in an answer. */
class OneRowTooLarge extends Error {}

/** The rows, or the first page of them when there are more than one answer may hold. */
async function queried(
  get: Getter,
  request: SqlRequest & { signal: AbortSignal },
): Promise<Answered> {
  try {
    const result = readResult(await querySql(get(clientAtom), request))
    return { status: 'done', result, message: counted(result.rowCount, 'row') }
  } catch (error) {
    if (!isTooLong(error)) throw error
    // Rows that are too large are at most 2,500, so each is long.
    const size = isTooLarge(error) ? longRows : pageRows
    const first = await firstPage(get, request, size).catch((second: unknown) => {
      throw isTooLarge(second) ? new OneRowTooLarge() : second
    })
    if (first === null) throw error
    const { result, paging, sent } = first
    return { status: 'done', result, paging, sent, message: pagesMessage(result, paging) }
  }
}

/** Whether only its length was refused, so that pages may work. */
function isTooLong(error: unknown): boolean {
  return isTooLarge(error) || isBecause(error, 'too-many-rows')
}

/** What an answer changes in the output; `isNothing`: the statement found nothing to do. */
type Answered = Partial<NewEntry> & { isNothing?: boolean }

/** An answer without a transaction header stored nothing, whatever else it says. */
async function executed(
  answer: ExecAnswer,
  { text, verb, isBlock }: Statement,
  isOnce: boolean,
): Promise<Answered> {
  const headers = answer.flatMap(({ header }) => (header ? [header] : []))
  const rows = answer.reduce((sum, { updatedRows }) => sum + updatedRows, 0)
  const tx = headers.at(-1)?.id ?? null
  const changesRows = isBlock || rowVerbs.has(verb)
  if (answer.length === 0) {
    // Databases, users and grants are kept elsewhere, without a transaction of this database.
    if (catalogueChangeIn(text)) return { status: 'done', tx, message: 'Done.' }
    throw new ApiError({ kind: 'bad-answer', text: 'an answer without transactions', isOnce })
  }
  if (tx === null) {
    const message = 'Nothing was committed: the server made no transaction.'
    return { status: 'done', tx, message, isNothing: true }
  }
  const message = changesRows ? `Committed, ${counted(rows, 'row')} changed.` : 'Committed.'
  return { status: 'done', tx, message }
}

/** First keywords of statements that change rows and leave the tables as they are. */
export const rowVerbs: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])

async function failed(
  error: unknown,
  { statement, text, mode, signal }: Sending,
  prepared: PreparedSql,
): Promise<{ change: Partial<NewEntry>; marker: Marker | null }> {
  const isRead = isQuery(statement, mode)
  if (error instanceof ResultShapeError) {
    return {
      change: failure('failed', plain(sentence(error), `unexpected ${error.path}`)),
      marker: null,
    }
  }
  if (error instanceof OneRowTooLarge)
    return { change: failure('failed', rowTooLarge), marker: null }
  if (isTooLarge(error) && isRead)
    return { change: failure('failed', answerTooLarge), marker: null }
  if (!(error instanceof ApiError)) {
    return {
      change: failure('failed', plain(sentence(error), technicalDetails(error))),
      marker: null,
    }
  }
  if (signal.aborted && isRead) {
    return {
      change: { status: 'cancelled', message: 'Cancelled. Nothing was changed.' },
      marker: null,
    }
  }
  if (!isRead && error.isOutcomeUnknown) return { change: unknown(error), marker: null }
  if (isOfTheDatabase(error)) return explainSqlFailure(error, statement, text, prepared)
  const hint = isRead
    ? 'Nothing was changed. Run it again.'
    : 'The statement was not run. Run it again.'
  return {
    change: failure('failed', { ...plain(sentence(error), technicalDetails(error)), hint }),
    marker: null,
  }
}

function isOfTheDatabase({ kind }: ApiError): boolean {
  return (
    kind === 'refused' || kind === 'permission' || kind === 'conflict' || kind === 'credentials'
  )
}

/** Statuses of the database's own errors; any other comes from a proxy in front of it. */
const databaseStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 412, 500])

/** Why the database refused a statement, in plain words, and where in the text of the editor. */
function explainSqlFailure(
  error: ApiError,
  statement: Statement,
  text: string,
  prepared: PreparedSql,
): { change: Partial<NewEntry>; marker: Marker | null } {
  const refusal = readSqlRefusal(error.message)
  const place = locateSqlError(refusal, prepared.sql, prepared.offsets, {
    text,
    from: statement.from,
  })
  const offending = place ? text.slice(place.from, place.to) : undefined
  const explained = explainSqlError(refusal, {
    sql: prepared.sql,
    ...(offending === undefined ? {} : { offending }),
  })
  const isOfDatabase = error.code !== null && databaseStatuses.has(error.status ?? 500)
  const words = isOfDatabase ? explained : { ...explained, text: sentence(error) }
  const change = failure('failed', {
    text: words.text,
    hint: words.hint ?? null,
    details: `${words.original} · ${technicalDetails(error)}`,
    place,
    mayRunAgain: error.kind === 'conflict',
    mayBeDone: mayBeSecond(error, secondReasons(statement.verb)),
  })
  return { change, marker: place && { from: place.from, to: place.to, message: words.text } }
}

/** The refusals of a statement that was just committed. */
function secondReasons(verb: string): readonly Reason[] {
  if (verb === 'INSERT' || verb === 'CREATE') return ['exists']
  if (verb === 'ALTER') return ['exists', 'missing', 'database-missing']
  return verb === 'DROP' ? ['missing', 'database-missing'] : []
}

/** The request left and no answer of the database came back. */
function unknown(error: ApiError): Partial<NewEntry> {
  const { text, details, advice } = withoutAnswer(error)
  const why = error.kind === 'aborted' ? 'It was cancelled after it was sent.' : text
  return failure('unknown', {
    ...plain(`It is not known whether this was committed. ${why}`, details),
    hint: advice,
  })
}

const answerTooLarge: Failure = {
  text: 'The answer is larger than 4 MiB, the most this server sends.',
  hint: 'Ask for fewer rows by WHERE or LIMIT, or for fewer columns.',
  details: '',
  place: null,
}

const rowTooLarge: Failure = {
  text: 'One row of it alone is larger than 4 MiB, the most this server sends.',
  hint: 'Select fewer columns. Fewer rows do not help.',
  details: '',
  place: null,
}

function plain(text: string, details: string): Failure {
  return { text, hint: null, details, place: null }
}

function failure(status: 'failed' | 'unknown', of: Failure): Partial<NewEntry> {
  return { stream: 'error', status, failure: of, message: of.text }
}
