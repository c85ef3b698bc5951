import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense } from 'react'
import { sentence } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { refreshTablesAtom, tablesAtom } from '~/atoms/tables'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Skeleton } from '~/ui/Skeleton'

const TableTree = fetchedLater(() => import('./TableTree').then((module) => module.TableTree))
const NoTables = fetchedLater(() => import('./NoTables').then((module) => module.NoTables))

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
  if (error && !data) {
    return (
      <div className="p-3">
        <ErrorNote onRetry={() => void refetch()} title={sentence(error)} />
      </div>
    )
  }
  const waiting = (
    <div className="p-3">
      <Skeleton lines={4} />
    </div>
  )
  if (isPending && isEnabled) return waiting
  if (!data?.length) {
    return (
      <Suspense fallback={waiting}>
        <NoTables />
      </Suspense>
    )
  }
  return (
    <Suspense fallback={waiting}>
      <TableTree tables={data} />
    </Suspense>
  )
}
