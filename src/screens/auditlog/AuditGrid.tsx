// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { type AuditEvent, auditPage, burstsAmong } from '~/immudb/audit-event'
import { actionOf } from '~/lib/shortcuts'
import { useLinesInSight } from '~/ui/tree/viewport'
import { useNarrow } from '~/ui/use-narrow'
import { AuditHead, AuditRow } from './AuditRow'

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

/** The scrolling box with its keys; the focus stays on it, and one row is the active one. */
export function AuditGrid({ count, events, eventAt, isWhole, onOpen, onRange }: Props) {
  const isNarrow = useNarrow()
  const height = isNarrow ? 84 : 32
  const headHeight = isNarrow ? 0 : 30
  const sight = useLinesInSight(count, height)
  const gridId = useId()
  const [active, setActive] = useState<number | null>(null)
  const bursts = useMemo(() => burstsAmong(events), [events])
  const range = sight.lines
  const [first, last] = [range[0]?.index ?? 0, range.at(-1)?.index ?? 0]
  // Half a page ahead, so that scrolling rarely has to wait.
  const wanted = last + auditPage / 2
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are a reason to look again.
  useEffect(() => onRange?.(first, wanted), [first, wanted, count])
  const press = (event: KeyboardEvent) => {
    const action = actionOf('transactions', event)
    if (action === undefined || action === 'before' || action === 'after') return
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (action === 'open') {
      const found = active === null ? undefined : eventAt(active)
      if (found) onOpen(found)
      return
    }
    const page = sight.page(headHeight)
    const steps = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -count, last: count }
    const from = active ?? sight.top
    const isFirst = active === null && (action === 'up' || action === 'down')
    const next = Math.min(count - 1, Math.max(0, from + (isFirst ? 0 : steps[action])))
    setActive(next)
    sight.reveal(next, headHeight)
  }
  const isDrawn = active !== null && active >= first && active <= last
  return (
    <div
      aria-activedescendant={isDrawn ? `${gridId}-${active}` : undefined}
      aria-label="Audit log"
      aria-readonly="true"
      aria-rowcount={isWhole ? count + 1 : -1}
      className="relative min-h-0 grow overflow-auto overscroll-x-contain bg-panel outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onFocus={() => setActive((now) => now ?? sight.top)}
      onKeyDown={press}
      ref={sight.attach}
      role="grid"
      tabIndex={0}
    >
      <AuditHead isNarrow={isNarrow} />
      <div className="relative" role="rowgroup" style={{ height: sight.boxHeight }}>
        {range.map(({ index, start }) => {
          const event = eventAt(index)
          return (
            <AuditRow
              burst={event && bursts.get(event.key)}
              event={event}
              index={index}
              isActive={index === active}
              isNarrow={isNarrow}
              key={index}
              onOpen={onOpen}
              rowId={`${gridId}-${index}`}
              start={start}
            />
          )
        })}
      </div>
    </div>
  )
}
