// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave rows out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.

import { useAtomValue } from 'jotai'
import { memo, useEffect, useMemo, useState } from 'react'
import { timezoneAtom } from '~/core/page-view'
import {
  type AuditEvent,
  burst as burstRule,
  burstsAmong,
  type EventContent,
  eventTime,
  splitAddress,
} from '~/immudb/audit-event'
import { pageSizes } from '~/lib/constants'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { Rows, Titles } from '~/ui/Rows'
import { SafeName, SafeText } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'

// Outside React: the rows in sight are read.

type Props = {
  count: number
  /** All events that are in memory, for what only several together show. */
  events: readonly AuditEvent[]
  eventAt: (index: number) => AuditEvent | undefined
  /** Whether no older event follows. */
  isWhole: boolean
  onOpen: (event: AuditEvent) => void
  /** The rows in sight, and those that soon will be. */
  onRange?: (first: number, last: number) => void
}

const columnLook =
  'grid-cols-[13.5rem_minmax(0,9rem)_minmax(0,1fr)_16rem_minmax(0,12rem)_minmax(0,9rem)] xs:grid'

const titles = ['Time', 'User', 'Method', 'Outcome', 'Claimed by the client', 'Seen']

/** Events of any number; each can be opened. */
export function AuditGrid({ count, events, eventAt, isWhole, onOpen, onRange }: Props) {
  const isNarrow = useNarrow()
  const sight = useLinesInSight(count, isNarrow ? 84 : 32)
  const [active, setActive] = useState<number | null>(null)
  const bursts = useMemo(() => burstsAmong(events), [events])
  const first = sight.lines[0]?.index ?? 0
  // Half a page ahead, so that scrolling rarely has to wait.
  const wanted = (sight.lines.at(-1)?.index ?? 0) + pageSizes.events / 2
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are a reason to look again.
  useEffect(() => onRange?.(first, wanted), [first, wanted, count])
  const open = (index: number) => {
    const found = eventAt(index)
    if (found) onOpen(found)
  }
  return (
    <Rows
      choice={{ active, onActive: setActive, onOpen: open }}
      head={{ cells: <Titles titles={titles} />, height: isNarrow ? 0 : 30, look: columnLook }}
      label="Audit log"
      role="grid"
      row={(index) => {
        const event = eventAt(index)
        return <Cells burst={event && bursts.get(event.key)} event={event} isNarrow={isNarrow} />
      }}
      rowCount={isWhole ? count + 1 : -1}
      rowLook={() =>
        isNarrow ? 'grid content-center gap-y-1' : cx('items-center gap-x-3', columnLook)
      }
      sight={sight}
    />
  )
}

type Drawn = {
  /** Undefined while it is read. */
  event: AuditEvent | undefined
  /** Failed logins of its burst; undefined for none. */
  burst: number | undefined
  isNarrow: boolean
}

const Cells = memo(function Cells({ event, burst, isNarrow }: Drawn) {
  if (!event) {
    return (
      <span className="text-muted" role="gridcell">
        Reading…
      </span>
    )
  }
  return isNarrow ? (
    <NarrowCells burst={burst} event={event} />
  ) : (
    <WideCells burst={burst} event={event} />
  )
})

type CellsProps = { event: AuditEvent; burst: number | undefined }

function WideCells({ event, burst }: CellsProps) {
  const { content } = event
  const { claimed, seen } = splitAddress(content?.address ?? '')
  return (
    <>
      <span className="truncate tabular-nums" role="gridcell">
        <Time event={event} />
      </span>
      <span className="truncate" role="gridcell">
        {content && <User content={content} />}
      </span>
      <span className="truncate font-mono" role="gridcell">
        <Method content={content} />
      </span>
      <span className="flex min-w-0 gap-1 overflow-hidden" role="gridcell">
        <Outcome burst={burst} content={content} />
      </span>
      <span className="truncate font-mono" role="gridcell">
        <SafeText text={beginning(claimed.join(', '), 80)} />
      </span>
      <span className="truncate font-mono" role="gridcell">
        {content && <SafeText text={beginning(seen ?? '–', 60)} />}
      </span>
    </>
  )
}

function NarrowCells({ event, burst }: CellsProps) {
  const { content } = event
  const { claimed, seen } = splitAddress(content?.address ?? '')
  return (
    <>
      <span className="flex min-w-0 items-center gap-2 overflow-hidden" role="gridcell">
        <span className="truncate font-mono">
          <Method content={content} />
        </span>
        <span className="ms-auto flex shrink-0 gap-1">
          <Outcome burst={burst} content={content} />
        </span>
      </span>
      <span className="truncate" role="gridcell">
        {content && <User content={content} />}
        {content && (
          <span className="text-muted">
            {' '}
            from <SafeText text={beginning(seen ?? '–', 60)} />
            {claimed.length > 0 && (
              <>
                , claims <SafeText text={beginning(claimed.join(', '), 80)} />
              </>
            )}
          </span>
        )}
      </span>
      <span className="truncate text-muted tabular-nums" role="gridcell">
        <Time event={event} />
      </span>
    </>
  )
}

function Time({ event }: { event: AuditEvent }) {
  const zone = useAtomValue(timezoneAtom)
  const time = eventTime(event)
  return time === null ? 'Time not known' : formatMoment(time, zone)
}

/** Logins carry no user. */
export function User({ content: { user } }: { content: EventContent }) {
  if (user === '') return <span className="text-muted">no user</span>
  return <SafeName text={beginning(user, 80)} />
}

function Method({ content }: { content: EventContent | null }) {
  if (content === null) return <span className="text-muted">not readable</span>
  return <SafeText text={beginning(content.method, 80)} />
}

/** Whether the call succeeded, and the burst that it is part of. */
export function Outcome({
  content,
  burst,
}: {
  content: EventContent | null
  burst: number | undefined
}) {
  if (content === null) return '–'
  return (
    <>
      {content.isOk ? <Badge>Succeeded</Badge> : <Badge tone="error">Failed</Badge>}
      {burst !== undefined && (
        <Badge
          title={`${counted(burst, 'failed login')} from this address within ${burstRule.within / 1_000} seconds`}
          tone="warning"
        >
          Burst of {burst}
        </Badge>
      )}
    </>
  )
}
