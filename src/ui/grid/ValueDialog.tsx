import { useState } from 'react'
import { beginning } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { type Cell, copiedText, type GridColumn } from '~/ui/grid/cell'
import { join } from '~/ui/join'
import { SafeText } from '~/ui/SafeText'

type ValueDialogProps = {
  column: GridColumn | undefined
  row: number
  cell: Cell
  onClose: () => void
}

/** Characters shown before the reader asks for more; longer texts make the browser slow. */
const firstPart = 65_536

/** One whole value, as it is stored. */
export function ValueDialog({ column, row, cell, onClose }: ValueDialogProps) {
  const [all, setAll] = useState(false)
  const text = copiedText(cell)
  const shown = all ? text : beginning(text, firstPart)
  const count = new Intl.NumberFormat('en-GB').format(text.length)
  const unit = text.length === 1 ? 'character' : 'characters'
  return (
    <Dialog
      description={
        <>
          Row {new Intl.NumberFormat('en-GB').format(row + 1)}
          {column?.detail && ` · ${column.detail}`} · {count} {unit}
        </>
      }
      footer={<CopyButton size="normal" text={text} what="value" worded />}
      onClose={onClose}
      open
      title={column?.title ?? ''}
      width="wide"
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label="Value"
        className={join(
          'max-h-[50vh] min-h-16 overflow-auto whitespace-pre-wrap break-words rounded border border-line bg-page px-3 py-2',
          cell.kind === 'text' ? 'text-base' : 'font-mono text-sm',
        )}
      >
        {cell.kind === 'null' && <span className="null">NULL</span>}
        {cell.kind === 'empty' && <span className="font-mono text-muted">''</span>}
        <SafeText lines text={shown} />
      </section>
      {shown.length < text.length && (
        <div className="mt-2">
          <Button onClick={() => setAll(true)} size="small">
            Show all {count} characters
          </Button>
        </div>
      )}
    </Dialog>
  )
}
