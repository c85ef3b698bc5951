import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { aligned, extent, type Line, newest, since } from '~/lib/series'
import { formatClock, type TimeZoneChoice } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Legend } from '~/ui/chart/Legend'
import { formatValue, type Unit } from '~/ui/chart/look'
import { fetchedLater } from '~/ui/fetched-later'

const Plot = fetchedLater(() => import('~/ui/chart/Plot').then((module) => module.Plot))
const ChartTable = fetchedLater(() =>
  import('~/ui/chart/ChartTable').then((module) => module.ChartTable),
)

export type ChartProps = {
  title: string
  /** A few words beside the title, such as the newest value. */
  detail?: ReactNode
  lines: readonly Line[]
  /** The stretch of time that is shown, in milliseconds since 1970. */
  from: number
  to: number
  unit: Unit
  zone: TimeZoneChoice
  /** Said where nothing was measured in that time. */
  empty: ReactNode
}

/**
 * Lines over time, as a drawing that can be read point by point with the arrow keys, as a sentence
 * for each line, and as a table.
 */
export function Chart(props: ChartProps) {
  const { title, detail, lines, from, to, unit, zone, empty } = props
  const [isTable, setTable] = useState(false)
  const [active, setActive] = useState<number | null>(null)
  const shown = useMemo(() => since(lines, from), [lines, from])
  const data = useMemo(() => aligned(shown), [shown])
  const isEmpty = shown.every((line) => newest(line) === null)
  const at = active === null ? undefined : data.times[active]
  return (
    <figure
      aria-label={title}
      className="flex min-w-0 flex-col rounded-lg border border-line bg-panel"
    >
      <div className="flex min-h-11 items-center gap-2 ps-4 pe-2 xs:min-h-10">
        <h3 className="font-medium">{title}</h3>
        <span className="hidden min-w-0 truncate text-muted text-sm xs:inline">{detail}</span>
        <span className="ms-auto">
          <Button
            aria-pressed={isTable}
            disabledReason={isEmpty ? 'Nothing was measured yet.' : undefined}
            onClick={() => setTable(!isTable)}
            size="small"
            variant="quiet"
          >
            {isTable ? 'Chart' : 'Table'}
            <span className="sr-only"> of: {title}</span>
          </Button>
        </span>
      </div>
      <div className="h-[188px] px-2">
        {isEmpty ? (
          <div className="flex h-full items-center justify-center px-6 text-center text-muted text-sm">
            <div>{empty}</div>
          </div>
        ) : (
          <Suspense fallback={<div className="late shimmer h-full rounded" />}>
            {isTable ? (
              <ChartTable data={data} lines={shown} title={title} unit={unit} zone={zone} />
            ) : (
              <Plot
                active={active}
                data={data}
                from={from}
                lines={shown}
                onActive={setActive}
                title={title}
                to={to}
                unit={unit}
                zone={zone}
              />
            )}
          </Suspense>
        )}
      </div>
      <Legend
        at={at === undefined ? null : formatClock(at, zone)}
        lines={shown}
        unit={unit}
        values={active === null ? null : data.values.map((values) => values[active] ?? null)}
      />
      <Summary lines={shown} unit={unit} />
    </figure>
  )
}

/** What the drawing shows, in words. */
function Summary({ lines, unit }: { lines: readonly Line[]; unit: Unit }) {
  return (
    <ul className="sr-only">
      {lines.map((line) => {
        const reach = extent(line)
        const last = newest(line)
        if (!reach || last === null)
          return <li key={line.name}>{visibleText(line.name)}: not measured.</li>
        return (
          <li key={line.name}>
            {visibleText(line.name)}: {formatValue(last, unit)} now, between{' '}
            {formatValue(reach.low, unit)} and {formatValue(reach.high, unit)}.
          </li>
        )
      })}
    </ul>
  )
}
