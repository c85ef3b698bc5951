import { useAtomValue } from 'jotai'
import { Suspense, useCallback, useMemo } from 'react'
import { timezoneAtom } from '~/atoms/view'
import type { ResultTable } from '~/sql/result'
import { fetchedLater } from '~/ui/fetched-later'
import { resultCell } from './result-cell'

// Nothing needs it before there is a result, and it is half of the screen's weight.
const Grid = fetchedLater(() => import('~/ui/Grid').then((module) => module.Grid))

/** The rows of a result; numbers stand at the end of their column. */
export function ResultGrid({ result, label }: { result: ResultTable; label: string }) {
  const zone = useAtomValue(timezoneAtom) === 'utc' ? 'utc' : 'local'
  // The grid keeps widths by the identity of the columns and repaints by that of the function.
  const columns = useMemo(
    () =>
      result.columns.map(({ label: title, type }) => ({
        title,
        detail: type,
        align: type === 'INTEGER' || type === 'FLOAT' ? ('end' as const) : ('start' as const),
      })),
    [result],
  )
  const cell = useCallback(
    (row: number, column: number) => {
      const of = result.columns[column]
      return resultCell(of?.type ?? 'ANY', of?.values[row] ?? null, zone)
    },
    [result, zone],
  )
  return (
    <Suspense fallback={<p className="text-muted">Drawing…</p>}>
      <Grid cell={cell} columns={columns} label={label} rowCount={result.rowCount} />
    </Suspense>
  )
}
