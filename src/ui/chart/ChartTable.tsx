import { useCallback, useMemo } from 'react'
import type { Aligned, Line } from '~/lib/measurements'
import { formatClock } from '~/lib/time'
import type { TimeZoneChoice } from '~/lib/time-zone'
import { Grid } from '../Grid'
import type { Cell } from '../grid/cell'
import { formatValue, type Unit } from './look'

type ChartTableProps = {
  title: string
  lines: readonly Line[]
  data: Aligned
  unit: Unit
  zone: TimeZoneChoice
}

/** The points of a chart as rows, the newest first. */
export function ChartTable({ title, lines, data, unit, zone }: ChartTableProps) {
  const names = lines.map(({ name }) => name).join('\n')
  // The grid keeps widths by the identity of the columns, which new points must not change.
  const columns = useMemo(
    () => [
      { title: 'Time', align: 'start' as const },
      ...names.split('\n').map((name) => ({ title: name, align: 'end' as const })),
    ],
    [names],
  )
  const cell = useCallback(
    (row: number, column: number): Cell => {
      const index = data.times.length - 1 - row
      const at = data.times[index] ?? 0
      if (column === 0) {
        return {
          text: formatClock(at, zone),
          kind: 'time',
          exact: () => new Date(at).toISOString(),
        }
      }
      const value = data.values[column - 1]?.[index]
      if (value === undefined || value === null) return { text: 'not measured', kind: 'null' }
      return { text: formatValue(value, unit), kind: 'number', exact: () => String(value) }
    },
    [data, unit, zone],
  )
  return (
    <Grid
      cell={cell}
      columns={columns}
      label={`${title}, as a table`}
      maxHeight={180}
      rowCount={data.times.length}
    />
  )
}
