import { useState } from 'react'
import type { User } from '~/api/users'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SafeName } from '~/ui/SafeName'
import { AddUserDialog } from './AddUserDialog'
import { GrantDialog } from './GrantDialog'
import type { Opened } from './opened'
import { PasswordDialog } from './PasswordDialog'
import { PermissionDialog } from './PermissionDialog'
import { PrivilegesDialog } from './PrivilegesDialog'
import { StatusDialog } from './StatusDialog'

type Props = {
  opened: Opened
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

type AboutProps = { opened: Exclude<Opened, { kind: 'add' }>; present: User; onClose: () => void }

function About({ opened, present, onClose }: AboutProps) {
  // As it was when the dialog opened: what it asks must not turn round under a write.
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

/** An address may name anybody. */
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
