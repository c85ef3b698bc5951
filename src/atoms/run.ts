import { atom, type Getter, type Setter } from 'jotai'
import { counted } from '~/lib/text'
import { refusalOf } from '~/sql/refusals'
import type { Statement } from '~/sql/statements'
import { openDatabaseAtom } from './databases'
import { sentence, technicalDetails } from './failure'
import { appendOutputAtom, changeOutputAtom, type NewEntry } from './output'
import { isQuery, type Marker, prepare, type RunMode, send } from './run-statement'
import { databaseAtom } from './session'
import { refreshStateAtom } from './state'
import { refreshTablesAtom } from './tables'

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
 * fails, is cancelled or has an unknown outcome. A run that is under way is not started twice.
 */
export const runAtom = atom(
  null,
  async (get, set, text: string, statements: readonly Statement[]) => {
    if (get(progressAtom) !== null || statements.length === 0) return
    const controller = new AbortController()
    set(markersAtom, [])
    let done = 0
    let isGood = true
    for (const statement of statements) {
      set(progressAtom, { controller, done, total: statements.length })
      isGood = await runOne(get, set, { text, statement, signal: controller.signal })
      if (!isGood) break
      done += 1
    }
    const rest = statements.slice(done + 1)
    if (!isGood && rest.length > 0) sayNotRun(get, set, text, rest)
    set(progressAtom, null)
    refreshAfter(set, statements.slice(0, done + 1), get(runModeAtom))
  },
)

type Step = { text: string; statement: Statement; signal: AbortSignal }

async function runOne(get: Getter, set: Setter, step: Step): Promise<boolean> {
  const database = get(databaseAtom)
  if (database === null) return false
  const mode = get(runModeAtom)
  const { entry, prepared } = prepare(get, { ...step, database })
  const refusal = refusalOf(step.statement)
  if (refusal !== undefined) {
    set(appendOutputAtom, notSent(entry, refusal))
    return false
  }
  const number = set(appendOutputAtom, entry)
  if (step.statement.kind === 'use' && mode === 'automatic')
    return switchDatabase(set, number, step)
  const { change, marker } = await send(get, { ...step, database, mode }, prepared)
  set(changeOutputAtom, number, change)
  if (marker) set(markersAtom, [marker])
  return change.status === 'done'
}

function notSent(entry: NewEntry, text: string): NewEntry {
  const failure = { text, hint: null, details: 'Not sent to the server.', place: null }
  return { ...entry, flux: 'stderr', status: 'failed', elapsed: 0, message: text, failure }
}

/** `USE x` cannot work in SQL with a token; it switches this tab's database instead. */
async function switchDatabase(set: Setter, number: number, { statement }: Step): Promise<boolean> {
  const name = statement.database ?? ''
  try {
    await set(openDatabaseAtom, name)
    set(changeOutputAtom, number, { status: 'done', elapsed: 0, message: `Now using ${name}.` })
    return true
  } catch (error) {
    const text = `${name} was not opened. ${sentence(error)}`
    const failure = { text, hint: null, details: technicalDetails(error), place: null }
    set(changeOutputAtom, number, { flux: 'stderr', status: 'failed', message: text, failure })
    return false
  }
}

function sayNotRun(get: Getter, set: Setter, text: string, rest: readonly Statement[]) {
  const [first] = rest
  const database = get(databaseAtom)
  if (!first || database === null) return
  const { entry } = prepare(get, { text, statement: first, database })
  set(appendOutputAtom, {
    ...entry,
    status: 'not-run',
    elapsed: 0,
    sent: null,
    notes: [],
    source: rest.map((statement) => statement.text).join(';\n'),
    message: `${counted(rest.length, 'statement')} not run, because the one before did not succeed.`,
  })
}

/** What was read stays right after reads; after anything else state and tables may be new. */
function refreshAfter(set: Setter, statements: readonly Statement[], mode: RunMode) {
  if (statements.every((statement) => isQuery(statement, mode))) return
  // In this order an empty database's first table is asked for once, when the state allows it.
  void set(refreshTablesAtom)
  void set(refreshStateAtom)
}
