/** Middle and near-worst of some samples. */
export type Figure = { readonly median: number; readonly p95: number }

/** Median and 95th percentile (nearest rank) of at least one sample. */
export function figure(samples: readonly number[]): Figure {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  const [median, p95] = [at(0.5), at(0.95)]
  if (median === undefined || p95 === undefined) throw new Error('no samples')
  return { median, p95 }
}

/** A measured figure beside its floor of the same run. */
export type Comparison = {
  readonly name: string
  readonly measured: Figure
  readonly floor: Figure
}

/** Lines of a table; times in milliseconds, the last columns as multiples of the floor. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ name, measured, floor }) => [
    name,
    measured.median.toFixed(1),
    measured.p95.toFixed(1),
    floor.median.toFixed(1),
    floor.p95.toFixed(1),
    `${(measured.median / floor.median).toFixed(2)}×`,
    `${(measured.p95 / floor.p95).toFixed(2)}×`,
  ])
  const head = ['ms', 'median', 'p95', 'floor median', 'floor p95', 'median ratio', 'p95 ratio']
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return [head, ...rows].map(line).join('\n')
}
