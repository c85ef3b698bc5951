import { type ReactNode, useState } from 'react'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'

type Props = {
  title: string
  description: string
  action: string
  /** As that of `AskDialog`. */
  confirm?: string
  /** Said when it did not succeed. */
  failure: { title: string; notDone: string }
  /** Does it; the reason is not empty. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks before something that the log keeps with a reason. */
export function ReasonDialog({ onConfirm, children, ...question }: Props) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  return (
    <AskDialog
      {...question}
      isDanger
      isTyped={reason !== ''}
      onAction={() =>
        reason.trim() === '' ? setError('Say why, for the log.') : onConfirm(reason.trim())
      }
    >
      {children}
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
    </AskDialog>
  )
}
