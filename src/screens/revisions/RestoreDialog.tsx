import { useAtomValue, useSetAtom } from 'jotai'
import type { History } from '~/atoms/revisions/history'
import {
  checkRestoreAtom,
  lastRestoreAtom,
  type RestorePlan,
  restoreAtom,
} from '~/atoms/revisions/restore'
import { isBusy } from '~/lib/write'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { ErrorNote } from '~/ui/ErrorNote'
import { SentRequest } from '~/ui/SentRequest'
import { WriteNote } from '~/ui/WriteNote'

type Props = {
  history: History
  plan: RestorePlan | { why: string }
  number: number
  onClose: () => void
}

/** Shows what restoring a revision sends, and sends it. */
export function RestoreDialog({ history, plan, number, onClose }: Props) {
  const restore = useSetAtom(restoreAtom)
  const check = useSetAtom(checkRestoreAtom)
  const { state } = useAtomValue(lastRestoreAtom)(history.subject)
  const isWriting = isBusy(state)
  const ready = 'statement' in plan ? plan : null
  const send = async () => {
    if (ready && (await restore(ready))) onClose()
  }
  return (
    <Dialog
      description="The old content becomes a new revision. Nothing in the history changes."
      footer={
        <DialogButtons
          action="Restore revision"
          busy={isWriting}
          disabledReason={
            ready ? (state.kind === 'unknown' ? 'Check first.' : undefined) : 'Nothing to send yet.'
          }
          onAction={() => void send()}
          onClose={onClose}
          whyStay={isWriting ? 'It is being written.' : undefined}
        />
      }
      onClose={onClose}
      open
      persistent={isWriting}
      title={`Restore revision ${number}?`}
      width="wide"
    >
      <div className="grid gap-3 text-sm">
        {'why' in plan && <ErrorNote notDone="Nothing was written." title={plan.why} />}
        {ready && <Planned plan={ready} />}
        <WriteNote
          database={history.subject.database}
          notDone="Nothing was restored."
          notKnown="this was restored"
          onCheck={() => ready && void check(ready)}
          state={state}
        />
      </div>
    </Dialog>
  )
}

function Planned({ plan }: { plan: RestorePlan }) {
  return (
    <>
      {plan.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>This is sent, once:</p>
      <SentRequest params={plan.params} statement={plan.statement} />
    </>
  )
}
