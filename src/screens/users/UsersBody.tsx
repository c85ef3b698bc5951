import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { User } from '~/api/users'
import { sentence, technicalDetails } from '~/atoms/failure'
import { usersAtom } from '~/atoms/users'
import { hideNotActiveAtom, setHideNotActiveAtom } from '~/atoms/view'
import { viewerAtom } from '~/atoms/viewer'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { UsersIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { Skeleton } from '~/ui/Skeleton'
import { Switch } from '~/ui/Switch'
import type { Open } from './opened'
import { UserList } from './UserList'
import { UserPanel } from './UserPanel'

type Props = {
  selected: string | undefined
  onSelect: (name: string | undefined) => void
  onOpen: Open
}

/** The list with its filters, and beside it, or in its place where there is no room, one user. */
export function UsersBody({ selected, onSelect, onOpen }: Props) {
  const { data, error, isPending, refetch } = useAtomValue(usersAtom)
  const user = data?.find((one) => one.user === selected)
  if (isPending) return <Skeleton label="Loading the users" lines={6} />
  if (!data) {
    return (
      <ErrorNote
        details={technicalDetails(error)}
        onRetry={() => void refetch()}
        title={sentence(error)}
      />
    )
  }
  return (
    <>
      {error && <ErrorNote onRetry={() => void refetch()} title={sentence(error)} />}
      <div className="flex min-h-96 flex-1 gap-4">
        <div className={join('min-w-0 flex-1 flex-col gap-2', user ? 'hidden md:flex' : 'flex')}>
          <Filtered onSelect={onSelect} selected={user?.user} users={data} />
        </div>
        {user && (
          <div className="w-full min-w-0 md:w-[440px] md:shrink-0">
            <UserPanel onClose={() => onSelect(undefined)} onOpen={onOpen} user={user} />
          </div>
        )}
      </div>
    </>
  )
}

type FilteredProps = Omit<Props, 'onOpen'> & { users: readonly User[] }

function Filtered({ users, selected, onSelect }: FilteredProps) {
  const { name: own } = useAtomValue(viewerAtom)
  const [text, setText] = useState('')
  const hidesInactive = useAtomValue(hideNotActiveAtom)
  const setHidesInactive = useSetAtom(setHideNotActiveAtom)
  const shown = matching(users, text, hidesInactive)
  const inactive = users.filter(({ active }) => !active).length
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <div className="w-full xs:w-64">
          <Field
            autoComplete="off"
            bare
            label="Filter by name"
            maxLength={128}
            onChange={setText}
            placeholder="Filter by name"
            spellCheck={false}
            type="search"
            value={text}
          />
        </div>
        <Switch checked={hidesInactive} label="Hide inactive users" onChange={setHidesInactive} />
        <p className="ms-auto text-muted text-sm" role="status">
          {shown.length === users.length ? '' : `${shown.length} of `}
          {counted(users.length, 'user')}
          {inactive > 0 && `, ${inactive} inactive`}
        </p>
      </div>
      <div className="min-h-0 flex-1 overflow-hidden rounded border border-line bg-panel">
        {shown.length > 0 ? (
          <UserList onSelect={onSelect} own={own} selected={selected} users={shown} />
        ) : (
          <Nobody
            isFiltered={users.length > 0}
            onClear={() => {
              setText('')
              setHidesInactive(false)
            }}
          />
        )}
      </div>
    </>
  )
}

function matching(users: readonly User[], text: string, hidesInactive: boolean): readonly User[] {
  const wanted = text.toLowerCase()
  return users.filter(
    ({ user, active }) => (active || !hidesInactive) && user.toLowerCase().includes(wanted),
  )
}

function Nobody({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      action={isFiltered && <Button onClick={onClear}>Show all users</Button>}
      icon={<UsersIcon />}
      text={isFiltered ? 'No user matches what is filtered.' : 'The server listed no users.'}
      title="No users"
    />
  )
}
