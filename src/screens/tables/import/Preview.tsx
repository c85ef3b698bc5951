import { formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { cellReader } from '~/sql/import-rows'
import { SafeText } from '~/ui/SafeText'
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
      <table className="w-full text-sm">
        <caption className="sr-only">First rows of the file</caption>
        <thead>
          <tr className="border-line border-b bg-panel text-start">
            <th className="px-2 py-1 text-end font-normal text-muted" scope="col">
              Line
            </th>
            {fields.map((at) => (
              <th
                className="max-w-60 truncate px-2 py-1 text-start font-medium"
                key={at}
                scope="col"
              >
                <SafeText text={heads[at] || `Field ${at + 1}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.slice(0, shownRows).map((record) => (
            <tr className="border-line/55 border-b last:border-0" key={record.line}>
              <td className="px-2 py-1 text-end text-muted tabular-nums">
                {formatCount(record.line)}
              </td>
              {fields.map((at) => (
                <td className="max-w-60 truncate px-2 py-1" key={at}>
                  {at < record.cells.length && (
                    <Shown cell={readCell(record, { from: at, ...(types[at] ?? asText) })} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
