import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/atoms/settings/view'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { keysOf } from '~/lib/shortcuts'
import type { ResultColumn, ResultTable } from '~/sql/result'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { copiedText } from '~/ui/grid/cell'
import { resultCell } from '~/ui/grid/ResultGrid'
import { ShieldIcon } from '~/ui/Icon'
import { HistoryIcon } from '~/ui/QueryIcons'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sheet } from '~/ui/Sheet'
import { ValueView } from '~/ui/ValueView'
import { CopyMenu, pick } from './CopyRows'

type Props = {
  table: string
  /** Names the row. */
  title: string
  rows: ResultTable
  row: number
  /** Rows of views are not stored, so they have no history and no proof. */
  isOfView: boolean
  verify: (row: number) => void
  showHistory: (row: number) => void
  /** Shows another row of the page. */
  onGo: (row: number) => void
  onClose: () => void
}

/** One row with all its values, and what can be done with it. */
export function RowSheet(props: Props) {
  const { table, title, rows, row, isOfView, onGo, onClose } = props
  const reason = isOfView ? 'Rows of a view are not stored.' : undefined
  return (
    <Sheet
      footer={
        <>
          <Button
            disabledReason={reason}
            icon={<ShieldIcon />}
            onClick={() => props.verify(row)}
            size="small"
            title={`${keysOf('grid', 'verify')} in the grid`}
          >
            Verify
          </Button>
          <Button
            disabledReason={reason}
            icon={<HistoryIcon />}
            onClick={() => {
              onClose()
              props.showHistory(row)
            }}
            size="small"
            title={`${keysOf('grid', 'history')} in the grid`}
          >
            History
          </Button>
          <CopyMenu label="Copy as" rows={pick(rows, [row])} table={table} />
          <span className="ms-auto flex items-center gap-1">
            <Button
              disabledReason={row === 0 ? 'This is the first row of the page.' : undefined}
              onClick={() => onGo(row - 1)}
              size="small"
              variant="quiet"
            >
              Previous row
            </Button>
            <Button
              disabledReason={
                row === rows.rowCount - 1 ? 'This is the last row of the page.' : undefined
              }
              onClick={() => onGo(row + 1)}
              size="small"
              variant="quiet"
            >
              Next row
            </Button>
          </span>
        </>
      }
      onClose={onClose}
      open
      side="right"
      title={title}
    >
      <dl className="grid gap-3 p-4">
        {rows.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a view may have one name.
          <Value column={column} key={at} row={row} />
        ))}
      </dl>
    </Sheet>
  )
}

/** Longest value that is shown on a line; others get a view of their own. */
const plainLength = 120

function Value({ column, row }: { column: ResultColumn; row: number }) {
  const { label, type } = column
  const value = column.values[row] ?? null
  return (
    <div>
      <dt className="flex items-baseline gap-2 text-sm">
        <span className="font-medium">
          <SafeName text={label} />
        </span>
        <span className="text-muted text-xs">{type}</span>
      </dt>
      <dd className="min-w-0 pt-0.5">
        <Shown label={label} type={type} value={value} />
      </dd>
    </div>
  )
}

type ShownProps = { label: string; type: string; value: string | null }

function Shown({ label, type, value }: ShownProps) {
  const zone = useAtomValue(timezoneAtom)
  if (value === null) return <span className="null">NULL</span>
  if (type === 'BLOB') return <ValueView name={label} value={value} />
  const isLong = type === 'JSON' || value.length > plainLength || /[\r\n]/.test(value)
  if (isLong) return <ValueView name={label} value={bytesToBase64(encodeUtf8(value))} />
  const cell = resultCell(type, value, zone)
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 break-words font-mono text-sm [overflow-wrap:anywhere]">
        {value === '' ? (
          <span className="text-muted">''</span>
        ) : (
          <SafeText text={cell.text} value />
        )}
      </span>
      <CopyButton size="tiny" text={() => copiedText(cell)} what={label} />
    </span>
  )
}
