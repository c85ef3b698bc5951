import { useAtomValue, useSetAtom } from 'jotai'
import { type DeepAuditState, readDeepAuditAtom, setDeepAuditAtom } from '~/atoms/deep-audit'
import { databaseAtom } from '~/atoms/session'
import { formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { RestingActions } from './Paused'

/** An audit that could not go on; nothing was found wrong with the history. */
export function AuditFailed({ state }: { state: Extract<DeepAuditState, { kind: 'failed' }> }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const change = useSetAtom(setDeepAuditAtom)
  const read = useSetAtom(readDeepAuditAtom)
  const { words, details, progress } = state
  const back = () => {
    change(database, { state: { kind: 'unread' } })
    void read()
  }
  return (
    <>
      <ErrorNote
        advice={
          progress
            ? `It got as far as transaction ${formatTx(progress.txId)} and can go on from there.`
            : undefined
        }
        notDone="The audit stopped. This says nothing about the history."
        title={words}
        {...(details && { details })}
      />
      {progress ? (
        <RestingActions />
      ) : (
        <div>
          <Button onClick={back}>Back</Button>
        </div>
      )}
    </>
  )
}
