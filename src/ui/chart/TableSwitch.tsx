import type { ReactNode } from 'react'
import { Button } from '../Button'
import { Grid } from '../Grid'

type Props = { isTable: boolean; onChange: (isTable: boolean) => void; children?: ReactNode }

/** Shows the numbers of a chart as a table, or the chart again. */
export function TableSwitch({ isTable, onChange, children }: Props) {
  return (
    <Button
      aria-pressed={isTable}
      onClick={() => onChange(!isTable)}
      onFocus={() => void Grid.prepare()}
      onPointerEnter={() => void Grid.prepare()}
      size="small"
      variant="quiet"
    >
      {isTable ? 'Chart' : 'Table'}
      {children}
    </Button>
  )
}
