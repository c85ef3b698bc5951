import { useSetAtom } from 'jotai'
import { useState } from 'react'
import type { User } from '~/api/users'
import { changePermissionAtom, checkPermissionAtom } from '~/atoms/permissions'
import { wipedBy } from '~/lib/privileges'
import { Consequences } from './Consequences'
import { DatabaseSelect, useManagedDatabases } from './DatabaseSelect'
import { PermissionSelect } from './PermissionSelect'
import { useWrite } from './use-write'
import { WriteDialog } from './WriteDialog'

type Props = { user: User; onClose: () => void }

/** Gives a user a permission on one more database. */
export function GrantDialog({ user, onClose }: Props) {
  const held = new Set(user.permissions.map(({ database }) => database))
  const free = useManagedDatabases().filter((name) => !held.has(name))
  const [picked, setPicked] = useState<string>()
  const database = picked ?? (free.length === 1 ? free[0] : undefined)
  const [level, setLevel] = useState(1)
  const write = useWrite(onClose)
  const change = useSetAtom(changePermissionAtom)
  const check = useSetAtom(checkPermissionAtom)
  const request = {
    action: 'GRANT' as const,
    user: user.user,
    database: database ?? '',
    permission: level,
  }
  return (
    <WriteDialog
      action="Add permission"
      check={() => check(request, wipedBy(user, request.database))}
      disabledReason={database === undefined ? 'Choose a database first.' : undefined}
      notDone="No permission was given."
      onClose={onClose}
      onConfirm={() => void write.start(() => change(request))}
      title={`Add a permission for ${user.user}`}
      write={write}
    >
      <div className="mb-4 grid gap-3 xs:grid-cols-2">
        <DatabaseSelect onChange={setPicked} options={free} value={database} />
        <PermissionSelect label="Permission" labelled level={level} onChange={setLevel} />
      </div>
      {database !== undefined && <Consequences database={database} isLess={false} user={user} />}
    </WriteDialog>
  )
}
