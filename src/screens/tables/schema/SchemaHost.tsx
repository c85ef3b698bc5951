import { useAtom, useAtomValue } from 'jotai'
import { useRef } from 'react'
import { schemaFormAtom } from '~/atoms/tables/schema-change'
import { tablesAtom } from '~/atoms/tables/table-list'
import { lowerAscii } from '~/sql/names'
import type { SchemaChange } from '~/sql/schema-changes'
import { useShownTable } from '../address'
import { SchemaDialog } from '../table-doors'

/**
 * The form that changes the schema, while one is open. It stands apart from the button that opened
 * it, because the button of a renamed or dropped column is gone when that is done. `onDrop` shows
 * the list from which a table is gone.
 */
export function SchemaHost({ onDrop }: { onDrop: () => void }) {
  const [form, setForm] = useAtom(schemaFormAtom)
  const tables = useAtomValue(tablesAtom).data ?? []
  const { show, close } = useShownTable()
  const here = useRef<HTMLSpanElement>(null)
  const follow = (change: SchemaChange) => {
    // The screen may have been left while the server worked.
    if (here.current === null) return
    if (change.kind === 'create-table') show(lowerAscii(change.table.trim()))
    if (change.kind !== 'drop-table') return
    close(change.table)
    onDrop()
  }
  return (
    <>
      <span hidden ref={here} />
      {form && (
        <SchemaDialog
          database={form.database}
          onClose={() => setForm(null)}
          onDone={follow}
          schema={{ tables, ...form.of }}
          start={form.start}
        />
      )}
    </>
  )
}
