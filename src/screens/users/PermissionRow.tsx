import type { User } from '~/api/users'
import { levelName, privilegeSummary, privilegesOn } from '~/lib/privileges'
import {
  isSystemAdmin,
  refusalToChangePermission,
  refusalToChangePrivileges,
  systemDatabase,
  type Viewer,
} from '~/lib/user-rules'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { DatabaseIcon, TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName } from '~/ui/SafeName'
import type { Open } from './opened'
import { PermissionSelect } from './PermissionSelect'
import { databaseName } from './UserList'

type Props = {
  user: User
  viewer: Viewer
  database: string
  permission: number
  /** False: the database is not among those that the viewer sees. */
  exists: boolean
  onOpen: Open
}

/** One database with the permission and the SQL privileges that a user has on it. */
export function PermissionRow({ user, viewer, database, permission, exists, onOpen }: Props) {
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
            disabledReason={isSystem ? 'Permissions on systemdb are not given here.' : refusal}
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

type PrivilegesProps = { user: User; viewer: Viewer; database: string; onOpen: Open }

function Privileges({ user, viewer, database, onOpen }: PrivilegesProps) {
  if (database === systemDatabase) return null
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
