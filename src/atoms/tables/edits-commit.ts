import { atom, type Getter, type Setter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { readState, type State } from '~/api/server'
import { type ExecAnswer, execSql } from '~/api/sql'
import { counted, formatTx } from '~/lib/text'
import { type Ended, idle, isBusy, type Refused, type Write } from '~/lib/write'
import { type EditPlan, planEdits, requestOf, tooManyEntries } from '~/sql/edit-statements'
import { type Cells, type Edits, type EditTable, isDone, keyOf } from '~/sql/row-edits'
import { refreshStateAtom, stateKey } from '../history/newest-state'
import { verifyWriteAtom } from '../query/receipts'
import { tablesKey } from '../query/tables'
import { detectDuplicateCommit } from '../query/write-outcome-check'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import { writeRefusalAtom } from '../users/viewer'
import { checkWrite, runWrite, unknown, type WritePlace } from '../write/write'
import { changeEditsAtom, editsOfAtom } from './edits'
import { keysOf, readRowsByKey } from './edits-rows'
import { type Place, placeName } from './edits-stored'

/** What became of the edits that were committed together. */
export type CommitReceipt = {
  /** Null when a check found the rows as staged: what wrote them is not known then. */
  readonly tx: string | null
  /** What was committed, as a sentence. */
  readonly text: string
  /** Rows that someone else changed first, and that stay staged; null when they are not known. */
  readonly missed: number | null
  /** Why it may be stored more than once; null when nothing says so. */
  readonly warning: string | null
}

type CommitState = Write<CommitReceipt>

const statesAtom = atom<ReadonlyMap<string, CommitState>>(new Map<string, CommitState>())

/** The state of the present or last commit of a table's edits. */
export const commitStateAtom = atom((get) => {
  const states = get(statesAtom)
  const edits = get(editsOfAtom)
  return (place: Place): CommitState => {
    const state = states.get(placeName(place)) ?? idle
    // It was sent before the page was loaded again, and the answer went to the page of before.
    return state.kind === 'idle' && edits(place).sent ? lost : state
  }
})

const lost = unknown({
  text: 'The page was left before an answer came.',
  details: 'sent by an earlier page',
  advice: 'Check before you send it again.',
})

function placeOf(get: Getter, set: Setter, place: Place): WritePlace<CommitState> {
  return {
    read: () => get(commitStateAtom)(place),
    tell: (state) => set(statesAtom, new Map(get(statesAtom)).set(placeName(place), state)),
  }
}

/** Forgets the last commit of a table's edits before the next one. */
export const forgetCommitAtom = atom(null, (get, set, place: Place) => {
  const { read, tell } = placeOf(get, set, place)
  if (isBusy(read())) return
  tell(idle)
  if (get(editsOfAtom)(place).sent) set(changeEditsAtom, place, { sent: null })
})

/**
 * Commits the staged edits of a table as one transaction, once. Those that are done are no longer
 * staged then; the others stay, each with the row that was found in its place.
 */
export const commitEditsAtom = atom(null, async (get, set, place: Place, table: EditTable) => {
  const { edits, sent } = get(editsOfAtom)(place)
  const before = get(commitStateAtom)(place)
  const plan = planEdits(table, edits)
  const txBefore = sent?.txBefore ?? newestKnown(get, place)
  const started = performance.now()
  const ended = await runWrite<CommitReceipt>(set, placeOf(get, set, place), {
    database: place.database,
    confirm: async () => {
      const text = get(writeRefusalAtom) ?? tooManyEntries(plan)
      return text === null || text === undefined
        ? null
        : { kind: 'refused', text, details: 'not sent' }
    },
    send: async () => {
      set(changeEditsAtom, place, { sent: { txBefore, at: Date.now() } })
      const client = get(clientAtom)
      const { sql, params } = requestOf(plan)
      const answer = await execSql(client, { database: place.database, sql, params })
      const of = { place, table, edits, plan, txBefore, elapsed: performance.now() - started }
      return receiptOf(get, set, of, answer)
    },
    // A second one finds the keys of the first.
    secondReasons: ['exists'],
    settle: (outcome) => settled(get, set, place, before, outcome),
  })
  return ended?.kind === 'committed'
})

/** Without an answer the mark stays, so that a reload does not forget what was sent. */
function settled(
  get: Getter,
  set: Setter,
  place: Place,
  before: CommitState,
  outcome: Ended<CommitReceipt>,
): Ended<CommitReceipt> {
  if (outcome.kind === 'unknown') return outcome
  const isNothing = outcome.kind === 'committed' && outcome.value.tx === null
  const told = isNothing ? nothingLeft : outcome
  // What was sent first may be why the second was refused.
  const isSecond = before.kind === 'unknown' || (isNothing && !get(clientAtom).runsOnce())
  if (told.kind === 'refused' && isSecond) {
    const { text, details } = told
    return unknown({ text, details, advice: 'It may have been committed before. Check.' })
  }
  set(changeEditsAtom, place, { sent: null })
  return told
}

const nothingLeft: Refused = {
  kind: 'refused',
  text: 'No row was as it was when you staged it, so nothing was committed.',
  details: 'no transaction',
}

type Sent = {
  place: Place
  table: EditTable
  edits: Edits
  plan: EditPlan
  txBefore: string
  elapsed: number
}

/** Takes what is done off the staged edits, and says what was left. */
async function receiptOf(
  get: Getter,
  set: Setter,
  { place, table, edits, plan, txBefore, elapsed }: Sent,
  answer: ExecAnswer,
): Promise<CommitReceipt> {
  const tx = answer.flatMap(({ header }) => header?.id ?? []).at(-1) ?? null
  const rows = answer.reduce((sum, { updatedRows }) => sum + updatedRows, 0)
  const isWhole = rows === plan.statements.length
  const others = edits.filter(({ kind }) => kind !== 'add')
  // As of that transaction, because the rows may have been changed again since.
  const period = tx === null ? '' : `UNTIL TX ${tx}`
  const asked = { database: place.database, table, period }
  const found = isWhole
    ? null
    : await readRowsByKey(get(clientAtom), asked, keysOf(others, table)).catch(sentence)
  const isKnown = isWhole || typeof found !== 'string'
  const now = (id: string): Cells | null => (found instanceof Map ? (found.get(id) ?? null) : null)
  const isLeft = (edit: Edits[number]) =>
    !isWhole &&
    (tx === null || edit.kind !== 'add') &&
    !(isKnown && isDone(edit, table, now(edit.id)))
  const left = edits.filter(isLeft)
  const conflicts = isKnown
    ? left.flatMap((edit) => (edit.kind === 'add' ? [] : [[edit.id, now(edit.id)] as const]))
    : []
  set(changeEditsAtom, place, {
    edits: left,
    past: [],
    future: [],
    conflicts: new Map(conflicts),
  })
  const warning = tx === null ? null : await copies(get, { place, edits, txBefore, elapsed }, tx)
  if (tx !== null) void set(verifyWriteAtom, { database: place.database, tx, txBefore })
  void refresh(get, set, place)
  const text = tx === null ? '' : `${counted(rows, 'row')} committed in tx ${formatTx(tx)}.`
  return { tx, text, missed: isKnown ? left.length : null, warning }
}

/** Whether the browser may have sent it twice, where the server does not prevent that. */
function copies(
  get: Getter,
  { place, edits, txBefore, elapsed }: Pick<Sent, 'place' | 'edits' | 'txBefore' | 'elapsed'>,
  tx: string,
): Promise<string | null> | null {
  if (get(clientAtom).runsOnce()) return null
  const isInsert = edits.some(({ kind }) => kind === 'add')
  return detectDuplicateCommit(get, { database: place.database, tx, txBefore, elapsed, isInsert })
}

/** The newest state is read again, and then the rows, which are as new as that. */
async function refresh(get: Getter, set: Setter, { database, table }: Place): Promise<void> {
  await set(refreshStateAtom)
  const queryKey = [...tablesKey(database), 'rows', table]
  await get(queryClientAtom).invalidateQueries({ queryKey })
}

/** The newest known transaction of a database. A write sent now commits in a later one. */
function newestKnown(get: Getter, { database }: Place): string {
  return get(queryClientAtom).getQueryData<State>(stateKey(database))?.txId ?? '0'
}

/** Checks what became of a commit without an answer. Only reads. */
export const checkCommitAtom = atom(
  null,
  async (get, set, place: Place, table: EditTable): Promise<void> => {
    await checkWrite<CommitReceipt>(placeOf(get, set, place), async (isOver) => {
      const { edits, sent } = get(editsOfAtom)(place)
      const client = get(clientAtom)
      const { database } = place
      await ensureDatabaseToken({ get, set }, client, database)
      const { txId } = await readState(client, database)
      if (BigInt(txId) <= BigInt(sent?.txBefore ?? '0')) return notStored(txId)
      const keyed = edits.filter((edit) => keyOf(edit, table) !== null)
      const asked = { database, table, period: '' }
      const rows = await readRowsByKey(client, asked, keysOf(keyed, table))
      const nameOf = (edit: Edits[number]) =>
        JSON.stringify([...(keyOf(edit, table)?.values() ?? [])])
      const done = keyed.filter((edit) => isDone(edit, table, rows.get(nameOf(edit)) ?? null))
      if (isOver()) return null
      if (keyed.length === 0) return cannotTell
      if (done.length < keyed.length) return partly(done.length, keyed.length)
      set(changeEditsAtom, place, { edits: [], past: [], future: [], sent: null })
      void refresh(get, set, place)
      const text = `All rows are as you staged them. ${nameless}`
      return { kind: 'committed', value: { tx: null, text, missed: 0, warning: null } }
    })
  },
)

const nameless = 'Transactions do not say who sent them.'

const cannotTell =
  'Other transactions were committed since. The server numbers your new rows, so they cannot be found by a key: look for them among the newest rows before you commit again, or they may be stored twice.'

function notStored(txId: string): string {
  return `Not stored so far: tx ${formatTx(txId)} is still the newest. A busy server may still commit it; check again.`
}

function partly(done: number, of: number): string {
  return done === 0
    ? `None of the ${counted(of, 'row')} is as you staged it, so it was probably not committed. A busy server may still do it; check again.`
    : `${done} of ${counted(of, 'row')} ${done === 1 ? 'is' : 'are'} as you staged them. It is one transaction, so it was committed and some rows were changed again, or someone else did the same. ${nameless}`
}
