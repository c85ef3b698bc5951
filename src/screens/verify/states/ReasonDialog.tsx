import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { useAttempt } from '../use-attempt'

type Props = {
  title: string
  description: string
  action: string
  /** As that of `ConfirmDialog`. */
  typed?: string
  /** Said when it did not succeed. */
  failure: { title: string; notDone: string }
  /** Does it; the reason is not empty. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks before something that the log keeps with a reason. */
export function ReasonDialog({ failure, onConfirm, onClose, children, ...question }: Props) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  const confirm = () => {
    if (reason.trim() === '') return setError('Say why, for the log.')
    void attempt(() => onConfirm(reason.trim()))
  }
  return (
    <ConfirmDialog
      {...question}
      busy={isBusy}
      onClose={onClose}
      onConfirm={confirm}
      open
      persistent={isBusy || reason !== ''}
    >
      {children}
      {hasFailed && (
        <div className="pb-3">
          <ErrorNote {...failure} />
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
