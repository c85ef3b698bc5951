import { atom, type Getter } from 'jotai'
import { ApiError, isBecause, isTooLarge, type Reason } from '~/api/errors'
import { type ExecAnswer, execSql, querySql } from '~/api/sql'
import { readSqlRefusal } from '~/api/sql-errors'
import type { Io } from '~/core/act'
import { findMoment } from '~/core/history/as-of'
import { detectDuplicateCommit } from '~/core/history/duplicate-commit'
import {
  newestKnown,
  presentTxAtom,
  refreshState,
  writesOffAtom,
} from '~/core/history/newest-state'
import { clientAtom, loginWaitAtom } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { serverNow } from '~/core/session/server-clock'
import { lackingAtom, serverVersionAtom } from '~/core/session/server-version'
import { databaseAtom } from '~/core/session/session'
import { quoteModeAtom, readOnlyDatabasesAtom, readOnlyReason } from '~/core/settings'
import { mayBeSecond, withoutAnswer } from '~/core/write'
import type { Version } from '~/immudb/server-versions'
import { pageRows } from '~/lib/constants'
import { counted, listOf } from '~/lib/text'
import { catalogueChangeIn } from '~/sql/catalogue-change'
import { explainSqlError, locateSqlError } from '~/sql/errors'
import {
  type GivenParameter,
  givenFor,
  hasUnnamedParameter,
  paramsFor,
  uuidCasts,
} from '~/sql/parameter-values'
import type { Param } from '~/sql/params'
import { ResultShapeError, readResult } from '~/sql/result'
import { type PreparedSql, prepareSql, refusalOf } from '~/sql/send'
import { type Statement, withSemicolon } from '~/sql/statements'
import { namesPeriod } from '~/sql/tables'
import { insertPeriods, type Moment, periodOf } from '~/sql/time-travel'
import { newerWord, versionFaults } from '~/sql/version-faults'
import { verifyWrite } from '~/trust/receipts'
import { type Committed, uncomparedWrite } from '~/trust/sent'
import { findWriteBlock } from '~/trust/write-block'
import { openDatabase, refreshDatabases } from '../databases/database-list'
import { outdateTables, readTables, refreshTables } from '../tables/table-list'
import { allOutputAtom } from './all-output'
import { type EditorName, loadDraft, shownEditorAtom, textOf } from './editor'
import { readNames } from './known-names'
import { appendOutput, changeOutput, editorKey, moveOutput } from './output'
import type { Failure, NewEntry, RunAt } from './output-entry'
import { firstPage, type PagedRequest, pagesMessage } from './result-pages'
import { rememberRun } from './statement-history'
import { reclassifyRefusal } from './write-outcome-check'

/** How statements reach the server: by their first keyword, or as the operator says. */
type RunMode = 'automatic' | 'query' | 'exec'

type Sending = {
  statement: Statement
  /** The whole text of the editor when it was started. */
  text: string
  /** The editor that gets the output; USE takes the run to another one. */
  home: { editor: EditorName }
  database: string
  mode: RunMode
  signal: AbortSignal
  /** The values of the names that the statements have. */
  given: readonly GivenParameter[]
}

/**
 * The settings of a run. During the run only the newest transaction changes, and with USE the
 * database and its moment.
 */
type RunContext = Omit<Sending, 'statement'> & {
  /** The newest result when the run began. */
  before: number
  lastTx: string | null
  moment: Moment | null
  /** Why there is no such moment as the address names; null when nothing is wrong. */
  noMoment: string | null
}

/** Where a failed statement went wrong, as offsets in the editor's text. */
type Marker = { from: number; to: number; message: string }

type Running = { controller: AbortController; done: number; total: number }

/** By the keys of their editors. */
const runsAtom = atom<ReadonlyMap<string, Running>>(new Map())

/** How far the run of an editor is, or null when it runs nothing. */
export const runningOfAtom = atom((get) => {
  const runs = get(runsAtom)
  return (editor: EditorName) => runs.get(editorKey(editor)) ?? null
})

/** How far the run of the shown editor is. */
export const runningAtom = atom((get) => get(runningOfAtom)(get(shownEditorAtom)))

function setRun({ get, set }: Io, editor: EditorName, run: Running | null) {
  const runs = new Map(get(runsAtom))
  if (run) runs.set(editorKey(editor), run)
  else runs.delete(editorKey(editor))
  set(runsAtom, runs)
}

export const runModeAtom = atom<RunMode>('automatic')

const allMarkersAtom = atom<ReadonlyMap<string, readonly Marker[]>>(new Map())

/** The error places of the last run of the shown editor, in the text as it was then. */
export const markersAtom = atom(
  (get) => get(allMarkersAtom).get(editorKey(get(shownEditorAtom))) ?? noMarkers,
)

const noMarkers: readonly Marker[] = []

function setMarkers({ get, set }: Io, editor: EditorName, markers: readonly Marker[]) {
  set(allMarkersAtom, new Map(get(allMarkersAtom)).set(editorKey(editor), markers))
}

export function cancelRun({ get }: Io) {
  return get(runningAtom)?.controller.abort()
}

/**
 * Runs statements one after the other, each in a request of its own, and stops at the first that
 * fails, is cancelled or has an unknown outcome. A run in progress is not started twice in its
 * editor. Choices made in the meantime, such as another editor or database, apply to the next run.
 * @param editor gets the output; nothing runs while another database than its own is open
 * @param given values of each `@name`; a statement that needs another is not sent
 */
export async function runStatements(
  io: Io,
  text: string,
  statements: readonly Statement[],
  editor: EditorName = io.get(shownEditorAtom),
  given: readonly GivenParameter[] = [],
) {
  const { get } = io
  const database = get(databaseAtom)
  const isRunning = get(runningOfAtom)(editor) !== null
  if (isRunning || statements.length === 0 || database === null) return
  if (editor.database !== database) return
  const controller = new AbortController()
  const total = statements.length
  setRun(io, editor, { controller, done: 0, total })
  setMarkers(io, editor, [])
  const { signal } = controller
  const before = Math.max(0, ...get(allOutputAtom).map(({ number }) => number))
  const home = { editor }
  try {
    // At once when nothing has to be asked, or a cancelled run would still begin.
    const looked = isNow(get) ? ofNow : await lookedAt(io)
    await runEach(io, statements, {
      context: {
        text,
        home,
        before,
        database,
        mode: get(runModeAtom),
        ...looked,
        signal,
        given,
        lastTx: null,
      },
      tell: (done) => setRun(io, home.editor, { controller, done, total }),
    })
  } finally {
    setRun(io, home.editor, null)
    void remember(io, home.editor, before)
  }
}

const isNow = (get: Getter) => get(writesOffAtom) === null
const ofNow = { moment: null, noMoment: null }

/** The moment that the statements read, or why there is none; never rejects. */
async function lookedAt(io: Io): Promise<Pick<RunContext, 'moment' | 'noMoment'>> {
  try {
    const found = await findMoment(io)
    return 'moment' in found
      ? { moment: found.moment, noMoment: null }
      : { moment: null, noMoment: found.refusal }
  } catch (error) {
    return { moment: null, noMoment: `The moment to read could not be found. ${sentence(error)}` }
  }
}

async function runEach(
  io: Io,
  statements: readonly Statement[],
  { context, tell }: { context: RunContext; tell: (done: number) => void },
) {
  let present = context
  let started = 0
  for (const statement of statements) {
    if (present.signal.aborted) break
    tell(started)
    started += 1
    const next = await runOne(io, present, statement)
    if (!next) break
    present = next
  }
  const rest = statements.slice(started)
  if (rest.length > 0) sayNotRun(io, present, rest)
  refreshAfter(io, statements.slice(0, started), present.mode)
}

/** Resolves with the context for the next statement, or null when the run must stop. */
async function runOne(
  io: Io,
  context: RunContext,
  statement: Statement,
): Promise<RunContext | null> {
  const { get } = io
  const fresh = entryOf(get, { ...context, statement })
  const entry = { ...fresh, txBefore: context.lastTx ?? fresh.txBefore }
  const waiting = heldBack(io, context, statement)
  const refusal = refusalFor(get, context, statement) ?? (waiting && (await waiting))
  if (refusal !== undefined) {
    appendOutput(io, notSent(entry, refusal), context.home.editor)
    return null
  }
  const number = appendOutput(io, entry, context.home.editor)
  if (statement.kind === 'use' && context.mode === 'automatic') {
    return switchDatabase(io, number, context, statement)
  }
  const { moment } = context
  const plan = moment === null ? null : await planTravel(get, context, statement, moment)
  if (plan?.kind === 'refused') {
    changeOutput(io, number, notSent(entry, plan.text))
    return null
  }
  const casts = uuidCasts(statement.text, context.given)
  const insertions = new Map([...(plan?.insertions ?? []), ...casts])
  const prepared = await preparedFor(io, context, statement, insertions)
  const sent = prepared.sql === `${statement.text};` ? null : prepared.sql
  const faults = versionFaults(statement.text, get(serverVersionAtom))
  const said = (isWrong: boolean) =>
    faults.filter((fault) => fault.isWrong === isWrong).map(({ text }) => text)
  const notes = [
    ...(plan?.notes ?? []),
    ...prepared.notes,
    ...(casts.size > 0 ? [castNote] : []),
    ...said(false),
  ]
  const warning = said(true).join(' ') || null
  const timeTravel = (plan?.isPast ?? false) && !isNewest(get, moment)
  const at = runAt(statement, moment, plan)
  changeOutput(io, number, { sent, notes, timeTravel, at, warning })
  const answer = await send(get, { ...context, statement }, prepared)
  const { change: answered, marker } = answer
  // A refused repeat may mean that the first request was committed.
  const change =
    answered.failure?.mayBeDone || answer.mayBeSecond
      ? await reclassifyRefusal(get, answered, entry, rowVerbs.has(statement.verb))
      : answered
  changeOutput(io, number, change)
  // If the text has changed in the meantime, the place no longer fits.
  const { editor } = context.home
  if (marker && textOf(get, editor) === context.text) setMarkers(io, editor, [marker])
  if (change.status !== 'done') return null
  if (change.tx) {
    const write = { database: context.database, tx: change.tx, txBefore: entry.txBefore }
    void verifyCommitted(io, number, write)
    void lookForDuplicateCommit(io, number, { ...entry, ...change }, statement)
  }
  if (changesTables(statement, context.mode)) void outdateTables(io, context.database)
  return { ...context, lastTx: change.tx ?? context.lastTx }
}

const castNote =
  'Parameters that are a UUID were sent as @name::UUID, because this server compares no text with a UUID.'

/** Whether the moment is the newest transaction, whose rows are those of the present. */
function isNewest(get: Getter, moment: Moment | null): boolean {
  if (moment?.bound !== 'UNTIL' || moment.at.kind !== 'tx') return false
  return moment.at.id === get(presentTxAtom)
}

/** If the statement read no table as of the moment, it ran at the present. */
function runAt({ text }: Statement, moment: Moment | null, plan: TravelPlan | null): RunAt {
  if (moment && plan?.kind === 'read' && plan.insertions.size > 0) return { kind: 'past', moment }
  return namesPeriod(text) ? { kind: 'own' } : { kind: 'present' }
}

/**
 * The text for the server. Whether a double-quoted word is a name is known only with all names.
 * Until then it stays as typed, because text in its place may change more rows.
 */
async function preparedFor(
  io: Io,
  { database }: Pick<RunContext, 'database'>,
  { text }: Statement,
  insertions?: ReadonlyMap<number, string>,
): Promise<PreparedSql> {
  const mode = io.get(quoteModeAtom)
  const mustKnow = mode === 'automatic' && text.includes('"')
  const names = mustKnow ? await readNames(io, database) : new Set<string>()
  const lacksLineComments = io.get(lackingAtom)('lineComments') !== undefined
  if (names) return prepareSql(text, { names, lacksLineComments }, mode, insertions)
  const note = 'Double quotes were left as they are: not all names of this database are known.'
  const unknown = { names: new Set<string>(), lacksLineComments }
  return { ...prepareSql(text, unknown, 'never', insertions), notes: [note] }
}

/** A statement with its values as a run at the present would send them to the database. */
export async function statementAsSent(
  io: Io,
  statement: Statement,
  given: readonly GivenParameter[],
  database: string,
): Promise<{ readonly sql: string; readonly params: readonly Param[] }> {
  const casts = uuidCasts(statement.text, given)
  const { sql } = await preparedFor(io, { database }, statement, casts)
  return { sql, params: paramsFor(statement.text, given).params }
}

function sayNotRun(io: Io, context: RunContext, rest: readonly Statement[]) {
  const [statement] = rest
  if (!statement) return
  const why = context.signal.aborted ? 'the run was cancelled' : 'the one before did not succeed'
  const entry = {
    ...entryOf(io.get, { ...context, statement }),
    status: 'not-run' as const,
    elapsed: 0,
    source: rest
      .map(({ written }, at) => (at < rest.length - 1 ? withSemicolon(written) : written))
      .join('\n'),
    message: `${counted(rest.length, 'statement')} not run, because ${why}.`,
  }
  appendOutput(io, entry, context.home.editor)
}

/** `USE x` cannot work in SQL with a token; it switches this tab's database instead, or resolves with null. */
async function switchDatabase(
  io: Io,
  number: number,
  context: RunContext,
  statement: Statement,
): Promise<RunContext | null> {
  const database = statement.database ?? ''
  const { home } = context
  const stop = (reason: string, details: string) => {
    const text = `${database} was not opened. ${reason}`
    const failure = { text, hint: null, details, place: null }
    changeOutput(io, number, { stream: 'error', status: 'failed', message: text, failure })
    return null
  }
  const isShown = editorKey(home.editor) === editorKey(io.get(shownEditorAtom))
  if (!isShown) return stop('Another editor is shown by now.', 'Not switched.')
  try {
    const isOpen = await openDatabase(io, database)
    if (!isOpen) return stop('Another database was chosen in the meantime.', 'Not switched.')
  } catch (error) {
    return stop(sentence(error), technicalDetails(error))
  }
  changeOutput(io, number, { status: 'done', elapsed: 0, message: `Now using ${database}.` })
  await goHome(io, context)
  const looked = isNow(io.get) ? ofNow : await lookedAt(io)
  return { ...context, database, lastTx: null, ...looked }
}

/** Where the console goes by USE, the run and its output go with it. */
async function goHome(io: Io, { home, before }: RunContext) {
  await loadDraft(io)
  const shown = io.get(shownEditorAtom)
  const run = io.get(runningOfAtom)(home.editor)
  // What runs there keeps its own place and its own way to be cancelled.
  if (io.get(runningOfAtom)(shown) !== null) return
  moveOutput(io, home.editor, shown, before)
  setRun(io, home.editor, null)
  setRun(io, shown, run)
  home.editor = shown
}

/** Why the statement must not be sent, in any form. */
function refusalFor(get: Getter, context: RunContext, statement: Statement): string | undefined {
  const refusal = refusalOf(statement)
  if (refusal !== undefined) return refusal
  const nameless = parameterRefusal(statement, context.given)
  if (nameless !== undefined) return nameless
  if (statement.kind !== 'use' && context.noMoment !== null) {
    return `The statement was not sent. ${context.noMoment}`
  }
  if (!isWrite(statement, context)) return undefined
  const fault = versionFaults(statement.text, get(serverVersionAtom)).find((one) => one.isWrong)
  if (fault) return `The statement was not sent. ${fault.text}`
  if (get(readOnlyDatabasesAtom).has(context.database)) {
    return `The statement was not sent: ${readOnlyReason(context.database)}`
  }
  if (context.moment === null) return undefined
  return 'The statement was not sent: you are looking at the past, which cannot be changed. Go back to now to write.'
}

/** Why a statement lacks values; a plan is made without. */
function parameterRefusal(
  { text, verb, kind }: Statement,
  given: readonly GivenParameter[],
): string | undefined {
  if (verb === 'EXPLAIN' || kind === 'use') return undefined
  if (hasUnnamedParameter(text))
    return 'The statement was not sent: ? and $1 have no value here. Write a name instead, such as @id, and type its value beside the editor.'
  const { missing } = paramsFor(text, given)
  if (missing.length === 0) return undefined
  const names = listOf(missing.map((name) => `@${name}`))
  return `The statement was not sent: ${names} ${missing.length === 1 ? 'has' : 'have'} no value. Type it beside the editor, then run it from there.`
}

/** Why a write waits for the operator; reads are not held. */
function heldBack(
  io: Io,
  context: RunContext,
  statement: Statement,
): undefined | Promise<string | undefined> {
  if (!isWrite(statement, context)) return undefined
  return findWriteBlock(io, context.database, 'content').then(
    (held) => held?.text && `The statement was not sent. ${held.text}`,
  )
}

function isWrite(statement: Statement, { mode }: RunContext): boolean {
  return !isQuery(statement, mode) && statement.kind !== 'use'
}

function notSent(entry: NewEntry, text: string): NewEntry {
  const failure = { text, hint: null, details: 'Not sent to the server.', place: null }
  return { ...entry, stream: 'error', status: 'failed', elapsed: 0, message: text, failure }
}

/** Adds the statements that ran after an entry of the output to the code history. */
async function remember(io: Io, editor: EditorName, before: number) {
  try {
    await rememberRun(io, editor, before)
  } catch {
    // The output still shows statements that could not be saved.
  }
}

/** Verifies a write; its receipt shows the result. */
async function verifyCommitted(io: Io, number: number, write: Committed) {
  const of = `result ${number}`
  await verifyWrite(io, { ...write, of, questions: uncomparedWrite(write) })
}

/** A gap before the transaction may mean that the browser sent the statement again. */
async function lookForDuplicateCommit(
  io: Io,
  number: number,
  { database, tx, txBefore, elapsed }: NewEntry,
  { verb }: Statement,
) {
  if (tx === null || BigInt(tx) - BigInt(txBefore) < 2n || io.get(clientAtom).runsOnce()) return
  const isInsert = verb === 'INSERT'
  const written = { database, tx, txBefore, isInsert, elapsed: elapsed ?? 0 }
  const found = await detectDuplicateCommit(io.get, written)
  if (found !== null) changeOutput(io, number, { warning: found })
}

/** Refreshes only what the statements may have changed, because the server may log each call. */
function refreshAfter(io: Io, started: readonly Statement[], mode: RunMode) {
  const statements = started.filter(wasSent)
  if (statements.every((statement) => isQuery(statement, mode))) return
  if (statements.some(({ text }) => /\bDATABASE\b/i.test(text))) void refreshDatabases(io)
  // In this order the first table of an empty database is fetched once, when the state allows it.
  if (statements.some((statement) => changesTables(statement, mode))) void refreshTables(io)
  void refreshState(io)
}

function wasSent(statement: Statement): boolean {
  return refusalOf(statement) === undefined && statement.kind !== 'use'
}

function changesTables(statement: Statement, mode: RunMode): boolean {
  return !isQuery(statement, mode) && !rowVerbs.has(statement.verb)
}

/** What a statement becomes while a moment is chosen. */
type TravelPlan =
  | { kind: 'refused'; text: string }
  | {
      kind: 'read'
      insertions: ReadonlyMap<number, string>
      notes: readonly string[]
      isPast: boolean
    }

/** Plans how the statement reads its tables as of the moment; never rejects. */
async function planTravel(
  get: Getter,
  { database }: RunContext,
  { text }: Statement,
  moment: Moment,
): Promise<TravelPlan> {
  let names: ReadonlySet<string>
  try {
    names = await readTables(get, database, (known) => insertPeriods(text, moment, known).timeless)
  } catch (error) {
    return { kind: 'refused', text: `The statement was not sent. ${sentence(error)}` }
  }
  const { periods, tables, own, timeless } = insertPeriods(text, moment, names)
  if (timeless.length > 0) {
    return {
      kind: 'refused',
      text: `The statement was not sent: ${listOf(timeless)} cannot be read as of the past. This server ignores periods for views and catalogues and shows them as they are now.`,
    }
  }
  if (tables.length === 0 && own.length === 0) {
    const notes = ['This statement reads no table, so it shows the present.']
    return { kind: 'read', insertions: periods, notes, isPast: false }
  }
  const notes = [
    ...(tables.length > 0 ? [`${listOf(tables)} read ${periodOf(moment)}.`] : []),
    ...(own.length > 0 ? [`${listOf(own)} keeps the period written in the statement.`] : []),
  ]
  return { kind: 'read', insertions: periods, notes, isPast: true }
}

/** The entry of a statement in the output before it is sent. */
function entryOf(
  get: Getter,
  { statement, text, database, given }: Pick<Sending, 'statement' | 'text' | 'database' | 'given'>,
): NewEntry {
  return {
    stream: 'rows',
    status: 'running',
    database,
    line: text.slice(0, statement.from).split('\n').length,
    source: statement.written,
    given: givenFor(statement.text, given),
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

/** Whether the statement goes to sqlquery. */
function isQuery(statement: Statement, mode: RunMode): boolean {
  return mode === 'automatic' ? statement.kind === 'query' : mode === 'query'
}

/** Sends the statement and returns its result; never rejects. */
async function send(
  get: Getter,
  sending: Sending,
  prepared: PreparedSql,
): Promise<{ change: Partial<NewEntry>; marker: Marker | null; mayBeSecond?: boolean }> {
  const started = performance.now()
  const waited = get(loginWaitAtom).spent
  // Not the time in which it waited for someone to log in again.
  const time = () => performance.now() - started - (get(loginWaitAtom).spent - waited)
  const { statement, database, signal, mode, given } = sending
  if (signal.aborted) {
    const message = 'Cancelled before it was sent.'
    return { change: { status: 'cancelled', elapsed: 0, message }, marker: null }
  }
  const { params } = paramsFor(statement.text, given)
  const request = { database, sql: prepared.sql, params, signal }
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
    const { change, marker } = await failed(get, error, sending, prepared)
    return { change: { ...change, elapsed }, marker }
  }
}

/** Rows of a page where they are long. */
const longRows = 100

/** Not even a single row of the result has room in an answer. */
class OneRowTooLarge extends Error {}

/** The rows, or the first page of them when there are more than one answer may hold. */
async function queried(get: Getter, request: PagedRequest): Promise<Answered> {
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
const rowVerbs: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])

async function failed(
  get: Getter,
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
  if (isOfTheDatabase(error)) {
    const version = get(serverVersionAtom)
    return explainSqlFailure(error, { statement, text, prepared, version })
  }
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
  {
    statement,
    text,
    prepared,
    version,
  }: { statement: Statement; text: string; prepared: PreparedSql; version: Version | null },
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
  const newer =
    refusal.reason === null && refusal.isNotUnderstood
      ? newerWord(statement.text, version)
      : undefined
  const change = failure('failed', {
    text: words.text,
    hint: words.hint ?? newer ?? null,
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
