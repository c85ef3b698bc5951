import type { WriteState } from '~/atoms/keys/write'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'

type Props = {
  state: WriteState
  what: 'save' | 'delete'
  onCheck: () => void
}

/** Where a write stands when it is neither idle nor done; nothing in all other cases. */
export function WriteNote({ state, what, onCheck }: Props) {
  if (state.kind === 'writing' && state.isSlow) {
    return (
      <p className="text-warning" role="status">
        The server accepts the request but does not finish it. Its disk may be full, or it waits for
        its index or for replicas. The console waits and does not send it again.
      </p>
    )
  }
  if (state.kind === 'refused') {
    return (
      <ErrorNote
        notDone={what === 'save' ? 'Nothing was stored.' : 'Nothing was deleted.'}
        title={state.text}
        {...(state.details ? { details: state.details } : {})}
      />
    )
  }
  if (state.kind !== 'unknown') return null
  const done = what === 'save' ? 'stored' : 'deleted'
  return (
    <>
      <ErrorNote
        advice={state.advice}
        busy={state.isChecking}
        details={state.details}
        onRetry={onCheck}
        retryLabel="Check now"
        title={`It is not known whether this was ${done}. ${state.text}`}
      />
      {state.finding !== null && (
        <p role="status">
          <SafeText text={state.finding} />
        </p>
      )}
    </>
  )
}
