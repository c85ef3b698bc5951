import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import type { TableDescription } from '~/atoms/tables/description'
import {
  firstPlace,
  type Place,
  pathFor,
  type RowsPage,
  type RowsView,
  rowsPageAtom,
  shownPages,
} from '~/atoms/tables/table-rows'
import { pageSizes } from '~/lib/constants'
import { keyOrder, noFilter, type RowQuery } from '~/sql/row-filter'

/** A table that is shown at a moment. */
export type Shown = {
  readonly database: string
  readonly table: string
  readonly description: TableDescription
  /** Such as `UNTIL TX 5`; empty for now. */
  readonly period: string
}

/** The rows that a query asks for, without the place and the size of a page. */
export type RowList = Omit<RowsView, 'place' | 'size'>

/** The page that is shown; the one before stays in sight while the next is fetched. */
export function useRows({ database, table, description, period }: Shown, query: RowQuery | null) {
  const { filter, order } = query ?? { filter: noFilter, order: keyOrder }
  const columns = description.kind === 'missing' ? [] : description.columns
  const list = JSON.stringify({
    database,
    table,
    period,
    columns: columns.map(({ name, type }) => ({ name, type })),
    filter,
    path: pathFor(description, order),
  } satisfies RowList)
  const of: RowList = useMemo(() => JSON.parse(list), [list])
  const shown = useAtomValue(shownPages.readAtom)(database, table)
  const keep = useSetAtom(shownPages.keepAtom)
  const place = shown?.list === list ? shown.place : firstPlace
  const size = shown?.size ?? pageSizes.rows
  const view: RowsView = { ...of, place, size }
  const atom = useAtomValue(rowsPageAtom)(JSON.stringify(view))
  const { data, error, isFetching, refetch } = useAtomValue(atom)
  const [kept, setKept] = useState<{ list: string; page: RowsPage } | null>(null)
  if (data && kept?.page !== data) setKept({ list, page: data })
  return {
    of,
    page: data ?? (kept?.list === list ? kept.page : undefined),
    error,
    isFetching,
    /** Reads the page again. */
    refetch: () => void refetch(),
    go: (to: Place) => keep({ list, place: to, size }, database, table),
    size,
    setSize: (next: number) => keep({ list, place, size: next }, database, table),
  }
}
