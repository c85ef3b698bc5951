import { formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { cellReader } from '~/sql/import-rows'
import { SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { type Setup, typesOf } from './setup'

/** Rows and fields that are drawn; the check reads all. */
const shownRows = 8
const shownFields = 40

/** The first rows, as they are read with the present choices. */
export function Preview({ setup }: { setup: Setup }) {
  const { heads, records, source } = setup
  const types = typesOf(setup)
  const readCell = cellReader(source)
  const fields = Array.from({ length: Math.min(source.width, shownFields) }, (_, at) => at)
  const more = source.width - fields.length
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      aria-label="First rows of the file"
      className="overflow-x-auto overscroll-x-contain rounded border border-line"
    >
      <Table
        caption="First rows of the file"
        headLook="bg-panel"
        isBoxed
        titles={[
          { title: 'Line', look: 'text-end' },
          ...fields.map((at) => ({
            title: <SafeText text={heads[at] || `Field ${at + 1}`} />,
            look: 'max-w-60 truncate',
          })),
        ]}
      >
        {records.slice(0, shownRows).map((record) => (
          <tr key={record.line}>
            <td className="text-end text-muted tabular-nums">{formatCount(record.line)}</td>
            {fields.map((at) => (
              <td className="max-w-60 truncate" key={at}>
                {at < record.cells.length && (
                  <Shown cell={readCell(record, { from: at, ...(types[at] ?? asText) })} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {more > 0 && (
        <p className="px-2 py-1 text-muted text-sm">and {formatCount(more)} more fields</p>
      )}
      {records.length === 0 && <p className="px-2 py-1 text-muted text-sm">No rows.</p>}
    </section>
  )
}

/** A field that is left out. */
const asText = { type: { name: 'VARCHAR', length: null }, rule: null } as const

const shownLength = 80

function Shown({ cell }: { cell: string | null }) {
  if (cell === null) return <span className="text-muted">NULL</span>
  return <SafeText text={beginning(cell, shownLength)} value />
}
