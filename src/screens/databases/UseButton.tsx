import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Database } from '~/api/databases'
import { openDatabase, refreshDatabases } from '~/atoms/databases/database-list'
import { workOnDatabase } from '~/atoms/databases/operations'
import { levelOnAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { refusalFor } from '~/immudb/permission'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { showToast } from '~/ui/toast'

type Props = { database: Database; isSmall?: boolean }

/** Opens a database in this tab; loads an unloaded one first, if the user may do that. */
export function UseButton({ database: { name, loaded }, isSmall = false }: Props) {
  const level = useAtomValue(levelOnAtom)(name)
  const use = useUse(name)
  const load = useAct(workOnDatabase)
  const [isBusy, setBusy] = useState(false)
  if (useAtomValue(databaseAtom) === name && loaded) return <Badge tone="info">In use</Badge>
  const refusal = refusalFor(level, 'change database')
  const press = async () => {
    setBusy(true)
    const report = loaded ? null : await load(name, { kind: 'load' })
    if (loaded || report?.status === 'done') await use()
    else if (report && isSmall) showToast({ kind: 'error', text: `${name}: ${report.text}` })
    setBusy(false)
  }
  return (
    <Button
      aria-label={loaded ? `Use ${name}` : `Load and use ${name}`}
      busy={isBusy}
      disabledReason={loaded || !refusal ? undefined : `It is unloaded. To load it: ${refusal}`}
      onClick={() => void press()}
      size={isSmall ? 'small' : 'normal'}
      variant={isSmall ? 'quiet' : 'plain'}
    >
      {loaded ? 'Use' : 'Load and use'}
    </Button>
  )
}

/** Opens the database and says what came of it. */
function useUse(name: string): () => Promise<void> {
  const open = useAct(openDatabase)
  const refresh = useAct(refreshDatabases)
  return async () => {
    try {
      if (await open(name)) showToast({ kind: 'success', text: `Using ${name} now.` })
    } catch (error) {
      showToast({ kind: 'error', text: `${name} was not opened. ${sentence(error)}` })
      void refresh()
    }
  }
}
