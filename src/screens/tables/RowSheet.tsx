import { useAtomValue } from 'jotai'
import { type ReactNode, useRef, useState } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { keysOf } from '~/lib/shortcuts'
import { beginning } from '~/lib/visible-text'
import { type CellInput, isValue } from '~/sql/cell-input'
import type { ResultColumn, ResultTable } from '~/sql/result'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { copiedText } from '~/ui/grid/cell'
import { resultCell } from '~/ui/grid/ResultGrid'
import { LinkIcon, ShieldIcon } from '~/ui/Icon'
import { HistoryIcon } from '~/ui/QueryIcons'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sheet } from '~/ui/Sheet'
import { ValueView } from '~/ui/ValueView'
import { CodeButton } from '../code/CodeButton'
import type { Call } from '../code/call'
import { CopyMenu, pick } from './CopyRows'
import type { OpenCell, RowEdits } from './edits/use-row-edits'

type Props = {
  table: string
  /** Names the row. */
  title: string
  rows: ResultTable
  row: number
  /** What is staged; null where nothing can be. */
  edits: RowEdits | null
  /** The column whose field is open at first. */
  editing?: string | undefined
  /** The field of a cell. */
  editor: (cell: OpenCell, onClose: () => void) => ReactNode
  /** The address of the row; null where it has none. */
  link: string | null
  /** Reads the row from a program; null where it has no key. */
  call: (() => Call) | null
  /** Only a stored row has a history and a proof. */
  kind: 'stored' | 'new' | 'of a view'
  verify: (row: number) => void
  showHistory: (row: number) => void
  /** Shows another row of the page. */
  onGo: (row: number) => void
  onClose: () => void
}

const notStored = {
  stored: undefined,
  new: 'The row is not committed yet.',
  'of a view': 'Rows of a view are not stored.',
}

/** One row with all its values, and what can be done with it. */
export function RowSheet(props: Props) {
  const { table, title, rows, row, kind, onGo, onClose } = props
  const reason = notStored[kind]
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
          {props.call && (
            <CodeButton call={props.call} isSmall what={title.replace(/^Row/, 'row')} />
          )}
          {props.link !== null && <CopyButton icon={<LinkIcon />} text={props.link} what="link" />}
          <span className="ms-auto flex items-center gap-1">
            <Button
              disabledReason={row === 0 ? 'This is the first row of the page.' : undefined}
              onClick={() => onGo(row - 1)}
              size="small"
              variant="quiet"
            >
              Previous<span className="sr-only"> row</span>
            </Button>
            <Button
              disabledReason={
                row === rows.rowCount - 1 ? 'This is the last row of the page.' : undefined
              }
              onClick={() => onGo(row + 1)}
              size="small"
              variant="quiet"
            >
              Next<span className="sr-only"> row</span>
            </Button>
          </span>
        </>
      }
      onClose={onClose}
      open
      side="right"
      title={title}
    >
      <dl className="grid grid-cols-1 gap-3 p-4">
        {rows.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a view may have one name.
          <Value {...props} column={column} key={`${row} ${at}`} />
        ))}
      </dl>
    </Sheet>
  )
}

/** Longest value that is shown on a line; others get a view of their own. */
const plainLength = 120

type ValueProps = Pick<Props, 'edits' | 'editing' | 'editor' | 'row' | 'kind'> & {
  column: ResultColumn
}

/** A value with what is staged for it, or its field. */
function Value({ column, row, kind, edits, editing, editor }: ValueProps) {
  const { label, type } = column
  const cell = edits?.cellAt(row, label) ?? null
  const [opened, open] = useState<OpenCell | null>(() =>
    editing === label && typeof cell !== 'string' ? cell : null,
  )
  const button = useRef<HTMLButtonElement>(null)
  const staged = edits?.stagedAt(row, label)
  const close = () => {
    open(null)
    button.current?.focus()
  }
  return (
    <div>
      <dt className="flex items-baseline gap-2 text-sm">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]" translate="no">
          <SafeName text={label} />
        </span>
        <span className="shrink-0 text-muted text-xs">{type}</span>
        {cell !== null && (
          <span className="ms-auto shrink-0">
            <Button
              aria-expanded={opened !== null}
              aria-label={`Edit ${label}`}
              disabledReason={typeof cell === 'string' ? cell : undefined}
              onClick={() => open(opened === null && typeof cell !== 'string' ? cell : null)}
              ref={button}
              size="small"
              variant="quiet"
            >
              Edit
            </Button>
          </span>
        )}
      </dt>
      <dd className="min-w-0 pt-0.5">
        {opened === null ? (
          <>
            {(kind !== 'new' || !staged) && (
              <Shown label={label} type={type} value={column.values[row] ?? null} />
            )}
            {staged && <Staged label={label} staged={staged} type={type} />}
          </>
        ) : (
          editor(opened, close)
        )}
      </dd>
    </div>
  )
}

type StagedProps = { label: string; type: string; staged: CellInput }

/** The value that a commit would store. */
function Staged({ label, type, staged }: StagedProps) {
  return (
    <div className="mt-1 border-warning border-s-2 ps-2">
      <p className="text-sm text-warning">Staged, not committed yet:</p>
      {isValue(staged) ? (
        <Shown label={`${label}, staged`} type={type} value={staged.value} />
      ) : (
        <p className="text-error text-sm [overflow-wrap:anywhere]">
          <SafeText text={`${beginning(staged.text, plainLength)}: ${staged.error}`} />
        </p>
      )}
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
      <span className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
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
