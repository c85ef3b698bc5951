import { atom, type Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { sentence } from '~/api/errors'
import { readState } from '~/api/server'
import { type ExecAnswer, execSql } from '~/api/sql'
import type { Io } from '~/core/act'
import { detectDuplicateCommit } from '~/core/history/duplicate-commit'
import { refreshState } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { unanswered, unknown } from '~/core/write'
import { counted, formatCount, formatTx } from '~/lib/text'
import type { Ended, Refused, Write } from '~/lib/write-state'
import { uniqueClaims } from '~/sql/edit-problems'
import { planEdits, requestOf, tooManyEntries } from '~/sql/edit-statements'
import { keyValue } from '~/sql/literals'
import {
  type Cells,
  type Edits,
  type EditTable,
  isDone,
  keyOf,
  type StagedEdit,
  stagedValues,
} from '~/sql/row-edits'
import { rowLabel, rowLabels } from '~/sql/row-label'
import { verifyWrite } from '~/trust/receipts'
import { rowsWrite, type SentRow } from '~/trust/sent'
import { defineWrite, type Sent } from '~/trust/write'
import { notSoFar, sendersUnknown, stillNewest } from '~/words/outcome'
import { writeRefusalAtom } from '../users/viewer'
import { changeEdits, editsOfAtom, type Place, placeName, rowDrafts } from './edits'
import { keysOf, readRowsByKey } from './edits-rows'
import { knownEntryLimitAtom } from './entry-limit'
import { tablesKey } from './table-list'

/** What became of the edits that were committed together. */
export type CommitReceipt = {
  /** Null when a check found the rows as staged: what wrote them is not known then. */
  readonly tx: string | null
  /** What was committed, as a sentence. */
  readonly text: string
  /** Why it may be stored more than once, or otherwise than it was sent; null when nothing says so. */
  readonly warning: string | null
}

export type CommitState = Write<CommitReceipt>

type Commit = Place & {
  /** Null where a page that was left had sent it. */
  readonly as: EditTable | null
  readonly edits: Edits
}

/** Sent before the page was loaded again, and the answer went to the page of before. */
const unseen = unanswered('it', 'the page was left')

const committing = defineWrite<Commit, CommitReceipt>({
  slot: placeName,
  confirm: async (io, of, isAgain) => {
    const limit = io.get(knownEntryLimitAtom)(of.database)
    const text =
      io.get(writeRefusalAtom) ??
      tooManyEntries(planEdits(tableOf(of), of.edits), limit) ??
      (await changedRows(io, of, isAgain).catch(
        (error) => `The rows could not be read again, so nothing was sent. ${sentence(error)}`,
      ))
    return text === null ? null : { kind: 'refused', text, details: 'not sent' }
  },
  send: async (io, sent) => {
    const { sql, params } = requestOf(planEdits(tableOf(sent), sent.edits))
    const started = performance.now()
    const answer = await execSql(io.get(clientAtom), { database: sent.database, sql, params })
    return receiptOf(io, sent, answer, performance.now() - started)
  },
  // A second one finds the rows as the first left them.
  secondReasons: () => ['exists', 'row-changed'],
  settle: async (io, sent, outcome, isAgain) => {
    if (outcome.kind === 'refused') return explained(io, sent, outcome, isAgain)
    if (outcome.kind === 'unknown' || outcome.value.tx !== null) return outcome
    const { text, details } = nothingLeft
    // What was sent first may be why nothing is left to do.
    return io.get(clientAtom).runsOnce()
      ? nothingLeft
      : unknown({ text, details, advice: 'It may have been committed before. Check.' })
  },
  look: lookForCommit,
  mark: (io, name, sent) => {
    const staged = io.get(rowDrafts.draftsAtom).get(name)
    if (sent) changeEdits(io, sent, { sent: { txBefore: sent.txBefore, at: Date.now() } })
    else if (staged?.sent) changeEdits(io, staged, { sent: null })
  },
  lost: (get, name) => {
    const staged = get(rowDrafts.draftsAtom).get(name)
    if (!staged?.sent) return null
    const { database, table, edits, sent } = staged
    return { state: unseen, sent: { database, table, edits, as: null, txBefore: sent.txBefore } }
  },
  done: 'committed',
})

/** The state of the present or last commit of a table's edits. */
export const commitStateAtom = atom((get) => {
  const stateOf = get(committing.stateAtom)
  return (place: Place): CommitState => stateOf(placeName(place))
})

/** Forgets the last commit of a table's edits before the next one. */
export const forgetCommit = (io: Io, place: Place) => committing.forget(io, placeName(place))

/**
 * Commits the staged edits of a table as one transaction, once: all of them, and then none is staged
 * any more, or none. The rows are read again right before; one that someone else changed is a
 * conflict, and nothing is sent. The server refuses the transaction if one changes after that.
 */
export async function commitEdits(io: Io, { database, table }: Place, as: EditTable) {
  const { edits } = io.get(editsOfAtom)({ database, table })
  const ended = await committing.write(io, { database, table, as, edits })
  return ended?.kind === 'committed'
}

/** Checks what became of a commit without an answer. Only reads. */
export const checkCommit = (io: Io, place: Place, as: EditTable) =>
  committing.check(io, placeName(place), { as })

function tableOf({ as }: Commit): EditTable {
  if (as === null) throw new TypeError('the table of the edits is not known')
  return as
}

/** A refusal names the rows that it is about. */
async function explained(io: Io, of: Commit, refused: Refused, isAgain: boolean): Promise<Refused> {
  if (refused.reason === 'exists') return withTaken(io.get, of, refused)
  if (refused.reason !== 'row-changed' && refused.reason !== 'write-conflict') return refused
  const text = await changedRows(io, of, isAgain).catch(
    (error) => `Someone else changed a row first. Which one could not be read. ${sentence(error)}`,
  )
  return { ...refused, text: text ?? atTheSameMoment }
}

/**
 * Reads the rows of the staged edits and makes a conflict of each that is not as it was staged.
 * Returns why the edits cannot be sent; null when every row is as it was.
 * @param isAgain the edits may have been committed: what is as staged is no conflict then
 * @throws ApiError, ResultShapeError
 */
async function changedRows(io: Io, of: Commit, isAgain: boolean): Promise<string | null> {
  const { database, edits } = of
  const table = tableOf(of)
  const others = edits.filter(({ kind }) => kind !== 'add')
  const client = io.get(clientAtom)
  const asked = { database, table, period: '' }
  await ensureDatabaseToken(io, client, database)
  const rows = await readRowsByKey(client, asked, keysOf(others, table))
  const changed = others.filter((edit) => isChanged(edit, rows.get(edit.id) ?? null))
  const isOurs = (edit: StagedEdit) => isAgain && isDone(edit, table, rows.get(edit.id) ?? null)
  const conflicts = changed.filter((edit) => !isOurs(edit))
  if (conflicts.length === 0) return changed.length === 0 ? null : maybeCommitted
  const found = conflicts.map(({ id }) => [id, rows.get(id) ?? null] as const)
  changeEdits(io, of, {
    conflicts: new Map([...io.get(editsOfAtom)(of).conflicts, ...found]),
  })
  const names = rowLabels(
    table,
    conflicts.map(({ id }) => id),
  )
  return `Someone else changed ${names}.`
}

const maybeCommitted = 'Some rows are as you staged them already.'

/** Whether a row is not as it was when it was staged; a column that is gone is not compared. */
function isChanged(edit: StagedEdit, now: Cells | null): boolean {
  if (edit.kind === 'add') return false
  if (now === null) return true
  return [...now].some(([name, value]) => edit.before.has(name) && edit.before.get(name) !== value)
}

const atTheSameMoment =
  'Someone else wrote at the same moment. The rows are as they were when you staged them: you can commit again.'

/**
 * A refusal because something exists names the rows that have the keys of new rows, or what staged
 * rows are to have in a unique index.
 */
async function withTaken(get: Getter, of: Commit, outcome: Refused): Promise<Refused> {
  const { database, edits } = of
  const table = tableOf(of)
  const namesOf = async (keys: readonly Cells[], own: ReadonlySet<string> = new Set()) => {
    const asked = { database, table, period: '' }
    const found = await readRowsByKey(get(clientAtom), asked, keys).catch(() => new Map())
    const others = [...found.keys()].filter((id) => !own.has(id))
    return others.length === 0 ? null : rowLabels(table, others)
  }
  const added = edits.filter(({ kind }) => kind === 'add')
  const taken = await namesOf(keysOf(added, table))
  const advice = taken === null ? [] : [`Give new rows other keys than ${taken}.`]
  for (const { columns, rows } of uniqueClaims(table, edits)) {
    const own = new Set(rows.map(({ id }) => id))
    const values = rows.map((row) => row.values)
    const holders = await namesOf(values, own)
    if (holders !== null)
      advice.push(`In ${columns.join(', ')}, give other values than ${holders}.`)
  }
  return { ...outcome, text: [outcome.text, ...advice].join(' ') }
}

const nothingLeft: Refused = {
  kind: 'refused',
  text: 'The server made no transaction, so nothing was committed.',
  details: 'no transaction',
}

/** Nothing is staged any more after a transaction, which holds all edits. */
async function receiptOf(
  io: Io,
  of: Sent<Commit>,
  answer: ExecAnswer,
  elapsed: number,
): Promise<CommitReceipt> {
  const { database, edits, txBefore } = of
  const table = tableOf(of)
  const tx = answer.flatMap(({ header }) => header?.id ?? []).at(-1) ?? null
  if (tx === null) return { tx, text: '', warning: null }
  changeEdits(io, of, { edits: [], past: [], future: [], conflicts: new Map() })
  const rows = answer.reduce((sum, { updatedRows }) => sum + updatedRows, 0)
  const sent = planEdits(table, edits).statements.length
  const warning =
    rows === sent
      ? await copies(io.get, of, tx, elapsed)
      : `The server counts ${counted(rows, 'row')} where ${formatCount(sent)} were sent. Look at the transaction.`
  const write = { database, tx, txBefore }
  const questions = rowsWrite(
    write,
    table.name,
    edits.map((edit) => sentRow(table, edit)),
  )
  void verifyWrite(io, { ...write, of: `edits of ${of.table}`, questions })
  void refresh(io, of)
  return { tx, text: `${counted(sent, 'row')} committed in tx ${formatTx(tx)}.`, warning }
}

/** The whole row that an edit leaves: the statement requires that the rest was as it was read. */
function sentRow(table: EditTable, edit: Edits[number]): SentRow {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const key = keyOf(edit, table)
  const values = [...(key ?? [])].map(([name, value]) => keyValue(types.get(name) ?? '', value))
  const before = edit.kind === 'change' ? edit.before : new Map<string, string | null>()
  const cells = [...new Map([...before, ...stagedValues(edit)])].map(([name, value]) => ({
    name,
    type: types.get(name) ?? '',
    value,
  }))
  // The server gives the key of a row without one, and columns that it numbers.
  const given = cells.filter(({ name, value }) => value !== null || !isNumbered(table, name))
  return {
    name: `${edit.kind === 'add' ? '' : 'row '}${rowLabel(table, edit.id)} of ${table.name}`,
    key: key && values.every((value) => value !== null) ? values : null,
    cells: edit.kind === 'delete' ? [] : given,
    isDeleted: edit.kind === 'delete',
  }
}

const isNumbered = ({ columns }: EditTable, name: string) =>
  columns.some((column) => column.name === name && column.isAutoIncrement)

/** Whether the browser may have sent it twice, where the server does not prevent that. */
function copies(
  get: Getter,
  { database, edits, txBefore }: Sent<Commit>,
  tx: string,
  elapsed: number,
): Promise<string | null> | null {
  if (get(clientAtom).runsOnce()) return null
  const isInsert = edits.some(({ kind }) => kind === 'add')
  return detectDuplicateCommit(get, { database, tx, txBefore, elapsed, isInsert })
}

/** The newest state is read again, and then the rows, which are as new as that. */
async function refresh(io: Io, { database, table }: Place): Promise<void> {
  await refreshState(io)
  const queryKey = [...tablesKey(database), 'rows', table]
  await io.get(queryClientAtom).invalidateQueries({ queryKey })
}

async function lookForCommit(
  io: Io,
  sent: Sent<Commit>,
  isOver: () => boolean,
): Promise<Ended<CommitReceipt> | string | null> {
  const { database, txBefore } = sent
  const table = tableOf(sent)
  const { edits } = io.get(editsOfAtom)(sent)
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const { txId } = await readState(client, database)
  if (BigInt(txId) <= BigInt(txBefore)) return stillNewest(txId)
  const keyed = edits.filter((edit) => keyOf(edit, table) !== null)
  const asked = { database, table, period: '' }
  const rows = await readRowsByKey(client, asked, keysOf(keyed, table))
  const nameOf = (edit: Edits[number]) => JSON.stringify([...(keyOf(edit, table)?.values() ?? [])])
  const done = keyed.filter((edit) => isDone(edit, table, rows.get(nameOf(edit)) ?? null))
  if (isOver()) return null
  if (keyed.length === 0) return cannotTell
  if (done.length < keyed.length) return partly(done.length, keyed.length)
  // Someone else may have done the same to the others, and what was typed would be lost.
  if (keyed.length < edits.length) return mostly(edits.length - keyed.length)
  changeEdits(io, sent, { edits: [], past: [], future: [] })
  void refresh(io, sent)
  const text = `All rows are as you staged them. ${sendersUnknown}`
  return { kind: 'committed', value: { tx: null, text, warning: null } }
}

const lookFirst =
  'Look for them among the newest rows before you commit again, or they may be stored twice.'

const cannotTell = `Other transactions were committed since. The server numbers your new rows, so they cannot be found by a key. ${lookFirst}`

function mostly(added: number): string {
  return `The other rows are as you staged them, so all was probably committed in one transaction. The server numbers ${counted(added, 'new row')}, which cannot be found by a key. ${lookFirst} ${sendersUnknown}`
}

function partly(done: number, of: number): string {
  return done === 0
    ? notSoFar(
        `None of the ${counted(of, 'row')} is as you staged it, so it was probably not committed.`,
        'do it',
      )
    : `${done} of ${counted(of, 'row')} ${done === 1 ? 'is' : 'are'} as you staged them. It is one transaction, so it was committed and some rows were changed again, or someone else did the same. ${sendersUnknown}`
}
