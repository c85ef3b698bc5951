import { type ImportSource, type RowProblem, repeatedKeys } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { readRows } from './import-file'

/** What a check of the whole file found. */
export type FileCheck = {
  readonly rows: number
  /** Rows that do not fit, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** There are more than are listed, so the check stopped. */
  readonly isCutShort: boolean
  /** Rows with numbers that immudb stores with fewer digits. */
  readonly rounded: number
  /** The line of the first of them. */
  readonly firstRounded: number | null
}

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
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): Promise<FileCheck | null> {
  const problems: RowProblem[] = []
  const repeated = repeatedKeys(target)
  let [rows, rounded] = [0, 0]
  let firstRounded: number | null = null
  const found = (isCutShort: boolean) => ({ rows, problems, isCutShort, rounded, firstRounded })
  for await (const part of readRows(file, source, target)) {
    if (signal.aborted) return null
    for (const read of part.rows) {
      rows = read.number
      const problem = read.problem ?? (read.row && repeated(read.row))
      if (problem && problems.length >= mostProblems) return found(true)
      if (problem) problems.push(problem)
      if (!read.isRounded) continue
      rounded += 1
      firstRounded ??= read.line
    }
    tell(part.bytes)
  }
  return found(false)
}
