import { useAtomValue } from 'jotai'
import { callCountAtom } from '~/atoms/session'
import { pollPeriodAtom } from '~/atoms/settings'
import { healthAtom } from '~/atoms/start'
import { build } from '~/lib/build'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { join } from '~/ui/join'
import { useConnection } from '../connection'

const words = { up: 'Connected', unsure: 'Checking…', away: 'Not connected' }
const dots = { up: 'bg-success', unsure: 'bg-field', away: 'bg-warning' }

/** Product, versions, licence, and how many calls this tab has made. */
export function Footer() {
  const health = useAtomValue(healthAtom)
  const calls = useAtomValue(callCountAtom)
  const { standing } = useConnection()
  const isPolled = useAtomValue(pollPeriodAtom) !== false
  const server =
    health && health.version !== '-' ? `immudb ${visibleText(health.version)}` : 'immudb'
  const isIdle = standing === 'up' && !isPolled
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden whitespace-nowrap border-line border-t bg-panel px-3 text-muted text-xs">
      <span>{server}</span>
      <span title={`Build ${build.commit}`}>webconsole {build.version}</span>
      <span className="hidden xs:inline">Apache-2.0</span>
      <span className="ms-auto" title="Calls of this tab since it was opened">
        {counted(calls, 'call')}
      </span>
      <span className={join('flex items-center gap-1.5', standing === 'away' && 'text-warning')}>
        <span
          aria-hidden="true"
          className={join('size-2 rounded-full', isIdle ? 'bg-muted' : dots[standing])}
        />
        {isIdle ? 'Polling is off' : words[standing]}
      </span>
    </footer>
  )
}
