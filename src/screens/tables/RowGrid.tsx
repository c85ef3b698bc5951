import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { findRowLink } from '~/atoms/rows/history-link'
import { openRowProof } from '~/atoms/rows/proofs'
import { type RowMark, rowProofsAtom, rowVerdictAtom } from '~/atoms/rows/row-marks'
import { type ColumnChoice, ordered } from '~/atoms/tables/columns'
import type { TableDescription } from '~/atoms/tables/description'
import { type RowsPage, rowSetOfPage } from '~/atoms/tables/table-rows'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import type { RowSet } from '~/core/row-set'
import { lackingAtom } from '~/core/session/server-version'
import { formatCount } from '~/lib/text'
import { plainType, primaryKey } from '~/sql/keyset'
import { keyValue } from '~/sql/literals'
import type { ResultTable } from '~/sql/result'
import { keyOrder, noFilter, queryToAddress } from '~/sql/row-filter'
import { keyLabel } from '~/sql/row-label'
import { type GridSort, plainMark, type RowAction } from '~/ui/grid/cell'
import { ResultGrid } from '~/ui/grid/ResultGrid'
import { useChangeSearch, useSearchParam } from '~/ui/location'
import { showToast } from '~/ui/toast'
import type { Call } from '../code/call'
import { rowCall } from '../code/row-call'
import { gridMark } from '../proof/row-mark'
import { useRowQuery } from './address'
import { cellMenu, narrowed } from './cell-menu'
import { CellEditor } from './edits/CellEditor'
import { useCellEditing } from './edits/use-cell-editing'
import type { RowEdits } from './edits/use-row-edits'
import { HistoryProblem } from './HistoryProblem'
import { orderRefusal, useRowOrder } from './OrderChoice'
import { LeftCells, RowSheet } from './table-doors'
import { useHistoryColumns } from './use-history-columns'
import type { Shown } from './use-rows'

/** The row whose drawer is open, and the column whose field is open in it at first. */
type Opened = { readonly page: RowsPage; readonly row: number; readonly column?: string }

type Props = {
  shown: Shown
  page: RowsPage
  chosen: ColumnChoice
  selected: ReadonlySet<number>
  onSelect: (rows: ReadonlySet<number>) => void
  /** What is staged; null where nothing can be. */
  edits: RowEdits | null
  onReview: () => void
  onCommit: () => void
}

/** The rows of a page. */
export function RowGrid({ shown, page, chosen, selected, onSelect, edits, ...rest }: Props) {
  const { table, description } = shown
  const { onReview, onCommit } = rest
  const [tab, setTab] = useSearchParam('tab')
  const [opened, open] = useState<Opened | null>(
    tab === rowPart && page.rows.rowCount > 0 ? { page, row: 0 } : null,
  )
  const rowSet = useMemo(() => rowSetOfPage(shown, page), [shown, page])
  const actions = useRowActions(rowSet)
  const rows = edits?.rows ?? page.rows
  const visible = useMemo(() => withColumns(rows, chosen), [rows, chosen])
  const editing = useCellEditing(edits, visible, {
    onReview,
    onCommit,
    onSelect,
    onWiden: ({ row, column }) => open({ page, row, column: visible.columns[column]?.label ?? '' }),
  })
  const history = useHistoryColumns(
    rowSet,
    description.kind === 'table' ? chosen.history : undefined,
  )
  const mark = useMarks(page, edits, history.besides)
  const sort = useSort(description, visible)
  const [query, setQuery] = useRowQuery()
  const isNew = (row: number) => row >= page.rows.rowCount
  const onRowAction = (action: RowAction, row: number) => {
    if (action === 'row') open({ page, row })
    else if (isNew(row) || description.kind === 'view') return false
    else if (action === 'verify') actions.verify(row)
    else actions.showHistory(row, action === 'blame')
    return true
  }
  return (
    <>
      <div className="flex h-full flex-col">
        <HistoryProblem problem={history.problem} rowSet={rowSet} />
        <div className="min-h-0 grow">
          <ResultGrid
            label={`Rows of ${table}`}
            {...editing.grid}
            beside={history.beside}
            mark={mark}
            maxHeight="fill"
            numbersFrom={page.start ?? 0}
            menu={(target) =>
              cellMenu(
                {
                  table,
                  stored: page.rows,
                  visible,
                  edits,
                  isView: description.kind === 'view',
                  act: editing.act,
                  edit: ({ active }) => editing.edit?.(active),
                  filter: (condition) =>
                    setQuery(narrowed(query ?? { filter: noFilter, order: keyOrder }, condition)),
                  onRowAction,
                },
                target,
              )
            }
            onRowAction={onRowAction}
            onSight={history.onSight}
            onMark={(row) => (edits?.mark(row) ? onReview() : open({ page, row }))}
            onSelect={onSelect}
            // Rows that are only read again stay where they are.
            page={JSON.stringify(page.sent)}
            result={visible}
            selected={selected}
            sort={sort}
            zone={useAtomValue(timezoneAtom)}
          />
        </div>
      </div>
      {editing.left.length > 0 && <LeftCells cells={editing.left} onClose={editing.closeLeft} />}
      {opened && opened.page === page && opened.row < rows.rowCount && (
        <RowSheet
          {...actions}
          edits={edits}
          editing={opened.column}
          editor={(cell, close) =>
            edits && <CellEditor cell={cell} edits={edits} onLeave={close} />
          }
          link={isNew(opened.row) ? null : linkOf(shown, page.rows, opened.row)}
          call={isNew(opened.row) ? null : callOf(shown, page.rows, opened.row)}
          kind={isNew(opened.row) ? 'new' : description.kind === 'view' ? 'of a view' : 'stored'}
          onClose={() => {
            open(null)
            if (tab === rowPart) setTab(undefined, { replace: true })
          }}
          onGo={(row) => open({ page, row })}
          row={opened.row}
          rows={rows}
          table={table}
          title={
            edits && isNew(opened.row)
              ? `${edits.idOf(opened.row).replace('new', 'New row')} of ${table}`
              : titleOf(shown, page.rows, opened.row)
          }
        />
      )}
    </>
  )
}

/** Names a row by its key, a row of a view by its place. */
export function titleOf(
  { table, description }: Shown,
  { columns }: ResultTable,
  row: number,
): string {
  const key = description.kind === 'table' ? primaryKey(description) : []
  const valueIn = (name: string) => columns.find(({ label }) => label === name)?.values[row]
  const named =
    key.length > 0
      ? keyLabel(key.map(({ name }) => [name, valueIn(name) ?? 'NULL']))
      : `${formatCount(row + 1)} of this page`
  return `Row ${named} of ${table}`
}

/** In place of a part of the table, for a link that opens the sheet of its row. */
const rowPart = 'row'

/** The address of one row by its key, at the moment that is shown; null where it has no key. */
function linkOf(
  { database, table, description }: Shown,
  { columns }: ResultTable,
  row: number,
): string | null {
  if (description.kind !== 'table') return null
  const conditions = primaryKey(description).map(({ name }) => {
    const value = columns.find(({ label }) => label === name)?.values[row] ?? ''
    return { column: name, operator: '=' as const, values: [value] }
  })
  const q = queryToAddress({ filter: { isAny: false, conditions }, order: keyOrder }) ?? ''
  const address = new URL(window.location.href)
  const shown = { db: database, table, q, tab: rowPart }
  for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value)
  for (const name of ['row', 'rev']) address.searchParams.delete(name)
  return address.href
}

/** The call that reads one row by its key, at the moment that is shown; null where it has no key. */
function callOf(
  { table, description, period }: Shown,
  { columns }: ResultTable,
  row: number,
): (() => Call) | null {
  if (description.kind !== 'table') return null
  const columnsOfKey = primaryKey(description)
  const key = columnsOfKey.flatMap(({ name, type }) => {
    const cell = columns.find(({ label }) => label === name)?.values[row] ?? null
    const value = keyValue(plainType(type), cell)
    return value ? [{ name, type: plainType(type), value }] : []
  })
  if (key.length === 0 || key.length < columnsOfKey.length) return null
  return () => rowCall(table, key, { period })
}

/** What can be done with a row by its place in the page. */
function useRowActions(rowSet: RowSet) {
  const verify = useAct(openRowProof)
  const link = useAct(findRowLink)
  const change = useChangeSearch()
  const showHistory = async (row: number, isBlame: boolean) => {
    const found = await link(rowSet, row)
    if ('why' in found) showToast({ kind: 'error', text: found.why })
    // The part in the address says that the table stays behind the history.
    else change({ ...found, tab: 'rows', ...(isBlame ? { dialog: 'blame' } : {}) })
  }
  return {
    verify: (row: number) => void verify(rowSet, row),
    showHistory: (row: number, isBlame = false) => void showHistory(row, isBlame),
  }
}

/** Orders the rows by a press on a title: ascending, descending, then as the key has them. */
function useSort(of: TableDescription, { columns }: ResultTable): GridSort {
  const { order, set } = useRowOrder()
  const lacks = useAtomValue(lackingAtom)
  const key = of.kind === 'table' ? (primaryKey(of)[0]?.name ?? null) : null
  const nameOf = (column: number) => columns[column]?.label ?? ''
  const current = order.column ?? key
  const at = columns.findIndex(({ label }) => label === current)
  return {
    at:
      at < 0
        ? null
        : {
            column: at,
            isDescending: order.isDescending,
            isPlain: order.column === null && !order.isDescending,
          },
    refusal: (column) =>
      column < columns.length ? orderRefusal(of, nameOf(column), lacks) : noOrder,
    by: (column, direction) => {
      const name = nameOf(column)
      const { isDescending } = order
      const isBy = name === current
      const wanted = direction ?? (isBy && !isDescending ? 'descending' : 'ascending')
      const isAgain =
        isBy && (direction ? isDescending === (wanted === 'descending') : isDescending)
      if (isAgain) set(keyOrder)
      else set({ column: name === key ? null : name, isDescending: wanted === 'descending' })
    },
  }
}

const noOrder = 'The server orders no rows by their history.'

const whole = plainMark('Show the whole row')

/** What is staged for each row, or was verified of it; the mark of the others opens the row. */
function useMarks(
  { number, rows }: RowsPage,
  edits: RowEdits | null,
  besides: (mark: RowMark, row: number) => RowMark,
) {
  const { marks } = useAtomValue(rowProofsAtom)(number)
  const verdictOn = useAtomValue(rowVerdictAtom)
  const stagedOn = edits?.mark
  return useMemo(
    () => (row: number) => {
      const staged = stagedOn?.(row)
      if (staged || row >= rows.rowCount) return staged
      const found = marks.get(row)
      const mark = found && besides(found, row)
      return (mark && gridMark(mark, verdictOn(mark))) ?? whole
    },
    [marks, verdictOn, stagedOn, rows.rowCount, besides],
  )
}

/** The rows with the columns that are shown, in their chosen order. */
export function withColumns({ columns, rowCount }: ResultTable, chosen: ColumnChoice): ResultTable {
  const byLabel = new Map(columns.map((column) => [column.label, column]))
  // Columns without a name of their own, as views may have, cannot be chosen.
  if (byLabel.size !== columns.length) return { columns, rowCount }
  const shown = ordered([...byLabel.keys()], chosen)
    .filter((label) => !chosen.hidden.includes(label))
    .flatMap((label) => byLabel.get(label) ?? [])
  return { columns: shown.length > 0 ? shown : columns, rowCount }
}
