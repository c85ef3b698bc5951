import {
  type FieldChange,
  type ImportSource,
  type RowProblem,
  repeatedKeys,
} from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { type Reading, readRows } from './import-file'

/** What a check of the whole file found. */
export type FileCheck = {
  readonly rows: number
  /** Rows that do not fit, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** There are more than are listed, so the check stopped. */
  readonly isCutShort: boolean
  /** Values that are written otherwise than they stand in the file, by column, and the first. */
  readonly changes: {
    readonly columns: ReadonlyMap<string, number>
    readonly first: readonly FieldChange[]
  }
}

/** Changes that are listed. */
const mostChanges = 100
/** Rows that do not fit before a check gives up: the choices are wrong, or the file is. */
export const mostProblems = 1_000

/**
 * Reads the whole file and finds the rows that do not fit. Null when it was stopped.
 * @throws UnreadableFile
 */
export async function checkFile(
  file: File,
  source: ImportSource,
  target: ImportTarget,
  { signal, tell }: Reading,
): Promise<FileCheck | null> {
  const problems: RowProblem[] = []
  const repeated = repeatedKeys(target)
  const columns = new Map<string, number>()
  const first: FieldChange[] = []
  let rows = 0
  const found = (isCutShort: boolean) => ({
    rows,
    problems,
    isCutShort,
    changes: { columns, first },
  })
  for await (const part of readRows(file, source, target)) {
    if (signal.aborted) return null
    for (const read of part.rows) {
      rows = read.number
      const problem = read.problem ?? (read.row && repeated(read.row))
      if (problem && problems.length >= mostProblems) return found(true)
      if (problem) problems.push(problem)
      else
        for (const change of read.changes) {
          columns.set(change.column, (columns.get(change.column) ?? 0) + 1)
          if (first.length < mostChanges) first.push(change)
        }
    }
    tell(part.bytes)
  }
  return found(false)
}
