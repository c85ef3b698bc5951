import { createContext, useContext } from 'react'
import { formatTx } from '~/lib/text'
import { TxLink } from '~/ui/TxLink'

/**
 * The database whose transactions a proof names, and what to do when one is opened; null where they
 * are of no database of this server, such as in a file of evidence.
 */
export const ProvenIn = createContext<{ database: string; onLeave: () => void } | null>(null)

/** The number of a proven transaction. */
export function ProvenTx({ id }: { id: string }) {
  const of = useContext(ProvenIn)
  return (
    <span className="font-mono">
      {of && id !== '0' ? (
        <TxLink database={of.database} id={id} onClick={of.onLeave} />
      ) : (
        `tx ${formatTx(id)}`
      )}
    </span>
  )
}
