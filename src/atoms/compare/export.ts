import { atom } from 'jotai'
import { counted, formatCount } from '~/lib/text'
import { type DiffColumn, type Difference, exportTable, firstPlace } from '~/sql/comparison'
import { type ExportFormat, exportedRows, frameOf } from '~/sql/export'
import type { StoreAccess } from '../storage/storage'
import { type Comparison, comparisonFailure, readDiffPage, readSteps } from './tables'

/** What is exported: the net change, or what each transaction changed. */
export type ExportedAs = 'net' | 'steps'

/** An export in progress, or its result. */
export type Export = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  /** Says which comparison. */
  readonly of: string
  readonly text: string
}

type File = { readonly name: string; readonly parts: readonly string[]; readonly type: string }

export const exportName = ({ database, table, from, to }: Comparison) =>
  JSON.stringify([database, table, from, to])

const statedAtom = atom<Export | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The newest export of a comparison; null while none was asked for. */
export const comparisonExportAtom = atom((get) => get(statedAtom))

export const stopComparisonExportAtom = atom(null, (get) => get(controlAtom)?.abort())

/**
 * Writes a whole comparison to a file, page by page, whatever the screen filters. The file name and
 * the message say whether it is complete. Null when an export is already in progress.
 */
export const exportComparisonAtom = atom(
  null,
  async (get, set, of: Comparison, as: ExportedAs, format: ExportFormat): Promise<File | null> => {
    if (get(statedAtom)?.state === 'running') return null
    const control = new AbortController()
    set(controlAtom, control)
    const tell = (state: Export['state'], text: string) =>
      set(statedAtom, { state, text, of: exportName(of) })
    tell('running', 'Reading…')
    const parts: string[] = []
    let [rows, after, isComplete, problem] = [0, '', false, '']
    try {
      for await (const part of partsOf({ get }, of, as, control.signal)) {
        const table = exportTable(part.columns, part.rows, as === 'steps')
        const frame = frameOf(format, table)
        if (parts.length === 0) parts.push(frame.before)
        const text = exportedRows(format, table).join(frame.between)
        if (text !== '') parts.push(rows > 0 ? frame.between + text : text)
        after = frame.after
        rows += part.rows.length
        tell('running', `${counted(rows, 'row')} so far…`)
      }
      isComplete = true
    } catch (error) {
      problem = control.signal.aborted ? 'It was stopped.' : comparisonFailure(error)
    }
    if (parts.length === 0 && !isComplete) {
      tell(control.signal.aborted ? 'stopped' : 'failed', `No file was written. ${problem}`)
      return null
    }
    parts.push(after)
    const name = nameOf(of, as, format, { rows, isComplete })
    if (isComplete) tell('complete', `Complete: ${counted(rows, 'row')} in ${name}.`)
    else {
      const text = `Not complete: only the first ${counted(rows, 'row')} are in ${name}. ${problem}`
      tell(control.signal.aborted ? 'stopped' : 'failed', text)
    }
    return { name, parts, type: format === 'json' ? 'application/json' : 'text/csv;charset=utf-8' }
  },
)

type Part = {
  readonly columns: readonly DiffColumn[]
  readonly rows: readonly (Difference & { readonly tx?: string })[]
}

async function* partsOf(
  io: Pick<StoreAccess, 'get'>,
  of: Comparison,
  as: ExportedAs,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  if (as === 'net') return yield* pagesOf(io, of, signal)
  let first: string | null = String(BigInt(of.from) + 1n)
  let isEmpty = true
  while (first !== null) {
    const found: Awaited<ReturnType<typeof readSteps>> = await readSteps(io, of, {
      first,
      action: null,
      signal,
    })
    for (const { tx } of found.steps) {
      const step = { ...of, from: String(BigInt(tx) - 1n), to: tx }
      for await (const { columns, rows } of pagesOf(io, step, signal)) {
        isEmpty = false
        yield { columns, rows: rows.map((row) => ({ ...row, tx })) }
      }
    }
    first = found.next
  }
  // The heads of the columns, which a file without rows has too.
  if (isEmpty) yield* pagesOf(io, { ...of, from: of.to }, signal)
}

async function* pagesOf(
  io: Pick<StoreAccess, 'get'>,
  of: Comparison,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  let place: typeof firstPlace | null = firstPlace
  while (place !== null) {
    const page: Awaited<ReturnType<typeof readDiffPage>> = await readDiffPage(io, of, {
      action: null,
      place,
      signal,
    })
    yield page
    place = page.next
  }
}

/** Letters, digits, `_` and `-` only: the names come from the database. */
function nameOf(
  { database, table, from, to }: Comparison,
  as: ExportedAs,
  format: ExportFormat,
  { rows, isComplete }: { rows: number; isComplete: boolean },
): string {
  const plain = [database, table].map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '-')).join('-')
  const steps = as === 'steps' ? '-steps' : ''
  const exact = format === 'exact-csv' ? '-exact' : ''
  const amount = `-${formatCount(rows).replaceAll(',', '')}-rows`
  const ending = format === 'json' ? 'json' : 'csv'
  return `${plain.slice(0, 80)}-tx${from}-tx${to}${steps}${exact}${amount}${isComplete ? '' : '-incomplete'}.${ending}`
}
