import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { sentence, technicalDetails } from '~/atoms/session/failure'
import { timezoneAtom } from '~/atoms/settings/view'
import type { TableDescription } from '~/atoms/tables/description'
import {
  firstPlace,
  type Place,
  pathFor,
  type RowsPage,
  type RowsView,
  rowsPageAtom,
} from '~/atoms/tables/rows'
import { counted } from '~/lib/text'
import { keyOrder, noFilter } from '~/sql/row-filter'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { ResultGrid } from '~/ui/grid/ResultGrid'
import { RefreshIcon, TableIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Skeleton } from '~/ui/Skeleton'
import { useRowQuery } from './address'

type Props = {
  database: string
  table: string
  description: TableDescription
  /** Such as `UNTIL TX 5`; empty for now. */
  period: string
  /** The button that closes the table. */
  close: ReactNode
}

/** The rows of a table, a page of them at a time. */
export function RowsPart({ database, table, description, period, close }: Props) {
  const { page, error, refetch, go } = useRows({ database, table, description, period })
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-1 border-line border-b px-2 py-1">
        {/* Buttons that change rows stand here. */}
        <span className="ms-auto flex items-center gap-1">
          <IconButton
            icon={<RefreshIcon />}
            label={`Read the rows of ${table} again`}
            onClick={() => void refetch()}
            size="small"
          />
          {close}
        </span>
      </div>
      {error && (
        <div className="p-3">
          <ErrorNote
            details={technicalDetails(error)}
            onRetry={() => void refetch()}
            title={sentence(error)}
          />
        </div>
      )}
      <div className="min-h-0 grow">
        {page ? (
          <Rows page={page} table={table} />
        ) : (
          !error && (
            <div className="p-3">
              <Skeleton lines={8} />
            </div>
          )
        )}
      </div>
      {page && <Pager go={go} page={page} />}
    </div>
  )
}

type Shown = Omit<Props, 'close'>

/** The page that is shown; the one before stays in sight while the next is fetched. */
function useRows({ database, table, description, period }: Shown) {
  const [query] = useRowQuery()
  const columns = description.kind === 'missing' ? [] : description.columns
  const of: Omit<RowsView, 'place'> = {
    database,
    table,
    period,
    columns: columns.map(({ name, type }) => ({ name, type })),
    filter: query?.filter ?? noFilter,
    path: pathFor(description, query?.order ?? keyOrder),
  }
  const list = JSON.stringify(of)
  const [at, setAt] = useState<{ list: string; place: Place }>({ list, place: firstPlace })
  const place = at.list === list ? at.place : firstPlace
  const atom = useAtomValue(rowsPageAtom)(JSON.stringify({ ...of, place }))
  const { data, error, refetch } = useAtomValue(atom)
  const [kept, keep] = useState<{ list: string; page: RowsPage } | null>(null)
  if (data && kept?.page !== data) keep({ list, page: data })
  const page = data ?? (kept?.list === list ? kept.page : undefined)
  return { page, error, refetch, go: (to: Place) => setAt({ list, place: to }) }
}

function Rows({ page: { rows }, table }: { page: RowsPage; table: string }) {
  const zone = useAtomValue(timezoneAtom)
  const label = `Rows of ${table}`
  if (rows.rowCount > 0) {
    return <ResultGrid label={label} maxHeight="fill" result={rows} zone={zone} />
  }
  return <EmptyState icon={<TableIcon />} title="No rows" />
}

function Pager({
  page: { rows, next, previous },
  go,
}: {
  page: RowsPage
  go: (to: Place) => void
}) {
  const isCountedOff = useMemo(
    () => next?.kind === 'skip' || previous?.kind === 'skip',
    [next, previous],
  )
  const noPrevious = previous ? undefined : 'These are the first rows.'
  const noNext = next ? undefined : 'These are the last rows.'
  return (
    <nav
      aria-label="Pages of rows"
      className="flex flex-wrap items-center gap-1 border-line border-t px-2 py-1"
    >
      <Button
        disabledReason={noPrevious}
        onClick={() => go(firstPlace)}
        size="small"
        variant="quiet"
      >
        First
      </Button>
      <Button
        disabledReason={noPrevious}
        onClick={() => previous && go(previous)}
        size="small"
        variant="quiet"
      >
        Previous
      </Button>
      <Button disabledReason={noNext} onClick={() => next && go(next)} size="small" variant="quiet">
        Next
      </Button>
      {!isCountedOff && (
        <Button
          disabledReason={noNext}
          onClick={() => go({ kind: 'last' })}
          size="small"
          variant="quiet"
        >
          Last
        </Button>
      )}
      <span className="ms-2 text-muted text-sm" role="status">
        {counted(rows.rowCount, 'row')}
      </span>
    </nav>
  )
}
