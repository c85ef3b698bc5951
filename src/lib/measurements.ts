/** A measurement; null means a gap, where the line breaks. */
export type Point = { readonly at: number; readonly value: number | null }

/** The measurements of one thing, oldest first; times are milliseconds since 1970. */
export type Line = { readonly name: string; readonly points: readonly Point[] }

/** Breaks the line between two measurements that are more than `longest` milliseconds apart. */
export function withGaps(points: readonly Point[], longest: number): Point[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    const isBroken = before !== undefined && point.at - before.at > longest
    return isBroken ? [{ at: before.at + 1, value: null }, point] : [point]
  })
}

/**
 * A counter's growth per second since the previous measurement. There is none for the first one,
 * after a gap of more than `longest` milliseconds, and where the counter fell, because then the
 * server has restarted.
 */
export function rates(points: readonly Point[], longest: number): Point[] {
  const found: Point[] = []
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before === undefined) continue
    found.push({ at: point.at, value: rateBetween(before, point, longest) })
  }
  return found
}

function rateBetween(before: Point, point: Point, longest: number): number | null {
  const elapsed = point.at - before.at
  if (before.value === null || point.value === null) return null
  if (elapsed <= 0 || elapsed > longest || point.value < before.value) return null
  return ((point.value - before.value) / elapsed) * 1_000
}

/**
 * The points of a second source where the first has none within `reach` milliseconds; both sorted
 * by time.
 */
export function filledUp(
  first: readonly Point[],
  second: readonly Point[],
  reach: number,
): Point[] {
  // Both are in order, so the nearest point of the first only ever moves on.
  let next = 0
  const more = second.filter(({ at }) => {
    while (next < first.length && (first[next]?.at ?? at) < at) next += 1
    const [before, after] = [first[next - 1], first[next]]
    return !(before && at - before.at <= reach) && !(after && after.at - at <= reach)
  })
  return more.length === 0 ? [...first] : [...first, ...more].sort((a, b) => a.at - b.at)
}

/** Leaves out points lower than an earlier one: an older answer arrived late. */
export function onlyGrowing(points: readonly Point[]): Point[] {
  let highest = Number.NEGATIVE_INFINITY
  return points.filter(({ value }) => {
    if (value === null || value < highest) return value === null
    highest = value
    return true
  })
}

/** Each line from a moment on. */
export function since(lines: readonly Line[], from: number): Line[] {
  return lines.map(({ name, points }) => ({ name, points: points.filter(({ at }) => at >= from) }))
}

/** A value for each line at each time: undefined where a line has no point, null where it breaks. */
export type Aligned = {
  readonly times: readonly number[]
  readonly values: readonly (readonly (number | null | undefined)[])[]
}

/** Puts lines that were measured at different times on one list of times. */
export function aligned(lines: readonly Line[]): Aligned {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))]
  times.sort((a, b) => a - b)
  const values = lines.map(({ points }) => {
    const byTime = new Map(points.map(({ at, value }) => [at, value]))
    return times.map((at) => byTime.get(at))
  })
  return { times, values }
}

/** The newest value that was measured, or null. */
export function newest({ points }: Line): number | null {
  return points.findLast(({ value }) => value !== null)?.value ?? null
}

/** Lowest and highest value of a line; null when nothing was measured. */
export function extent({ points }: Line): { low: number; high: number } | null {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return null
  return values.reduce(
    ({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }),
    { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
  )
}
