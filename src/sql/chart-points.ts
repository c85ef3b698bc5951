import { formatCell, type TimeZone } from './cells'
import type { ChartChoice, ChartColumn } from './chart-choice'
import type { ResultColumn, ResultTable } from './result'

/** What the places along an axis stand for. */
export type ChartAxis = {
  /** `row`: the number of the row, from 1. */
  readonly kind: 'integer' | 'float' | 'time' | 'category' | 'row'
  /**
   * What a place counts from: an integer or a time is `base` and the place, exactly, also where it
   * has no exact double.
   */
  readonly base: bigint
  /** The categories by their places. */
  readonly names: readonly string[]
  /** The reach of all places. */
  readonly low: number
  readonly high: number
}

export type ChartSeries = {
  readonly name: string
  /** The place of its column in the result. */
  readonly column: number
}

/** The points of a chart, in the order of x. */
export type ChartPoints = {
  readonly x: ChartAxis
  readonly y: ChartAxis
  readonly xs: readonly number[]
  /** The row of the result behind each place of `xs`. */
  readonly rows: readonly number[]
  readonly series: readonly ChartSeries[]
  /** For each series a value at each place: null for a gap, undefined where the row is of another. */
  readonly ys: readonly (readonly (number | null | undefined)[])[]
  /** Rows with at least one value that has a place. */
  readonly drawn: number
  readonly left: LeftOut
}

/** What is not drawn, counted. */
type LeftOut = {
  /** Rows without a place along x: NULL, NaN, Infinity or beyond ±1e307. */
  readonly rows: number
  /** Values that are NULL. */
  readonly nulls: number
  /** Values that are NaN or Infinity. */
  readonly unbounded: number
  /** Values beyond ±1e307. */
  readonly beyond: number
  /** Series beyond those that can be told apart. */
  readonly series: number
  /** Points that have the place of another one of their series. */
  readonly covered: number
}

type ColumnKind = 'integer' | 'float' | 'time' | 'category'

/** What the values of a column are, for a chart. */
export function kindOfColumn({ type, values }: Pick<ResultColumn, 'type' | 'values'>): ColumnKind {
  if (type === 'INTEGER') return 'integer'
  if (type === 'FLOAT') return 'float'
  if (type === 'TIMESTAMP') return 'time'
  if (type !== 'ANY') return 'category'
  const found = values.filter((value) => value !== null)
  if (found.length === 0) return 'category'
  if (found.every((value) => /^-?\d{1,19}$/.test(value))) return 'integer'
  return found.every((value) => /^(-?\d+(\.\d+)?(e[+-]?\d+)?|NaN|-?Infinity)$/i.test(value))
    ? 'float'
    : 'category'
}

/** Whether the values of a column can be drawn upward. */
export function isDrawable(column: Pick<ResultColumn, 'type' | 'values'>): boolean {
  const kind = kindOfColumn(column)
  return kind === 'integer' || kind === 'float'
}

/** The place of a chosen column in a result; -1 when it is not there. */
export function placeOf(columns: readonly ResultColumn[], { name, at }: ChartColumn): number {
  return columns[at]?.name === name ? at : columns.findIndex((column) => column.name === name)
}

/** How a column is kept in a choice. */
export const chosenColumn = (columns: readonly ResultColumn[], at: number): ChartColumn => ({
  name: columns[at]?.name ?? '',
  at,
})

/** The heading of a column; its place tells it from another of the same heading. */
export function columnLabel(columns: readonly ResultColumn[], at: number): string {
  const label = columns[at]?.label ?? ''
  const isOnly = columns.filter((column) => column.label === label).length === 1
  return isOnly ? label : `${label} (column ${at + 1})`
}

/** Columns that a first choice draws. */
const firstDrawn = 3

/** Whether a column names things, as `id`, `shop_id` and `shopId` do: its numbers measure nothing. */
const isIdentifier = ({ label }: ResultColumn) => /(^|_)id$/i.test(label) || /[a-z]Id$/.test(label)

/** A choice that suits the columns; null where nothing can be drawn. */
export function firstChoice({ columns }: ResultTable): ChartChoice | null {
  const kinds = columns.map(kindOfColumn)
  const numbers = columns.flatMap((column, at) => (isDrawable(column) ? [at] : []))
  if (numbers.length === 0) return null
  const time = kinds.indexOf('time')
  const text = kinds.indexOf('category')
  const along = time >= 0 ? time : text >= 0 ? text : numbers.length > 1 ? (numbers[0] ?? -1) : -1
  const others = numbers.filter((at) => at !== along)
  const measures = others.filter((at) => columns[at] && !isIdentifier(columns[at]))
  const drawn = (measures.length > 0 ? measures : others).slice(0, firstDrawn)
  return {
    kind: along >= 0 && along === text ? 'bar' : 'line',
    x: along < 0 ? null : chosenColumn(columns, along),
    y: drawn.map((at) => chosenColumn(columns, at)),
    split: null,
  }
}

/** Whether all columns of a choice are in a result, and those that it draws hold numbers. */
export function fitsChoice(result: ResultTable, choice: ChartChoice): boolean {
  return choice.y.length > 0 && lackedColumns(result, choice).length === 0
}

/** The columns of a choice that a result does not have, or not as numbers where they are drawn. */
export function lackedColumns(
  { columns }: ResultTable,
  { x, y, split }: ChartChoice,
): readonly ChartColumn[] {
  const isDrawn = (one: ChartColumn) => {
    const column = columns[placeOf(columns, one)]
    return column !== undefined && isDrawable(column)
  }
  const others = [x, split].filter((one) => one !== null)
  return [...y.filter((one) => !isDrawn(one)), ...others.filter((one) => placeOf(columns, one) < 0)]
}

/** The name of a column without the brackets of the server's `(orders.total)`. */
export const plainColumn = ({ name }: ChartColumn) => /^\((.*)\)$/.exec(name)?.[1] ?? name

/**
 * The points of a result by a choice of columns.
 * @param most series that can be told apart
 */
export function chartPoints(
  { columns, rowCount }: ResultTable,
  { kind, x, y, split }: ChartChoice,
  zone: TimeZone,
  most: number,
): ChartPoints {
  const along = places(columns, x, rowCount, zone)
  const drawn = y.flatMap((one) => {
    const at = placeOf(columns, one)
    const column = columns[at]
    return column && isDrawable(column) ? [at] : []
  })
  const parted = split === null ? undefined : columns[placeOf(columns, split)]
  const part = parted && partition(parted, zone)
  const all = part
    ? drawn.flatMap((at) => part.names.map((_, of) => ({ at, of })))
    : drawn.map((at) => ({ at, of: 0 }))
  const shown = all.slice(0, most)
  const isShown = new Set(shown.map(({ of }) => of))
  const placed = orderOf(along.places, along.exact)
  const order = part ? placed.filter((row) => isShown.has(part.of[row] ?? -1)) : placed
  const base = kind === 'bar' ? 0n : baseOf(drawn.flatMap((at) => columns[at] ?? []))
  const left = { nulls: 0, unbounded: 0, beyond: 0 }
  const ys = shown.map(({ at, of }) =>
    order.map((row) => {
      if (part && part.of[row] !== of) return undefined
      const value = columns[at]?.values[row] ?? null
      if (value === null) {
        left.nulls++
        return null
      }
      const place = numberOf(value, base)
      if (place === null) left[Number.isFinite(Number(value)) ? 'beyond' : 'unbounded']++
      return place
    }),
  )
  const xs = order.map((row) => along.places[row] ?? 0)
  const areIntegers = drawn.every((at) => columns[at] && kindOfColumn(columns[at]) === 'integer')
  return {
    x: { ...along.axis, ...reachOf(xs) },
    y: { kind: areIntegers ? 'integer' : 'float', base, names: [], ...reachOf(ys.flat()) },
    xs,
    rows: order,
    series: shown.map(({ at, of }) => ({
      name: seriesName(columnLabel(columns, at), part?.names[of], drawn.length),
      column: at,
    })),
    ys,
    drawn: xs.filter((_, at) => ys.some((values) => values[at] != null)).length,
    left: {
      ...left,
      rows: rowCount - placed.length,
      series: all.length - shown.length,
      covered: kind === 'scatter' ? 0 : coveredIn(xs, ys),
    },
  }
}

function seriesName(label: string, part: string | undefined, columns: number): string {
  if (part === undefined) return label
  return columns === 1 ? part : `${label} · ${part}`
}

/** The place of each row along x; null for none. */
function places(
  columns: readonly ResultColumn[],
  x: ChartColumn | null,
  rowCount: number,
  zone: TimeZone,
): {
  axis: Pick<ChartAxis, 'kind' | 'base' | 'names'>
  places: readonly (number | null)[]
  /** What tells integers apart that have one double. */
  exact?: readonly (string | null)[]
} {
  const column = x === null ? undefined : columns[placeOf(columns, x)]
  if (!column) {
    const numbers = Array.from({ length: rowCount }, (_, row) => row + 1)
    return { axis: { kind: 'row', base: 0n, names: [] }, places: numbers }
  }
  const kind = kindOfColumn(column)
  if (kind === 'category') {
    const { names, of } = partition(column, zone)
    return { axis: { kind, base: 0n, names }, places: of }
  }
  const base = kind === 'time' ? lowest(column.values) : baseOf([column])
  return {
    axis: { kind, base, names: [] },
    places: column.values.map((value) => (value === null ? null : numberOf(value, base))),
    ...(kind === 'float' ? {} : { exact: column.values }),
  }
}

/** The distinct values of a column in the order in which they come, and which each row has. */
function partition(
  { type, values }: ResultColumn,
  zone: TimeZone,
): { names: readonly string[]; of: readonly number[] } {
  const numbers = new Map<string | null, number>()
  const of = values.map((value) => {
    const known = numbers.get(value) ?? numbers.size
    numbers.set(value, known)
    return known
  })
  return { names: [...numbers.keys()].map((value) => formatCell(type, value, zone).text), of }
}

/** Beyond this a double no longer holds each integer. */
const exactUpTo = 2n ** 53n

/** What integers count from, so that their differences are exact; 0 while doubles hold them. */
function baseOf(columns: readonly ResultColumn[]): bigint {
  if (!columns.every((column) => kindOfColumn(column) === 'integer')) return 0n
  const isLarge = columns.some(({ values }) =>
    values.some((value) => value !== null && value.length > 15 && isBeyond(BigInt(value))),
  )
  if (!isLarge) return 0n
  let low = lowest(columns[0]?.values ?? [])
  for (const { values } of columns) {
    const found = lowest(values)
    if (found < low) low = found
  }
  return low
}

const isBeyond = (value: bigint) => value > exactUpTo || value < -exactUpTo

function lowest(values: readonly (string | null)[]): bigint {
  let low: bigint | null = null
  for (const value of values) {
    if (value === null || !/^-?\d+$/.test(value)) continue
    const found = BigInt(value)
    if (low === null || found < low) low = found
  }
  return low ?? 0n
}

/** Beyond this the distance of two places may be no double, and nothing could be drawn. */
const furthest = 1e307

/** The double for a value, counted from a base; null for what has no place. */
function numberOf(value: string, base: bigint): number | null {
  const found = base === 0n ? Number(value) : Number(BigInt(value) - base)
  return Math.abs(found) <= furthest ? found : null
}

/** The rows that have a place, sorted by it; rows of one place stay in their order. */
function orderOf(
  places: readonly (number | null)[],
  exact: readonly (string | null)[] | undefined,
): number[] {
  const rows = places.flatMap((place, row) => (place === null ? [] : [row]))
  const apart = (one: number, other: number) => {
    const [first, second] = [exact?.[one], exact?.[other]]
    if (first == null || second == null || first === second) return one - other
    return BigInt(first) < BigInt(second) ? -1 : 1
  }
  return rows.sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0) || apart(one, other))
}

function reachOf(values: readonly (number | null | undefined)[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value == null) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? { low: 0, high: 0 } : { low, high }
}

function coveredIn(xs: readonly number[], ys: ChartPoints['ys']): number {
  let covered = 0
  for (const values of ys) {
    let last: number | null = null
    values.forEach((value, at) => {
      if (value == null) return
      if (xs[at] === last) covered++
      last = xs[at] ?? null
    })
  }
  return covered
}

/** The exact text of x at a place of `xs`. */
export function textOfX(
  { columns }: ResultTable,
  { x }: ChartChoice,
  row: number,
  zone: TimeZone,
): string {
  const column = x === null ? undefined : columns[placeOf(columns, x)]
  if (!column) return `Row ${row + 1}`
  return formatCell(column.type, column.values[row] ?? null, zone).text
}
