import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { leaveDatabaseAtom } from '~/atoms/databases/list'
import { workAtom, worksAtom } from '~/atoms/databases/operations'
import { levelOnAtom } from '~/atoms/users/levels'
import { refusalFor } from '~/immudb/permission'
import { pathTo } from '~/lib/paths'
import { Button } from '~/ui/Button'
import { WarningIcon } from '~/ui/Icon'
import { useNavigate } from '~/ui/location'
import { SafeName } from '~/ui/SafeName'
import { showToast } from '~/ui/toast'

type Props = { database: string; trouble: 'unloaded' | 'gone' }

/** That the database of this tab cannot be used, and the way on. */
export function DatabaseTrouble({ database, trouble }: Props) {
  return trouble === 'gone' ? <Gone database={database} /> : <Unloaded database={database} />
}

function Unloaded({ database }: { database: string }) {
  const level = useAtomValue(levelOnAtom)(database)
  const work = useSetAtom(workAtom)
  const isBusy = useAtomValue(worksAtom).has(database)
  const load = async () => {
    const report = await work(database, { kind: 'load' })
    if (report && report.status !== 'done') {
      showToast({ kind: 'error', text: `${database}: ${report.text}` })
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-warning border-t bg-panel px-3 py-1 text-warning">
      <WarningIcon />
      <p className="min-w-0 grow py-0.5">
        The database <SafeName text={database} /> is unloaded: nothing in it can be read or written.
      </p>
      <Button
        busy={isBusy}
        disabledReason={refusalFor(level, 'change database')}
        onClick={() => void load()}
        size="small"
      >
        Load it
      </Button>
    </div>
  )
}

/** Goes to the list of databases, in another one, because nothing on this screen can work. */
function Gone({ database }: { database: string }) {
  const leave = useSetAtom(leaveDatabaseAtom)
  const navigate = useNavigate()
  useEffect(() => {
    leave(database)
      .then((next) => navigate(pathTo('databases', next === null ? {} : { db: next })))
      .catch(() => {
        // The server is away; what was found out of the database stands until it answers again.
      })
  }, [database, leave, navigate])
  return null
}
