import { useAtomValue } from 'jotai'
import { useCallback, useMemo } from 'react'
import type { DiffPage } from '~/atoms/compare/compared-tables'
import { rowKeyOf } from '~/atoms/compare/compared-tables'
import { timezoneAtom } from '~/core/page-view'
import { isNumberType } from '~/immudb/column-types'
import { rowToAddress } from '~/immudb/row-address'
import { pathTo } from '~/lib/paths'
import { type DiffColumn, type Difference, isChanged } from '~/sql/comparison'
import { Grid } from '~/ui/Grid'
import { type Cell, type GridColumn, plainMark } from '~/ui/grid/cell'
import { resultCell } from '~/ui/grid/ResultGrid'
import { useNavigate } from '~/ui/location'
import { useCompareAddress } from './address'

type Props = {
  label: string
  table: string
  head: Pick<DiffPage, 'columns' | 'key'>
  rows: readonly Difference[]
  maxHeight?: number
}

const signs = { added: '+ added', changed: '~ changed', deleted: '− deleted' }

const history = plainMark('History of this row')

/** Rows that differ, with the old and the new value in each cell that changed. */
export function DifferenceGrid({ label, table, head, rows, maxHeight = 420 }: Props) {
  const zone = useAtomValue(timezoneAtom)
  const columns = useMemo(() => gridColumns(head.columns), [head.columns])
  // The grid repaints by the identity of the function.
  const cell = useCallback(
    (row: number, column: number): Cell => {
      const of = rows[row]
      if (!of) return { kind: 'empty', text: '' }
      if (column === 0) return { kind: 'boolean', text: signs[of.action] }
      const type = head.columns[column - 1]?.type ?? 'ANY'
      const shown = (values: Difference['after']) =>
        resultCell(type, values?.[column - 1] ?? null, zone)
      const now = shown(of.after ?? of.before)
      return isChanged(of, column - 1) ? { ...now, before: shown(of.before) } : now
    },
    [rows, head.columns, zone],
  )
  const open = useHistory(table)
  const show = (row: number) => {
    const of = rows[row]
    const key = of && rowKeyOf(head, of)
    if (key) open(rowToAddress(key))
    return !!key
  }
  return (
    <div className="border-line border-y">
      <Grid
        cell={cell}
        columns={columns}
        label={label}
        mark={(row) => (rows[row] && rowKeyOf(head, rows[row]) ? history : undefined)}
        maxHeight={maxHeight}
        onRowAction={(action, row) => action === 'verify' && show(row)}
        onMark={show}
        rowCount={rows.length}
      />
    </div>
  )
}

/** Opens the history of a row by its address. */
function useHistory(table: string) {
  const { database } = useCompareAddress()
  const navigate = useNavigate()
  return (row: string) => navigate(pathTo('query', { db: database, table, row }))
}

function gridColumns(columns: readonly DiffColumn[]): GridColumn[] {
  const own = columns.map(
    ({ name: title, type }): GridColumn => ({
      title,
      detail: type,
      align: isNumberType(type) ? 'end' : 'start',
    }),
  )
  return [{ title: 'Change', align: 'start' }, ...own]
}
