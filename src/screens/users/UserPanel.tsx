import { useAtomValue } from 'jotai'
import type { User } from '~/api/users'
import { databasesAtom } from '~/atoms/databases/database-list'
import { viewerAtom } from '~/atoms/users/viewer'
import { lackingAtom } from '~/core/session/server-version'
import { levelName, privilegeSummary, privilegesOn } from '~/immudb/privileges'
import {
  administeredDatabases,
  isSystemAdmin,
  refusalToChangePassword,
  refusalToChangePermission,
  refusalToChangePrivileges,
  refusalToChangeStatus,
  type Viewer,
} from '~/immudb/user-rules'
import { systemDatabase } from '~/lib/constants'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { DatabaseIcon, KeyIcon, TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Pane } from '~/ui/Pane'
import { SafeName } from '~/ui/SafeText'
import { PermissionSelect } from './PermissionSelect'
import type { OpenUserDialog } from './UserDialog'
import { databaseName, LastChange, StatusBadge } from './UserList'

type Props = { user: User; onOpen: OpenUserDialog; onClose: () => void }

/** Everything about one user and what can be done. */
export function UserPanel({ user, onOpen, onClose }: Props) {
  const viewer = useAtomValue(viewerAtom)
  return (
    <Pane
      close="Close the user"
      onClose={onClose}
      subtitle={
        <>
          Last changed: <LastChange inline user={user} />
        </>
      }
      title={
        <>
          <SafeName text={user.user} />
          <StatusBadge active={user.active} />
        </>
      }
    >
      <div className="px-4 py-3">
        <Actions onOpen={onOpen} user={user} viewer={viewer} />
        <Permissions onOpen={onOpen} user={user} viewer={viewer} />
      </div>
    </Pane>
  )
}

type PartProps = { user: User; viewer: Viewer; onOpen: OpenUserDialog }

function Actions({ user, viewer, onOpen }: PartProps) {
  const status = refusalToChangeStatus(viewer, user)
  const password = refusalToChangePassword(viewer, user)
  const reasons = [...new Set([status, password])].filter((reason) => reason !== undefined)
  return (
    <div className="mb-5">
      <div className="flex flex-wrap gap-2">
        <Button
          disabledReason={password}
          icon={<KeyIcon />}
          onClick={() => onOpen({ kind: 'password', user: user.user })}
        >
          Change password
        </Button>
        <Button disabledReason={status} onClick={() => onOpen({ kind: 'status', user: user.user })}>
          {user.active ? 'Deactivate' : 'Activate'}
        </Button>
      </div>
      {reasons.map((reason) => (
        <p className="mt-2 text-muted text-xs" key={reason}>
          {reason}
        </p>
      ))}
    </div>
  )
}

function Permissions({ user, viewer, onOpen }: PartProps) {
  const databases = useAtomValue(databasesAtom).data?.map(({ name }) => name)
  const held = new Set(user.permissions.map(({ database }) => database))
  const free = administeredDatabases(viewer, databases ?? []).filter((name) => !held.has(name))
  const refusal = refusalToChangePermission(viewer, user, free[0] ?? '')
  const none =
    databases && free.length === 0 && administeredDatabases(viewer, databases).length > 0
      ? 'There is a permission on every database you manage already.'
      : undefined
  const reason = none ?? refusal
  return (
    <>
      <div className="mb-1 flex items-center justify-between gap-2">
        <h3 className="font-medium">Permissions</h3>
        <Button
          disabledReason={reason}
          onClick={() => onOpen({ kind: 'grant', user: user.user })}
          size="small"
        >
          Add permission
        </Button>
      </div>
      {reason && <p className="mb-2 text-muted text-xs">{reason}</p>}
      {user.permissions.length === 0 && (
        <p className="py-3 text-muted text-sm">
          None yet: the user can log in but cannot open any database.
        </p>
      )}
      <ul className="divide-y divide-line">
        {user.permissions.map((permission) => (
          <PermissionRow
            {...permission}
            exists={databases?.includes(permission.database) ?? true}
            key={permission.database}
            onOpen={onOpen}
            user={user}
            viewer={viewer}
          />
        ))}
      </ul>
    </>
  )
}

type PermissionRowProps = {
  user: User
  viewer: Viewer
  database: string
  permission: number
  /** False: the database is not among those that the viewer sees. */
  exists: boolean
  onOpen: OpenUserDialog
}

/** One database with the permission and the SQL privileges that a user has on it. */
function PermissionRow({ user, viewer, database, permission, exists, onOpen }: PermissionRowProps) {
  const name = visibleText(databaseName(database))
  const isSystem = database === systemDatabase
  const isGone = !exists && !isSystem && database !== '*' && isSystemAdmin(viewer)
  const gone = isGone ? 'There is no database of this name any more.' : undefined
  const refusal = gone ?? refusalToChangePermission(viewer, user, database)
  const change = (level: number | null) =>
    onOpen({ kind: 'permission', user: user.user, database, level })
  return (
    <li className="py-3">
      <div className="flex items-center gap-2">
        <DatabaseIcon className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate font-medium" title={name}>
          <SafeName text={databaseName(database)} />
        </span>
        <div className="w-36 shrink-0">
          <PermissionSelect
            disabledReason={isSystem ? 'Permissions on systemdb are not granted here.' : refusal}
            label={`Permission on ${name}`}
            level={permission}
            onChange={change}
            size="small"
          />
        </div>
        <IconButton
          disabledReason={refusal}
          icon={<TrashIcon />}
          label={`Remove the permission on ${name}`}
          onClick={() => change(null)}
          size="small"
        />
      </div>
      {isSystem && (
        <p className="mt-1 ps-6 text-warning text-xs">
          Anyone who reads systemdb sees the password hashes of all users.
        </p>
      )}
      {permission === 255 && database !== '*' && (
        <p className="mt-1 ps-6 text-warning text-xs">
          “{levelName(permission)}” locks an ordinary user out of the database. Choose another.
        </p>
      )}
      {gone && <p className="mt-1 ps-6 text-muted text-xs">{gone}</p>}
      <Privileges database={database} onOpen={onOpen} user={user} viewer={viewer} />
    </li>
  )
}

type PrivilegesProps = { user: User; viewer: Viewer; database: string; onOpen: OpenUserDialog }

function Privileges({ user, viewer, database, onOpen }: PrivilegesProps) {
  const lacks = useAtomValue(lackingAtom)('sqlPrivileges')
  if (database === systemDatabase || lacks !== undefined) return null
  const name = visibleText(databaseName(database))
  const held = privilegesOn(user, database)
  return (
    <div className="mt-1.5 flex items-center gap-2 ps-6">
      <p className="min-w-0 flex-1 text-xs">
        <span className="text-muted">SQL privileges </span>
        <span className={held.length === 0 ? 'text-warning' : undefined}>
          {privilegeSummary(held)}
        </span>
      </p>
      {database !== '*' && (
        <Button
          aria-label={`Edit the SQL privileges on ${name}`}
          disabledReason={refusalToChangePrivileges(viewer, user, database)}
          onClick={() => onOpen({ kind: 'privileges', user: user.user, database })}
          size="small"
          variant="quiet"
        >
          Edit
        </Button>
      )}
    </div>
  )
}
