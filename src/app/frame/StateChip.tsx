import { useAtomValue } from 'jotai'
import { outageAtom, stateAtom } from '~/atoms/state'
import { formatTx } from '~/lib/text'
import { join } from '~/ui/join'

type Props = {
  /** On a phone it stands below the title, else in a frame of its own. */
  className: string
}

/** The newest transaction as the server reports it; nothing here is verified. */
export function StateChip({ className }: Props) {
  const { data } = useAtomValue(stateAtom)
  const outage = useAtomValue(outageAtom)
  if (!data) return null
  const text = data.txId === '0' ? 'empty' : `tx ${formatTx(data.txId)}`
  return (
    <span
      className={join('font-mono text-muted', className)}
      title={`Newest transaction, reported by server${outage ? ' before it went away' : ''}`}
    >
      {text}
    </span>
  )
}
