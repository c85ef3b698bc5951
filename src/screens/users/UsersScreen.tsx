import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { User } from '~/api/users'
import { freshUsersAtom, refreshUsers, usersAtom } from '~/atoms/users/user-list'
import { viewerAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { hideNotActiveAtom, setHideNotActive } from '~/core/page-view'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { permissionOn } from '~/immudb/permission'
import { isSystemAdmin, refusalToAdd } from '~/immudb/user-rules'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { RefreshIcon, UsersIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useChangeSearch, useSearchParam } from '~/ui/location'
import { NameFilter } from '~/ui/NameFilter'
import { useOpened, WithPane } from '~/ui/Pane'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { Switch } from '~/ui/Switch'
import { type OpenUserDialog, UserDialog, type UserDialogState } from './UserDialog'
import { UserList } from './UserList'
import { UserPanel } from './UserPanel'
import { UserReports } from './UserReports'

/** Who may log in, and what each may do on which database. */
export default function UsersScreen() {
  const viewer = useAtomValue(viewerAtom)
  const { data, isFetching } = useAtomValue(freshUsersAtom)
  const refresh = useAct(refreshUsers)
  const [selected, select] = useOpened('user')
  const users = new Map(data?.map((user) => [user.user, user]))
  const mayAdd = refusalToAdd(viewer) === undefined
  const [opened, open] = useOpenedDialog(mayAdd, (name) => users.has(name))
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-4 xs:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 xs:items-start">
        <div className="min-w-0 flex-1 basis-32">
          <h1 className="font-medium text-xl">Users</h1>
          <Scope />
        </div>
        <IconButton
          aria-busy={isFetching}
          icon={<RefreshIcon />}
          label="Refresh the users"
          onClick={() => void refresh()}
        />
        <Button
          disabledReason={refusalToAdd(viewer)}
          onClick={() => open({ kind: 'add' })}
          variant="primary"
        >
          Add user
        </Button>
      </header>
      <UserReports onOpen={open} />
      <UsersBody onOpen={open} onSelect={select} selected={selected} />
      {opened && data && (
        <UserDialog
          onAdded={(name) => open(null, name) || select(name)}
          onClose={() => open(null)}
          opened={opened}
          users={users}
        />
      )}
    </div>
  )
}

/** The users that the server shows to the logged-in user, and why. */
function Scope() {
  const viewer = useAtomValue(viewerAtom)
  const database = useAtomValue(databaseAtom) ?? ''
  if (isSystemAdmin(viewer)) {
    return (
      <p className="hidden text-muted xs:block">
        Who can log in, and what each may do on which database.
      </p>
    )
  }
  return (
    <p className="text-muted">
      {permissionOn(viewer.permissions, database) >= 254 ? (
        <>
          The users of <SafeName text={database} />, because you are its admin. Choose another
          database above to see others.
        </>
      ) : (
        'You see only yourself: the permission “Admin” on the open database shows its other users.'
      )}
    </p>
  )
}

/**
 * The dialogs for a new user and for a password can be linked to, as the warning about the default
 * password does. The address keeps its user, whose details are then shown, unless nobody has that
 * name.
 */
function useOpenedDialog(mayAdd: boolean, isListed: (name: string) => boolean) {
  const [linked] = useSearchParam('dialog')
  const [user = ''] = useSearchParam('user')
  const change = useChangeSearch()
  const [opened, setOpened] = useState<UserDialogState | null>(null)
  /** Says whether it also showed the user `added`, in one step with the end of the link. */
  const open = (next: UserDialogState | null, added?: string): boolean => {
    if (linked !== undefined) {
      const shown = added ?? (isListed(user) ? user : undefined)
      change({ dialog: undefined, user: shown }, { replace: true })
    }
    setOpened(next)
    return linked !== undefined
  }
  const fromLink: UserDialogState | null =
    linked === 'change-password'
      ? { kind: 'password', user }
      : linked === 'add' && mayAdd
        ? { kind: 'add' }
        : null
  return [opened ?? fromLink, open] as const
}

type Props = {
  selected: string | undefined
  onSelect: (name: string | undefined) => void
  onOpen: OpenUserDialog
}

/** The list with its filters, and beside it, or in its place where there is no room, one user. */
function UsersBody({ selected, onSelect, onOpen }: Props) {
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
      <WithPane
        list={<Filtered onSelect={onSelect} selected={user?.user} users={data} />}
        pane={
          user && (
            <UserPanel
              key={user.user}
              onClose={() => onSelect(undefined)}
              onOpen={onOpen}
              user={user}
            />
          )
        }
      />
    </>
  )
}

type FilteredProps = Omit<Props, 'onOpen'> & { users: readonly User[] }

function Filtered({ users, selected, onSelect }: FilteredProps) {
  const { name: own } = useAtomValue(viewerAtom)
  const [text, setText] = useState('')
  const hidesInactive = useAtomValue(hideNotActiveAtom)
  const setHidesInactive = useAct(setHideNotActive)
  const shown = matchingUsers(users, text, hidesInactive)
  const inactive = users.filter(({ active }) => !active).length
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <NameFilter onChange={setText} text={text} />
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

function matchingUsers(
  users: readonly User[],
  text: string,
  hidesInactive: boolean,
): readonly User[] {
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
