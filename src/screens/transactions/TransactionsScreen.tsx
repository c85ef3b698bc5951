import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/atoms/session/session'
import { useSearchParam } from '~/ui/location'
import { OneTransaction } from './OneTransaction'
import { TransactionList } from './TransactionList'

/** All transactions of the database, or the one that the address names. */
export default function TransactionsScreen() {
  const database = useAtomValue(databaseAtom) ?? ''
  const [id] = useSearchParam('id')
  if (id === undefined) return <TransactionList key={database} />
  return <OneTransaction database={database} id={id} key={`${database} ${id}`} />
}
