import type { SaveState } from '~/atoms/keys/write'
import { WriteNote as PlainNote } from '~/ui/WriteNote'

type Props = {
  state: SaveState
  what: 'save' | 'delete'
  onCheck: () => void
}

/** Where a write stands when it is neither idle nor done; nothing in all other cases. */
export function WriteNote({ state, what, onCheck }: Props) {
  if (state.kind === 'sending' && state.isSlow) {
    return (
      <p className="text-warning" role="status">
        The server accepts the request but does not finish it. Its disk may be full, or it waits for
        its index or for replicas. The console waits and does not send it again.
      </p>
    )
  }
  const done = what === 'save' ? 'stored' : 'deleted'
  return (
    <PlainNote
      notDone={`Nothing was ${done}.`}
      notKnown={`this was ${done}`}
      onCheck={onCheck}
      state={state}
    />
  )
}
