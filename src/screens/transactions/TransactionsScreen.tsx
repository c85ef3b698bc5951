import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { databaseAtom } from '~/core/session/session'
import { useSearchParam } from '~/ui/location'
import { AsOfStrip } from '../moments/AsOf'
import { OneTransaction } from './OneTransaction'
import { TransactionList } from './TransactionList'

/** All transactions of the database, or the one that the address names. */
export default function TransactionsScreen() {
  const database = useAtomValue(databaseAtom) ?? ''
  const [id] = useSearchParam('id')
  const [shown, setShown] = useState({ id, before: id })
  if (shown.id !== id) setShown({ id, before: shown.id })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <AsOfStrip />
      <div className="min-h-0 flex-1">
        {id === undefined ? (
          <TransactionList before={shown.before} key={database} />
        ) : (
          <OneTransaction database={database} id={id} key={`${database} ${id}`} />
        )}
      </div>
    </div>
  )
}
