// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { timezoneAtom } from '~/core/view'
import {
  type AuditEvent,
  burst as burstRule,
  type EventContent,
  eventTime,
  splitAddress,
} from '~/immudb/audit-event'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { ListHead } from '~/ui/ListHead'
import { SafeName, SafeText } from '~/ui/SafeText'

const columnLook =
  'grid-cols-[13.5rem_minmax(0,9rem)_minmax(0,1fr)_16rem_minmax(0,12rem)_minmax(0,9rem)] xs:grid'

const titles = ['Time', 'User', 'Method', 'Outcome', 'Claimed by the client', 'Seen']

/** The titles of the columns. */
export function AuditHead({ isNarrow }: { isNarrow: boolean }) {
  return <ListHead columnLook={columnLook} isNarrow={isNarrow} titles={titles} />
}

type RowProps = {
  /** Undefined while it is read. */
  event: AuditEvent | undefined
  /** Failed logins of its burst; undefined for none. */
  burst: number | undefined
  index: number
  isActive: boolean
  isNarrow: boolean
  rowId: string
  start: number
  onOpen: (event: AuditEvent) => void
}

/** One event; a press anywhere on it opens it. */
export const AuditRow = memo(function AuditRow(props: RowProps) {
  const { event, burst, index, isActive, isNarrow, rowId, start, onOpen } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
    <div
      aria-rowindex={index + 2}
      className={cx(
        'absolute inset-x-0 cursor-pointer border-line/55 border-b px-3 text-sm hover:bg-hover',
        isNarrow ? 'grid h-[84px] content-center gap-y-1' : 'h-8 items-center gap-x-3',
        !isNarrow && columnLook,
        isActive && 'bg-selected',
      )}
      data-active={isActive}
      id={rowId}
      onClick={() => event && onOpen(event)}
      role="row"
      style={{ top: start }}
    >
      {!event && (
        <span className="text-muted" role="gridcell">
          Reading…
        </span>
      )}
      {event &&
        (isNarrow ? (
          <NarrowCells burst={burst} event={event} />
        ) : (
          <Cells burst={burst} event={event} />
        ))}
    </div>
  )
})

type CellsProps = { event: AuditEvent; burst: number | undefined }

function Cells({ event, burst }: CellsProps) {
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
