import { useAtomValue, useSetAtom } from 'jotai'
import {
  exportName,
  exportTableAtom,
  stopTableExportAtom,
  tableExportAtom,
} from '~/atoms/tables/export'
import type { ExportFormat } from '~/sql/export'
import { ExportMenu, ExportNote } from '~/ui/Export'
import { saveFile } from '~/ui/file'
import type { RowList } from './use-rows'

const formats: readonly { format: ExportFormat; label: string; detail: string }[] = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'exact-csv', label: 'CSV, exact values', detail: 'for programs' },
  { format: 'json', label: 'JSON', detail: 'numbers with all their digits' },
]

/** Saves all rows that the filter lets through, not only those of the page. */
export function ExportRows({ of }: { of: RowList }) {
  const made = useAtomValue(tableExportAtom)
  const write = useSetAtom(exportTableAtom)
  const save = async (format: ExportFormat) => {
    const file = await write(of, format)
    if (file) saveFile(file.name, new Blob([...file.parts]), file.type)
  }
  return (
    <ExportMenu
      formats={formats}
      isRunning={made?.state === 'running'}
      onChoose={(format) => void save(format)}
    />
  )
}

/** How far the export of this table is, or what came of it. */
export function ExportState({ of }: { of: RowList }) {
  const made = useAtomValue(tableExportAtom)
  const stop = useSetAtom(stopTableExportAtom)
  if (made?.of !== exportName(of)) return null
  return (
    <div className="px-3 py-1">
      <ExportNote made={made} onStop={stop} />
    </div>
  )
}
