import { keysOf, shownKeys } from '~/lib/shortcuts'
import type { ResultColumn, ResultTable } from '~/sql/result'
import { type Condition, noFilter, type RowQuery } from '~/sql/row-filter'
import type { RowAction } from '~/ui/grid/cell'
import { numbersBetween } from '~/ui/grid/range'
import type { ChangeAction, GridTarget } from '~/ui/grid/use-active-cell'
import type { MenuEntry } from '~/ui/Menu'
import { copyFormats, copyRowsAs, pick } from './CopyRows'
import type { RowEdits } from './edits/use-row-edits'

type Of = {
  table: string
  /** The rows that are stored, with all columns. */
  stored: ResultTable
  /** The columns that are shown, with staged rows behind the stored ones. */
  visible: ResultTable
  edits: RowEdits | null
  /** A view has no keys, so that its rows have no history. */
  isView: boolean
  act: ((action: ChangeAction, target: GridTarget) => void) | undefined
  edit: (target: GridTarget) => void
  filter: (condition: Condition) => void
  onRowAction: (action: RowAction, row: number) => void
}

/** What can be done with the selected cells of a table and their rows, each with its keys. */
export function cellMenu(of: Of, target: GridTarget): readonly MenuEntry[] {
  const { stored, visible, edits, act } = of
  const { range, active } = target
  const column = visible.columns[active.column]
  const isOne = range.top === range.bottom && range.left === range.right
  const rows = numbersBetween(range.top, range.bottom)
  const places = rows.filter((row) => row < stored.rowCount)
  const notStored = active.row < stored.rowCount ? undefined : 'The row is not committed yet.'
  const noHistory = of.isView ? 'Rows of a view are not stored.' : notStored
  const found = column && edits?.cellAt(active.row, column.label)
  const reason = typeof found === 'string' ? found : column ? undefined : notStoredCell
  const editing: MenuEntry[] =
    edits && act
      ? [
          { kind: 'separator' },
          ...(isOne
            ? [entry('Edit', keysOf('rows', 'edit'), () => of.edit(target), reason)]
            : [entry('Fill down', keysOf('rows', 'fill'), () => act('fill', target))]),
          entry(
            'Set to NULL',
            keysOf('rows', 'clear'),
            () => act('clear', { ...target, rows: new Set() }),
            isOne ? reason : undefined,
          ),
        ]
      : []
  const filtering = column
    ? [
        entry(
          'Filter by this value',
          '',
          () => of.filter(conditionOf(column, active.row)),
          notStored ?? filterRefusal(column, active.row),
        ),
      ]
    : []
  const copying: MenuEntry[] =
    places.length === 0
      ? []
      : [
          { kind: 'heading', label: places.length === 1 ? 'Copy the row as' : 'Copy the rows as' },
          ...copyFormats.map(({ format, label }) =>
            entry(label, '', () => void copyRowsAs(format, pick(stored, places), of.table)),
          ),
        ]
  const one = (label: string, action: RowAction, why?: string) =>
    entry(label, keysOf('grid', action), () => of.onRowAction(action, active.row), why)
  const ofRow: MenuEntry[] = [
    { kind: 'separator' },
    one('Show the whole row', 'row'),
    one('History of the row', 'history', noHistory),
    one('Last change of each column', 'blame', noHistory),
    one('Verify the row', 'verify', noHistory),
  ]
  const deleting: MenuEntry[] = edits
    ? [
        {
          kind: 'action',
          label: rows.length === 1 ? 'Delete the row' : `Delete ${rows.length} rows`,
          danger: true,
          disabledReason: edits.refusal('delete'),
          detail: shownKeys(keysOf('rows', 'remove').split(', ')[0] ?? ''),
          onSelect: () => edits.remove(rows),
        },
      ]
    : []
  return [...editing, { kind: 'separator' }, ...filtering, ...copying, ...ofRow, ...deleting]
}

const notStoredCell = 'This is not stored with the row, so it cannot be changed.'

function entry(
  label: string,
  keys: string,
  onSelect: () => void,
  disabledReason?: string,
): MenuEntry {
  const detail = keys === '' ? {} : { detail: shownKeys(keys.split(', ')[0] ?? '') }
  return { kind: 'action', label, onSelect, disabledReason, ...detail }
}

function conditionOf({ label, values }: ResultColumn, row: number): Condition {
  const value = values[row] ?? null
  return value === null
    ? { column: label, operator: 'IS NULL', values: [] }
    : { column: label, operator: '=', values: [value] }
}

/** Why rows cannot be found by a value. */
function filterRefusal({ type, values }: ResultColumn, row: number): string | undefined {
  const value = values[row] ?? null
  if (value === null) return undefined
  if (type === 'JSON') return 'The server compares no JSON.'
  return type === 'FLOAT' && value === 'NaN' ? 'NaN equals nothing.' : undefined
}

/** A query narrowed by one more condition; of any-of conditions only the new one would narrow. */
export function narrowed(query: RowQuery, condition: Condition): RowQuery {
  const { isAny, conditions } = query.filter
  const isSame = (one: Condition) =>
    one.column === condition.column && one.operator === condition.operator
  const kept = isAny && conditions.length > 1 ? noFilter.conditions : conditions
  return {
    ...query,
    filter: { isAny: false, conditions: [...kept.filter((one) => !isSame(one)), condition] },
  }
}
