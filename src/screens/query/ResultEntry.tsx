import { useAtomValue, useSetAtom } from 'jotai'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import {
  type OutputEntry,
  type OutputHit,
  pinnedResultsAtom,
  shownHitAtom,
  togglePinAtom,
} from '~/atoms/output'
import { timezoneAtom } from '~/atoms/view'
import { formatClock, formatElapsed, formatMoment, formatTx } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { ChevronDownIcon, ChevronRightIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { join } from '~/ui/join'
import { PinIcon } from '~/ui/QueryIcons'
import { SafeText } from '~/ui/SafeText'
import { momentLabel } from './moment-text'
import { ResultBody } from './ResultBody'

type Props = { entry: OutputEntry; isOpenFirst: boolean }

/** One statement: what was run, where it stands, and what came back. */
export const ResultEntry = memo(function ResultEntry({ entry, isOpenFirst }: Props) {
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const section = useRef<HTMLElement>(null)
  const hit = useHit(entry.number, section)
  const isFound = hit?.kind === 'statement'
  const isShown = (hit !== null && hit.kind !== 'statement') || (isOpen ?? isOpenFirst)
  return (
    <section
      aria-label={`Result ${entry.number}`}
      className={join('px-3 py-2', hit && 'bg-selected')}
      ref={section}
    >
      <header className="mb-1 flex flex-wrap items-start gap-x-2 xs:flex-nowrap">
        <IconButton
          aria-expanded={isShown}
          icon={isShown ? <ChevronDownIcon /> : <ChevronRightIcon />}
          label={isShown ? 'Hide this result' : 'Show this result'}
          onClick={() => setOpen(!isShown)}
          size="tiny"
        />
        <code
          className={join(
            'min-w-0 flex-1 self-center whitespace-pre-wrap break-words font-mono text-sm',
            isFound ? 'max-h-64 overflow-auto' : 'line-clamp-2',
          )}
        >
          <SafeText lines text={beginning(entry.source, isFound ? foundLength : 400)} />
        </code>
        <PinButton number={entry.number} />
        <Facts entry={entry} />
      </header>
      {isShown && <ResultBody entry={entry} />}
    </section>
  )
})

/** Characters of a statement that are shown when a search has found something in it. */
const foundLength = 20_000

/** The hit that is shown, if it is in this result; brings the result into sight. */
function useHit(number: number, section: RefObject<HTMLElement | null>): OutputHit | null {
  const current = useAtomValue(shownHitAtom)
  const hit = current?.entry === number ? current : null
  useEffect(() => {
    // A value scrolls its grid by itself.
    if (hit) section.current?.scrollIntoView({ block: 'nearest' })
  }, [hit, section])
  return hit
}

function PinButton({ number }: { number: number }) {
  const isPinned = useAtomValue(pinnedResultsAtom).has(number)
  const toggle = useSetAtom(togglePinAtom)
  return (
    <span className="xs:order-last">
      <IconButton
        icon={<PinIcon />}
        label={isPinned ? `Unpin result ${number}` : `Pin result ${number} to the top`}
        onClick={() => toggle(number)}
        pressed={isPinned}
        size="tiny"
      />
    </span>
  )
}

function Facts({ entry }: { entry: OutputEntry }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <div className="flex w-full shrink-0 flex-wrap items-center justify-start ps-13 xs:w-auto xs:justify-end xs:ps-0 gap-x-2 gap-y-1 text-muted text-xs">
      <span>Result {entry.number}</span>
      <StatusBadge entry={entry} />
      <RunAt entry={entry} />
      {entry.elapsed !== null && <span>{formatElapsed(entry.elapsed)}</span>}
      <time
        title={`${formatMoment(entry.timestamp, timezone)} · ${visibleText(entry.database)} · line ${entry.line}`}
      >
        {formatClock(entry.timestamp, timezone)}
      </time>
    </div>
  )
}

const presentWords =
  'Run at the present. This was the newest transaction known when it was sent. Rows may include later ones.'

/** The transaction that the statement made or was run at, and whether that was the present one. */
function RunAt({ entry: { tx, at, paging, txBefore, timeTravel } }: { entry: OutputEntry }) {
  if (tx !== null) {
    return (
      <>
        <span className="font-mono">tx {formatTx(tx)}</span>
        <Badge title="Committed as the newest transaction.">Present</Badge>
      </>
    )
  }
  if (at?.kind === 'past') {
    return (
      <>
        <span className="font-mono">{momentLabel(at.moment)}</span>
        <Badge tone="warning">Past</Badge>
      </>
    )
  }
  if (at?.kind === 'own')
    return <Badge title="The statement names its own period.">Own period</Badge>
  if (timeTravel) return <Badge tone="warning">Past</Badge>
  if (at === null) return null
  return (
    <>
      {paging?.tx != null ? (
        <span className="font-mono">at tx {formatTx(paging.tx)}</span>
      ) : (
        txBefore !== '0' && (
          <span className="font-mono" title={presentWords}>
            tx {formatTx(txBefore)} or later
          </span>
        )
      )}
      <Badge title={presentWords}>Present</Badge>
    </>
  )
}

function StatusBadge({ entry }: { entry: OutputEntry }) {
  switch (entry.status) {
    case 'running':
      return <Badge tone="info">Running</Badge>
    case 'failed':
      return <Badge tone="error">Failed</Badge>
    case 'unknown':
      return <Badge tone="warning">Unknown</Badge>
    case 'cancelled':
      return <Badge tone="neutral">Cancelled</Badge>
    case 'not-run':
      return <Badge tone="neutral">Not run</Badge>
    case 'done':
      return null
  }
}
