import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { figuresAtom } from '~/atoms/figures'
import { healthAtom } from '~/atoms/start'
import { outageAtom } from '~/atoms/state'
import { formatUptime } from '~/lib/duration'
import { exactSize, formatSize } from '~/lib/size'
import { formatCount } from '~/lib/text'
import { CheckIcon, OfflineIcon, WarningIcon } from '~/ui/Icon'

/** The figures one looks for first. */
export function Counters() {
  const { uptime, transactions, size, allSizes } = useAtomValue(figuresAtom)
  return (
    <section aria-label="Counters">
      <dl className="grid grid-cols-2 gap-4 ui:grid-cols-4">
        <Health />
        <Counter name="Uptime" note="since the server started">
          {uptime === null ? null : formatUptime(uptime)}
        </Counter>
        <Counter name="Transactions" note="in this database">
          {transactions === null ? null : formatCount(transactions)}
        </Counter>
        <Counter
          name="Size"
          note={allSizes === null ? 'on disk' : `on disk, of ${formatSize(allSizes)} in all`}
        >
          {size === null ? null : <span title={exactSize(size)}>{formatSize(size)}</span>}
        </Counter>
      </dl>
    </section>
  )
}

/** What the server said of itself when the console opened, unless it does not answer now. */
function Health() {
  const isAway = useAtomValue(outageAtom) !== null
  const health = useAtomValue(healthAtom)
  const said = health === null ? 'not answered yet' : 'as it said when the console opened'
  const note = isAway ? 'trying again by itself' : said
  return (
    <Counter name="Server health" note={note}>
      {isAway ? (
        <Sign icon={<OfflineIcon className="text-warning" size={20} />} text="Not answering" />
      ) : health === null ? null : health.status ? (
        <Sign icon={<CheckIcon size={20} />} text="Healthy" />
      ) : (
        <Sign icon={<WarningIcon className="text-warning" size={20} />} text="Not healthy" />
      )}
    </Counter>
  )
}

function Sign({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      {icon}
      {text}
    </span>
  )
}

/** A figure that is not known is a dash, which is said as words. */
function Counter({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 py-3">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-1 min-h-7 break-words text-xl tabular-nums">
        {children ?? (
          <>
            <span aria-hidden="true" className="text-muted">
              –
            </span>
            <span className="sr-only">not known</span>
          </>
        )}
      </dd>
      <dd className="text-muted text-xs">{note}</dd>
    </div>
  )
}
