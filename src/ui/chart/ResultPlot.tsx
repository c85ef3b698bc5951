import { type RefObject, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { visibleText } from '~/lib/visible-text'
import { canDraw, colour, usePaintedTheme } from './drawing'
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

// Outside React: the drawing and its size.

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
  useDrawing(place, drawn, active, onActive)
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

/** Keeps a drawing of uPlot, which is outside of React, like the points and the room it has. */
function useDrawing(
  place: RefObject<HTMLDivElement | null>,
  drawn: Drawn,
  active: number | null,
  onActive: (index: number | null) => void,
) {
  const plot = useRef<uPlot | null>(null)
  const theme = usePaintedTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read while drawing, so a new theme is a new drawing.
  useEffect(() => {
    const parent = place.current
    if (!parent || !canDraw()) return
    const size = () => ({ width: parent.clientWidth, height: parent.clientHeight })
    const { xs, ys } = drawn.points
    const data = [[...xs], ...ys.map((line) => [...line])] as uPlot.AlignedData
    const made = new uPlot(optionsOf(drawn, size(), onActive), data, parent)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize(size()))
    observer.observe(parent)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [place, drawn, theme, onActive])
  useEffect(() => {
    const made = plot.current
    const at = active === null ? undefined : drawn.points.xs[active]
    // What the pointer chose is there already.
    if (!made || at === undefined || made.cursor.idx === active) return
    made.setCursor({ left: made.valToPos(at, 'x'), top: 0 }, false)
  }, [active, drawn])
}

function optionsOf(
  drawn: Drawn,
  { width, height }: { width: number; height: number },
  onCursor: (index: number | null) => void,
) {
  const frame = frameOf(drawn, width, height)
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
      x: { time: false, range: () => [drawn.x.low, drawn.x.high] },
      y: { range: () => [drawn.y.low, drawn.y.high] },
    },
    axes: [
      { ...axis((pixels) => xTicks(drawn, pixels), 'width'), size: axisHeight },
      { ...axis((pixels) => yTicks(drawn, pixels), 'height'), size: frame.left },
    ],
    series: [{}, ...drawn.points.series.map((_, index) => seriesOf(drawn, index))],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
  } satisfies uPlot.Options
}

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
