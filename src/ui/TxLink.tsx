import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { Link } from './Link'

type Props = {
  database: string
  /** Decimal digits. */
  id: string
  className?: string
}

/** The number of a transaction, which leads to what it changed. */
export function TxLink({ database, id, className = 'text-primary underline' }: Props) {
  return (
    <Link className={className} to={pathTo('transactions', { db: database, id })}>
      tx {formatTx(id)}
    </Link>
  )
}
