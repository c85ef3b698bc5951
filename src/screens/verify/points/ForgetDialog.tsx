import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { forgetPointAtom } from '~/atoms/trust/decisions'
import type { TrustRecord } from '~/atoms/trust/record'
import { formatTx } from '~/lib/text'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { useAttempt } from '../use-attempt'

type Props = { record: TrustRecord; onClose: () => void }

/** Forgets what is known of a database, with a reason that stays in the log. */
export function ForgetDialog({ record: { id, point }, onClose }: Props) {
  const forget = useSetAtom(forgetPointAtom)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  const confirm = () => {
    if (reason.trim() === '') return setError('Say why, for whoever reads the log.')
    void attempt(() => forget(id, reason.trim()))
  }
  return (
    <ConfirmDialog
      action="Forget the state"
      busy={isBusy}
      description={`This browser no longer knows that tx ${formatTx(point.txId)} and everything before it were as they are. The next check is a first contact: whatever the server shows then is believed. Pinned descriptions of tables, what was found wrong, and the audits with their report go as well. Its incidents stay, and a line in the log.`}
      onClose={onClose}
      onConfirm={confirm}
      open
      persistent={isBusy || reason !== ''}
      title={`Forget the trusted state of ${id.database}?`}
      typed={id.database}
    >
      {hasFailed && (
        <div className="pb-3">
          <ErrorNote
            notDone="The trusted state is still there."
            title="It could not be forgotten."
          />
        </div>
      )}
      <Field
        autoComplete="off"
        error={error}
        label="Reason"
        onChange={(text) => {
          setReason(text)
          setError(undefined)
        }}
        value={reason}
      />
    </ConfirmDialog>
  )
}
