import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useRef, useState } from 'react'
import { wildcardLevelAtom } from '~/atoms/database-levels'
import { freshDatabasesAtom, refreshDatabasesAtom } from '~/atoms/databases'
import { isReplicaServerAtom } from '~/atoms/viewer'
import { refusalFor } from '~/lib/permission'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useSearchParam } from '~/ui/location'
import { DatabasesBody } from './DatabasesBody'

const CreateDialog = fetchedLater(() =>
  import('./CreateDialog').then((module) => module.CreateDialog),
)

/** The databases of the server, and what can be done to each. */
export default function DatabasesScreen() {
  const { isFetching } = useAtomValue(freshDatabasesAtom)
  const refresh = useSetAtom(refreshDatabasesAtom)
  const level = useAtomValue(wildcardLevelAtom)
  const [chosen, choose] = useChosenDatabase()
  const [isCreating, setCreating] = useState(false)
  const mayCreate = refusalFor(level, 'create database') === undefined
  const isReplica = useAtomValue(isReplicaServerAtom)
  const reason = isReplica
    ? 'This server is a replica: databases are created on its primary.'
    : mayCreate
      ? undefined
      : 'Only the system admin can create databases.'
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-4 xs:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 xs:items-start">
        <div className="min-w-0 flex-1">
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
        <Button disabledReason={reason} onClick={() => setCreating(true)} variant="primary">
          Create database
        </Button>
      </header>
      <DatabasesBody chosen={chosen} onChoose={choose} />
      {isCreating && (
        <Suspense fallback={null}>
          <CreateDialog onClose={() => setCreating(false)} onCreated={choose} />
        </Suspense>
      )}
    </div>
  )
}

/** The database whose details are shown stands in the address; closing gives the focus back. */
function useChosenDatabase() {
  const [chosen, setChosen] = useSearchParam('name')
  const opener = useRef<Element | null>(null)
  const choose = (name: string | undefined) => {
    if (name !== undefined) opener.current = document.activeElement
    setChosen(name)
    if (name === undefined) {
      requestAnimationFrame(() => {
        if (opener.current instanceof HTMLElement) opener.current.focus()
      })
    }
  }
  return [chosen, choose] as const
}
