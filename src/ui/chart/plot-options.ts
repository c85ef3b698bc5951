import type uPlot from 'uplot'
import { type TimeZoneChoice, zoneName } from '~/lib/text'
import { formatTick, lineLook, type Unit } from '~/ui/chart/look'

export type Drawing = {
  /** How many lines. */
  count: number
  unit: Unit
  zone: TimeZoneChoice
  width: number
  height: number
  /** Seconds since 1970; asked anew with each drawing. */
  reach: () => [number, number]
  onCursor: (index: number | null) => void
}

/** Steps that bytes are counted in, so that an axis says 512 KiB and not 488.3. */
const byteSteps = Array.from({ length: 50 }, (_, power) => 2 ** power)
/** Steps of time in seconds, none shorter than what the labels tell apart. */
const timeSteps = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400]
const axisHeight = 28
const axisWidth = 72

/** What a chart looks like; colours are those of the theme at the time of drawing. */
export function plotOptions({ count, unit, zone, width, height, reach, onCursor }: Drawing) {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const clock = new Intl.DateTimeFormat('en-GB', {
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

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name)
}
