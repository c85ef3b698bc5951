import { useSetAtom } from 'jotai'
import { useState } from 'react'
import type { User } from '~/api/users'
import { changePermissionAtom, checkPermissionAtom } from '~/atoms/permissions'
import { wipedBy } from '~/lib/privileges'
import { visibleText } from '~/lib/visible-text'
import { Select } from '~/ui/Select'
import { Consequences } from './Consequences'
import { PermissionSelect } from './PermissionSelect'
import { useWrite } from './use-write'
import { WriteDialog } from './WriteDialog'

type Props = {
  user: User
  /** Databases where one may be given. */
  databases: readonly string[]
  onClose: () => void
}

/** Gives a user a permission on one more database. */
export function GrantDialog({ user, databases, onClose }: Props) {
  const [database, setDatabase] = useState(databases.length === 1 ? databases[0] : undefined)
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
        <Select
          label="Permission database"
          labelled
          onChange={setDatabase}
          options={databases.map((name) => ({ value: name, label: visibleText(name) }))}
          placeholder="Choose a database"
          value={database}
          wide
        />
        <PermissionSelect label="Permission" labelled level={level} onChange={setLevel} />
      </div>
      {database !== undefined && <Consequences database={database} isLess={false} user={user} />}
    </WriteDialog>
  )
}
