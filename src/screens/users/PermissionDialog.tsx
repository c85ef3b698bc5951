import { useSetAtom } from 'jotai'
import type { User } from '~/api/users'
import { changePermissionAtom, checkPermissionAtom } from '~/atoms/permissions'
import { permissionOn } from '~/lib/permission'
import { levelName, wipedBy } from '~/lib/privileges'
import { systemDatabase } from '~/lib/user-rules'
import { Consequences } from './Consequences'
import { useWrite } from './use-write'
import { WriteDialog } from './WriteDialog'

type Props = {
  user: User
  database: string
  /** The new level; null takes the permission away. */
  level: number | null
  onClose: () => void
}

/** Changes or takes away the permission that a user has on a database. */
export function PermissionDialog({ user, database, level, onClose }: Props) {
  const write = useWrite(onClose)
  const change = useSetAtom(changePermissionAtom)
  const check = useSetAtom(checkPermissionAtom)
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
    <WriteDialog
      action={`${what} permission`}
      check={() => check(request, wipedBy(user, database))}
      isDanger={level === null}
      notDone="The permission was not changed."
      onClose={onClose}
      onConfirm={() => void write.start(() => change(request))}
      title={`${what} the permission of ${user.user} on ${database}?`}
      write={write}
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
    </WriteDialog>
  )
}
