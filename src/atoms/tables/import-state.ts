import { atom, type PrimitiveAtom } from 'jotai'
import type { Io } from '~/core/act'
import { type DraftOwner, draftOwnerAtom } from '~/core/storage/drafts'
import { tabNameAtom } from '~/core/storage/tab-name'
import { idle, type Write } from '~/lib/write-state'
import { isImportOpenAtom } from './import-at-risk'
import {
  afterBatch,
  type Batch,
  firstProgress,
  type ImportPlan,
  type ImportProgress,
} from './import-progress'
import { keepImportAtom, pageNameAtom } from './import-records'

/** Rows whose keys are in the table already, by their lines and numbers in the file. */
export type Taken = { readonly lines: readonly number[]; readonly numbers: readonly number[] }

/** Why an import does not go on by itself. */
export type ImportStop =
  | { readonly kind: 'paused' }
  /** Nothing was sent, because it may not be or the file does not allow it. */
  | { readonly kind: 'held'; readonly why: string }
  /** Another tab is at it, or was; what that one remembers counts. */
  | { readonly kind: 'elsewhere'; readonly why: string }
  /** The server refused a transaction, and nothing of it was stored. */
  | {
      readonly kind: 'refused'
      readonly text: string
      readonly details: string
      readonly taken: Taken | null
    }
  /** A transaction has no answer. */
  | {
      readonly kind: 'unknown'
      readonly text: string
      readonly details: string
      readonly advice: string
      readonly finding: string | null
      /** Rows that are sent again could be stored twice, so the operator decides. */
      readonly mustDecide: boolean
    }

export type ImportRun = {
  readonly owner: DraftOwner
  readonly plan: ImportPlan
  /** The names of the fields in the file; none where they are not known any more. */
  readonly heads: readonly (string | null)[]
  readonly progress: ImportProgress
  readonly phase: 'running' | 'stopping' | 'checking' | 'stopped' | 'done'
  /** Set while it is stopped. */
  readonly stop: ImportStop | null
  /** Bytes of the file that were read. */
  readonly bytes: number
  /** When this part of the run began, by `performance.now()`, and after which row. */
  readonly since: { readonly at: number; readonly row: number }
  /** Milliseconds that this part took; null while it runs. */
  readonly took: number | null
  /** It stopped in this page before, and noted how far it was. */
  readonly hasRested: boolean
  /** Whether this browser could note how far it is. */
  readonly isKept: boolean
}

/** A committed transaction; empty when the server made none. */
export type SentTx = { readonly tx: string }

export const importStateAtom = atom<ImportRun | null>(null)
/** What is shown of it: drawing every transaction would take time from the next one. */
export const shownRunAtom = atom<ImportRun | null>(null)
export const fileAtom = atom<File | null>(null)
export const writeAtom: PrimitiveAtom<Write<SentTx>> = atom<Write<SentTx>>(idle)
/** The batch whose outcome is not known, while this page has it. */
export const openBatchAtom = atom<Batch | null>(null)

/** Whether it works, so that it cannot be started or closed. */
export function isUnderWay(run: ImportRun | null): boolean {
  return run !== null && run.phase !== 'stopped' && run.phase !== 'done'
}

/** Milliseconds between two changes that are shown, unless it starts or stops. */
const drawPeriod = 250
type Drawing = { timer: ReturnType<typeof setTimeout> | undefined }
const drawingAtom = atom((): Drawing => ({ timer: undefined }))

export function setRun({ get, set }: Io, run: ImportRun | null): void {
  set(importStateAtom, run)
  set(isImportOpenAtom, run !== null && run.phase !== 'done')
  const drawing = get(drawingAtom)
  const draw = () => {
    clearTimeout(drawing.timer)
    drawing.timer = undefined
    set(shownRunAtom, get(importStateAtom))
  }
  if (run?.phase !== get(shownRunAtom)?.phase) draw()
  else drawing.timer ??= setTimeout(draw, drawPeriod)
}

export function change(io: Io, changed: Partial<ImportRun>): void {
  const run = io.get(importStateAtom)
  if (run) setRun(io, { ...run, ...changed })
}

export function progressOf({ get }: Io): ImportProgress {
  return get(importStateAtom)?.progress ?? firstProgress({ isNew: false })
}

export function changeProgress(io: Io, changed: Partial<ImportProgress>): void {
  change(io, { progress: { ...progressOf(io), ...changed } })
}

/** A batch is committed, in a transaction that is null when it is not known. */
export function advance(io: Io, batch: Batch, tx: string | null): void {
  io.set(openBatchAtom, null)
  change(io, { progress: afterBatch(progressOf(io), batch, tx), bytes: batch.bytes })
}

/** Remembers how far the import is, before anything that may be lost with the page. */
export async function keep(io: Io, isRunning: boolean): Promise<void> {
  const run = io.get(importStateAtom)
  // After “Log out and erase drafts” nothing is remembered any more.
  if (run === null || io.get(draftOwnerAtom) === null) return
  const { owner, plan, progress } = run
  const holder = isRunning ? { tab: io.get(tabNameAtom), at: Date.now() } : null
  const page = io.get(pageNameAtom)
  const isKept = await io.set(keepImportAtom, owner, { version: 2, plan, progress, holder, page })
  if (isKept !== run.isKept) change(io, { isKept })
}
