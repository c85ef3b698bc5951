import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { refreshState } from '~/core/history/newest-state'
import { lackingAtom } from '~/core/session/server-version'
import { changeSettings, settingsAtom } from '~/core/settings'
import { pollPeriods } from '~/lib/constants'
import { counted } from '~/lib/text'
import { formatSpan, msPerHour } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Choices } from './Choices'

/** How often the state is asked for, with what each choice costs. */
export function Polling() {
  const { poll } = useAtomValue(settingsAtom)
  const change = useAct(changeSettings)
  const refresh = useAct(refreshState)
  const hasLog = useAtomValue(lackingAtom)('auditLog') === undefined
  return (
    <>
      <Choices
        choices={pollPeriods.map((seconds) => ({
          value: String(seconds),
          label: labelOf(seconds),
          ...priceOf(seconds),
        }))}
        label="Ask for the state"
        onChange={(value) => {
          const chosen = pollPeriods.find((seconds) => String(seconds) === value)
          if (chosen !== undefined) void change({ poll: chosen })
        }}
        value={String(poll)}
      />
      <p className="text-muted text-sm">
        Per visible tab, plus new transactions and metrics.{' '}
        {hasLog && (
          <>
            <code translate="no" className="font-mono">
              immudb --audit-log
            </code>{' '}
            stores each call.
          </>
        )}
      </p>
      {poll === 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => void refresh()}>Ask now</Button>
          <span className="text-muted text-sm">
            Changes by others, and an outage, show when you ask, write or return to this tab.
          </span>
        </div>
      )}
    </>
  )
}

function labelOf(seconds: number): string {
  if (seconds === 0) return 'Off'
  return seconds === 60 ? 'Every minute' : `Every ${formatSpan(seconds * 1_000)}`
}

function priceOf(seconds: number): { hint?: string } {
  return seconds === 0 ? {} : { hint: `${counted(msPerHour / (seconds * 1_000), 'call')}/h` }
}
