import type { TimeZoneChoice } from '~/lib/time-zone'
import { cutText, visibleText } from '~/lib/visible-text'
import type { ChartChoice } from '~/sql/chart-choice'
import type { ChartPoints } from '~/sql/chart-points'
import { lineLook } from './look'
import { markSpace, type Reach, roomyReach, type Tick, ticksOf } from './scale'

/** Where the points lie within a drawing, in pixels. */
export type Frame = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** What a chart of points is drawn from, on the screen and in files. */
export type Drawn = {
  readonly kind: ChartChoice['kind']
  readonly points: ChartPoints
  readonly x: Reach
  readonly y: Reach
  readonly zone: TimeZoneChoice
  /** Bars that stand side by side at a place: one where no two series share any. */
  readonly slots: number
}

/** The scales of a chart. */
export function drawnOf(
  kind: ChartChoice['kind'],
  points: ChartPoints,
  zone: TimeZoneChoice,
): Drawn {
  const isBar = kind === 'bar'
  const x = roomyReach(points.x, isBar ? 0.04 : 0.01, false)
  const gap = isBar && points.x.kind !== 'category' ? gapOf(points.xs) / 2 : 0
  return {
    kind,
    points,
    zone,
    x: { low: x.low - gap, high: x.high + gap },
    y: roomyReach(points.y, 0.06, isBar),
    slots: isBar && sharePlaces(points) ? points.series.length : 1,
  }
}

/** Whether values of two series stand at one place. */
function sharePlaces({ xs, ys }: ChartPoints): boolean {
  let [place, owner]: [number | undefined, number] = [undefined, -1]
  return xs.some((x, at) => {
    if (x !== place) [place, owner] = [x, -1]
    return ys.some((values, series) => {
      if (values[at] == null || owner === series) return false
      const isOther = owner >= 0
      owner = series
      return isOther
    })
  })
}

/** Pixels between two marks. */
const ySpace = 44

export const xTicks = ({ points, x, zone }: Drawn, pixels: number): Tick[] =>
  ticksOf(points.x, x, Math.max(1, Math.floor(pixels / markSpace)), zone)

export const yTicks = ({ points, y, zone }: Drawn, pixels: number): Tick[] =>
  ticksOf(points.y, y, Math.max(1, Math.floor(pixels / ySpace)), zone)

/** Of a character of the marks, which have the size of 12 pixels. */
const characterWidth = 7
export const axisHeight = 28
const edge = 14

/** The frame of a drawing of a size: as much room on the left as the marks need. */
export function frameOf(drawn: Drawn, width: number, height: number): Frame {
  const longest = Math.max(...yTicks(drawn, height).map(({ label }) => label.length), 1)
  const left = Math.min(longest * characterWidth + 18, Math.max(40, width / 2))
  return { width, height, left, right: edge, top: edge, bottom: axisHeight }
}

/** A place along an axis in pixels. */
export function pixelOf(value: number, { low, high }: Reach, from: number, to: number): number {
  return from + ((value - low) / (high - low)) * (to - from)
}

/** The smallest distance between two places that differ; 1 where there are no two. */
function gapOf(xs: readonly number[]): number {
  let gap = Number.POSITIVE_INFINITY
  for (let at = 1; at < xs.length; at++) {
    const step = (xs[at] ?? 0) - (xs[at - 1] ?? 0)
    if (step > 0 && step < gap) gap = step
  }
  return Number.isFinite(gap) ? gap : 1
}

export type Rect = {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

const widestBar = 64

/** The bars of a series: side by side with those of others at the same place. */
export function barsOf({ points, x, y, slots }: Drawn, series: number, frame: Frame): Rect[] {
  const [from, to] = [frame.left, frame.width - frame.right]
  const [foot, head] = [frame.height - frame.bottom, frame.top]
  const gap = points.x.kind === 'category' ? 1 : gapOf(points.xs)
  const room = Math.min((gap / (x.high - x.low)) * (to - from) * 0.8, widestBar * slots)
  const width = Math.max(1, room / slots)
  const zero = pixelOf(Math.min(Math.max(0, y.low), y.high), y, foot, head)
  const bars = (points.ys[series] ?? []).flatMap((value, at) => {
    if (value == null) return []
    const top = pixelOf(value, y, foot, head)
    const left = pixelOf(points.xs[at] ?? 0, x, from, to) - (width * slots) / 2
    return [
      {
        x: left + (slots === 1 ? 0 : series * width),
        y: Math.min(top, zero),
        w: width,
        h: Math.abs(top - zero),
      },
    ]
  })
  return width > 1 ? bars : inOnePixel(bars)
}

/**
 * Bars as wide as a pixel, one for each pixel along the bottom: as high and as low as those that lie
 * over each other there. A browser paints tens of thousands of them for seconds.
 */
function inOnePixel(bars: readonly Rect[]): Rect[] {
  const found: Rect[] = []
  for (const bar of bars) {
    const last = found.at(-1)
    if (last === undefined || Math.floor(last.x) !== Math.floor(bar.x)) {
      found.push(bar)
      continue
    }
    const y = Math.min(last.y, bar.y)
    const foot = Math.max(last.y + last.h, bar.y + bar.h)
    found[found.length - 1] = { ...last, y, h: foot - y }
  }
  return found
}

type XY = readonly [x: number, y: number]

/** The points of a series in pixels, in stretches without a gap. */
export function stretchesOf(drawn: Drawn, series: number, frame: Frame): XY[][] {
  const stretches: XY[][] = [[]]
  drawn.points.ys[series]?.forEach((value, at) => {
    if (value === null && stretches.at(-1)?.length) stretches.push([])
    if (value != null) stretches.at(-1)?.push(placeIn(drawn, frame, at, value))
  })
  return stretches.filter((stretch) => stretch.length > 0)
}

/** Where a value stands in a frame. */
const placeIn = ({ points, x, y }: Drawn, frame: Frame, at: number, value: number): XY => [
  pixelOf(points.xs[at] ?? 0, x, frame.left, frame.width - frame.right),
  pixelOf(value, y, frame.height - frame.bottom, frame.top),
]

/** Lines of so few points show each of them. */
const fewPoints = 60

/**
 * The points of a line that are drawn, by their places: those that no line leads to, or all of a few.
 */
export function dotsOf({ ys }: ChartPoints, series: number): number[] {
  const there = (ys[series] ?? []).flatMap((value, at) =>
    value === undefined ? [] : [{ at, value }],
  )
  const isAlone = (at: number) => there[at - 1]?.value == null && there[at + 1]?.value == null
  return there.flatMap(({ at, value }, place) =>
    value !== null && (there.length <= fewPoints || isAlone(place)) ? [at] : [],
  )
}

export const dotRadius = 2.5

/** A chart as a file shows it, with where its rows are from. */
export type Picture = {
  readonly drawn: Drawn
  readonly title: string
  /** Lines below the title. */
  readonly sources: readonly string[]
  readonly colour: (name: string) => string
}

/** One stroke of a picture, in pixels from the top left. */
type Stroke =
  | {
      readonly kind: 'lines'
      readonly stretches: readonly (readonly XY[])[]
      readonly colour: string
      readonly width: number
      readonly dash: readonly number[]
    }
  | {
      readonly kind: 'bars'
      readonly rects: readonly Rect[]
      readonly colour: string
      readonly dash: readonly number[]
    }
  | { readonly kind: 'dots'; readonly dots: readonly XY[]; readonly colour: string }
  | {
      readonly kind: 'text'
      readonly at: XY
      readonly text: string
      readonly colour: string
      readonly size: number
      readonly anchor: 'start' | 'middle' | 'end'
    }

export const pictureSize = { width: 1_000, height: 600 } as const
const lineHeight = 18
const longestLine = 140
const fontFamily = 'system-ui, sans-serif'

/** Everything that a picture shows, in the order in which it is drawn. */
function strokesOf({ drawn, title, sources, colour }: Picture): Stroke[] {
  const { width, height } = pictureSize
  const [text, muted, line] = [colour('--text'), colour('--muted'), colour('--line')]
  const below = 44 + sources.length * lineHeight
  const legend = legendOf(drawn, width)
  const legendTop = height - legend.rows * lineHeight - 6
  const plain = frameOf(drawn, width, legendTop - below)
  const frame = { ...plain, height: legendTop, top: below }
  const strokes: Stroke[] = [
    textAt([20, 28], cutText(title, longestLine), text, 16),
    ...sources.map((source, at) =>
      textAt([20, 48 + at * lineHeight], cutText(source, longestLine), muted, 12),
    ),
  ]
  const [left, right, top, foot] = [
    frame.left,
    width - frame.right,
    frame.top,
    frame.height - frame.bottom,
  ]
  for (const { at, label } of yTicks(drawn, foot - top)) {
    const y = pixelOf(at, drawn.y, foot, top)
    strokes.push(
      rule(
        [
          [left, y],
          [right, y],
        ],
        line,
      ),
      textAt([left - 8, y + 4], label, muted, 12, 'end'),
    )
  }
  for (const { at, label } of xTicks(drawn, right - left)) {
    const x = pixelOf(at, drawn.x, left, right)
    strokes.push(
      rule(
        [
          [x, top],
          [x, foot],
        ],
        line,
      ),
      textAt([x, foot + 18], label, muted, 12, 'middle'),
    )
  }
  drawn.points.series.forEach((_, at) => {
    strokes.push(...seriesStrokes(drawn, at, frame, colour))
  })
  for (const { at, x, row, name } of legend.entries) {
    const look = lineLook(at)
    const y = legendTop + (row + 0.5) * lineHeight
    strokes.push(
      {
        kind: 'lines',
        stretches: [
          [
            [x, y],
            [x + 22, y],
          ],
        ],
        colour: colour(look.colour),
        width: 2,
        dash: look.dash,
      },
      textAt([x + 28, y + 4], name, muted, 12),
    )
  }
  return strokes
}

const rule = (stretch: readonly XY[], colour: string): Stroke => ({
  kind: 'lines',
  stretches: [stretch],
  colour,
  width: 1,
  dash: [],
})

function textAt(
  at: XY,
  text: string,
  colour: string,
  size: number,
  anchor: 'start' | 'middle' | 'end' = 'start',
): Stroke {
  return { kind: 'text', at, text: visibleText(text), colour, size, anchor }
}

function seriesStrokes(
  drawn: Drawn,
  at: number,
  frame: Frame,
  colourOf: (name: string) => string,
): Stroke[] {
  const { colour: name, dash } = lineLook(at)
  const colour = colourOf(name)
  if (drawn.kind === 'bar') return [{ kind: 'bars', rects: barsOf(drawn, at, frame), colour, dash }]
  const stretches = stretchesOf(drawn, at, frame)
  const dots =
    drawn.kind === 'scatter'
      ? stretches.flat()
      : dotsOf(drawn.points, at).map((place) =>
          placeIn(drawn, frame, place, drawn.points.ys[at]?.[place] ?? 0),
        )
  const lines: Stroke[] =
    drawn.kind === 'line' ? [{ kind: 'lines', stretches, colour, width: 1.5, dash }] : []
  return [...lines, { kind: 'dots', dots, colour }]
}

/** Characters of a name in the legend. */
const longestName = 40

function legendOf({ points }: Drawn, width: number) {
  let [x, row] = [20, 0]
  const entries = points.series.map((series, at) => {
    const name = cutText(visibleText(series.name), longestName)
    const wide = 28 + name.length * characterWidth + 20
    if (x + wide > width && x > 20) [x, row] = [20, row + 1]
    const entry = { at, x, row, name }
    x += wide
    return entry
  })
  return { entries, rows: row + 1 }
}

/** The picture as a document of its own: it names no font and no file that it needs. */
export function svgOf(picture: Picture): string {
  const { width, height } = pictureSize
  const title = escaped(visibleText(picture.title))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${fontFamily}">`,
    `<title>${title}</title>`,
    `<desc>${escaped(visibleText(picture.sources.join(' ')))}</desc>`,
    `<rect width="${width}" height="${height}" fill="${escaped(picture.colour('--panel'))}"/>`,
    ...strokesOf(picture).map(svgStroke),
    '</svg>\n',
  ].join('\n')
}

function svgStroke(stroke: Stroke): string {
  const colour = escaped(stroke.colour)
  if (stroke.kind === 'text') {
    const [x, y] = stroke.at
    return `<text x="${short(x)}" y="${short(y)}" font-size="${stroke.size}" text-anchor="${stroke.anchor}" fill="${colour}">${escaped(stroke.text)}</text>`
  }
  if (stroke.kind === 'dots') {
    // A line of no length with round ends is a dot, and one path is shorter than many circles.
    const d = stroke.dots.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join('')
    return (
      d &&
      `<path d="${d}" fill="none" stroke="${colour}" stroke-linecap="round" stroke-width="${dotRadius * 2}"/>`
    )
  }
  const dash = stroke.dash.length > 0 ? ` stroke-dasharray="${stroke.dash.join(' ')}"` : ''
  if (stroke.kind === 'bars') {
    const d = stroke.rects
      .map(({ x, y, w, h }) => `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}z`)
      .join('')
    return (
      d &&
      `<path${dash} d="${d}" fill="${colour}" fill-opacity="${barOpacity}" stroke="${colour}"/>`
    )
  }
  const d = stroke.stretches
    .map((stretch) =>
      stretch.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`).join(''),
    )
    .join('')
  return (
    d && `<path${dash} d="${d}" fill="none" stroke="${colour}" stroke-width="${stroke.width}"/>`
  )
}

export const barOpacity = 0.45

const short = (pixels: number) => String(Math.round(pixels * 100) / 100)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Characters that no XML document may hold. */
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\ud800\udc00-\u{10ffff}]/gu

function escaped(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign] ?? '')
}

/** Draws the picture on a canvas, `scale` times as large. */
export function paintPicture(context: CanvasRenderingContext2D, picture: Picture, scale: number) {
  const { width, height } = pictureSize
  context.scale(scale, scale)
  context.fillStyle = picture.colour('--panel')
  context.fillRect(0, 0, width, height)
  for (const stroke of strokesOf(picture)) {
    context.strokeStyle = stroke.colour
    context.fillStyle = stroke.colour
    context.setLineDash('dash' in stroke ? [...stroke.dash] : [])
    paintStroke(context, stroke)
  }
}

function paintStroke(context: CanvasRenderingContext2D, stroke: Stroke) {
  switch (stroke.kind) {
    case 'text': {
      context.font = `${stroke.size}px ${fontFamily}`
      context.textAlign = stroke.anchor === 'middle' ? 'center' : stroke.anchor
      context.fillText(stroke.text, ...stroke.at)
      return
    }
    case 'dots': {
      for (const [x, y] of stroke.dots) {
        context.beginPath()
        context.arc(x, y, dotRadius, 0, 2 * Math.PI)
        context.fill()
      }
      return
    }
    case 'bars': {
      context.lineWidth = 1
      for (const { x, y, w, h } of stroke.rects) {
        context.globalAlpha = barOpacity
        context.fillRect(x, y, w, h)
        context.globalAlpha = 1
        context.strokeRect(x, y, w, h)
      }
      return
    }
    case 'lines': {
      context.lineWidth = stroke.width
      context.beginPath()
      for (const stretch of stroke.stretches)
        stretch.forEach(([x, y], at) => {
          if (at === 0) context.moveTo(x, y)
          else context.lineTo(x, y)
        })
      context.stroke()
    }
  }
}
