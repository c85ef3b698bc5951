import { useState } from 'react'
import type { RowsPage } from '~/atoms/tables/table-rows'
import { sentence } from '~/core/session/failure-words'
import { counted } from '~/lib/text'
import type { ResultTable } from '~/sql/result'
import { type CopyFormat, copiedRows } from '~/sql/result-text'
import { Button } from '~/ui/Button'
import { copyText } from '~/ui/clipboard'
import { CopyIcon } from '~/ui/Icon'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { showToast } from '~/ui/toast'

/** The formats in which rows are copied, and their names. */
export const copyFormats: readonly { format: CopyFormat; label: string }[] = [
  { format: 'insert', label: 'INSERT' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV' },
  { format: 'tab', label: 'Cells for a spreadsheet' },
  { format: 'markdown', label: 'Markdown' },
]

/** Copies rows; answers whether that was done, else it says why not. */
export async function copyRowsAs(
  format: CopyFormat,
  rows: ResultTable,
  table: string,
): Promise<boolean> {
  try {
    const isDone = await copyText(copiedRows(format, rows, table))
    if (!isDone) showToast({ kind: 'error', text: 'The browser did not let the rows be copied.' })
    return isDone
  } catch (error) {
    showToast({ kind: 'error', text: sentence(error) })
    return false
  }
}

type MenuProps = { rows: ResultTable; table: string; label: string }

/** Copies rows, with every column of the table, in a format that is chosen. */
export function CopyMenu({ rows, table, label }: MenuProps) {
  const [told, tell] = useState('')
  const copy = async (format: CopyFormat, name: string) => {
    if (await copyRowsAs(format, rows, table))
      tell(`${counted(rows.rowCount, 'row')} copied as ${name}.`)
  }
  const entries: MenuEntry[] = copyFormats.map(({ format, label: name }) => ({
    kind: 'action',
    label: name,
    onSelect: () => void copy(format, name),
  }))
  return (
    <>
      <Menu
        entries={entries}
        label="Copy as"
        trigger={
          <Button icon={<CopyIcon />} size="small" variant="quiet">
            {label}
          </Button>
        }
      />
      <span aria-live="polite" className="text-muted text-sm empty:hidden">
        {told}
      </span>
    </>
  )
}

type Props = { page: RowsPage; selected: ReadonlySet<number>; table: string }

/** Copies the chosen rows; nothing is shown while none is chosen. */
export function CopyRows({ page: { rows }, selected, table }: Props) {
  const chosen = [...selected].filter((row) => row < rows.rowCount).sort((a, b) => a - b)
  if (chosen.length === 0) return null
  return (
    <CopyMenu
      label={`Copy ${counted(chosen.length, 'row')}`}
      rows={pick(rows, chosen)}
      table={table}
    />
  )
}

/** Some rows of a result, by their places. */
export function pick({ columns }: ResultTable, places: readonly number[]): ResultTable {
  return {
    rowCount: places.length,
    columns: columns.map((column) => ({
      ...column,
      values: places.map((row) => column.values[row] ?? null),
    })),
  }
}
