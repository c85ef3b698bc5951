import { useState } from 'react'
import type { User } from '~/api/users'
import { changePrivileges } from '~/atoms/users/permissions'
import { checkUser } from '~/atoms/users/writes'
import { useAct } from '~/core/act'
import { privilegeMeanings, privilegeSummary, privilegesOn } from '~/immudb/privileges'
import { AskDialog } from '~/ui/AskDialog'
import { Checkbox } from '~/ui/Checkbox'
import { useUserWrite } from './use-write'

type Props = { user: User; database: string; onClose: () => void }

/** Chooses the SQL privileges that a user has on a database. */
export function PrivilegesDialog({ user, database, onClose }: Props) {
  const held = privilegesOn(user, database)
  const [wanted, setWanted] = useState<ReadonlySet<string>>(() => new Set(held))
  const write = useUserWrite(onClose)
  const change = useAct(changePrivileges)
  const check = useAct(checkUser)
  const grant = [...wanted].filter((name) => !held.includes(name))
  const revoke = held.filter((name) => !wanted.has(name))
  const toggle = (name: string, isWanted: boolean) => {
    const next = new Set(wanted)
    if (isWanted) next.add(name)
    else next.delete(name)
    setWanted(next)
  }
  const look = () =>
    check(user.user, (now) => {
      const privileges = now ? privilegeSummary(privilegesOn(now, database)) : 'None'
      return `SQL privileges on ${database} now: ${privileges}.`
    })
  const isSame = grant.length + revoke.length === 0
  return (
    <AskDialog
      action="Save privileges"
      refusal={isSame ? 'Nothing is changed yet.' : undefined}
      onClose={onClose}
      onAction={() => void write.start(() => change({ user: user.user, database, grant, revoke }))}
      title={`SQL privileges of ${user.user} on ${database}`}
      write={write.shown('What is listed above was not saved.', look)}
    >
      <p className="mb-2 text-muted text-sm">
        Which statements the user may run, within what the permission allows. Keys and documents are
        not affected.
      </p>
      <div className="grid gap-x-4 xs:grid-cols-2">
        {[...privilegeMeanings].map(([name, meaning]) => (
          <Checkbox
            checked={wanted.has(name)}
            hint={meaning}
            key={name}
            label={name}
            onChange={(isWanted) => toggle(name, isWanted)}
          />
        ))}
      </div>
      {revoke.length > 0 && (
        <p className="mt-3 text-sm text-warning">
          This may not end every session. Someone who logged in more than once keeps the privileges
          until the token expires. A new password ends all sessions; it is offered next.
        </p>
      )}
    </AskDialog>
  )
}
