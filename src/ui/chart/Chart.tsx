import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { type Aligned, aligned, extent, type Line, newest, since } from '~/lib/measurements'
import { formatClock } from '~/lib/time'
import type { TimeZoneChoice } from '~/lib/time-zone'
import { visibleText } from '~/lib/visible-text'
import type { Cell } from '../grid/cell'
import { lazyWithRetry } from '../lazy-with-retry'
import { SafeText } from '../SafeText'
import { ChartTable } from './ChartTable'
import { formatValue, type Unit } from './look'
import { requireLanguage } from './require-language'
import { Swatch } from './Swatch'
import { TableSwitch } from './TableSwitch'

const Plot = lazyWithRetry(
  () => {
    requireLanguage()
    return import('~/ui/chart/Plot').then((module) => module.Plot)
  },
  { meanwhile: <div className="late shimmer h-full rounded" /> },
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
  const hasLine = shown.some(
    ({ points }) => points.filter(({ value }) => value !== null).length > 1,
  )
  const at = active === null ? undefined : data.times[active]
  if (!hasLine) {
    return (
      <figure
        aria-label={title}
        className="flex min-w-0 flex-wrap items-center gap-x-4 rounded-lg border border-line bg-panel px-4 py-2"
      >
        <h3 className="font-medium">{title}</h3>
        {isEmpty ? (
          <div className="text-muted text-sm">{empty}</div>
        ) : (
          <>
            <Legend at={null} lines={shown} unit={unit} values={null} />
            <Summary lines={shown} unit={unit} />
          </>
        )}
      </figure>
    )
  }
  return (
    <figure
      aria-label={title}
      className="flex min-w-0 flex-col rounded-lg border border-line bg-panel"
    >
      <div className="flex min-h-11 items-center gap-2 ps-4 pe-2 xs:min-h-10">
        <h3 className="font-medium">{title}</h3>
        <span className="hidden min-w-0 truncate text-muted text-sm xs:inline">{detail}</span>
        <span className="ms-auto">
          <TableSwitch isTable={isTable} onChange={setTable}>
            <span className="sr-only"> of: {title}</span>
          </TableSwitch>
        </span>
      </div>
      <div className="h-[188px] px-2">
        {isTable ? (
          <MeasurementTable data={data} lines={shown} title={title} unit={unit} zone={zone} />
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
      </div>
      <div className="px-4 pt-1 pb-3">
        <Legend
          at={at === undefined ? null : formatClock(at, zone)}
          lines={shown}
          unit={unit}
          values={active === null ? null : data.values.map((values) => values[active] ?? null)}
        />
      </div>
      <Summary lines={shown} unit={unit} />
    </figure>
  )
}

type TableProps = Pick<ChartProps, 'title' | 'lines' | 'unit' | 'zone'> & { data: Aligned }

/** The measurements as rows, the newest first. */
function MeasurementTable({ title, lines, data, unit, zone }: TableProps) {
  const cell = useCallback(
    (row: number, column: number): Cell => {
      const index = data.times.length - 1 - row
      const at = data.times[index] ?? 0
      if (column === 0) {
        return {
          text: formatClock(at, zone),
          kind: 'time',
          exact: () => new Date(at).toISOString(),
        }
      }
      const value = data.values[column - 1]?.[index]
      if (value === undefined || value === null) return { text: 'not measured', kind: 'null' }
      return { text: formatValue(value, unit), kind: 'number', exact: () => String(value) }
    },
    [data, unit, zone],
  )
  return (
    <ChartTable
      along="Time"
      cell={cell}
      names={lines.map(({ name }) => name)}
      rowCount={data.times.length}
      title={title}
    />
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

type Props = {
  lines: readonly Line[]
  unit: Unit
  /** The values at the chosen moment; null shows the newest ones. */
  values: readonly (number | null)[] | null
  /** The chosen moment. */
  at: string | null
}

/** Which line is which, with its value at the chosen moment. */
function Legend({ lines, unit, values, at }: Props) {
  return (
    <div aria-hidden="true" className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-xs">
      {lines.map((line, index) => {
        const value = values ? (values[index] ?? null) : newest(line)
        return (
          <span className="inline-flex min-w-0 items-center gap-1.5" key={line.name}>
            <Swatch index={index} />
            <span className="max-w-[26ch] truncate text-muted" title={visibleText(line.name)}>
              <SafeText text={line.name} value />
            </span>
            <span className="font-mono tabular-nums">
              {value === null ? '–' : formatValue(value, unit)}
            </span>
          </span>
        )
      })}
      {at !== null && <span className="ms-auto text-muted tabular-nums">{at}</span>}
    </div>
  )
}
