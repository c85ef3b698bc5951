import * as v from 'valibot'

/**
 * A column of a result. Names are not unique and places move when a statement is changed, so both
 * are kept: the column at this place, if it still has this name, else the first of this name.
 */
const chartColumn = v.object({
  /** The server's name, such as `(orders.id)`. */
  name: v.string(),
  /** Its place in the result, from 0. */
  at: v.pipe(
    v.number(),
    v.check((at) => Number.isInteger(at) && at >= 0),
  ),
})
export type ChartColumn = v.InferOutput<typeof chartColumn>

/** More columns than this are never drawn. */
export const mostColumns = 64

/** What a chart of a result shows; part of a saved query. */
export const chartChoice = v.object({
  kind: v.picklist(['line', 'bar', 'scatter']),
  /** The column along the bottom; null for the number of the row. */
  x: v.nullable(chartColumn),
  /** The columns whose numbers are drawn, each a series. */
  y: v.pipe(
    v.array(chartColumn),
    v.check(({ length }) => length <= mostColumns),
  ),
  /** Each value of this column becomes a series of its own; null for none. */
  split: v.fallback(v.nullable(chartColumn), null),
})
export type ChartChoice = v.InferOutput<typeof chartChoice>
