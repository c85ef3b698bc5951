import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { tableRulesAtom } from '~/atoms/tables/rules'
import type { TableRules as Rules } from '~/sql/table-ddl'
import { ReadHistory } from './ReadHistory'

export type TableRulesProps = {
  database: string
  table: string
  /** Shows the rules; null while they are not known. */
  rules: (rules: Rules | null) => ReactNode
}

/** The checks and defaults of a table, once the transactions that made them were read. */
export function TableRules({ database, table, rules }: TableRulesProps) {
  const found = useAtomValue(useAtomValue(tableRulesAtom)(database, table))
  return (
    <>
      {rules(found)}
      {found === null && (
        <ReadHistory
          database={database}
          text="The server does not list checks and defaults. The transactions that made them do."
        />
      )}
    </>
  )
}
