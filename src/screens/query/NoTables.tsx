import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import { runAtom } from '~/atoms/run'
import { databaseAtom } from '~/atoms/session'
import { hasTransactionsAtom } from '~/atoms/state'
import { writeRefusalAtom } from '~/atoms/write-refusal'
import { splitStatements } from '~/sql/statements'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { fetchedLater } from '~/ui/fetched-later'
import { TableIcon } from '~/ui/Icon'
import { useDesk } from './desk'

const DemoDialog = fetchedLater(() => import('./DemoDialog').then((module) => module.DemoDialog))

/** Why there is nothing, and something to begin with. */
export function NoTables() {
  const hasTransactions = useAtomValue(hasTransactionsAtom)
  const database = useAtomValue(databaseAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const [isOpen, setOpen] = useState(false)
  const run = useSetAtom(runAtom)
  const { show } = useDesk()
  const add = (sql: string) => {
    show('output')
    void run(sql, splitStatements(sql))
  }
  const reason = database === null ? 'No database is open.' : refusal
  return (
    <>
      <div aria-label="Tables" className="sr-only" role="tree" />
      <EmptyState
        action={
          <>
            <Button disabledReason={reason} onClick={() => setOpen(true)}>
              Add demo data
            </Button>
            {reason !== undefined && <p className="mt-2 text-muted text-sm">{reason}</p>}
          </>
        }
        icon={<TableIcon />}
        text={
          hasTransactions
            ? 'Keys and documents are not tables and do not show here.'
            : 'Nothing was ever written to this database.'
        }
        title="No tables"
      />
      {isOpen && database !== null && (
        <Suspense fallback={null}>
          <DemoDialog database={database} onAdd={add} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
