import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { ChangedCell } from '~/atoms/transactions/changed-rows'
import { timezoneAtom } from '~/core/page-view'
import { beginning } from '~/lib/visible-text'
import { formatCell } from '~/sql/cells'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'

/** One column of a row, or one field of a document, whose type is empty. */
export type Change = Omit<ChangedCell, 'id'> & { id: string }

type Props = {
  changes: readonly Change[]
  /** What a line is. */
  noun: 'column' | 'field'
  /** Leaves out the column that says nothing: before an insertion, after a deletion. */
  side: 'both' | 'before' | 'after'
  /** How a missing value is written. */
  missing: string
  /** Said in place of a value that is not known. */
  unknown: string
}

/** Rows that are shown before the unchanged ones are folded. */
const mostRows = 12
/** Rows that are drawn at once: a document may have thousands of fields. */
const mostDrawn = 200
/** Characters of a name that are shown. */
const nameLength = 200

/** Cells before and after, the changed ones marked and first where there are many. */
export function ChangeTable({ changes, noun, side, missing, unknown }: Props) {
  const [isWhole, setWhole] = useState(false)
  const changed = changes.filter(({ isChanged, isKey }) => isChanged || isKey)
  const isLong = side === 'both' && changed.length > 0 && changes.length > mostRows
  const shown = isWhole ? changes : (isLong ? changed : changes).slice(0, mostDrawn)
  const isFolded = shown.length < changes.length
  return (
    <div className="grid gap-1">
      <Table
        caption={`Every ${noun}`}
        isBoxed
        look="table-fixed"
        titles={[
          {
            title: <span className="inline-block first-letter:uppercase">{noun}</span>,
            look: 'w-[28%]',
          },
          side === 'after' ? null : 'Before',
          side === 'before' ? null : 'After',
        ]}
      >
        {shown.map((change) => (
          <tr className={cx('', change.isChanged && 'bg-warning-tint')} key={change.id}>
            <th className="[overflow-wrap:anywhere]" scope="row">
              {change.name === '' && noun === 'field' ? (
                <span className="font-mono text-muted">''</span>
              ) : change.name === '' ? (
                <span className="text-muted">column number {change.id}, dropped</span>
              ) : (
                <>
                  <SafeName text={beginning(change.name, nameLength)} />
                  {change.name.length > nameLength && '…'}
                </>
              )}
              {change.isKey && <span className="text-muted text-xs"> key</span>}
              {change.isChanged && <span className="sr-only"> changed</span>}
            </th>
            {side !== 'after' && (
              <td>
                <Value
                  {...change}
                  isOld
                  missing={missing}
                  unknown={unknown}
                  value={change.before}
                />
              </td>
            )}
            {side !== 'before' && (
              <td>
                <Value
                  {...change}
                  isOld={false}
                  missing={missing}
                  unknown="not readable"
                  value={change.after}
                />
              </td>
            )}
          </tr>
        ))}
      </Table>
      {isFolded && (
        <span>
          <Button onClick={() => setWhole(true)} size="small" variant="quiet">
            Show all {changes.length} {noun}s
          </Button>
        </span>
      )}
    </div>
  )
}

/** Characters of a value that are shown at once. */
const shownLength = 200

type ValueProps = Change & {
  value: string | null | undefined
  isOld: boolean
  missing: string
  unknown: string
}

function Value({ type, value, isChanged, isOld, missing, unknown }: ValueProps) {
  const zone = useAtomValue(timezoneAtom)
  const [isWhole, setWhole] = useState(false)
  if (value === undefined) return <span className="text-muted">{unknown}</span>
  if (value === null) return <span className="null">{missing}</span>
  if (value === '' && type !== 'BLOB') return <span className="font-mono text-muted">''</span>
  const isPlain = type !== 'TIMESTAMP' && type !== 'BLOB'
  const text = isPlain ? value : formatCell(type, value, zone).text
  const isLong = text.length > shownLength
  return (
    <span className="whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
      <span
        className={cx(
          isChanged && isOld && !text.includes('\n') && 'line-through decoration-muted',
        )}
      >
        <SafeText lines text={isWhole ? text : beginning(text, shownLength)} />
        {isLong && !isWhole && '…'}
      </span>
      {isLong && !isWhole && (
        <span className="ms-2 font-sans">
          <Button onClick={() => setWhole(true)} size="small">
            Show whole
          </Button>
        </span>
      )}
    </span>
  )
}
