import { useAtomValue } from 'jotai'
import { closeTable, type TableTab, tableTabsAtom } from '~/atoms/tables/table-tabs'
import { useAct } from '~/core/act'
import { queryFromAddress, queryToAddress, type RowQuery } from '~/sql/row-filter'
import { useChangeSearch, useSearchParam } from '~/ui/location'

export const parts = ['rows', 'structure', 'indexes', 'ddl'] as const
export type Part = (typeof parts)[number]

/** What an address says of the table that is shown, and without which it shows the editor. */
export const noTable = {
  table: undefined,
  row: undefined,
  rev: undefined,
  q: undefined,
  tab: undefined,
}

/**
 * Goes from table to table; null is the editor. An address with a row and without a part names the
 * history of the row, as links from before do, and shows the editor behind it.
 */
export function useShownTable() {
  const tabs = useAtomValue(tableTabsAtom)
  const forget = useAct(closeTable)
  const change = useChangeSearch()
  const [table] = useSearchParam('table')
  const [row] = useSearchParam('row')
  const [q] = useSearchParam('q')
  const [tab] = useSearchParam('tab')
  const isShown = table !== undefined && (row === undefined || tab !== undefined)
  const shown: TableTab | null = isShown ? tabOf(table, q, tab) : null
  const show = (next: TableTab | null, options?: { replace?: boolean }) =>
    change({ ...noTable, table: next?.table, q: next?.q, tab: next?.tab }, options)
  return {
    shown,
    show: (name: string | null, options?: { replace?: boolean }) => {
      if (name !== null) show(tabs.find((one) => one.table === name) ?? { table: name }, options)
      else if (table !== undefined) show(null)
    },
    close: (name: string) => {
      const next = forget(name)
      if (name === shown?.table) show(next)
    },
  }
}

function tabOf(table: string, q: string | undefined, tab: string | undefined): TableTab {
  return { table, ...(q === undefined ? {} : { q }), ...(tab === undefined ? {} : { tab }) }
}

/** The part of the table that is shown. */
export function usePart(): readonly [Part, (part: string) => void] {
  const [tab, setTab] = useSearchParam('tab')
  const shown = parts.find((part) => part === tab) ?? 'rows'
  return [shown, (part) => setTab(part === 'rows' ? undefined : part)]
}

/** The filter and the order in the address; null where it cannot be read. */
export function useRowQuery(): readonly [RowQuery | null, (query: RowQuery) => void] {
  const [q = '', setQ] = useSearchParam('q')
  return [queryFromAddress(q), (query) => setQ(queryToAddress(query), { replace: true })]
}
