import { systemDatabase } from '~/lib/constants'
import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { Link } from './Link'

type Props = {
  database: string
  /** Decimal digits. */
  id: string
  className?: string
  /** What stands in front of the number, with its space. */
  word?: string
  /** Called when it is followed, for drawers that have to close. */
  onClick?: () => void
  /** -1 in a list that is one stop of the Tab key and opens its items by Enter. */
  tabIndex?: number
}

/** The number of a transaction, which leads to what it changed. */
export function TxLink(props: Props) {
  const { database, id, className = 'text-primary underline', word = 'tx ', ...rest } = props
  // The page would show the password hashes and session IDs that systemdb holds.
  if (database === systemDatabase) return `${word}${formatTx(id)}`
  return (
    <Link className={className} to={pathTo('transactions', { db: database, id })} {...rest}>
      {word}
      {formatTx(id)}
    </Link>
  )
}
