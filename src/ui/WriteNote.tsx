import type { Write } from '~/lib/write'
import { ErrorNote } from './ErrorNote'
import { SafeText } from './SafeText'

type Props = {
  state: Write<unknown> | { kind: 'conflict' }
  /** What was not done when it was refused. */
  notDone: string
  /** What is not known when there was no answer. */
  notKnown?: string
  /** Checks what became of it when that is not known. */
  onCheck: () => void
}

/** Why a write was refused, or that its outcome is not known; nothing in all other cases. */
export function WriteNote({ state, notDone, onCheck, notKnown = 'this was done' }: Props) {
  if (state.kind === 'refused') {
    return <ErrorNote details={state.details} notDone={notDone} title={state.text} />
  }
  if (state.kind !== 'unknown') return null
  return (
    <div className="space-y-2">
      <ErrorNote
        advice={state.advice}
        busy={state.isChecking}
        details={state.details}
        onRetry={onCheck}
        retryLabel="Check now"
        title={`It is not known whether ${notKnown}. ${state.text}`}
      />
      <p className="text-sm" role="status">
        {state.finding !== null && <SafeText text={state.finding} />}
      </p>
    </div>
  )
}
