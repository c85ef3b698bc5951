import { useSetAtom } from 'jotai'
import { revokeServerAtom } from '~/atoms/trust/decisions'
import type { ListedServer } from '~/atoms/trust/list'
import { ServerAt } from '../ServerAt'
import { ReasonDialog } from './ReasonDialog'

type Props = { of: ListedServer; onClose: () => void }

/** Says what follows when a server may answer at an address no more. */
export function RevokeDialog({ of: { origin, server, isAnswering }, onClose }: Props) {
  const revoke = useSetAtom(revokeServerAtom)
  const next = isAnswering
    ? 'It answers now, so every database on it is reported as broken at once and writes are held.'
    : 'If it answers at this address again, that is reported as broken and writes are held.'
  return (
    <ReasonDialog
      action="Revoke"
      description={`${next} Its trusted states, its pinned key and its incidents stay. You can accept it again. A line stays in the log.`}
      failure={{ title: 'It could not be revoked.', notDone: 'Nothing was changed.' }}
      onClose={onClose}
      onConfirm={(reason) => revoke(origin, server, reason)}
      title="Revoke this server?"
    >
      <p className="mb-3 break-all">
        <ServerAt origin={origin} server={server} />
      </p>
    </ReasonDialog>
  )
}
