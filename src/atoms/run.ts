import { atom, type Getter, type Setter } from 'jotai'
import { counted } from '~/lib/text'
import { refusalOf } from '~/sql/refusals'
import { type PreparedSql, prepareSql } from '~/sql/send'
import type { Statement } from '~/sql/statements'
import { openDatabaseAtom, refreshDatabasesAtom } from './databases'
import { editorTextAtom } from './editor'
import { sentence, technicalDetails } from './failure'
import { appendOutputAtom, changeOutputAtom, type NewEntry } from './output'
import {
  entryOf,
  isQuery,
  type Marker,
  type RunMode,
  rowVerbs,
  type Sending,
  send,
} from './run-statement'
import { databaseAtom } from './session'
import { refreshStateAtom } from './state'
import { outdateTablesAtom, readNamesAtom, refreshTablesAtom } from './tables'

type Running = { controller: AbortController; done: number; total: number }

const progressAtom = atom<Running | null>(null)

/** How far the present run is, or null when nothing runs. */
export const runningAtom = atom((get) => get(progressAtom))

export const runModeAtom = atom<RunMode>('automatic')

/** Where the last run went wrong, in the text as it was then. */
export const markersAtom = atom<readonly Marker[]>([])

export const cancelRunAtom = atom(null, (get) => get(progressAtom)?.controller.abort())

/**
 * Runs statements one after the other, each in a request of its own, and stops at the first that
 * fails, is cancelled or has an unknown outcome. A run that is under way is not started twice, and
 * what is chosen meanwhile, such as another database, is for the next one.
 */
export const runAtom = atom(
  null,
  async (get, set, text: string, statements: readonly Statement[]) => {
    const database = get(databaseAtom)
    if (get(progressAtom) !== null || statements.length === 0 || database === null) return
    const controller = new AbortController()
    const total = statements.length
    set(progressAtom, { controller, done: 0, total })
    set(markersAtom, [])
    const { signal } = controller
    try {
      await runEach(get, set, statements, {
        course: { text, database, mode: get(runModeAtom), signal, lastTx: null },
        tell: (done) => set(progressAtom, { controller, done, total }),
      })
    } finally {
      set(progressAtom, null)
    }
  },
)

/** What a run goes by; only the database, by USE, and the newest transaction change on the way. */
type Course = Omit<Sending, 'statement'> & { lastTx: string | null }

async function runEach(
  get: Getter,
  set: Setter,
  statements: readonly Statement[],
  { course, tell }: { course: Course; tell: (done: number) => void },
) {
  let present = course
  let started = 0
  for (const statement of statements) {
    if (present.signal.aborted) break
    tell(started)
    started += 1
    const next = await runOne(get, set, present, statement)
    if (!next) break
    present = next
  }
  const rest = statements.slice(started)
  if (rest.length > 0) sayNotRun(get, set, present, rest)
  refreshAfter(set, statements.slice(0, started).filter(wasSent), present.mode)
}

/** Resolves with the course for the next statement, or null when the run must stop. */
async function runOne(
  get: Getter,
  set: Setter,
  course: Course,
  statement: Statement,
): Promise<Course | null> {
  const fresh = entryOf(get, { ...course, statement })
  const entry = { ...fresh, txBefore: course.lastTx ?? fresh.txBefore }
  const refusal = refusalOf(statement)
  if (refusal !== undefined) {
    set(appendOutputAtom, notSent(entry, refusal))
    return null
  }
  const number = set(appendOutputAtom, entry)
  if (statement.kind === 'use' && course.mode === 'automatic') {
    return switchDatabase(set, number, course, statement)
  }
  const prepared = await preparedFor(set, course, statement)
  const sent = prepared.sql === `${statement.text};` ? null : prepared.sql
  set(changeOutputAtom, number, { sent, notes: prepared.notes })
  const { change, marker } = await send(get, { ...course, statement }, prepared)
  set(changeOutputAtom, number, change)
  // In a text that was changed meanwhile the place means something else.
  if (marker && get(editorTextAtom) === course.text) set(markersAtom, [marker])
  if (change.status !== 'done') return null
  if (changesTables(statement, course.mode)) void set(outdateTablesAtom, course.database)
  return { ...course, lastTx: change.tx ?? course.lastTx }
}

/**
 * The text for the server. Whether a double-quoted word is a name can be told only when all names
 * are known; until then it stays as it was typed, because a text in its place may change more rows.
 */
async function preparedFor(
  set: Setter,
  { database }: Course,
  { text }: Statement,
): Promise<PreparedSql> {
  const names = text.includes('"') ? await set(readNamesAtom, database) : new Set<string>()
  if (names) return prepareSql(text, { names }, 'automatic')
  const note = 'Double quotes were left as they are: not all names of this database are known.'
  return { ...prepareSql(text, { names: new Set() }, 'never'), notes: [note] }
}

function changesTables(statement: Statement, mode: RunMode): boolean {
  return !isQuery(statement, mode) && !rowVerbs.has(statement.verb)
}

function notSent(entry: NewEntry, text: string): NewEntry {
  const failure = { text, hint: null, details: 'Not sent to the server.', place: null }
  return { ...entry, flux: 'stderr', status: 'failed', elapsed: 0, message: text, failure }
}

/** `USE x` cannot work in SQL with a token; it switches this tab's database instead. */
async function switchDatabase(
  set: Setter,
  number: number,
  course: Course,
  statement: Statement,
): Promise<Course | null> {
  const database = statement.database ?? ''
  const stop = (reason: string, details: string) => {
    const text = `${database} was not opened. ${reason}`
    const failure = { text, hint: null, details, place: null }
    set(changeOutputAtom, number, { flux: 'stderr', status: 'failed', message: text, failure })
    return null
  }
  try {
    const isOpen = await set(openDatabaseAtom, database)
    if (!isOpen) return stop('Another database was chosen meanwhile.', 'Not switched.')
  } catch (error) {
    return stop(sentence(error), technicalDetails(error))
  }
  set(changeOutputAtom, number, { status: 'done', elapsed: 0, message: `Now using ${database}.` })
  return { ...course, database, lastTx: null }
}

function sayNotRun(get: Getter, set: Setter, course: Course, rest: readonly Statement[]) {
  const [statement] = rest
  if (!statement) return
  const why = course.signal.aborted ? 'the run was cancelled' : 'the one before did not succeed'
  set(appendOutputAtom, {
    ...entryOf(get, { ...course, statement }),
    status: 'not-run',
    elapsed: 0,
    source: rest.map(({ text }) => text).join(';\n'),
    message: `${counted(rest.length, 'statement')} not run, because ${why}.`,
  })
}

function wasSent(statement: Statement): boolean {
  return refusalOf(statement) === undefined && statement.kind !== 'use'
}

/** Asks anew only for what the statements may have changed; each call may be kept in an audit log. */
function refreshAfter(set: Setter, statements: readonly Statement[], mode: RunMode) {
  if (statements.every((statement) => isQuery(statement, mode))) return
  if (statements.some(({ text }) => /\bDATABASE\b/i.test(text))) void set(refreshDatabasesAtom)
  // In this order an empty database's first table is asked for once, when the state allows it.
  if (statements.some((statement) => changesTables(statement, mode))) void set(refreshTablesAtom)
  void set(refreshStateAtom)
}
