import { useAtomValue } from 'jotai'
import { databaseAtom, type OpenMode } from '~/atoms/session/session'
import { WarningIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeName'

/** That nobody logs in at this server, and what that means. */
export function ModeBar({ mode }: { mode: OpenMode }) {
  const database = useAtomValue(databaseAtom)
  return (
    <aside
      aria-label="Mode of the server"
      className="flex min-h-8 shrink-0 items-center gap-2 bg-error px-3 py-1 text-page"
    >
      <WarningIcon className="shrink-0" />
      <p>
        {mode === 'open' ? (
          <>
            <b>No login (--auth=false).</b> Anyone who reaches this server can read and write{' '}
            <SafeName text={database ?? ''} />. It does no SQL and shows no users or databases.
          </>
        ) : (
          <>
            <b>Maintenance mode (--maintenance).</b> Nothing can be written, and anyone who reaches
            this server can read. It does no SQL and shows no users or databases.
          </>
        )}
      </p>
    </aside>
  )
}
