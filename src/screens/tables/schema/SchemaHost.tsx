import { useAtom, useAtomValue } from 'jotai'
import { tablesAtom } from '~/atoms/query/tables'
import { schemaFormAtom } from '~/atoms/tables/schema-form'
import { lowerAscii } from '~/sql/names'
import type { SchemaChange } from '~/sql/schema-changes'
import { useShownTable } from '../address'
import { SchemaDialog } from '../lazy-parts'

/**
 * The form that changes the schema, while one is open. It stands apart from the button that opened
 * it, because the button of a renamed or dropped column is gone when that is done.
 */
export function SchemaHost() {
  const [form, setForm] = useAtom(schemaFormAtom)
  const tables = useAtomValue(tablesAtom).data ?? []
  const { show, close } = useShownTable()
  if (!form) return null
  const { database, start, of } = form
  const end = (done: SchemaChange | null) => {
    setForm(null)
    if (done?.kind === 'create-table') show(lowerAscii(done.table.trim()))
    if (done?.kind === 'drop-table') close(done.table)
  }
  return <SchemaDialog database={database} onClose={end} schema={{ tables, ...of }} start={start} />
}
