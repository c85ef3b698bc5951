import type { QueryContent } from '~/atoms/queries/query-record'
import type { ChartChoice } from '~/sql/chart-choice'
import { plainColumn } from '~/sql/chart-points'
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
  const along = x === null ? 'row number' : plainColumn(x)
  const each = split === null ? '' : `, a series for each ${plainColumn(split)}`
  return `Its chart: ${kinds[kind]} of ${y.map(plainColumn).join(', ')} along ${along}${each}.`
}
