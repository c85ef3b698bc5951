import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { tableChecksAtom } from '~/atoms/tables/checks'
import type { TableCheck } from '~/sql/table-ddl'
import { ReadHistory } from './ReadHistory'

export type TableChecksProps = {
  database: string
  table: string
  /** Shows the checks; null while they are not known. */
  checks: (checks: readonly TableCheck[] | null) => ReactNode
}

/** The checks on the rows of a table, once the transactions that made them were read. */
export function TableChecks({ database, table, checks }: TableChecksProps) {
  const found = useAtomValue(tableChecksAtom)(database, table)
  return (
    <>
      {checks(found)}
      {found === null && (
        <ReadHistory
          database={database}
          text="No call of the server tells the checks of a table. They stand in the transactions that made them."
        />
      )}
    </>
  )
}
