import { useSetAtom } from 'jotai'
import { dropDeepAuditAtom } from '~/atoms/audit/actions'
import type { RestingProgress } from '~/atoms/audit/record'
import { formatUptime } from '~/lib/duration'
import { formatTx } from '~/lib/text'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { useAttempt } from '../use-attempt'

type Props = { progress: Pick<RestingProgress, 'txId' | 'active'>; onClose: () => void }

/** Asks before the work of an audit that rests is lost. */
export function StartOverDialog({ progress: { txId, active }, onClose }: Props) {
  const drop = useSetAtom(dropDeepAuditAtom)
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  return (
    <ConfirmDialog
      action="Give it up"
      busy={isBusy}
      description={`The audit got as far as transaction ${formatTx(txId)} in ${formatUptime(active)} of work and can go on from there. The next one begins anew instead. The report of the last one that ended stays.`}
      onClose={onClose}
      onConfirm={() => void attempt(drop)}
      open
      title="Give up the progress of this audit?"
    >
      {hasFailed && (
        <ErrorNote
          notDone="The progress is still there."
          title="This browser could not forget it."
        />
      )}
    </ConfirmDialog>
  )
}
