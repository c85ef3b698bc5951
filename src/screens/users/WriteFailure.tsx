import { useState } from 'react'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
import type { Write } from './use-write'

type Props = {
  write: Write
  /** What the server did not do when it refused. */
  notDone: string
  /** Reads what became of a write without an answer, as a sentence. */
  check: () => Promise<string>
}

/** Why a write failed, or that nobody knows whether it did and how to find out. */
export function WriteFailure({ write: { failure }, notDone, check }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [finding, setFinding] = useState<string | null>(null)
  if (!failure) return null
  const look = async () => {
    setBusy(true)
    setFinding(await check())
    setBusy(false)
  }
  const isUnknown = failure.kind === 'unknown'
  return (
    <div className="mb-3 space-y-2">
      <ErrorNote
        busy={isBusy}
        details={failure.details}
        retryLabel="Check now"
        {...(failure.kind === 'unknown'
          ? {
              title: `It is not known whether this was done. ${failure.text}`,
              advice: failure.advice,
              onRetry: () => void look(),
            }
          : { title: failure.text, notDone })}
      />
      {isUnknown && (
        <p className="text-sm" role="status">
          {finding && <SafeText text={finding} />}
        </p>
      )}
    </div>
  )
}
