import { type RefObject, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { locale } from '~/lib/locale'
import type { Aligned, Line } from '~/lib/measurements'
import { formatClock } from '~/lib/time'
import { type TimeZoneChoice, zoneName } from '~/lib/time-zone'
import { canDraw, colour, usePaintedTheme } from './drawing'
import { formatTick, formatValue, lineLook, type Unit } from './look'
import { PointSlider } from './PointSlider'

// Outside React: the drawing and its size.

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
  const { title, data, active, onActive } = props
  const place = useRef<HTMLDivElement>(null)
  useDrawing(place, props)
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

/** Keeps a drawing of uPlot, which is outside of React, like the properties and the room it has. */
function useDrawing(place: RefObject<HTMLDivElement | null>, props: PlotProps) {
  const { lines, data, from, to, unit, zone, active, onActive } = props
  const plot = useRef<uPlot | null>(null)
  const reach = useRef<[number, number]>([0, 0])
  const theme = usePaintedTheme()
  const count = lines.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read while drawing, so a new theme is a new drawing.
  useEffect(() => {
    const parent = place.current
    if (!parent || !canDraw()) return
    const size = () => ({ width: parent.clientWidth, height: parent.clientHeight })
    const options = plotOptions({
      count,
      unit,
      zone,
      ...size(),
      reach: () => reach.current,
      onCursor: onActive,
    })
    const made = new uPlot(options, undefined, parent)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize(size()))
    observer.observe(parent)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [place, count, unit, zone, theme, onActive])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing needs its data as well.
  useEffect(() => {
    reach.current = [from / 1_000, to / 1_000]
    plot.current?.setData(forPlot(data))
  }, [data, from, to, count, unit, zone, theme])
  useEffect(() => {
    const made = plot.current
    const at = active === null ? undefined : data.times[active]
    // What the pointer chose is there already.
    if (!made || at === undefined || made.cursor.idx === active) return
    made.setCursor({ left: made.valToPos(at / 1_000, 'x'), top: 0 }, false)
  }, [active, data])
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
  /** Seconds since 1970; asked again with each drawing. */
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
