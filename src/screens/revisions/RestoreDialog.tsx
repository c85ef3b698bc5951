import { useAtomValue, useSetAtom } from 'jotai'
import type { History } from '~/atoms/revisions/history'
import {
  checkRestoreAtom,
  lastRestoreAtom,
  type RestorePlan,
  restoreAtom,
} from '~/atoms/revisions/restore'
import { formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { isBusy } from '~/lib/write'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
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
        <>
          <Button disabledReason={isWriting ? 'It is being written.' : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button
            busy={isWriting}
            disabledReason={
              ready
                ? state.kind === 'unknown'
                  ? 'Check first.'
                  : undefined
                : 'Nothing to send yet.'
            }
            onClick={() => void send()}
            variant="primary"
          >
            Restore revision
          </Button>
        </>
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
          notDone="Nothing was restored."
          notKnown="this was restored"
          onCheck={() => ready && void check(ready)}
          state={state}
        />
      </div>
    </Dialog>
  )
}

/** Characters of a request and of a parameter that are shown. */
const requestLength = 20_000
const shownLength = 400

function Planned({ plan }: { plan: RestorePlan }) {
  const { statement } = plan
  return (
    <>
      {plan.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>This is sent, once:</p>
      <pre
        className="max-h-[36vh] overflow-auto whitespace-pre-wrap rounded border border-line bg-page p-3 font-mono text-xs [overflow-wrap:anywhere]"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <SafeText lines text={beginning(statement, requestLength)} />
        {statement.length > requestLength && '…'}
      </pre>
      {statement.length > requestLength && (
        <p className="text-muted text-xs">
          These are the first {formatCount(requestLength)} of {formatCount(statement.length)}{' '}
          characters. All of them are sent.
        </p>
      )}
      {plan.params.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 font-mono text-xs">
          {plan.params.map(({ name, text }) => (
            <div className="contents" key={name}>
              <dt className="text-muted">@{name}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">
                <SafeText text={text.slice(0, shownLength)} />
                {text.length > shownLength && '…'}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
