import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { Suspense, useState } from 'react'
import { sentence } from '~/atoms/failure'
import { type Failure, type OutputEntry, placeWords, shownHitAtom } from '~/atoms/output'
import { runAtom } from '~/atoms/run'
import { splitStatements } from '~/sql/statements'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { loadOrReload } from '~/ui/load-chunk'
import { SafeText } from '~/ui/SafeText'
import { showToast } from '~/ui/toast'

const ResultGrid = fetchedLater(() => import('./ResultGrid').then((module) => module.ResultGrid))

/** Why a statement failed, or that nobody knows whether it did. */
export function FailureNote({ entry, failure }: { entry: OutputEntry; failure: Failure }) {
  const store = useStore()
  const run = useSetAtom(runAtom)
  const hit = useAtomValue(shownHitAtom)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    try {
      const { checkOutcomeAtom } = await loadOrReload(() => import('~/atoms/check'))
      await store.set(checkOutcomeAtom, entry)
    } catch (error) {
      showToast({ kind: 'error', text: `The check itself failed. ${sentence(error)}` })
    }
    setBusy(false)
  }
  const again = () => void run(entry.source, splitStatements(entry.source))
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
          <SafeText text={entry.finding.text} />
        </p>
      )}
      {entry.finding?.rows && (
        <Suspense fallback={null}>
          <ResultGrid
            label={`Rows changed since result ${entry.number}`}
            result={entry.finding.rows}
          />
        </Suspense>
      )}
    </>
  )
}
