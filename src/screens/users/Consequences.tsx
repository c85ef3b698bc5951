import { useAtomValue } from 'jotai'
import type { User } from '~/api/users'
import { viewerAtom } from '~/atoms/users/viewer'
import { listedGrants, splitByRepair, wipedBy } from '~/immudb/privileges'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

type Props = {
  user: User
  /** Whose permission changes; the SQL privileges on all others are wiped by the server. */
  database: string
  /** The user may do less after it, which live sessions do not notice. */
  isLess: boolean
}

/** What a change of a permission does besides. */
export function Consequences({ user, database, isLess }: Props) {
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
          : 'The user may have to log in again before it holds.'}
      </li>
    </ul>
  )
}
