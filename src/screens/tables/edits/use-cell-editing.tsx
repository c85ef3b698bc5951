import { useMemo } from 'react'
import type { ResultTable } from '~/sql/result'
import type { Cell, GridPosition } from '~/ui/grid/cell'
import { EditStrip } from '../lazy-parts'
import { CellEditor } from './CellEditor'
import type { RowEdits } from './use-row-edits'

/** The field of the cell that is edited, and how staged values are drawn. */
export function useCellEditing(edits: RowEdits | null, visible: ResultTable) {
  const { columns } = visible
  const cell = edits?.cell
  const change = useMemo(
    () => cell && ((row: number, column: number, of: Cell) => cell(row, columns[column], of)),
    [cell, columns],
  )
  if (!edits || !change) return {}
  const { opened } = edits
  const place = opened && {
    row: edits.placeOf(opened.id),
    column: columns.findIndex(({ label }) => label === opened.column),
  }
  const editor = opened &&
    place &&
    place.row >= 0 &&
    place.column >= 0 && {
      at: place,
      content: (
        <CellEditor
          cell={opened}
          edits={edits}
          key={`${opened.id} ${opened.column}`}
          onClose={() => edits.open(null)}
        />
      ),
    }
  return {
    change,
    onOpen: ({ row, column }: GridPosition) => {
      // It tells what is typed next.
      void EditStrip.prepare()
      return edits.openAt(row, columns[column]?.label ?? '')
    },
    ...(editor ? { editor } : {}),
  }
}
