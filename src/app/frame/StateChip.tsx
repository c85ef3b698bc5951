import { useAtomValue } from 'jotai'
import { outageAtom, stateAtom } from '~/atoms/state'
import { formatTx } from '~/lib/text'

/** The newest transaction as the server reports it; nothing here is verified. */
export function StateChip() {
  const { data } = useAtomValue(stateAtom)
  const outage = useAtomValue(outageAtom)
  if (!data) return null
  const text = data.txId === '0' ? 'empty' : `tx ${formatTx(data.txId)}`
  return (
    <span
      className="hidden whitespace-nowrap rounded border border-line px-2 py-0.5 font-mono text-muted text-sm sm:inline"
      title={`Newest transaction, reported by server${outage ? ' before it went away' : ''}`}
    >
      {text}
    </span>
  )
}
