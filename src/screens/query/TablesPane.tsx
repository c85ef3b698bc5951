import { useAtomValue, useSetAtom } from 'jotai'
import { sentence } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { hasTransactionsAtom } from '~/atoms/state'
import { openDetailsAtom, refreshTablesAtom, tablesAtom, toggleTableAtom } from '~/atoms/tables'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { RefreshIcon, TableIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Skeleton } from '~/ui/Skeleton'
import { Tree } from '~/ui/Tree'
import { tableNode } from './table-node'

/** The tables of the open database with columns, types, keys and indexes. */
export function TablesPane() {
  const database = useAtomValue(databaseAtom)
  const refresh = useSetAtom(refreshTablesAtom)
  return (
    <section aria-label="Tables of the database" className="flex h-full flex-col bg-panel">
      <header className="flex h-10 shrink-0 items-center justify-between gap-2 border-line border-b ps-3 pe-1">
        <h2 className="font-medium">Tables</h2>
        <IconButton
          icon={<RefreshIcon />}
          label="Refresh the tables"
          onClick={() => void refresh()}
          size="small"
        />
      </header>
      <div className="min-h-0 grow" key={database}>
        <Content />
      </div>
    </section>
  )
}

function Content() {
  const { data, error, isPending, isEnabled, refetch } = useAtomValue(tablesAtom)
  const details = useAtomValue(openDetailsAtom)
  const hasTransactions = useAtomValue(hasTransactionsAtom)
  const toggle = useSetAtom(toggleTableAtom)
  const refresh = useSetAtom(refreshTablesAtom)
  if (error && !data) {
    return (
      <div className="p-3">
        <ErrorNote onRetry={() => void refetch()} title={sentence(error)} />
      </div>
    )
  }
  if (isPending && isEnabled)
    return (
      <div className="p-3">
        <Skeleton lines={4} />
      </div>
    )
  if (!data?.length) {
    return (
      <>
        <div aria-label="Tables" className="sr-only" role="tree" />
        <EmptyState
          icon={<TableIcon />}
          text={
            hasTransactions
              ? 'Keys and documents are not tables and do not show here.'
              : 'Nothing was ever written to this database.'
          }
          title="No tables"
        />
      </>
    )
  }
  const nodes = data.map((table) => tableNode(table, details.get(table), () => void refresh()))
  return <Tree label="Tables" nodes={nodes} onToggle={toggle} />
}
