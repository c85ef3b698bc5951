import { useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { locale } from '~/lib/locale'
import type { Aligned, Line } from '~/lib/measurements'
import { formatClock } from '~/lib/time'
import { type TimeZoneChoice, zoneName } from '~/lib/time-zone'
import { colour } from './drawing'
import { formatTick, formatValue, lineLook, type Unit } from './look'
import { PointSlider } from './PointSlider'
import { type MakePlot, usePlot } from './use-plot'

// Outside React: the font of the page.

export type PlotProps = {
  title: string
  lines: readonly Line[]
  data: Aligned
  /** Milliseconds since 1970. */
  from: number
  to: number
  unit: Unit
  zone: TimeZoneChoice
  /** The point that is read, by its place in the data. */
  active: number | null
  onActive: (index: number | null) => void
}

/** The drawing itself; as a slider it is read from point to point. */
export function Plot(props: PlotProps) {
  const { title, lines, data, from, to, unit, zone, active, onActive } = props
  const place = useRef<HTMLDivElement>(null)
  const count = lines.length
  const make = useMemo<MakePlot>(
    () => (at, size, reach) => {
      const options = plotOptions({ count, unit, zone, ...size, reach, onCursor: onActive })
      return new uPlot(options, undefined, at)
    },
    [count, unit, zone, onActive],
  )
  const shown = useMemo(
    () => ({ data: forPlot(data), reach: [from / 1_000, to / 1_000] as const }),
    [data, from, to],
  )
  usePlot(place, make, shown, active)
  const last = data.times.length - 1
  const now = Math.min(active ?? last, last)
  return (
    <PointSlider
      label={`${title}, points in time`}
      last={last}
      now={now}
      onActive={onActive}
      place={place}
      text={describePoint(props, now)}
    />
  )
}

function describePoint({ lines, data, unit, zone }: PlotProps, index: number): string {
  const at = data.times[index]
  if (at === undefined) return ''
  const values = lines.flatMap(({ name }, line) => {
    const value = data.values[line]?.[index]
    if (value === undefined) return []
    return [`${name} ${value === null ? 'not measured' : formatValue(value, unit)}`]
  })
  return `${formatClock(at, zone)}: ${values.join(', ')}`
}

function forPlot({ times, values }: Aligned): uPlot.AlignedData {
  return [times.map((at) => at / 1_000), ...values.map((line) => [...line])]
}

type Drawing = {
  /** How many lines. */
  count: number
  unit: Unit
  zone: TimeZoneChoice
  width: number
  height: number
  /** Seconds since 1970. */
  reach: () => uPlot.Range.MinMax
  onCursor: (index: number | null) => void
}

/** Steps that bytes are counted in, so that an axis says 512 KiB and not 488.3. */
const byteSteps = Array.from({ length: 50 }, (_, power) => 2 ** power)
/** Steps of time in seconds, none shorter than what the labels tell apart. */
const timeSteps = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400]
const axisHeight = 28
const axisWidth = 72

/** What a chart looks like; colours are those of the theme at the time of drawing. */
function plotOptions({ count, unit, zone, width, height, reach, onCursor }: Drawing) {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zoneName(zone),
  })
  const axis: uPlot.Axis = {
    stroke: () => colour('--muted'),
    font,
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: () => reach() },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.15 : 1] },
    },
    axes: [
      {
        ...axis,
        size: axisHeight,
        incrs: timeSteps,
        space: 46,
        values: (_plot, splits) => splits.map((second) => clock.format(second * 1_000)),
      },
      {
        ...axis,
        size: axisWidth,
        space: 36,
        values: (_plot, splits) => splits.map((value) => formatTick(value, unit)),
        ...(unit === 'bytes' ? { incrs: byteSteps } : {}),
      },
    ],
    series: [{}, ...Array.from({ length: count }, (_, index) => series(index, count))],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
  } satisfies uPlot.Options
}

function series(index: number, count: number): uPlot.Series {
  const { colour: name, dash } = lineLook(index)
  return {
    stroke: () => colour(name),
    width: 1.5,
    dash: [...dash],
    points: { size: 5, fill: () => colour(name) },
    ...(count === 1 ? { fill: () => `color-mix(in srgb, ${colour(name)} 14%, transparent)` } : {}),
  }
}
