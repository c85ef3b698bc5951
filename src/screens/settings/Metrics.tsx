import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { isPortAllowedAtom } from '~/atoms/overview/metrics'
import { useAct } from '~/core/act'
import { changeSettings, metricsAddressAtom } from '~/core/settings'
import { readMetricsAddress, usualMetricsAddress } from '~/immudb/metrics'
import { Field } from '~/ui/Field'

/** Where figures of the server come from; an empty address lets the console look for itself. */
export function Metrics() {
  const address = useAtomValue(metricsAddressAtom)
  const change = useAct(changeSettings)
  const [typed, setTyped] = useState(address)
  const isPortAllowed = useAtomValue(isPortAllowedAtom)
  if (!isPortAllowed) return <OwnOnly />
  const error = problemWith(typed)
  const take = (next: string) => {
    setTyped(next)
    const read = readMetricsAddress(next, window.location)
    if (next.trim() === '') void change({ metrics: '' })
    else if ('address' in read) void change({ metrics: read.address })
  }
  return (
    <Field
      error={error}
      hint="Empty: this server first, then the usual port of its host."
      inputMode="url"
      label="Address of the metrics"
      mono
      onBlur={() => error === undefined && setTyped(address)}
      onChange={take}
      placeholder={usualMetricsAddress(window.location)}
      spellCheck={false}
      value={typed}
    />
  )
}

/** Under our own handler the server names the address of its metrics, not each browser. */
function OwnOnly() {
  return (
    <p className="max-w-[70ch] text-muted text-sm">
      From this server. From another:{' '}
      <code translate="no" className="font-mono xs:whitespace-nowrap">
        webconsole --metrics URL
      </code>
    </p>
  )
}

function problemWith(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  const read = readMetricsAddress(typed, window.location)
  return 'error' in read ? read.error : undefined
}
