import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { columnChoiceAtom } from '~/atoms/tables/columns'
import type { TableDescription } from '~/atoms/tables/description'
import { stagedNow } from '~/atoms/tables/edits'
import { commitStateAtom } from '~/atoms/tables/edits-commit'
import { filterDraftAtom } from '~/atoms/tables/filter-drafts'
import { tableExport } from '~/atoms/tables/table-export'
import { pathFor, type RowsPage } from '~/atoms/tables/table-rows'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { presentTxAtom } from '~/core/history/newest-state'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { keyOrder, noFilter } from '~/sql/row-filter'
import { allRowsSql, typesOf, unsureTime } from '~/sql/table-rows'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import { RefreshIcon, TableIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { CodeButton } from '../code/CodeButton'
import { AsOfButton } from '../moments/AsOf'
import { useRowQuery } from './address'
import { ColumnsButton } from './ColumnsButton'
import { CopyRows } from './CopyRows'
import { EditButtons } from './edits/EditButtons'
import { type Review, type RowEdits, useRowEdits } from './edits/use-row-edits'
import { FilterChips } from './FilterChips'
import { OrderChoice } from './OrderChoice'
import { isOnly, Pager } from './Pager'
import { RowGrid, titleOf, withColumns } from './RowGrid'
import { ScrolledBar } from './ScrolledBar'
import { EditStrip, FilterForm } from './table-doors'
import { type RowList, type Shown, useRows } from './use-rows'

type Props = Shown & {
  /** The button that closes the table. */
  close: ReactNode
}

const noRows: ReadonlySet<number> = new Set<number>()
const noNames: ReadonlySet<string> = new Set<string>()

/** The rows of a table, a page of them at a time. */
export function RowsPart({ close, ...shown }: Props) {
  const { table, database, description } = shown
  const [query, setQuery] = useRowQuery()
  const rows = useRows(shown, query)
  const { of, page, error, refetch } = rows
  const typed = useAtomValue(filterDraftAtom)
  const [isFiltering, setFiltering] = useState(
    () => typed(database, table, JSON.stringify(of.filter)) !== null,
  )
  const chosen = useAtomValue(columnChoiceAtom)(database, table)
  const labels = useMemo(
    () => (page ? withColumns(page.rows, chosen).columns.map(({ label }) => label) : []),
    [page, chosen],
  )
  const edits = useRowEdits(shown, page?.rows, labels)
  const [selected, select] = useSelection(page, edits)
  const [review, setReview] = useState<Review | null>(null)
  const staged = useAct(stagedNow)
  // By the field that was left, more may be staged than was drawn.
  const commit = () => edits && setReview({ commits: staged(edits.place) })
  const rowCount = edits?.rows.rowCount ?? page?.rows.rowCount ?? 0
  const count = of.filter.conditions.length
  const isPaged = page !== undefined && !isOnly(page)
  const time = unsureTime(of, of.path, of.filter, isPaged)
  return (
    <div className="@container flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-1 border-line border-b px-2 xs:py-1">
        <ScrolledBar>
          <Button
            aria-expanded={isFiltering}
            onClick={() => setFiltering(!isFiltering)}
            size="small"
            variant={count > 0 ? 'plain' : 'quiet'}
          >
            {count > 0 ? `Filter (${count})` : 'Filter'}
          </Button>
          <OrderChoice description={description} />
          <Narrow isHidden={selected.size > 0}>
            <ColumnsButton
              columns={of.columns}
              database={database}
              isStored={description.kind === 'table'}
              table={table}
            />
          </Narrow>
          {edits && <EditButtons edits={edits} selected={selected} />}
          <Narrow isHidden={selected.size > 0}>
            <AsOfButton hasPeriods />
            <IconButton
              icon={<RefreshIcon />}
              label={`Read the rows of ${table} again`}
              onClick={refetch}
              size="small"
            />
          </Narrow>
        </ScrolledBar>
        <ExportRows description={description} of={of}>
          {(button) => (
            <span className="ms-auto flex flex-wrap items-center gap-1">
              {page && <CopyRows page={page} selected={storedOf(selected, page)} table={table} />}
              {button}
              <CodeButton
                call={() => ({ kind: 'rows', ...allRowsSql(plainPath(of), typesOf(of.columns)) })}
                isSmall
                what={`the rows of ${table}`}
              />
              {close}
            </span>
          )}
        </ExportRows>
      </div>
      {isFiltering && (
        <FilterForm key={JSON.stringify(of.filter)} of={of} onClose={() => setFiltering(false)} />
      )}
      <FilterChips isTyping={isFiltering} of={of} />
      {time !== null && (
        <p className="border-line border-b px-3 py-1 text-muted text-sm" role="status">
          Rows with times before 1677 or after 2262 may be missing, also in a file: immudb misplaces
          them in its order by <SafeName text={time} />.
        </p>
      )}
      {edits && <Strip edits={edits} onCommit={commit} onReview={setReview} review={review} />}
      {query === null && (
        <Unreadable onShowAll={() => setQuery({ filter: noFilter, order: keyOrder })} />
      )}
      {error && (
        <div className="p-3">
          <ErrorNote
            details={technicalDetails(error)}
            onRetry={refetch}
            title={sentence(error)}
            {...(page ? { notDone: 'The rows that are here stay.' } : {})}
          />
        </div>
      )}
      {/* Bars that take many lines on a phone leave some rows in sight. */}
      <div className="min-h-48 shrink-0 grow basis-0">
        {page?.unread ? (
          <EmptyState
            icon={<TableIcon />}
            text="The server sends at most 4 MiB at once, so its values cannot be shown. The rows around it can."
            title={`${titleOf(shown, page.unread, 0)} is too large`}
          />
        ) : page && rowCount > 0 ? (
          <RowGrid
            chosen={chosen}
            edits={edits}
            onCommit={commit}
            onReview={() => setReview({ commits: null })}
            onSelect={select}
            page={page}
            selected={selected}
            shown={shown}
          />
        ) : page ? (
          <NoRows
            add={edits?.add}
            isPast={shown.period !== ''}
            refusal={edits?.refusal('add')}
            showAll={
              count > 0
                ? () => setQuery({ filter: noFilter, order: query?.order ?? keyOrder })
                : undefined
            }
          />
        ) : (
          !error && (
            <div className="p-3">
              <Skeleton lines={8} />
            </div>
          )
        )}
      </div>
      {page && <Pager {...rows} page={page} />}
      {page && shown.period === '' && <Newer page={page} />}
    </div>
  )
}

/** Without the order of the primary key, which rows have anyway. */
function plainPath(of: RowList): RowList {
  const isOwn = of.path.isSorted !== true && !of.path.isDescending
  return isOwn ? { ...of, path: { ...of.path, index: [] } } : of
}

/** Buttons for all rows make room for those of the chosen ones where the bar is short. */
function Narrow({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  return (
    <span className={cx('flex items-center gap-1', isHidden && '@max-3xl:xs:hidden')}>
      {children}
    </span>
  )
}

/**
 * The rows that are chosen on a page. They are kept by their names, because places change with the
 * rows that are staged and taken back; rows of a view have no names.
 */
function useSelection(page: RowsPage | undefined, edits: RowEdits | null) {
  const nameOf = (row: number) => edits?.idOf(row) ?? String(row)
  const [chosen, choose] = useState({ page: 0, names: noNames })
  const names = chosen.page === page?.number ? chosen.names : noNames
  const count = edits?.rows.rowCount ?? page?.rows.rowCount ?? 0
  const rows =
    names.size === 0
      ? noRows
      : new Set(
          Array.from({ length: count }, (_, row) => row).filter((row) => names.has(nameOf(row))),
        )
  const select = (next: ReadonlySet<number>) =>
    choose({ page: page?.number ?? 0, names: new Set([...next].map(nameOf)) })
  return [rows, select] as const
}

type StripProps = {
  edits: RowEdits
  review: Review | null
  onReview: (review: Review | null) => void
  onCommit: () => void
}

/** What is staged, once there is something. */
function Strip(props: StripProps) {
  const { place, state } = props.edits
  const commit = useAtomValue(commitStateAtom)(place)
  const isEmpty = state.edits.length === 0 && state.waiting.length === 0
  if (isEmpty && commit.kind === 'idle' && props.review === null) return null
  return <EditStrip {...props} />
}

/** The chosen rows without staged new ones, which are behind the page. */
function storedOf(selected: ReadonlySet<number>, { rows }: RowsPage): ReadonlySet<number> {
  return new Set([...selected].filter((row) => row < rows.rowCount))
}

function Unreadable({ onShowAll }: { onShowAll: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-sm text-warning" role="status">
      The address names a filter that this console cannot read, so all rows are shown.
      <Button onClick={onShowAll} size="small">
        Remove it
      </Button>
    </p>
  )
}

type NoRowsProps = {
  /** Undefined without a filter. */
  showAll: (() => void) | undefined
  /** Undefined where rows cannot be edited at all. */
  add: (() => void) | undefined
  refusal: string | undefined
  isPast: boolean
}

function NoRows({ showAll, add, refusal, isPast }: NoRowsProps) {
  const action = showAll ? (
    <Button onClick={showAll}>Remove the filter</Button>
  ) : (
    add &&
    !isPast && (
      <Button disabledReason={refusal} onClick={add}>
        Add the first row
      </Button>
    )
  )
  return (
    <EmptyState
      action={action}
      icon={<TableIcon />}
      refusal={showAll || isPast ? undefined : refusal}
      text={isPast ? 'There were none at this moment.' : undefined}
      title={showAll ? 'No row fulfils the filter' : 'No rows'}
    />
  )
}

/** Says that something was written since, without moving what is looked at. */
function Newer({ page: { txBefore } }: { page: RowsPage }) {
  const newest = useAtomValue(presentTxAtom)
  if (BigInt(newest) <= BigInt(txBefore) || txBefore === '0') return null
  return (
    <p className="px-3 pb-1 text-muted text-sm" role="status">
      The database has newer transactions than these rows.
    </p>
  )
}

type ExportProps = {
  of: RowList
  description: TableDescription
  /** Puts the button among others. */
  children: (button: ReactNode) => ReactNode
}

/** Saves all rows that the filter lets through, not only those of the page. */
function ExportRows({ of, description, children }: ExportProps) {
  const byKey = pathFor(description, keyOrder)
  return (
    <ExportBar
      // A view has no key.
      {...useExport(tableExport(of, byKey.key === null ? null : byKey))}
      formats={rowFormats}
      title="All rows that the filter lets through"
    >
      {children}
    </ExportBar>
  )
}
