import { useState } from 'react'
import type { Outcome } from '~/atoms/storage/outcome'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'

type Props = {
  outcome: Outcome<unknown>
  /** What was not done when it was refused. */
  what: string
  /** Finds out what became of it when nobody knows; resolves with words. */
  onCheck: () => Promise<string>
}

/** Why a write was refused, or that nobody knows what became of it. */
export function OutcomeNote({ outcome, what, onCheck }: Props) {
  const [finding, setFinding] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (outcome.kind === 'done') return null
  if (outcome.kind === 'refused') {
    return <ErrorNote details={outcome.details} notDone={what} title={outcome.text} />
  }
  const look = async () => {
    setBusy(true)
    setFinding(await onCheck())
    setBusy(false)
  }
  return (
    <>
      <ErrorNote
        advice={outcome.advice}
        busy={isBusy}
        details={outcome.details}
        onRetry={() => void look()}
        retryLabel="Check now"
        title={`It is not known whether this was done. ${outcome.text}`}
      />
      {finding && (
        <p className="text-sm" role="status">
          <SafeText text={finding} />
        </p>
      )}
    </>
  )
}
