import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { checkOutcomeAtom } from '~/atoms/check'
import type { Failure, OutputEntry } from '~/atoms/output'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
import { ResultGrid } from './ResultGrid'

/** Why a statement failed, or that nobody knows whether it did. */
export function FailureNote({ entry, failure }: { entry: OutputEntry; failure: Failure }) {
  const check = useSetAtom(checkOutcomeAtom)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    await check(entry)
    setBusy(false)
  }
  const place = failure.place ? ` (line ${failure.place.line}, column ${failure.place.column})` : ''
  return (
    <>
      <ErrorNote
        busy={isBusy}
        details={failure.details}
        retryLabel="Check now"
        title={`${failure.text}${place}`}
        tone={entry.status === 'unknown' ? 'unknown' : 'failed'}
        {...(failure.hint ? { advice: failure.hint } : {})}
        {...(entry.status === 'unknown' ? { onRetry: () => void look() } : {})}
      />
      {entry.finding && (
        <p role="status">
          <SafeText text={entry.finding.text} />
        </p>
      )}
      {entry.finding?.rows && (
        <ResultGrid
          label={`Rows changed since result ${entry.number}`}
          result={entry.finding.rows}
        />
      )}
    </>
  )
}
