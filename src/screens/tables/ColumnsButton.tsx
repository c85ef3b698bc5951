import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { columnChoiceAtom } from '~/atoms/tables/columns'
import { Button } from '~/ui/Button'
import { ColumnIcon } from '~/ui/Icon'
import { ColumnsDialog } from './table-doors'

type Props = {
  database: string
  table: string
  columns: readonly { readonly name: string }[]
  isStored: boolean
}

/** Opens the choice of columns, and counts those that it hides. */
export function ColumnsButton({ database, table, columns, isStored }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { hidden } = useAtomValue(columnChoiceAtom)(database, table)
  const count = columns.filter(({ name }) => hidden.includes(name)).length
  return (
    <>
      <Button
        aria-haspopup="dialog"
        icon={<ColumnIcon />}
        onClick={() => setOpen(true)}
        size="small"
        variant={count > 0 ? 'plain' : 'quiet'}
      >
        <span className="@max-3xl:xs:sr-only">
          {count > 0 ? `Columns: ${columns.length - count} of ${columns.length}` : 'Columns'}
        </span>
      </Button>
      {isOpen && (
        <ColumnsDialog
          columns={columns}
          database={database}
          isStored={isStored}
          onClose={() => setOpen(false)}
          table={table}
        />
      )}
    </>
  )
}
