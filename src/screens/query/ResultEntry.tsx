import { useAtomValue } from 'jotai'
import { memo, useState } from 'react'
import type { OutputEntry } from '~/atoms/output'
import { timezoneAtom } from '~/atoms/view'
import { formatClock, formatElapsed, formatMoment, formatTx } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { ChevronDownIcon, ChevronRightIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import { ResultBody } from './ResultBody'

type Props = { entry: OutputEntry; isOpenFirst: boolean }

/** One statement: what was run, where it stands, and what came back. */
export const ResultEntry = memo(function ResultEntry({ entry, isOpenFirst }: Props) {
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const isShown = isOpen ?? isOpenFirst
  return (
    <section aria-label={`Result ${entry.number}`} className="px-3 py-2">
      <header className="mb-1 flex flex-wrap items-start gap-x-2 xs:flex-nowrap">
        <IconButton
          aria-expanded={isShown}
          icon={isShown ? <ChevronDownIcon /> : <ChevronRightIcon />}
          label={isShown ? 'Fold this result' : 'Unfold this result'}
          onClick={() => setOpen(!isShown)}
          size="tiny"
        />
        <code className="line-clamp-2 min-w-0 flex-1 self-center whitespace-pre-wrap break-words font-mono text-sm">
          <SafeText lines text={beginning(entry.source, 400)} />
        </code>
        <Facts entry={entry} />
      </header>
      {isShown && <ResultBody entry={entry} />}
    </section>
  )
})

function Facts({ entry }: { entry: OutputEntry }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <div className="flex w-full shrink-0 flex-wrap items-center justify-start ps-13 xs:w-auto xs:justify-end xs:ps-0 gap-x-2 gap-y-1 text-muted text-xs">
      <StatusBadge entry={entry} />
      {entry.tx !== null && <span className="font-mono">tx {formatTx(entry.tx)}</span>}
      {entry.timeTravel && <Badge tone="warning">Past</Badge>}
      {entry.elapsed !== null && <span>{formatElapsed(entry.elapsed)}</span>}
      <time
        title={`${formatMoment(entry.timestamp, timezone)} · ${visibleText(entry.database)} · line ${entry.line}`}
      >
        {formatClock(entry.timestamp, timezone)}
      </time>
    </div>
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
