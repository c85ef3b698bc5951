import { useCallback, useMemo, useState } from 'react'
import { base64ToHex } from '~/lib/bytes'
import { formatCell, type TimeZone } from '~/sql/cells'
import type { ResultTable } from '~/sql/result'
import { Grid, type GridProps } from '../Grid'
import type { Cell, GridColumn } from './cell'

type Props = Omit<GridProps, 'columns' | 'cell' | 'rowCount'> & {
  result: ResultTable
  zone: TimeZone
  /** Draws a cell otherwise, for instance with what it was before; keep the function the same. */
  change?: (row: number, column: number, cell: Cell) => Cell
  /** Columns behind those of the result, which no row stores; keep it the same while it is. */
  beside?: Beside | undefined
}

export type Beside = {
  readonly columns: readonly GridColumn[]
  readonly cell: (row: number, column: number) => Cell
}

/** The rows of a result; numbers stand at the end of their column. */
export function ResultGrid({ result, zone, change, beside, ...more }: Props) {
  const own = useKeptColumns(result, zone)
  const others = beside?.columns
  const columns = useMemo(() => (others ? [...own, ...others] : own), [own, others])
  // The grid repaints by the identity of the function.
  const cell = useCallback(
    (row: number, column: number) => {
      if (beside && column >= result.columns.length) {
        return beside.cell(row, column - result.columns.length)
      }
      const of = result.columns[column]
      const plain = resultCell(of?.type ?? 'ANY', of?.values[row] ?? null, zone)
      return change ? change(row, column, plain) : plain
    },
    [result, zone, change, beside],
  )
  return <Grid cell={cell} columns={columns} rowCount={result.rowCount} {...more} />
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

/** A value of a result as the grid takes it: exact, however long it is. */
export function resultCell(type: string, value: string | null, zone: TimeZone): Cell {
  const { kind, text } = formatCell(type, value, zone)
  const source = { type, value }
  if (value === null) return { kind: 'null', text, source }
  // As SQL writes it: x'00FF'.
  if (kind === 'blob')
    return { kind, text, source, exact: () => `x'${base64ToHex(value).toUpperCase()}'` }
  if (kind === 'time') return { kind, text, source }
  if (value === '') return { kind: 'empty', text: '', source }
  return { kind, text: value, source }
}
