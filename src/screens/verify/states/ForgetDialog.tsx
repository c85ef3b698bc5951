import { useSetAtom } from 'jotai'
import { forgetStateAtom } from '~/atoms/trust/decisions'
import type { TrustRecord } from '~/atoms/trust/record'
import { formatTx } from '~/lib/text'
import { ReasonDialog } from './ReasonDialog'

type Props = { record: TrustRecord; onClose: () => void }

/** Forgets what is known of a database, with a reason that stays in the log. */
export function ForgetDialog({ record: { id, point }, onClose }: Props) {
  const forget = useSetAtom(forgetStateAtom)
  return (
    <ReasonDialog
      action="Forget the state"
      description={`This browser no longer knows that tx ${formatTx(point.txId)} and everything before it were as they are. The next check is a first contact: whatever the server shows then is believed. Pinned descriptions of tables, what was found wrong, and the audits with their report go as well. Its incidents stay, and a line in the log.`}
      failure={{
        title: 'It could not be forgotten.',
        notDone: 'The trusted state is still there.',
      }}
      onClose={onClose}
      onConfirm={(reason) => forget(id, reason)}
      title={`Forget the trusted state of ${id.database}?`}
      typed={id.database}
    />
  )
}
