import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { figuresAtom } from '~/atoms/overview/figures'
import { outageAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { currentHealthAtom } from '~/core/session/server'
import { exactSize, formatSize } from '~/lib/size'
import { formatCount } from '~/lib/text'
import { formatClock, formatUptime } from '~/lib/time'
import { CheckIcon, OfflineIcon, WarningIcon } from '~/ui/Icon'

/** The figures that operators look for first. */
export function Counters() {
  const { uptime, isUptimeWithheld, size, allSizes, memory, reserved, calls, awaited } =
    useAtomValue(figuresAtom)
  const withheld = 'not reported while a database is unloaded'
  return (
    <section aria-label="Counters">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(170px,1fr))]">
        <Health />
        <Counter
          isAwaited={awaited.uptime}
          name="Uptime"
          note={uptime === null && isUptimeWithheld ? withheld : 'since the start'}
        >
          {uptime === null ? null : <Uptime ms={uptime} />}
        </Counter>
        <Counter
          isAwaited={awaited.size}
          name="Size"
          note={allSizes === null ? 'on disk' : `on disk, of ${formatSize(allSizes)} in all`}
        >
          {size === null ? null : <span title={exactSize(size)}>{formatSize(size)}</span>}
        </Counter>
        <Memory inUse={memory} reserved={reserved} />
        {calls !== null && (
          <Counter
            isAwaited={false}
            name="Reads and writes"
            note={`${formatCount(calls.writes)} writes, since the start`}
          >
            {formatCount(calls.all)}
          </Counter>
        )}
      </dl>
    </section>
  )
}

/** Bytes of the whole server; nothing where its metrics do not tell. */
function Memory({ inUse, reserved }: { inUse: number | null; reserved: number | null }) {
  const bytes = inUse ?? reserved
  if (bytes === null) return null
  const of = reserved === null ? 'in use' : `in use, of ${formatSize(reserved)} reserved`
  return (
    <Counter isAwaited={false} name="Memory" note={inUse === null ? 'reserved' : of}>
      <span title={exactSize(bytes)}>{formatSize(bytes)}</span>
    </Counter>
  )
}

/** A number is never apart from its unit. */
function Uptime({ ms }: { ms: number }) {
  return formatUptime(ms)
    .split(/(?<=[a-z]) /)
    .flatMap((part, at) => [
      at > 0 && ' ',
      <span className="whitespace-nowrap" key={part}>
        {part}
      </span>,
    ])
}

/** What the server said of itself last, unless it does not answer now. */
function Health() {
  const isAway = useAtomValue(outageAtom) !== null
  const { data: health = null, isFetching } = useAtomValue(currentHealthAtom)
  const zone = useAtomValue(timezoneAtom)
  const said = health === null ? 'not answered yet' : `as of ${formatClock(health.at, zone)}`
  const note = isAway ? 'trying again' : said
  return (
    <Counter isAwaited={isFetching} name="Server health" note={note}>
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
    <span className="flex items-center gap-2">
      {icon}
      {text}
    </span>
  )
}

type CounterProps = {
  name: string
  note: string
  /** What is not known yet is on its way. */
  isAwaited: boolean
  children: ReactNode
}

/** A figure that is not known is a dash, which is said as words. */
function Counter({ name, note, isAwaited, children }: CounterProps) {
  const unknown = isAwaited ? <span className="text-muted">measuring…</span> : <Dash />
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 py-3">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-1 min-h-7 break-words text-xl tabular-nums">{children ?? unknown}</dd>
      <dd className="text-muted text-xs">{note}</dd>
    </div>
  )
}

function Dash() {
  return (
    <>
      <span aria-hidden="true" className="text-muted">
        –
      </span>
      <span className="sr-only">not known</span>
    </>
  )
}
