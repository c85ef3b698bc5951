import { useAtomValue } from 'jotai'
import { callCountAtom } from '~/atoms/session'
import { pollPeriodAtom } from '~/atoms/settings'
import { healthAtom } from '~/atoms/start'
import { outageAtom } from '~/atoms/state'
import { build } from '~/lib/build'
import { counted } from '~/lib/text'
import { join } from '~/ui/join'

/** Product, versions, licence, and how many calls this tab has made. */
export function Footer() {
  const health = useAtomValue(healthAtom)
  const calls = useAtomValue(callCountAtom)
  const isAway = useAtomValue(outageAtom) !== null
  const isPolled = useAtomValue(pollPeriodAtom) !== false
  const server = health && health.version !== '-' ? `immudb ${health.version}` : 'immudb'
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden whitespace-nowrap border-line border-t bg-panel px-3 text-muted text-xs">
      <span>{server}</span>
      <span title={`Build ${build.commit}`}>webconsole {build.version}</span>
      <span className="hidden xs:inline">Apache-2.0</span>
      <span className="ms-auto" title="Calls of this tab since it was opened">
        {counted(calls, 'call')}
      </span>
      <span className={join('flex items-center gap-1.5', isAway && 'text-warning')}>
        <span
          aria-hidden="true"
          className={join(
            'size-2 rounded-full',
            isAway ? 'bg-warning' : isPolled ? 'bg-success' : 'bg-muted',
          )}
        />
        {isAway ? 'Not connected' : isPolled ? 'Connected' : 'Polling is off'}
      </span>
    </footer>
  )
}
