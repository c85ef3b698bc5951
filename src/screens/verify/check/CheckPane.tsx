import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/atoms/session'
import { EmptyState } from '~/ui/EmptyState'
import { ShieldIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeName'
import { CheckedList } from './CheckedList'
import { DocumentForm } from './DocumentForm'
import { TransactionForm } from './TransactionForm'

/** Verifies what one knows the number or the id of. */
export function CheckPane() {
  const database = useAtomValue(databaseAtom)
  if (database === null) {
    return (
      <EmptyState
        icon={<ShieldIcon />}
        text="Transactions and documents belong to a database. Choose one at the top."
        title="No database is open"
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        Proves a single object of <SafeName text={database} /> against the trusted state. Rows are
        verified where they are shown, on the page Query, and keys on the page Keys.
      </p>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <TransactionForm />
        <DocumentForm />
      </div>
      <CheckedList />
    </div>
  )
}
