import type { QueryContent } from '~/atoms/queries/query-record'
import type { ChartChoice, ChartColumn } from '~/sql/chart-choice'
import { SafeText } from '~/ui/SafeText'
import { SentValues } from '~/ui/SentRequest'

/** What is saved beside the text of a query: the values of its parameters, and its chart. */
export function QueryParts({ parameters, chart }: Pick<QueryContent, 'parameters' | 'chart'>) {
  return (
    <>
      {parameters && parameters.length > 0 && (
        <SentValues
          params={parameters.map(({ name, type, text }) => ({
            name,
            text: text === null ? 'NULL' : `${type} “${text}”`,
          }))}
        />
      )}
      {chart && (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <SafeText text={chartWords(chart)} />
        </p>
      )}
    </>
  )
}

const kinds = { line: 'lines', bar: 'bars', scatter: 'points' } as const

function chartWords({ kind, x, y, split }: ChartChoice): string {
  const along = x === null ? 'row number' : nameOf(x)
  const each = split === null ? '' : `, a series for each ${nameOf(split)}`
  return `Its chart: ${kinds[kind]} of ${y.map(nameOf).join(', ')} along ${along}${each}.`
}

/** Without the brackets of the server's `(orders.total)`. */
const nameOf = ({ name }: ChartColumn) => /^\((.*)\)$/.exec(name)?.[1] ?? name
