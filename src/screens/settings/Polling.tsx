import { useAtomValue, useSetAtom } from 'jotai'
import { refreshStateAtom } from '~/atoms/history/newest-state'
import { changeSettingsAtom, settingsAtom } from '~/atoms/settings/settings'
import { pollPeriods } from '~/lib/constants'
import { counted } from '~/lib/text'
import { formatSpan, msPerHour } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Choices } from './Choices'

/** How often the state is asked for, with what each choice costs. */
export function Polling() {
  const { poll } = useAtomValue(settingsAtom)
  const change = useSetAtom(changeSettingsAtom)
  const refresh = useSetAtom(refreshStateAtom)
  return (
    <>
      <Choices
        choices={pollPeriods.map((seconds) => ({
          value: String(seconds),
          label: labelOf(seconds),
          hint: priceOf(seconds),
        }))}
        label="Ask for the state of the open database"
        onChange={(value) => {
          const chosen = pollPeriods.find((seconds) => String(seconds) === value)
          if (chosen !== undefined) void change({ poll: chosen })
        }}
        value={String(poll)}
      />
      <p className="text-muted text-sm">
        For each visible tab. New transactions and metrics cost further calls. With{' '}
        <code translate="no" className="font-mono">
          --audit-log
        </code>{' '}
        of immudb, the server stores every call as a transaction in{' '}
        <code translate="no" className="font-mono">
          systemdb
        </code>
        .
      </p>
      {poll === 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => void refresh()}>Ask now</Button>
          <span className="text-muted text-sm">
            You see what others wrote when you ask, when you write, or when you return to this tab.
            The same holds for a server that is away.
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

function priceOf(seconds: number): string {
  return seconds === 0
    ? 'No calls on a timer'
    : `${counted(msPerHour / (seconds * 1_000), 'call')} an hour`
}
