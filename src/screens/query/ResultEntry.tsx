import { useAtomValue, useStore } from 'jotai'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import {
  isSentShown,
  type OutputHit,
  pinnedResultsAtom,
  placeWords,
  shownHitAtom,
  togglePin,
} from '~/atoms/query/output'
import type { Failure, OutputEntry } from '~/atoms/query/output-entry'
import { runStatements } from '~/atoms/query/run'
import { checkOutcome } from '~/atoms/query/write-outcome-check'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { formatTx } from '~/lib/text'
import { formatClock, formatElapsed, formatMoment } from '~/lib/time'
import { beginning, visibleText } from '~/lib/visible-text'
import { paramText } from '~/sql/params'
import { splitStatements } from '~/sql/statements'
import { Badge } from '~/ui/Badge'
import { Boundary } from '~/ui/Boundary'
import { cx } from '~/ui/cx'
import { ErrorNote } from '~/ui/ErrorNote'
import { CheckIcon, ChevronDownIcon, ChevronRightIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { PinIcon } from '~/ui/QueryIcons'
import { SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { SentValues } from '~/ui/SentRequest'
import { Spinner } from '~/ui/Spinner'
import { TxLink } from '~/ui/TxLink'
import { TxText } from '~/ui/TxText'
import { showToast } from '~/ui/toast'
import { momentLabel } from '../moments/moment-text'
import { Receipt } from '../proof/Receipt'
import { PlainRows, ResultRows } from './query-doors'

// Outside React: the scroll position.

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
      className={cx('px-3 py-2', hit && 'bg-selected')}
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
          translate="no"
          className={cx(
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
  const toggle = useAct(togglePin)
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
function RunAt({
  entry: { database, tx, at, paging, txBefore, timeTravel },
}: {
  entry: OutputEntry
}) {
  if (tx !== null) {
    return (
      <>
        <span className="font-mono">
          <TxLink database={database} id={tx} />
        </span>
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
        <span className="font-mono">
          at <TxLink database={database} id={paging.tx} />
        </span>
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

/** What came back: rows, a sentence, or why nothing did. */
function ResultBody({ entry }: { entry: OutputEntry }) {
  return (
    <div className="grid grid-cols-1 gap-1.5 ps-8">
      {entry.notes.map((note) => (
        <p className="text-muted text-sm" key={note}>
          <Sentence text={note} />
        </p>
      ))}
      {entry.sent !== null && isSentShown(entry) && (
        <p className="text-muted text-sm">
          Sent:{' '}
          <code translate="no" className="whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
            <SafeText lines text={beginning(entry.sent, 2_000)} />
          </code>
        </p>
      )}
      {entry.given.length > 0 && <SentValues params={sentValues(entry)} />}
      <Outcome entry={entry} />
    </div>
  )
}

const sentValues = ({ given }: OutputEntry) =>
  given.map(({ name, value }) => ({ name, text: paramText(value) }))

function Outcome({ entry }: { entry: OutputEntry }) {
  if (entry.status === 'running') {
    return (
      <p className="late flex items-center gap-2 text-muted" role="status">
        <Spinner /> Running…
      </p>
    )
  }
  if (entry.failure) return <FailureNote entry={entry} failure={entry.failure} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="flex items-center gap-2 text-sm" role="status">
          {entry.tx !== null && (
            <span className="text-success">
              <CheckIcon />
            </span>
          )}
          <Sentence text={entry.message ?? ''} />
        </p>
        {entry.tx !== null && (
          <Boundary fallback={() => null}>
            <Receipt database={entry.database} of={`result ${entry.number}`} tx={entry.tx} />
          </Boundary>
        )}
      </div>
      {entry.result && entry.result.columns.length > 0 && (
        <ResultRows entry={entry} result={entry.result} />
      )}
      {entry.warning !== null && (
        <p
          className="flex gap-2 rounded border border-warning/45 bg-warning-tint px-3 py-2 text-sm"
          role="alert"
        >
          <WarningIcon className="mt-0.5 shrink-0 text-warning" />
          <Sentence text={entry.warning} />
        </p>
      )}
    </>
  )
}

/** Why a statement failed, or that its outcome is not known. */
function FailureNote({ entry, failure }: { entry: OutputEntry; failure: Failure }) {
  const store = useStore()
  const run = useAct(runStatements)
  const hit = useAtomValue(shownHitAtom)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    try {
      await checkOutcome(store, entry)
    } catch (error) {
      showToast({ kind: 'error', text: `The check itself failed. ${sentence(error)}` })
    }
    setBusy(false)
  }
  const again = () => void run(entry.source, splitStatements(entry.source), undefined, entry.given)
  const retry =
    entry.status === 'unknown'
      ? { onRetry: () => void look() }
      : failure.mayRunAgain
        ? { onRetry: again, retryLabel: 'Run again' }
        : {}
  const place = failure.place ? ` (${placeWords(failure)})` : ''
  return (
    <>
      <ErrorNote
        busy={isBusy}
        areDetailsFound={hit?.entry === entry.number && hit.kind === 'details'}
        details={failure.details}
        retryLabel="Check now"
        title={`${failure.text}${place}`}
        tone={entry.status === 'unknown' ? 'unknown' : 'failed'}
        {...(failure.hint ? { advice: failure.hint } : {})}
        {...retry}
      />
      {entry.finding && (
        <p role="status">
          <TxText database={entry.database} text={entry.finding.text} />
        </p>
      )}
      {entry.finding?.rows && (
        <PlainRows
          label={`Rows changed since result ${entry.number}`}
          result={entry.finding.rows}
        />
      )}
    </>
  )
}
