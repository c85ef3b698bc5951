import { useAtomValue } from 'jotai'
import { Suspense, useMemo, useState } from 'react'
import type { Database } from '~/api/databases'
import { freshDatabasesAtom } from '~/atoms/databases'
import { sentence, technicalDetails } from '~/atoms/failure'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { DatabaseIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { NameFilter } from '~/ui/NameFilter'
import { SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { DatabaseList } from './DatabaseList'
import { type Order, shownDatabases } from './order'

const DatabasePanel = fetchedLater(() =>
  import('./DatabasePanel').then((module) => module.DatabasePanel),
)

type Props = { chosen: string | undefined; onChoose: (name: string | undefined) => void }

/** The list with its filter, and beside it, or in its place where there is no room, one database. */
export function DatabasesBody({ chosen, onChoose }: Props) {
  const { data, error, isFetching, refetch } = useAtomValue(freshDatabasesAtom)
  const failure = error && (
    <ErrorNote
      busy={isFetching}
      details={technicalDetails(error)}
      onRetry={() => void refetch()}
      title={`The databases could not be listed. ${sentence(error)}`}
    />
  )
  if (!data) return failure ?? <Skeleton label="Loading the databases" lines={6} />
  return (
    <>
      {failure}
      <div className="flex min-h-0 flex-1 gap-4">
        <div
          className={join(
            'min-w-0 flex-1 flex-col gap-2',
            chosen === undefined ? 'flex' : 'hidden md:flex',
          )}
        >
          <Filtered chosen={chosen} databases={data} onChoose={onChoose} />
        </div>
        {chosen !== undefined && (
          <div className="w-full min-w-0 md:w-[440px] md:shrink-0">
            <Suspense fallback={null}>
              <DatabasePanel
                database={data.find(({ name }) => name === chosen)}
                key={chosen}
                name={chosen}
                onClose={() => onChoose(undefined)}
              />
            </Suspense>
          </div>
        )}
      </div>
    </>
  )
}

type FilteredProps = Props & { databases: readonly Database[] }

function Filtered({ databases, chosen, onChoose }: FilteredProps) {
  const [text, setText] = useState('')
  const [order, setOrder] = useState<Order>({ column: 'name', isDescending: false })
  const shown = useMemo(() => shownDatabases(databases, text, order), [databases, text, order])
  const unloaded = databases.filter(({ loaded }) => !loaded).length
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <NameFilter onChange={setText} text={text} />
        <p className="ms-auto text-muted text-sm" role="status">
          {shown.length === databases.length ? '' : `${formatCount(shown.length)} of `}
          {counted(databases.length, 'database')}
          {unloaded > 0 && `, ${formatCount(unloaded)} unloaded`}
        </p>
      </div>
      <div className="@container min-h-0 flex-1 overflow-hidden rounded border border-line bg-panel">
        {shown.length > 0 ? (
          <DatabaseList
            chosen={chosen}
            databases={shown}
            onChoose={onChoose}
            onOrder={setOrder}
            order={order}
          />
        ) : (
          <None filter={databases.length > 0 ? text : null} onClear={() => setText('')} />
        )}
      </div>
    </>
  )
}

function None({ filter, onClear }: { filter: string | null; onClear: () => void }) {
  if (filter === null) {
    return (
      <EmptyState
        icon={<DatabaseIcon />}
        text="You have no permission on any database. An administrator can grant one."
        title="No databases"
      />
    )
  }
  return (
    <EmptyState
      action={<Button onClick={onClear}>Show all databases</Button>}
      icon={<DatabaseIcon />}
      text={
        <>
          No name contains “<SafeText text={filter} />
          ”.
        </>
      }
      title="Nothing found"
    />
  )
}
