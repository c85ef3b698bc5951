import { useSetAtom } from 'jotai'
import type { User } from '~/api/users'
import { checkUserAtom, setActiveAtom } from '~/atoms/user-writes'
import { useWrite } from './use-write'
import { WriteDialog } from './WriteDialog'

type Props = { user: User; onClose: () => void }

/** Deactivates an active user or activates an inactive one. */
export function StatusDialog({ user, onClose }: Props) {
  const write = useWrite(onClose)
  const setActive = useSetAtom(setActiveAtom)
  const check = useSetAtom(checkUserAtom)
  const active = !user.active
  const look = () =>
    check(user.user, (now) =>
      now?.active === active
        ? `${user.user} is ${active ? 'active' : 'inactive'} now.`
        : 'Not changed so far. A server that was busy may yet do it; check again.',
    )
  return (
    <WriteDialog
      action={active ? 'Activate' : 'Deactivate'}
      check={look}
      isDanger={!active}
      notDone="The status was not changed."
      onClose={onClose}
      onConfirm={() => void write.start(() => setActive({ user: user.user, active }))}
      title={`${active ? 'Activate' : 'Deactivate'} ${user.user}?`}
      write={write}
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
    </WriteDialog>
  )
}
