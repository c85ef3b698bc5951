import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useRef, useState } from 'react'
import { databaseAtom } from '~/atoms/session'
import { freshUsersAtom, refreshUsersAtom } from '~/atoms/users'
import { viewerAtom } from '~/atoms/viewer'
import { permissionOn } from '~/lib/permission'
import { isSystemAdmin, refusalToAdd } from '~/lib/user-rules'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useChangeSearch, useSearchParam } from '~/ui/location'
import { SafeName } from '~/ui/SafeName'
import type { Opened } from './opened'
import { UserReports } from './UserReports'
import { UsersBody } from './UsersBody'

const UserDialog = fetchedLater(() => import('./UserDialog').then((module) => module.UserDialog))

/** Who may log in, and what each may do on which database. */
export default function UsersScreen() {
  const viewer = useAtomValue(viewerAtom)
  const { data, isFetching } = useAtomValue(freshUsersAtom)
  const refresh = useSetAtom(refreshUsersAtom)
  const [selected, select] = useSelectedUser()
  const users = new Map(data?.map((user) => [user.user, user]))
  const [opened, open] = useOpenedDialog((name) => users.has(name))
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-4 xs:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 xs:items-start">
        <div className="min-w-0 flex-1">
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
        <Suspense fallback={null}>
          <UserDialog
            onAdded={(name) => {
              open(null)
              select(name)
            }}
            onClose={() => open(null)}
            opened={opened}
            users={users}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Whom the server lets the signed-in user see, and why. */
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

/** The user whose details are shown stands in the address; closing gives the focus back. */
function useSelectedUser() {
  const [selected, setSelected] = useSearchParam('user')
  const opener = useRef<Element | null>(null)
  const select = (name: string | undefined) => {
    if (name !== undefined) opener.current = document.activeElement
    setSelected(name)
    requestAnimationFrame(() => {
      if (name !== undefined) document.getElementById('user-panel')?.focus()
      else if (opener.current instanceof HTMLElement) opener.current.focus()
    })
  }
  return [selected, select] as const
}

/**
 * The dialog for a password can be linked to, as the warning about the default password does. The
 * address keeps its user, whose details are then shown, unless there is none of that name.
 */
function useOpenedDialog(isListed: (name: string) => boolean) {
  const [linked] = useSearchParam('dialog')
  const [user = ''] = useSearchParam('user')
  const change = useChangeSearch()
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (next: Opened | null) => {
    if (linked !== undefined) {
      const gone = { dialog: undefined, ...(isListed(user) ? {} : { user: undefined }) }
      change(gone, { replace: true })
    }
    setOpened(next)
  }
  const fromLink: Opened | null = linked === 'change-password' ? { kind: 'password', user } : null
  return [opened ?? fromLink, open] as const
}
