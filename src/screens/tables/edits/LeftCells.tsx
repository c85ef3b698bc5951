import { tabText } from '~/lib/tab-text'
import { counted } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import type { LeftCell } from '~/sql/cell-paste'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'

/** Lines that are shown; copying takes all. */
const mostShown = 200
/** Characters of a value that are shown. */
const shownLength = 200

type Props = { cells: readonly LeftCell[]; onClose: () => void }

/** Pasted cells that found no place, so that nothing of them is lost. */
export function LeftCells({ cells, onClose }: Props) {
  return (
    <Dialog
      description="Rows and columns are counted in what you pasted. All other cells are staged."
      footer={<CopyButton size="normal" text={() => blockOf(cells)} what="these cells" worded />}
      onClose={onClose}
      open
      title={`${counted(cells.length, 'cell')} had no place`}
      width="wide"
    >
      <Table caption="Cells without a place" titles={['Row', 'Column', 'Text', 'Why']}>
        {cells.slice(0, mostShown).map(({ row, column, text, reason }) => (
          <tr key={`${row} ${column}`}>
            <td className="tabular-nums">{row + 1}</td>
            <td className="tabular-nums">{column + 1}</td>
            <td className="font-mono text-xs [overflow-wrap:anywhere]" translate="no">
              <SafeText text={cutText(text, shownLength)} value />
            </td>
            <td>
              <SafeText text={reason} />
            </td>
          </tr>
        ))}
      </Table>
      {cells.length > mostShown && (
        <p className="pt-2 text-muted text-sm">These are the first {mostShown}. Copy takes all.</p>
      )}
    </Dialog>
  )
}

/** The cells in their places, as they can be pasted again. */
function blockOf(cells: readonly LeftCell[]): string {
  const rows = new Map<number, (string | null)[]>()
  for (const { row, column, text } of cells) {
    const line = rows.get(row) ?? []
    while (line.length < column) line.push(null)
    line[column] = text
    rows.set(row, line)
  }
  return tabText([...rows.values()].map((line) => Array.from(line, (text) => text ?? null)))
}
