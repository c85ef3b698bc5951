import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { refreshStateAtom } from '~/core/history/newest-state'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { draftOwnerAtom } from '~/core/storage/drafts'
import { isHeld, tabNameAtom } from '~/core/storage/tab-name'
import { verifyWriteAtom } from '~/trust/receipts'
import { uncomparedWrite } from '~/trust/sent'
import { importRefusalAtom, newTableRefusalAtom } from '../users/privileges'
import { keepImportDraftAtom } from './import-drafts'
import { UnreadableFile } from './import-file'
import {
  type Batch,
  batchesOf,
  firstProgress,
  type ImportPlan,
  type ImportProgress,
} from './import-progress'
import { forgetImportAtom, type ImportRecord, pageNameAtom, readImportAtom } from './import-records'
import { findPending, makeTable, sendBatch, settleEarlier } from './import-send'
import {
  advance,
  change,
  changeProgress,
  fileAtom,
  type ImportRun,
  type ImportStop,
  importStateAtom,
  isUnderWay,
  keep,
  openBatchAtom,
  progressOf,
  setRun,
  shownRunAtom,
  writeAtom,
} from './import-state'
import { refreshTablesAtom } from './table-list'

/** The import of this tab that runs or rests, a moment old while it runs; null for none. */
export const importRunAtom = atom((get) => get(shownRunAtom))

/** Whether the server holds up the transaction that was sent. */
export const isImportSlowAtom = atom((get) => {
  const write = get(writeAtom)
  return write.kind === 'sending' && write.isSlow
})

/**
 * Starts an import from its first row. Resolves when it stops.
 * @param heads the names of the fields in the file, which are shown until the import is over
 */
export const startImportAtom = atom(
  null,
  (get, set, file: File, plan: ImportPlan, heads: ImportRun['heads'] = []) =>
    open({ get, set }, file, plan, firstProgress(plan), heads),
)

/**
 * Continues a remembered import with the same file. Resolves when it stops; to a sentence when
 * another tab seems to be at it.
 */
export const reopenImportAtom = atom(
  null,
  async (get, set, file: File, record: ImportRecord): Promise<string | null> => {
    const owner = get(draftOwnerAtom)
    // Another tab may have continued it since the list was shown.
    const now = owner === null ? null : await set(readImportAtom, owner, record.plan)
    if (now === null) return over
    if (isHeld(now, get(tabNameAtom), Date.now())) return elsewhere
    await open({ get, set }, file, now.plan, now.progress)
    return null
  },
)

const elsewhere =
  'Another tab of this browser imports this file, or did so a moment ago. Continue there, or wait a minute.'
const over = 'Another tab of this browser finished this import or forgot it. Look at the table.'
const moved =
  'Another tab of this browser continued this import. Cancel it here, and choose the file again.'

async function open(
  io: Io,
  file: File,
  plan: ImportPlan,
  progress: ImportProgress,
  heads: ImportRun['heads'] = [],
) {
  const owner = io.get(draftOwnerAtom)
  if (owner === null || isUnderWay(io.get(importStateAtom))) return
  io.set(fileAtom, () => file)
  io.set(openBatchAtom, null)
  setRun(io, {
    owner,
    plan,
    heads,
    progress,
    phase: 'stopped',
    stop: null,
    bytes: 0,
    since: { at: performance.now(), row: progress.row },
    took: null,
    hasRested: false,
    isKept: true,
  })
  await goOn(io)
}

/** Stops after the transaction that is under way. */
export const pauseImportAtom = atom(null, (get, set) => {
  if (get(importStateAtom)?.phase === 'running') change({ get, set }, { phase: 'stopping' })
})

/** Continues after a stop with the first row that is not committed. */
export const continueImportAtom = atom(null, (get, set) => goOn({ get, set }))

/** Ends an import that rests, and forgets it. Its committed rows stay. */
export const endImportAtom = atom(null, async (get, set) => {
  const run = get(importStateAtom)
  if (run === null || isUnderWay(run)) return
  setRun({ get, set }, null)
  set(fileAtom, null)
  set(openBatchAtom, null)
  if (run.stop?.kind !== 'elsewhere') await set(forgetImportAtom, run.owner, run.plan)
})

async function goOn(io: Io): Promise<void> {
  const run = io.get(importStateAtom)
  const file = io.get(fileAtom)
  if (run === null || file === null || isUnderWay(run)) return
  const since = { at: performance.now(), row: run.progress.row }
  change(io, { phase: 'running', stop: null, since, took: null })
  const stop = await carryOut(io, file, run.plan).catch((error: unknown): ImportStop => {
    const why = error instanceof UnreadableFile ? error.message : sentence(error)
    return { kind: 'held', why }
  })
  await rest(io, stop, performance.now() - since.at)
}

/** Notes where the import stopped; it and the choices for its file are forgotten once it is done. */
async function rest(io: Io, stop: ImportStop | null, took: number): Promise<void> {
  const run = io.get(importStateAtom)
  if (run === null) return
  if (stop === null) {
    io.set(keepImportDraftAtom, run.plan.database, run.plan.file, null)
    await io.set(forgetImportAtom, run.owner, run.plan)
  } else if (stop.kind !== 'elsewhere') await keep(io, false)
  change(io, { phase: stop === null ? 'done' : 'stopped', stop, took, hasRested: true })
  if (io.get(sessionAtom) === null) return
  const tx = run.progress.txs.at(-1)?.to
  if (stop === null && tx !== undefined) {
    const write = { database: run.plan.database, tx, txBefore: '0' }
    void io.set(verifyWriteAtom, { ...write, of: 'import', questions: uncomparedWrite(write) })
  }
  void io.set(refreshTablesAtom)
  void io.set(refreshStateAtom)
}

/** Sends what is left. Resolves with why it stopped, or with null at the end of the file. */
async function carryOut(io: Io, file: File, plan: ImportPlan): Promise<ImportStop | null> {
  const held = refusal(io, plan)
  const away = held ?? (await awayStop(io, plan))
  if (away !== null) return away
  const batches = batchesOf(file, plan, progressOf(io))
  const ahead = readAhead(batches)
  try {
    const stopped = progressOf(io).isCreated ? null : await makeTable(io, plan, ahead.start)
    if (stopped) return stopped
    for (;;) {
      const { value: batch, done } = await ahead.take()
      if (done) return null
      const stop = await bring(io, plan, batch, ahead.start)
      if (stop !== null) return stop
    }
  } finally {
    await batches.return(undefined)
  }
}

/**
 * Takes batches one after the other. What `start` begins is the next one that is taken, so that it is
 * made while the server works on the one before.
 */
function readAhead(batches: AsyncGenerator<Batch>) {
  let next: Promise<IteratorResult<Batch>> | null = null
  return {
    start: () => {
      next ??= batches.next()
      next.catch(() => {})
    },
    take: () => {
      const taken = next ?? batches.next()
      next = null
      return taken
    },
  }
}

/** Brings one batch to its end. Resolves with why the import stops, or null when it goes on. */
async function bring(
  io: Io,
  plan: ImportPlan,
  batch: Batch,
  onSent: () => void,
): Promise<ImportStop | null> {
  if (batch.rows.length === 0) {
    advance(io, batch, null)
    return null
  }
  const earlier = await settleEarlier(io, plan, batch)
  if (earlier !== 'send') return earlier
  if (io.get(importStateAtom)?.phase === 'stopping') return { kind: 'paused' }
  return refusal(io, plan) ?? sendBatch(io, plan, batch, onSent)
}

/** Stops an import that another tab is at, or went on with since it stopped here. */
async function awayStop(io: Io, plan: ImportPlan): Promise<ImportStop | null> {
  const run = io.get(importStateAtom)
  if (run === null || !run.isKept) return null
  const record = await io.set(readImportAtom, run.owner, plan)
  const why = (text: string): ImportStop => ({ kind: 'elsewhere', why: text })
  if (record !== null && isHeld(record, io.get(tabNameAtom), Date.now())) return why(elsewhere)
  if (!run.hasRested || record?.page === io.get(pageNameAtom)) return null
  return why(record === null ? over : moved)
}

/** Why nothing more may be sent now; null when it may. */
function refusal({ get }: Io, { database }: ImportPlan): ImportStop | null {
  const { owner, progress } = get(importStateAtom) ?? {}
  const now = get(draftOwnerAtom)
  const held = (why: string | undefined): ImportStop | null =>
    why === undefined ? null : { kind: 'held', why }
  if (get(sessionAtom) === null) return held('You are logged out. Log in to continue.')
  if (owner?.server !== now?.server || owner?.user !== now?.user) {
    return held('Another user or server is logged in now. Log in as before to continue.')
  }
  if (get(databaseAtom) !== database) {
    return held(`Another database is open now. Open ${database} to continue.`)
  }
  const byTable = progress?.isCreated ? undefined : get(newTableRefusalAtom)
  return held(get(importRefusalAtom) ?? byTable)
}

/** Looks again at what became of the transaction without an answer; continues when it is known. */
export const checkImportAtom = atom(null, async (get, set): Promise<void> => {
  const io = { get, set }
  const run = get(importStateAtom)
  const batch = get(openBatchAtom)
  if (run?.phase !== 'stopped' || run.stop?.kind !== 'unknown') return
  // Of the table that was to be made, the next part of the run looks first.
  if (batch === null) return goOn(io)
  change(io, { phase: 'checking' })
  const stop = await findPending(io, run.plan, batch, run.stop)
  change(io, { phase: 'stopped', stop: stop ?? run.stop })
  if (stop === null) await goOn(io)
})

/**
 * The operator says what became of the rows without an answer: they count as committed, or they are
 * sent again. Then the import continues.
 */
export const decideImportAtom = atom(
  null,
  async (get, set, isCommitted: boolean): Promise<void> => {
    const io = { get, set }
    const run = get(importStateAtom)
    const batch = get(openBatchAtom)
    if (run?.phase !== 'stopped' || run.progress.pending === null || batch === null) return
    if (isCommitted) advance(io, batch, null)
    else changeProgress(io, { pending: null })
    await goOn(io)
  },
)

/** Leaves out the rows whose keys are in the table already, and continues with the others. */
export const leaveOutTakenAtom = atom(null, async (get, set): Promise<void> => {
  const run = get(importStateAtom)
  if (run?.phase !== 'stopped' || run.stop?.kind !== 'refused' || !run.stop.taken) return
  const leftOut = [...run.plan.leftOut, ...run.stop.taken.numbers]
  change({ get, set }, { plan: { ...run.plan, leftOut } })
  await goOn({ get, set })
})
