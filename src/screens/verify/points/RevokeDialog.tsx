import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { revokeServerAtom } from '~/atoms/trust/decisions'
import type { ListedServer } from '~/atoms/trust/list'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { useAttempt } from '../use-attempt'

type Props = { of: ListedServer; onClose: () => void }

/** Says what follows when a server may answer at an address no more. */
export function RevokeDialog({ of, onClose }: Props) {
  const revoke = useSetAtom(revokeServerAtom)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  const { origin, server, isAnswering } = of
  const confirm = () => {
    if (reason.trim() === '') return setError('Say why, for the log.')
    void attempt(() => revoke(origin, server, reason.trim()))
  }
  const next = isAnswering
    ? 'It answers now, so every database on it is reported as broken at once and writes are held.'
    : 'If it answers at this address again, that is reported as broken and writes are held.'
  return (
    <ConfirmDialog
      action="Revoke"
      busy={isBusy}
      description={`${next} Its trusted states, its pinned key and its incidents stay. You can accept it again. A line stays in the log.`}
      onClose={onClose}
      onConfirm={confirm}
      open
      persistent={isBusy || reason !== ''}
      title="Revoke this server?"
    >
      <p className="mb-3 break-all">
        <code className="font-mono text-sm">
          <SafeText text={server || 'without a name'} />
        </code>{' '}
        at <SafeText text={origin} />
      </p>
      {hasFailed && (
        <div className="pb-3">
          <ErrorNote notDone="Nothing was changed." title="It could not be revoked." />
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
