import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import type { Database } from '~/api/databases'
import { freshDatabasesAtom, refreshDatabases } from '~/atoms/databases/database-list'
import { databaseCreationRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { DatabaseIcon, RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useChangeSearch, useSearchParam } from '~/ui/location'
import { NameFilter } from '~/ui/NameFilter'
import { useOpened, WithPane } from '~/ui/Pane'
import { SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { CreateDialog } from './CreateDialog'
import { DatabaseList, type Order, shownDatabases } from './DatabaseList'
import { DatabasePanel } from './DatabasePanel'

/** The databases of the server, and what can be done to each. */
export default function DatabasesScreen() {
  const { isFetching } = useAtomValue(freshDatabasesAtom)
  const refresh = useAct(refreshDatabases)
  const reason = useAtomValue(databaseCreationRefusalAtom)
  const [chosen, choose] = useOpened('name')
  const creation = useCreation()
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-4 xs:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 xs:items-start">
        <div className="min-w-0 flex-1 basis-32">
          <h1 className="font-medium text-xl">Databases</h1>
          <p className="hidden text-muted xs:block">
            The databases you can use. Choose one to see its settings and actions.
          </p>
        </div>
        <IconButton
          aria-busy={isFetching}
          icon={<RefreshIcon />}
          label="Refresh the databases"
          onClick={() => void refresh()}
        />
        <Button disabledReason={reason} onClick={creation.open} variant="primary">
          Create database
        </Button>
      </header>
      <DatabasesBody chosen={chosen} onChoose={choose} />
      {creation.isOpen && reason === undefined && (
        <CreateDialog
          onClose={creation.close}
          onCreated={(name) => creation.leave(name) || choose(name)}
        />
      )}
    </div>
  )
}

/** The dialog for a new database, which can be linked to. */
function useCreation() {
  const [dialog] = useSearchParam('dialog')
  const change = useChangeSearch()
  const [isOpen, setOpen] = useState(false)
  const isLinked = dialog === 'create'
  return {
    isOpen: isOpen || isLinked,
    open: () => setOpen(true),
    close: () => {
      setOpen(false)
      if (isLinked) change({ dialog: undefined }, { replace: true })
    },
    /** Shows what was created in the place of the link; false where there was none. */
    leave: (name: string) => {
      if (isLinked) change({ dialog: undefined, name }, { replace: true })
      return isLinked
    },
  }
}

type Props = { chosen: string | undefined; onChoose: (name: string | undefined) => void }

/** The list with its filter, and beside it, or in its place where there is no room, one database. */
function DatabasesBody({ chosen, onChoose }: Props) {
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
      <WithPane
        list={<Filtered chosen={chosen} databases={data} onChoose={onChoose} />}
        pane={
          chosen !== undefined && (
            <DatabasePanel
              database={data.find(({ name }) => name === chosen)}
              key={chosen}
              name={chosen}
              onClose={() => onChoose(undefined)}
            />
          )
        }
      />
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
        {databases.some(({ isUnlisted }) => isUnlisted) && (
          <p className="w-full text-sm text-warning">
            This version of immudb lists no databases while one of them is unloaded. These are the
            ones that this page knows by name; there may be more. Load what is unloaded to see all.
          </p>
        )}
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
