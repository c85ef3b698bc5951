import { ErrorIcon, TickIcon } from '~/ui/Icon'
import type { Outcome, RowsOutcome } from './guide'
import { Plain } from './Prose'

/** What one statement of an example gave: rows, a sentence, or why it was refused. */
export function OutcomeView({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'rows') return <Rows outcome={outcome} />
  const isFailed = outcome.kind === 'failed'
  return (
    <p className="flex gap-2 px-3 py-1.5 text-sm">
      <span className="flex h-5 shrink-0 items-center">
        {isFailed ? <ErrorIcon className="text-error" /> : <TickIcon className="text-muted" />}
      </span>
      <span className="min-w-0">
        <span className="sr-only">{isFailed ? 'Refused: ' : 'Result: '}</span>
        <Plain text={outcome.text} />
        {isFailed && outcome.hint && (
          <span className="block text-muted">
            <Plain text={outcome.hint} />
          </span>
        )}
      </span>
    </p>
  )
}

function Rows({ outcome }: { outcome: RowsOutcome }) {
  const { columns, rows, note } = outcome
  return (
    <div className="px-3 py-2 text-sm">
      {note !== undefined && (
        <p className="mb-1 text-muted">
          <Plain text={note} />
        </p>
      )}
      <table className="border-separate border-spacing-0 [overflow-wrap:anywhere]">
        <caption className="sr-only">Result</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                className="border-line border-b py-0.5 pe-6 text-start align-bottom font-normal text-muted text-xs"
                key={column}
                scope="col"
              >
                <Plain text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a recorded result have no identity.
            <tr key={row}>
              {cells.map((cell, at) => (
                <td className="py-0.5 pe-6 align-top font-mono" key={columns[at]}>
                  {cell === null ? <span className="null">NULL</span> : <Plain text={cell} />}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td className="py-0.5 text-muted" colSpan={columns.length}>
                No rows
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
