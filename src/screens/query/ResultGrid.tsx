import { useAtomValue } from 'jotai'
import { useCallback, useMemo } from 'react'
import { timezoneAtom } from '~/atoms/view'
import { formatCell } from '~/sql/cells'
import type { ResultTable } from '~/sql/result'
import { Grid } from '~/ui/Grid'

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
      return formatCell(of?.type ?? 'ANY', of?.values[row] ?? null, zone)
    },
    [result, zone],
  )
  return <Grid cell={cell} columns={columns} label={label} rowCount={result.rowCount} />
}
