import { useState } from 'react'
import { writesRefusal } from '~/atoms/rows/row-writes'
import { useAct } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ColumnIcon } from '~/ui/Icon'
import { showToast } from '~/ui/toast'
import { HistoryChoice } from '../tables/HistoryChoice'

type Props = {
  rowSet: RowSet
  /** The one table whose rows are shown, or why there is none. */
  of: { table: string } | { why: string }
}

/** Opens the choice of what is shown beside the rows of a result. */
export function HistoryColumns({ rowSet, of }: Props) {
  const { database, number } = rowSet
  const [isOpen, setOpen] = useState(false)
  const refusalOf = useAct(writesRefusal)
  const open = async () => {
    const why = await refusalOf(rowSet)
    if (why === null) setOpen(true)
    else showToast({ kind: 'error', text: why })
  }
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={`History columns of result ${number}`}
        disabledReason={'why' in of ? of.why : undefined}
        icon={<ColumnIcon />}
        onClick={() => void open()}
        size="small"
        variant="quiet"
      >
        History columns
      </Button>
      {isOpen && 'table' in of && (
        <Dialog
          description="The same as in the tab of the table."
          footer={
            <Button onClick={() => setOpen(false)} variant="primary">
              Done
            </Button>
          }
          onClose={() => setOpen(false)}
          open
          title={`History columns of ${of.table}`}
        >
          <HistoryChoice database={database} table={of.table} />
        </Dialog>
      )}
    </>
  )
}
