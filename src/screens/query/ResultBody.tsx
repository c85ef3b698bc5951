import { Suspense } from 'react'
import { isSentShown, type OutputEntry } from '~/atoms/output'
import { formatTx } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { CheckIcon, WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { Spinner } from '~/ui/Spinner'
import { FailureNote } from './FailureNote'

// Nothing needs them before there is a result, and they are half of the screen's weight.
const ResultRows = fetchedLater(() => import('./ResultRows').then((module) => module.ResultRows))

const Receipt = fetchedLater(() => import('../proof/Receipt').then((module) => module.Receipt))

/** What came back: rows, a sentence, or why nothing did. */
export function ResultBody({ entry }: { entry: OutputEntry }) {
  return (
    <div className="grid grid-cols-1 gap-1.5 ps-8">
      {entry.notes.map((note) => (
        <p className="text-muted text-sm" key={note}>
          <SafeText text={note} />
        </p>
      ))}
      {entry.sent !== null && isSentShown(entry) && (
        <p className="text-muted text-sm">
          Sent:{' '}
          <code className="whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
            <SafeText lines text={beginning(entry.sent, 2_000)} />
          </code>
        </p>
      )}
      <Outcome entry={entry} />
    </div>
  )
}

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
          <SafeText text={entry.message ?? ''} />
        </p>
        {entry.tx !== null && (
          <Boundary fallback={() => null}>
            <Suspense fallback={null}>
              <Receipt
                database={entry.database}
                says={`Transaction ${formatTx(entry.tx)} is in the history`}
                tx={entry.tx}
              />
            </Suspense>
          </Boundary>
        )}
      </div>
      {entry.result && entry.result.columns.length > 0 && (
        <Suspense fallback={<p className="late text-muted">Drawing…</p>}>
          <ResultRows entry={entry} result={entry.result} />
        </Suspense>
      )}
      {entry.warning !== null && (
        <p
          className="flex gap-2 rounded border border-warning/45 bg-warningtint px-3 py-2 text-sm"
          role="alert"
        >
          <WarningIcon className="mt-0.5 shrink-0 text-warning" />
          <SafeText text={entry.warning} />
        </p>
      )}
    </>
  )
}
