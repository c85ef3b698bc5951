import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { User } from '~/api/users'
import { changePermission, checkPermission } from '~/atoms/users/permissions'
import { viewerAtom } from '~/atoms/users/viewer'
import { changeActive, checkUser } from '~/atoms/users/writes'
import { useAct } from '~/core/act'
import { permissionOn } from '~/immudb/permission'
import { levelName, listedGrants, splitByRepair, wipedBy } from '~/immudb/privileges'
import { systemDatabase } from '~/lib/constants'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SafeName, SafeText } from '~/ui/SafeText'
import { notSoFar } from '~/words/outcome'
import { AddUserDialog } from './AddUserDialog'
import { DatabaseSelect, useManagedDatabases } from './DatabaseSelect'
import { PasswordDialog } from './PasswordDialog'
import { PermissionSelect } from './PermissionSelect'
import { PrivilegesDialog } from './PrivilegesDialog'
import { useUserWrite } from './use-write'

type Props = {
  opened: UserDialogState
  /** The users as listed, by name. */
  users: ReadonlyMap<string, User>
  onClose: () => void
  onAdded: (name: string) => void
}

/** Whichever dialog about a user is open. */
export function UserDialog({ opened, users, onClose, onAdded }: Props) {
  if (opened.kind === 'add') return <AddUserDialog onAdded={onAdded} onClose={onClose} />
  const user = users.get(opened.user)
  if (!user) return <NotListed name={opened.user} onClose={onClose} />
  return <About key={opened.kind} onClose={onClose} opened={opened} present={user} />
}

type AboutProps = {
  opened: Exclude<UserDialogState, { kind: 'add' }>
  present: User
  onClose: () => void
}

function About({ opened, present, onClose }: AboutProps) {
  // As it was when the dialog opened: its question must not change during a write.
  const [user] = useState(present)
  switch (opened.kind) {
    case 'password':
      return <PasswordDialog onClose={onClose} user={user} />
    case 'status':
      return <StatusDialog onClose={onClose} user={user} />
    case 'grant':
      return <GrantDialog onClose={onClose} user={user} />
    case 'permission':
      return <PermissionDialog {...opened} onClose={onClose} user={user} />
    case 'privileges':
      return <PrivilegesDialog database={opened.database} onClose={onClose} user={user} />
  }
}

/** An address may name a user that does not exist or is not listed. */
function NotListed({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <Dialog
      footer={<Button onClick={onClose}>Back to the users</Button>}
      onClose={onClose}
      open
      title="There is no such user"
      width="small"
    >
      <p>
        <SafeName text={name} /> is not among the users that you can see here.
      </p>
    </Dialog>
  )
}

type GrantDialogProps = { user: User; onClose: () => void }

/** Gives a user a permission on one more database. */
function GrantDialog({ user, onClose }: GrantDialogProps) {
  const held = new Set(user.permissions.map(({ database }) => database))
  const free = useManagedDatabases().filter((name) => !held.has(name))
  const [picked, setPicked] = useState<string>()
  const database = picked ?? (free.length === 1 ? free[0] : undefined)
  const [level, setLevel] = useState(1)
  const write = useUserWrite(onClose)
  const change = useAct(changePermission)
  const check = useAct(checkPermission)
  const request = {
    action: 'GRANT' as const,
    user: user.user,
    database: database ?? '',
    permission: level,
  }
  return (
    <AskDialog
      action="Add permission"
      refusal={database === undefined ? 'Choose a database first.' : undefined}
      onClose={onClose}
      onAction={() => void write.start(() => change(request))}
      title={`Add a permission for ${user.user}`}
      write={write.shown('No permission was given.', () =>
        check(request, wipedBy(user, request.database)),
      )}
    >
      <div className="mb-4 grid gap-3 xs:grid-cols-2">
        <DatabaseSelect onChange={setPicked} options={free} value={database} />
        <PermissionSelect label="Permission" labelled level={level} onChange={setLevel} />
      </div>
      {database !== undefined && <Consequences database={database} isLess={false} user={user} />}
    </AskDialog>
  )
}

type StatusDialogProps = { user: User; onClose: () => void }

/** Deactivates an active user or activates an inactive one. */
function StatusDialog({ user, onClose }: StatusDialogProps) {
  const write = useUserWrite(onClose)
  const setActive = useAct(changeActive)
  const check = useAct(checkUser)
  const active = !user.active
  const look = () =>
    check(user.user, (now) =>
      now?.active === active
        ? `${user.user} is ${active ? 'active' : 'inactive'} now.`
        : notSoFar('Not changed yet.', 'do it'),
    )
  return (
    <AskDialog
      action={active ? 'Activate' : 'Deactivate'}
      isDanger={!active}
      onClose={onClose}
      onAction={() => void write.start(() => setActive({ user: user.user, active }))}
      title={`${active ? 'Activate' : 'Deactivate'} ${user.user}?`}
      write={write.shown('The status was not changed.', look)}
    >
      {active ? (
        <p>The user can log in again, with the same password and permissions as before.</p>
      ) : (
        <ul className="list-disc space-y-1.5 ps-5">
          <li>The user cannot log in any more. Password and permissions are kept.</li>
          <li>
            This may not end every session. Someone who logged in more than once can continue until
            the token expires. A new password ends all sessions; it is offered next.
          </li>
          <li>immudb never deletes a user: its history stays provable.</li>
        </ul>
      )}
    </AskDialog>
  )
}

type PermissionDialogProps = {
  user: User
  database: string
  /** The new level; null takes the permission away. */
  level: number | null
  onClose: () => void
}

/** Changes or takes away the permission that a user has on a database. */
function PermissionDialog({ user, database, level, onClose }: PermissionDialogProps) {
  const write = useUserWrite(onClose)
  const change = useAct(changePermission)
  const check = useAct(checkPermission)
  const what = level === null ? 'Remove' : 'Change'
  const before = permissionOn(user.permissions, database)
  const request = {
    action: level === null ? ('REVOKE' as const) : ('GRANT' as const),
    user: user.user,
    database,
    // The server wants a valid level even to take one away.
    permission: level ?? before,
  }
  return (
    <AskDialog
      action={`${what} permission`}
      isDanger={level === null}
      onClose={onClose}
      onAction={() => void write.start(() => change(request))}
      title={`${what} the permission of ${user.user} on ${database}?`}
      write={write.shown('The permission was not changed.', () =>
        check(request, wipedBy(user, database)),
      )}
    >
      <p className="mb-2">
        <strong className="font-medium">{levelName(before)}</strong>
        {' → '}
        <strong className="font-medium">{level === null ? 'no access' : levelName(level)}</strong>
      </p>
      {database === systemDatabase ? (
        <p className="text-sm">The user can no longer read the password hashes of all users.</p>
      ) : (
        <Consequences database={database} isLess={level === null || level < before} user={user} />
      )}
    </AskDialog>
  )
}

type ConsequencesProps = {
  user: User
  /** Whose permission changes; the SQL privileges on all others are wiped by the server. */
  database: string
  /** The user may do less after it, which live sessions do not notice. */
  isLess: boolean
}

/** What a change of a permission does besides. */
function Consequences({ user, database, isLess }: ConsequencesProps) {
  const viewer = useAtomValue(viewerAtom)
  const { own, foreign } = splitByRepair(viewer, wipedBy(user, database))
  return (
    <ul className="list-disc space-y-1.5 ps-5 text-sm">
      <li>
        The SQL privileges on <SafeName text={database} /> become those usual for the permission.
      </li>
      {own.length > 0 && (
        <li>
          immudb takes away the SQL privileges on other databases with it. The console gives them
          back right after: <SafeText text={listedGrants(own)} />.
        </li>
      )}
      {foreign.length > 0 && (
        <li className="text-warning">
          Lost for good unless an admin there gives them back: the SQL privileges on{' '}
          <SafeText text={listedGrants(foreign)} />, where you may not.
        </li>
      )}
      <li>
        {isLess
          ? 'This may not end every session. Someone who logged in more than once keeps the old permissions until the token expires. A new password ends all sessions; it is offered next.'
          : 'The user may have to log in again before it takes effect.'}
      </li>
    </ul>
  )
}

/** Which dialog is open, and about which user. */
export type UserDialogState =
  | { kind: 'add' }
  | { kind: 'password'; user: string }
  | { kind: 'status'; user: string }
  | { kind: 'grant'; user: string }
  | { kind: 'permission'; user: string; database: string; level: number | null }
  | { kind: 'privileges'; user: string; database: string }

/** Opens a dialog. */
export type OpenUserDialog = (opened: UserDialogState) => void
