import { useSetAtom } from 'jotai'
import type { ArrivalsCost } from '~/atoms/audit/arrivals'
import { checkArrivalsAtom } from '~/atoms/audit/arrivals-actions'
import { formatSize } from '~/lib/size'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Skeleton } from '~/ui/Skeleton'

/** Null while it is measured. */
export type Cost = ArrivalsCost | 'unknown' | null

type Props = { cost: Cost; onClose: () => void }

/** Says what the check of new transactions costs, before it is turned on. */
export function ArrivalsDialog({ cost, onClose }: Props) {
  const turn = useSetAtom(checkArrivalsAtom)
  const turnOn = () => {
    void turn(true)
    onClose()
  }
  return (
    <Dialog
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            disabledReason={cost === null ? 'The cost is still being measured.' : undefined}
            onClick={turnOn}
            variant="primary"
          >
            Turn on
          </Button>
        </>
      }
      onClose={onClose}
      open
      title="Check every transaction as it arrives?"
    >
      {cost === null ? (
        <Skeleton label="Measuring the cost" lines={3} />
      ) : (
        <ul className="grid list-disc gap-1.5 ps-5 text-sm marker:text-muted">
          {wordsOf(cost).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function wordsOf(cost: ArrivalsCost | 'unknown'): string[] {
  const where =
    'It runs in one visible tab while you are logged in. The setting is kept in this browser, for this database of this server.'
  if (cost === 'unknown') {
    return [
      'The cost could not be measured: the server did not answer.',
      'Later: one call for up to 1,000 new transactions.',
      where,
    ]
  }
  const { transactions, calls, bytes, each } = cost
  const now =
    transactions === '0'
      ? 'Now: nothing to read. It begins with the next transaction.'
      : `Now: ${counted(BigInt(transactions), 'transaction')} since the last check, about ${counted(calls, 'call')} and ${formatSize(bytes)}.`
  const size =
    each === null ? '' : `, about ${formatSize(each)} for each, as the newest transactions show`
  return [now, `Later: one call for up to 1,000 new transactions${size}.`, where]
}
