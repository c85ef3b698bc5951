import { useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { visibleText } from '~/lib/visible-text'
import { colour } from './drawing'
import { lineLook } from './look'
import { PointSlider } from './PointSlider'
import {
  axisHeight,
  barOpacity,
  barsOf,
  type Drawn,
  dotRadius,
  dotsOf,
  frameOf,
  xTicks,
  yTicks,
} from './picture'
import { requireLanguage } from './require-language'
import type { Tick } from './scale'
import { type MakePlot, type Shown, usePlot } from './use-plot'

// Outside React: the font of the page.

requireLanguage()

type Props = {
  title: string
  drawn: Drawn
  /** The point that is read, by its place in the drawing. */
  active: number | null
  onActive: (index: number | null) => void
  /** What a point says, in words. */
  describe: (index: number) => string
}

/** The points of a result; as a slider they are read one by one. */
export function ResultPlot({ title, drawn, active, onActive, describe }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const make = useMemo<MakePlot>(
    () => (at, size, reach) => new uPlot(optionsOf(drawn, size, reach, onActive), undefined, at),
    [drawn, onActive],
  )
  const shown = useMemo<Shown>(() => {
    const { xs, ys } = drawn.points
    const data = [[...xs], ...ys.map((line) => [...line])] as uPlot.AlignedData
    return { data, reach: [drawn.x.low, drawn.x.high] }
  }, [drawn])
  usePlot(place, make, shown, active)
  const last = drawn.points.xs.length - 1
  const now = Math.min(active ?? 0, last)
  return (
    <PointSlider
      label={`${visibleText(title)}, points`}
      last={last}
      now={now}
      onActive={onActive}
      place={place}
      text={describe(now)}
    />
  )
}

function optionsOf(
  drawn: Drawn,
  { width, height }: { width: number; height: number },
  reach: () => uPlot.Range.MinMax,
  onCursor: (index: number | null) => void,
) {
  const frame = frameOf(drawn, width, height)
  // A drawing that is made hidden, or resized, has other marks.
  const room = (plot: uPlot) =>
    // It asks before it knows its own size.
    plot.width > 0 ? frameOf(drawn, plot.width, plot.height).left : frame.left
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const axis = (ticks: (pixels: number) => Tick[], along: 'width' | 'height'): uPlot.Axis => {
    let shown: Tick[] = []
    return {
      stroke: () => colour('--muted'),
      font,
      grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { show: false },
      splits: (plot) => {
        shown = ticks(plot.bbox[along] / uPlot.pxRatio)
        return shown.map(({ at }) => at)
      },
      values: () => shown.map(({ label }) => label),
    }
  }
  return {
    width,
    height,
    padding: [frame.top, frame.right, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      // A series without a value there has no dot, instead of one at its nearest.
      dataIdx: (_plot, _series, index) => index,
    },
    scales: {
      x: { time: false, range: reach },
      y: { range: () => [drawn.y.low, drawn.y.high] },
    },
    axes: [
      { ...axis((pixels) => xTicks(drawn, pixels), 'width'), size: axisHeight },
      { ...axis((pixels) => yTicks(drawn, pixels), 'height'), size: room },
    ],
    series: [{}, ...drawn.points.series.map((_, index) => seriesOf(drawn, index))],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
  } satisfies uPlot.Options
}

const mostDashed = 1_000

function seriesOf(drawn: Drawn, index: number): uPlot.Series {
  const { colour: name, dash } = lineLook(index)
  const stroke = () => colour(name)
  const plain = { stroke, width: 1.5, dash: [...dash] }
  if (drawn.kind === 'scatter')
    return { stroke, paths: () => null, points: { show: true, size: dotRadius * 2, fill: stroke } }
  if (drawn.kind === 'line') {
    const points = { show: true, size: 5, fill: stroke, filter: () => dotsOf(drawn.points, index) }
    return { ...plain, points }
  }
  return {
    ...plain,
    // Bars of a pixel have no room for dashes, and painting them takes longest.
    dash: drawn.points.xs.length > mostDashed ? [] : plain.dash,
    width: 1,
    fill: () => `color-mix(in srgb, ${colour(name)} ${barOpacity * 100}%, transparent)`,
    paths: (plot) => barPath(plot, drawn, index),
    points: { show: false },
  }
}

/** The same bars as in a file, where uPlot has put the frame. */
function barPath(plot: uPlot, drawn: Drawn, index: number): uPlot.Series.Paths {
  const { left, top, width, height } = plot.bbox
  const canvas = plot.ctx.canvas
  const frame = {
    left,
    top,
    width: canvas.width,
    height: canvas.height,
    right: canvas.width - left - width,
    bottom: canvas.height - top - height,
  }
  const path = new Path2D()
  for (const { x, y, w, h } of barsOf(drawn, index, frame)) path.rect(x, y, w, h)
  return { stroke: path, fill: path }
}
