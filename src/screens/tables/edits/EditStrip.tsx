import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { discardEdits, redoEdit, undoEdit } from '~/atoms/tables/edits'
import { editsHeldAtom, resumedEditsAtom } from '~/atoms/tables/edits-access'
import {
  type CommitReceipt,
  checkCommit,
  commitStateAtom,
  forgetCommit,
} from '~/atoms/tables/edits-commit'
import { useAct } from '~/core/act'
import { actionOf, keysOf } from '~/lib/shortcuts'
import { counted, formatCount } from '~/lib/text'
import { isBusy } from '~/lib/write-state'
import { countedEdits, wrongCells } from '~/sql/row-edits'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { CloseIcon, TickIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { TxText } from '~/ui/TxText'
import { passFocusOn } from '~/ui/use-returned-focus'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../../proof/Receipt'
import { ReviewDialog } from './ReviewDialog'
import type { Review, RowEdits } from './use-row-edits'

type Props = {
  edits: RowEdits
  review: Review | null
  onReview: (review: Review | null) => void
  onCommit: () => void
}

/** What is staged and what can be done with it, and what became of the last commit. */
export function EditStrip({ edits, review, onReview, onCommit }: Props) {
  const { place, table, state } = edits
  const commit = useAtomValue(commitStateAtom)(place)
  const check = useAct(checkCommit)
  const forget = useAct(forgetCommit)
  return (
    <div className="grid gap-2 border-line border-b px-2 py-1 empty:hidden">
      {state.waiting.length > 0 && <Resumed edits={edits} />}
      {commit.kind === 'committed' && (
        <Committed edits={edits} onClose={() => forget(place)} receipt={commit.value} />
      )}
      {commit.kind === 'unknown' && review === null && (
        <div className="grid gap-2">
          <WriteNote
            database={place.database}
            notDone="Nothing was committed."
            notKnown="your edits were committed"
            onCheck={() => void check(place, table)}
            state={commit}
          />
          {commit.finding !== null && (
            <div>
              <Button onClick={() => forget(place)} size="small">
                Continue editing
              </Button>
            </div>
          )}
        </div>
      )}
      {state.edits.length > 0 && (
        <Staged edits={edits} onCommit={onCommit} onReview={() => onReview({ commits: null })} />
      )}
      {review && (
        <ReviewDialog commits={review.commits} edits={edits} onClose={() => onReview(null)} />
      )}
    </div>
  )
}

/** Edits of an earlier visit, whose rows are read again. */
function Resumed({ edits: { place, table, state } }: { edits: RowEdits }) {
  const resumedOf = useAtomValue(resumedEditsAtom)
  const resumed = resumedOf(place.database, JSON.stringify(table))
  const failure = useAtomValue(resumed)
  const resume = useSetAtom(resumed)
  const what = counted(state.waiting.length, 'staged edit')
  return failure === null ? (
    <p className="text-muted text-sm" role="status">
      Reading the rows of {what} again…
    </p>
  ) : (
    <ErrorNote
      notDone={`${what} of an earlier visit wait for their rows. Nothing is lost.`}
      onRetry={() => void resume()}
      title={failure}
    />
  )
}

type StagedProps = { edits: RowEdits; onReview: () => void; onCommit: () => void }

function Staged({ edits, onReview, onCommit }: StagedProps) {
  const { place, state } = edits
  const undo = useAct(undoEdit)
  const redo = useAct(redoEdit)
  const discard = useAct(discardEdits)
  const forget = useAct(forgetCommit)
  const commit = useAtomValue(commitStateAtom)(place)
  const [isAsking, setAsking] = useState(false)
  const busy = isBusy(commit) ? 'Your edits are being sent.' : undefined
  const held = useAtomValue(editsHeldAtom)(place)
  const wrong = useMemo(() => wrongCells(state.edits), [state.edits])
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys of a dialog that a button opened arrive here, too.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (!isHere || actionOf('rows', event) !== 'commit') return
    // The button that has the focus is not pressed.
    event.preventDefault()
    if (!event.repeat && held === undefined) onCommit()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut on whichever button has the focus.
    <div className="flex flex-wrap items-center gap-1" onKeyDown={press}>
      <span className="text-sm" role="status">
        Staged: {countedEdits(state.edits)}. Nothing is sent yet.
        {wrong > 0 && (
          <span className="text-error">
            {' '}
            {wrong === 1 ? '1 value does' : `${formatCount(wrong)} values do`} not fit.
          </span>
        )}
      </span>
      <span className="ms-auto flex flex-wrap items-center gap-1">
        <Button
          disabledReason={
            held ?? (state.past.length === 0 ? 'There is no step to undo.' : undefined)
          }
          onClick={({ currentTarget }) => {
            passFocusOn(currentTarget)
            undo(place)
          }}
          size="small"
          variant="quiet"
        >
          Undo
        </Button>
        <Button
          disabledReason={
            held ?? (state.future.length === 0 ? 'There is no step to redo.' : undefined)
          }
          onClick={() => redo(place)}
          size="small"
          variant="quiet"
        >
          Redo
        </Button>
        <Button disabledReason={busy} onClick={() => setAsking(true)} size="small" variant="quiet">
          Discard all…
        </Button>
        <Button onClick={onReview} size="small" variant="primary">
          Review changes
        </Button>
        <Button
          disabledReason={held}
          onClick={onCommit}
          size="small"
          title={`Commit what is staged at once (${keysOf('rows', 'commit')})`}
        >
          Commit
        </Button>
      </span>
      {isAsking && (
        <AskDialog
          action="Discard all"
          description={`${countedEdits(state.edits)}. The table itself does not change.`}
          isDanger
          onClose={() => setAsking(false)}
          onAction={() => {
            edits.open(null)
            discard(place)
            forget(place)
            setAsking(false)
          }}
          title="Discard all staged edits?"
        />
      )}
    </div>
  )
}

type CommittedProps = { edits: RowEdits; receipt: CommitReceipt; onClose: () => void }

function Committed({ edits, receipt, onClose }: CommittedProps) {
  const { tx, text, warning } = receipt
  const { database } = edits.place
  return (
    <div className="grid gap-1 text-sm">
      <div className="flex items-start">
        <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-1.5">
            <TickIcon />
            <span role="status">
              <TxText database={database} text={text} />
            </span>
          </span>
          {tx !== null && (
            <Receipt database={database} of={`edits of ${edits.place.table}`} tx={tx} />
          )}
        </div>
        <IconButton
          icon={<CloseIcon />}
          label="Close the receipt"
          onClick={({ currentTarget }) => {
            passFocusOn(currentTarget)
            onClose()
          }}
          size="small"
        />
      </div>
      {warning !== null && (
        <p className="flex items-center gap-2 text-warning" role="alert">
          <WarningIcon />
          <span>{warning}</span>
        </p>
      )}
    </div>
  )
}
