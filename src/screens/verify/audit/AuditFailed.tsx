import type { DeepAuditState } from '~/atoms/audit/deep-audit'
import { formatTx } from '~/lib/text'
import { ErrorNote } from '~/ui/ErrorNote'
import { Back } from './Back'
import { RestingActions } from './Paused'

/** An audit that could not go on; nothing was found wrong with the history. */
export function AuditFailed({ state }: { state: Extract<DeepAuditState, { kind: 'failed' }> }) {
  const { words, advice, details, progress } = state
  return (
    <>
      <ErrorNote
        advice={
          progress
            ? `It got as far as transaction ${formatTx(progress.txId)} and can go on from there.`
            : advice || undefined
        }
        notDone="The audit stopped. This says nothing about the history."
        title={words}
        {...(details && { details })}
      />
      {progress ? <RestingActions progress={progress} /> : <Back />}
    </>
  )
}
