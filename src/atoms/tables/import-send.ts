import { readState } from '~/api/server'
import { type ExecAnswer, execSql } from '~/api/sql'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { failedCheck, placeIn } from '~/core/write'
import { counted, formatCount } from '~/lib/text'
import type { Refused, Settled, Unknown } from '~/lib/write-state'
import { createTableSql } from '~/sql/import-statements'
import type { ParamSql } from '~/sql/restore'
import { runWrite } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { findRows, findTable, pendingText, type RowsFound } from './import-outcome'
import type { Batch, ImportPlan } from './import-progress'
import {
  advance,
  changeProgress,
  type ImportStop,
  importStateAtom,
  keep,
  openBatchAtom,
  progressOf,
  type SentTx,
  type Taken,
  writeAtom,
} from './import-state'

/**
 * One request, in one transaction: the only place of an import that writes. `onSent` is called while
 * the server works on it.
 */
function write(io: Io, { database, target }: ImportPlan, of: ParamSql, onSent?: () => void) {
  const { get, set } = io
  return runWrite<SentTx>(set, placeIn(get, set, writeAtom), {
    database,
    // With keys in the file they are looked up, whatever the refusal was about.
    secondReasons: target.autoKey === null ? [] : ['exists'],
    send: async () => {
      // Without a token of its own the request would go to the database that was opened last.
      await ensureDatabaseToken(io, get(clientAtom), database)
      const answer = execSql(get(clientAtom), { database, ...of })
      // The request leaves before the page is busy with anything else.
      if (onSent) setTimeout(onSent)
      return { tx: txOf(await answer) }
    },
    settle: (outcome): Settled<SentTx> =>
      outcome.kind === 'committed' && outcome.value.tx === '' ? nothingStored : outcome,
  })
}

function txOf(answer: ExecAnswer): string {
  return answer.find(({ header }) => header)?.header?.id ?? ''
}

const nothingStored: Refused = {
  kind: 'refused',
  text: 'The server made no transaction, so nothing was stored.',
  details: 'no transaction',
}

const busy: ImportStop = { kind: 'held', why: 'Another transaction is still under way.' }

/** Inserts a batch. Resolves with why the import stops, or null when it goes on. */
export async function sendBatch(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
  onSent: () => void,
): Promise<ImportStop | null> {
  const txBefore = await newestBefore(io, plan)
  const pending = { from: batch.rows[0]?.number ?? batch.to, to: batch.to, txBefore }
  changeProgress(io, { pending })
  await keep(io, true)
  const ended = await write(io, plan, batch.sql, onSent)
  if (ended?.kind === 'committed') {
    advance(io, batch, ended.value.tx)
    return null
  }
  if (ended?.kind === 'unknown') return afterUnknown(io, plan, batch, ended)
  return ended?.kind === 'refused' ? afterRefusal(io, plan, batch, ended) : busy
}

/** The newest transaction that is before the next one of the import. */
async function newestBefore(io: Io, { database }: ImportPlan): Promise<string> {
  const { row, txs, assumed } = progressOf(io)
  const known = txs.at(-1)?.to
  const isOfThisRun = row > (io.get(importStateAtom)?.since.row ?? 0)
  if (known !== undefined && isOfThisRun && assumed.at(-1)?.to !== row) return known
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  return (await readState(io.get(clientAtom), database)).txId
}

/** Nothing of the batch is stored by this attempt, but perhaps by an earlier one. */
async function afterRefusal(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
  { text, details, reason }: Refused,
): Promise<ImportStop | null> {
  const txBefore = progressOf(io).pending?.txBefore ?? '0'
  const stop = { kind: 'refused', text, details, taken: null } as const
  if (reason !== 'exists') {
    changeProgress(io, { pending: null })
    return stop
  }
  const found =
    plan.target.autoKey === null
      ? await findRows(io, plan, batch.rows, txBefore).catch(() => null)
      : null
  if (found?.kind === 'committed') {
    advance(io, batch, found.tx)
    return null
  }
  changeProgress(io, { pending: null })
  if (found?.kind === 'taken') return takenStop(found)
  return { ...stop, text: `${text} ${twice}` }
}

const twice =
  'A row has the key of another row of the file, or a value that a unique index has already.'

/** Why the import stops at rows whose keys are in the table. */
function takenStop({ lines, numbers }: Taken): ImportStop {
  const shown = lines.slice(0, mostLines).map((line) => formatCount(line))
  const more = lines.length > mostLines ? ' …' : ''
  const those = `${shown.join(', ')}${more}`
  const has =
    lines.length === 1
      ? `has a row with the key of line ${those}`
      : `has rows with the keys of lines ${those}`
  return {
    kind: 'refused',
    text: `The table already ${has}. Nothing of this transaction is stored.`,
    details: counted(lines.length, 'row'),
    taken: { lines, numbers },
  }
}

const mostLines = 10

/** With keys in the file the table tells what became of the rows. */
async function afterUnknown(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
  { text, details, advice }: Unknown,
): Promise<ImportStop | null> {
  const pending = progressOf(io).pending
  const said = pending === null ? text : `${pendingText(pending)} ${text}`
  const isAuto = plan.target.autoKey !== null
  const stop = unknownStop(said, details, isAuto ? `${advice} ${decide}` : advice, isAuto)
  io.set(openBatchAtom, batch)
  return isAuto ? stop : findPending(io, plan, batch, stop)
}

type UnknownStop = Extract<ImportStop, { kind: 'unknown' }>

function unknownStop(
  text: string,
  details: string,
  advice: string,
  mustDecide: boolean,
): UnknownStop {
  return { kind: 'unknown', text, details, advice, finding: null, mustDecide }
}

const decide =
  'The server makes the keys, so rows that are sent again would be stored again. Look at what was added and decide.'

const absent = `${notSoFar('None of these rows is in the table so far.', 'commit them', '“Continue” looks again and then sends them')} Their keys keep a row from being stored twice.`

/**
 * Looks up what became of the rows without an answer. Resolves with null when they are committed,
 * else with why the import stays stopped.
 */
export async function findPending(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
  stop: UnknownStop,
): Promise<ImportStop | null> {
  const found = await lookUp(io, plan, batch)
  if (found.kind === 'committed') {
    advance(io, batch, found.tx)
    return null
  }
  if (found.kind === 'open') return { ...stop, finding: found.text }
  if (found.kind === 'absent') return { ...stop, finding: absent }
  changeProgress(io, { pending: null })
  return takenStop(found)
}

/** What is found of a batch; a check that fails leaves it open. */
async function lookUp(io: Io, plan: ImportPlan, batch: Batch): Promise<RowsFound> {
  const txBefore = progressOf(io).pending?.txBefore ?? '0'
  try {
    return await findRows(io, plan, batch.rows, txBefore)
  } catch (error) {
    return { kind: 'open', text: failedCheck(error) }
  }
}

/**
 * Looks up the rows of an earlier attempt before the batch is sent. Resolves with `send` when none
 * is there and none can be stored twice, with null when they are committed.
 */
export async function settleEarlier(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
): Promise<ImportStop | null | 'send'> {
  const pending = progressOf(io).pending
  if (pending === null) return 'send'
  io.set(openBatchAtom, batch)
  if (plan.target.autoKey !== null) {
    return findPending(
      io,
      plan,
      batch,
      unknownStop(pendingText(pending), 'no answer', decide, true),
    )
  }
  const found = await lookUp(io, plan, batch)
  if (found.kind === 'absent') return 'send'
  if (found.kind === 'committed') {
    advance(io, batch, found.tx)
    return null
  }
  if (found.kind === 'open') {
    const stop = unknownStop(pendingText(pending), 'no answer', '', false)
    return { ...stop, finding: found.text }
  }
  changeProgress(io, { pending: null })
  return takenStop(found)
}

/**
 * Makes the table. Resolves with why the import stops, or null once the table is there. `onSent`: see
 * `write`.
 */
export async function makeTable(
  io: Io,
  plan: ImportPlan,
  onSent: () => void,
): Promise<ImportStop | null> {
  const made = () => {
    changeProgress(io, { isCreated: true, isTablePending: false })
    return null
  }
  if (progressOf(io).isTablePending) {
    const found = await findTable(io, plan)
    if (found === 'made') return made()
    if (found === 'other') return { kind: 'held', why: otherTable(plan) }
  }
  changeProgress(io, { isTablePending: true })
  await keep(io, true)
  const sql = createTableSql(plan.target)
  const ended = await write(io, plan, { sql, params: [] }, onSent)
  if (ended?.kind === 'committed') return made()
  if (ended?.kind === 'unknown') {
    const found = await findTable(io, plan).catch(() => 'absent')
    if (found === 'made') return made()
    const text = `It is not known whether the table was made. ${ended.text}`
    return unknownStop(text, ended.details, '“Continue” looks for the table first.', false)
  }
  changeProgress(io, { isTablePending: false })
  if (ended?.kind !== 'refused') return busy
  const text = `The table was not made. ${ended.text}`
  return { kind: 'refused', text, details: ended.details, taken: null }
}

function otherTable({ target }: ImportPlan): string {
  return `There is a table ${target.table} with other columns than the file needs. Import into another table.`
}
