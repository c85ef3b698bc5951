import type { Write } from '~/lib/write-state'
import { ErrorNote } from './ErrorNote'
import { Sentence } from './Sentence'
import { showWhole } from './show-whole'
import { TxText } from './TxText'

export type WriteNoteProps = {
  state: Write<unknown> | { kind: 'conflict' }
  /** What was not done when it was refused. */
  notDone: string
  /** What is not known when there was no answer. */
  notKnown?: string
  /** Checks what became of it when that is not known. */
  onCheck: () => void
  /** Where it was written: the transactions that a check finds are links to it. */
  database?: string
}

function SlowNote() {
  return (
    <p className="text-warning" role="status">
      The server accepts the request but does not finish it. Its disk may be full, or it waits for
      its index or for replicas. The console waits and does not send it again.
    </p>
  )
}

/**
 * That the server holds up a write, why it was refused, or that its outcome is not known; nothing in
 * all other cases.
 */
export function WriteNote(props: WriteNoteProps) {
  const { state, notDone, onCheck, notKnown = 'this was done', database } = props
  if (state.kind === 'sending' && state.isSlow) return <SlowNote />
  if (state.kind === 'refused') {
    return (
      <div ref={showWhole}>
        <ErrorNote details={state.details} notDone={notDone} title={state.text} />
      </div>
    )
  }
  if (state.kind !== 'unknown') return null
  return (
    <div className="space-y-2" ref={showWhole}>
      <ErrorNote
        advice={state.advice}
        busy={state.isChecking}
        details={state.details}
        onRetry={onCheck}
        retryLabel="Check now"
        title={`It is not known whether ${notKnown}. ${state.text}`}
      />
      <p className="text-sm" role="status">
        {state.finding !== null && (
          // Each finding is brought into sight: the note may be longer than its place.
          <span key={state.finding} ref={showWhole}>
            {database === undefined ? (
              <Sentence text={state.finding} />
            ) : (
              <TxText database={database} text={state.finding} />
            )}
          </span>
        )}
      </p>
    </div>
  )
}
