import { useAtomValue } from 'jotai'
import { useCallback, useState } from 'react'
import { timezoneAtom } from '~/atoms/view'
import type { ResultTable } from '~/sql/result'
import { Grid, type GridProps } from '~/ui/Grid'
import type { GridColumn } from '~/ui/grid/cell'
import { resultCell } from './result-cell'

type Props = Pick<GridProps, 'found' | 'mark' | 'onMark' | 'selected' | 'onSelect' | 'onLetter'> & {
  result: ResultTable
  label: string
}

/** The rows of a result; numbers stand at the end of their column. */
export function ResultGrid({ result, label, ...more }: Props) {
  const zone = useAtomValue(timezoneAtom)
  const columns = useKeptColumns(result, zone)
  // The grid repaints by the identity of the function.
  const cell = useCallback(
    (row: number, column: number) => {
      const of = result.columns[column]
      return resultCell(of?.type ?? 'ANY', of?.values[row] ?? null, zone)
    },
    [result, zone],
  )
  return <Grid cell={cell} columns={columns} label={label} rowCount={result.rowCount} {...more} />
}

/** The grid keeps widths by the identity of the columns, which a further page does not change; another zone writes times longer or shorter. */
function useKeptColumns(result: ResultTable, zone: string) {
  const heads = JSON.stringify([zone, ...result.columns.map(({ label, type }) => [label, type])])
  const [kept, setKept] = useState(() => ({ heads, columns: columnsOf(result) }))
  if (kept.heads === heads) return kept.columns
  const columns = columnsOf(result)
  setKept({ heads, columns })
  return columns
}

function columnsOf(result: ResultTable): GridColumn[] {
  return result.columns.map(({ label: title, type }) => ({
    title,
    detail: type,
    align: type === 'INTEGER' || type === 'FLOAT' ? 'end' : 'start',
  }))
}
