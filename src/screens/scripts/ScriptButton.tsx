import { useAtomValue } from 'jotai'
import { bringScript } from '~/atoms/scripts/script-request'
import { importRefusalAtom } from '~/atoms/users/privileges'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { openUploadsAtom } from '~/core/upload-records'
import { Button } from '~/ui/Button'
import { ScriptIcon } from '~/ui/QueryIcons'

const labels = { running: 'Bringing…', stopped: 'Script stopped…' } as const

type Props = {
  /** In a bar: its icon, and the word where there is room. */
  quiet?: boolean
  text?: string
}

/** Opens the import of a script, which goes on behind it. */
export function ScriptButton({ quiet = false, text = 'Script' }: Props) {
  const bring = useAct(bringScript)
  const refusal = useAtomValue(importRefusalAtom)
  const hasDatabase = useAtomValue(databaseAtom) !== null
  const open = useAtomValue(openUploadsAtom).get('scripts')
  const reason = hasDatabase ? refusal : 'No database is open.'
  const shared = {
    disabledReason: open ? undefined : reason,
    onClick: () => bring(),
    title: reason ?? 'Bring a script of PostgreSQL, MySQL, SQLite or immudb',
  }
  const said = open ? labels[open] : text
  if (!quiet) return <Button {...shared}>{said}</Button>
  return (
    <Button
      {...shared}
      aria-label={open ? labels[open] : 'Bring a script'}
      icon={<ScriptIcon />}
      size="small"
      variant="quiet"
    >
      <span className={open ? undefined : '@max-4xl:sr-only'}>{said}</span>
    </Button>
  )
}
