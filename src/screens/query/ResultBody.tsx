import type { OutputEntry } from '~/atoms/output'
import { CheckIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { Spinner } from '~/ui/Spinner'
import { FailureNote } from './FailureNote'
import { ResultGrid } from './ResultGrid'

/** What came back: rows, a sentence, or why nothing did. */
export function ResultBody({ entry }: { entry: OutputEntry }) {
  return (
    <div className="grid gap-1.5 ps-8">
      {entry.notes.map((note) => (
        <p className="text-muted text-sm" key={note}>
          <SafeText text={note} />
        </p>
      ))}
      {entry.sent !== null && entry.notes.length > 0 && (
        <p className="text-muted text-sm">
          Sent:{' '}
          <code className="font-mono">
            <SafeText text={entry.sent.slice(0, 2_000)} />
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
      <p className="flex items-center gap-2 text-muted" role="status">
        <Spinner /> Running…
      </p>
    )
  }
  if (entry.failure) return <FailureNote entry={entry} failure={entry.failure} />
  return (
    <>
      <p className="flex items-center gap-2 text-sm" role="status">
        {entry.tx !== null && (
          <span className="text-success">
            <CheckIcon />
          </span>
        )}
        {entry.message}
      </p>
      {entry.result && entry.result.columns.length > 0 && (
        <ResultGrid label={`Rows of result ${entry.number}`} result={entry.result} />
      )}
    </>
  )
}
