import { useAtomValue } from 'jotai'
import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import { nearestOf } from '~/atoms/limits/limit-rows'
import { isAhead, isSameLag } from '~/atoms/servers/lag'
import { type ServerRow, serverRowsAtom, transactionsOf } from '~/atoms/servers/server-rows'
import type { Standing } from '~/atoms/servers/standing'
import type { ServerTrust } from '~/atoms/servers/trust'
import { timezoneAtom } from '~/core/page-view'
import type { Fleet } from '~/core/session/fleet'
import { clockOffsetAtom, listedAsAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { formatCount } from '~/lib/text'
import { formatClock, formatSpan } from '~/lib/time'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'
import { isNear, shareWords } from '../limits/LimitList'
import { ServerLimits } from './ServerLimits'
import { lagWords } from './words'

const titles = [
  'Name',
  'Health',
  'Role',
  'Lag',
  'Databases',
  'Transactions',
  'Verified history',
  'Version',
  'Uptime',
  'Last answer',
  'Nearest limit',
]

/** All servers of the list. */
export function ServerGrid({ fleet }: { fleet: Fleet }) {
  // Drawn in slices: each answer of fifty servers draws the list.
  const rows = useDeferredValue(useAtomValue(serverRowsAtom))
  const [limitsOf, showLimits] = useState<string | null>(null)
  const limited = rows.find(({ standing }) => standing.server.id === limitsOf)
  return (
    <section
      aria-label="All servers"
      className="overflow-x-auto overscroll-x-contain border border-line bg-panel"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells hold links and buttons. */}
      <table aria-label="Servers" className="w-full text-sm" role="grid">
        <thead className="bg-raised text-muted text-xs">
          <tr>
            {titles.map((title) => (
              <th
                className={cx(
                  cellLook,
                  'text-start font-normal',
                  title === 'Name' && 'sticky start-0 bg-raised',
                )}
                key={title}
                scope="col"
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row fleet={fleet} key={row.standing.server.id} onLimits={showLimits} row={row} />
          ))}
        </tbody>
      </table>
      {limited && <ServerLimits onClose={() => showLimits(null)} row={limited} />}
    </section>
  )
}

/** Milliseconds that the clock of a server may differ from that of this computer without a word. */
const mostOffset = 60_000

const cellLook = 'whitespace-nowrap px-2 py-1.5 align-baseline first:ps-3 last:pe-3'
/** Stays in sight while the others scroll. */
const nameLook = 'sticky start-0 bg-panel'

type RowProps = { fleet: Fleet; row: ServerRow; onLimits: (id: string) => void }

/** A server is drawn again only when something new is known of it. */
const Row = memo(DrawnRow, (before, after) => isSame(before.row, after.row))

function isSame(one: ServerRow, other: ServerRow): boolean {
  return (
    one.standing === other.standing &&
    one.role === other.role &&
    isSameLag(one.lag, other.lag) &&
    nearestOf(one.limits)?.share === nearestOf(other.limits)?.share &&
    nearestOf(one.limits)?.limit === nearestOf(other.limits)?.limit &&
    JSON.stringify(one.verified) === JSON.stringify(other.verified)
  )
}

function DrawnRow({ fleet, row, onLimits }: RowProps) {
  const { standing, role, lag, verified, limits } = row
  const nearest = nearestOf(limits)
  const { server, version, startedAt, holdings, answeredAt } = standing
  const zone = useAtomValue(timezoneAtom)
  const isShown = useAtomValue(listedAsAtom)?.id === server.id
  const clockOffset = fleet.storeOf(server).get(clockOffsetAtom)
  const isSilent = standing.kind === 'silent'
  const unloaded = holdings?.filter(({ loaded }) => !loaded).length ?? 0
  return (
    <tr className={cx('border-line border-t', isSilent && 'text-muted')}>
      <th className={cx(cellLook, nameLook, 'text-start font-medium')} scope="row">
        <Link className="text-primary underline" to={pathTo('overview', { server: server.name })}>
          <span translate="no">{server.name}</span>
        </Link>
        {isShown && <span className="ms-2 font-normal text-muted">shown</span>}
        <p className="max-w-56 whitespace-normal break-all font-mono font-normal text-muted text-xs">
          <span translate="no">{server.address}</span>
        </p>
      </th>
      <Cell>
        <Health fleet={fleet} standing={standing} />
      </Cell>
      <Cell>{role ?? dash}</Cell>
      <Cell isWarning={isAhead(lag)}>{lag === null ? dash : lagWords(lag)}</Cell>
      <Cell>
        {holdings === null ? dash : formatCount(holdings.length)}
        {unloaded > 0 && <span className="text-warning"> ({unloaded} not loaded)</span>}
      </Cell>
      <Cell>{isSilent ? dash : transactionWords(standing)}</Cell>
      <Cell>{verified ? <VerifiedHistory verified={verified} /> : dash}</Cell>
      <Cell>
        {version === '' ? dash : <SafeText text={version === '-' ? 'not stamped' : version} />}
      </Cell>
      {/* Its start is by its own clock. */}
      <Cell>
        {startedAt === null || isSilent ? dash : formatSpan(Date.now() + clockOffset - startedAt)}
      </Cell>
      <Cell>
        {answeredAt === null ? dash : formatClock(answeredAt, zone)}
        {Math.abs(clockOffset) > mostOffset && (
          <p className="text-warning text-xs">
            clock {formatSpan(Math.abs(clockOffset))} {clockOffset > 0 ? 'ahead' : 'behind'}
          </p>
        )}
      </Cell>
      <Cell isWarning={nearest !== null && isNear(nearest)}>
        <button
          aria-label={`Limits of ${server.name}`}
          className="text-primary underline"
          onClick={() => onLimits(server.id)}
          type="button"
        >
          Limits
        </button>{' '}
        {nearest ? `${nearest.limit.name} ${shareWords(nearest)}` : 'not known'}
      </Cell>
    </tr>
  )
}

const dash = <span className="text-muted">–</span>

function Cell({ children, isWarning }: { children: ReactNode; isWarning?: boolean }) {
  return <td className={cx(cellLook, isWarning && 'text-warning')}>{children}</td>
}

function transactionWords(standing: Standing): ReactNode {
  const found = transactionsOf(standing)
  if (!found) return dash
  const { sum, unknown } = found
  if (unknown === 0) return formatCount(sum)
  return sum === 0n ? 'not known' : `${formatCount(sum)}, ${unknown} not known`
}

function VerifiedHistory({ verified: { broken, trusted, of } }: { verified: ServerTrust }) {
  if (broken.length > 0) {
    return (
      <Badge tone="error" title="This browser found a history that differs from its records.">
        <SafeText text={`Broken: ${broken.join(', ')}`} />
      </Badge>
    )
  }
  const all = of === null ? '' : ` of ${of}`
  return (
    <span title="Databases with a trusted state in this browser">
      {trusted === 0 ? 'no trusted state' : `trusted states: ${trusted}${all}`}
    </span>
  )
}

function Health({ fleet, standing }: { fleet: Fleet; standing: Standing }) {
  const { kind, reason, since, server } = standing
  const zone = useAtomValue(timezoneAtom)
  if (kind === 'asking') return <span className="text-muted">Asking…</span>
  if (kind === 'answers' && reason === '') {
    return (
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-full bg-info" />
        Answers
      </span>
    )
  }
  return (
    <div className="grid max-w-60 gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {kind === 'answers' && <Badge tone="warning">Refuses</Badge>}
        {kind === 'silent' && (
          <>
            <Badge tone="error">No answer</Badge>
            <span className="text-muted">since {formatClock(since, zone)}</span>
          </>
        )}
        {kind === 'no-session' && (
          <>
            <Badge tone="warning">Not logged in</Badge>
            <Button
              aria-label={`Log in to ${server.name}`}
              onClick={() => fleet.show(server)}
              size="small"
            >
              Log in
            </Button>
          </>
        )}
      </div>
      {reason !== '' && (
        <p className="whitespace-normal text-muted text-xs [overflow-wrap:anywhere]">
          <SafeText text={reason} />
        </p>
      )}
    </div>
  )
}
