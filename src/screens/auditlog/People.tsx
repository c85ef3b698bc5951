import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { type Person, peopleIn } from '~/atoms/auditlog/people'
import { timezoneAtom } from '~/core/page-view'
import type { AuditEvent } from '~/immudb/audit-event'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import { SafeName } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'
import { useAuditAddress } from './address'

/** Lines that are shown. */
const mostLines = 4

/** What each user did, and when, among the events that are read. */
export function People({ events }: { events: readonly AuditEvent[] }) {
  const isNarrow = useNarrow()
  const zone = useAtomValue(timezoneAtom)
  const found = useMemo(() => peopleIn(events), [events])
  if (!found) return null
  const { people, from, to } = found
  const left = people.length - mostLines
  return (
    <details className="shrink-0 border-line border-b px-3 py-1 text-sm" open={!isNarrow}>
      <summary className="cursor-pointer text-muted text-xs">
        Users among {counted(events.length, 'event')}, {formatMoment(from, zone)} to{' '}
        {formatMoment(to, zone)}
      </summary>
      <ul aria-label="Users" className="grid gap-0.5 py-1">
        {people.slice(0, mostLines).map((person) => (
          <PersonLine key={person.user} person={person} />
        ))}
      </ul>
      {left > 0 && <p className="text-muted text-xs">{counted(left, 'user')} more</p>}
    </details>
  )
}

function PersonLine({ person }: { person: Person }) {
  const { set } = useAuditAddress()
  const { user, count, failed, logins } = person
  const only = () => set(user === '' ? { kind: 'AUTH', user: null } : { user })
  return (
    <li className="grid grid-cols-[minmax(0,6rem)_minmax(0,1fr)_max-content] items-center gap-3 xs:grid-cols-[9rem_minmax(0,1fr)_17rem]">
      <button
        className="min-h-6 truncate text-start text-primary underline"
        onClick={only}
        title={user === '' ? 'Show logins and logouts' : 'Show the events of this user'}
        type="button"
      >
        {user === '' ? 'no user' : <SafeName text={beginning(user, 60)} />}
      </button>
      <Timeline parts={person.parts} />
      <span className="text-end text-muted text-xs tabular-nums">
        {counted(count, 'event')}
        {logins > 0 && `, ${counted(logins, 'login')}`}
        {failed > 0 && <span className="text-error">, {failed} failed</span>}
      </span>
    </li>
  )
}

/** Taller where there were more events. */
function Timeline({ parts }: { parts: readonly number[] }) {
  const most = Math.max(1, ...parts)
  return (
    <svg
      aria-hidden="true"
      className="h-4 w-full text-primary"
      preserveAspectRatio="none"
      viewBox={`0 0 ${parts.length} 16`}
    >
      <path d={`M0 15.5H${parts.length}`} stroke="currentColor" strokeOpacity="0.3" />
      {parts.map((count, part) => {
        const height = count === 0 ? 0 : 3 + (12 * count) / most
        return (
          <rect
            fill="currentColor"
            height={height}
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity but their place.
            key={part}
            width={0.8}
            x={part + 0.1}
            y={16 - height}
          />
        )
      })}
    </svg>
  )
}
