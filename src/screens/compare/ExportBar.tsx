import { useAtomValue, useSetAtom } from 'jotai'
import {
  comparisonExportAtom,
  type ExportedAs,
  exportComparisonAtom,
  exportName,
  stopComparisonExportAtom,
} from '~/atoms/compare/export'
import type { Comparison } from '~/atoms/compare/tables'
import type { ExportFormat } from '~/sql/export'
import { ExportMenu, ExportNote } from '~/ui/Export'
import { saveFile } from '~/ui/file'

const formats: readonly { format: ExportFormat; label: string; detail: string }[] = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'exact-csv', label: 'CSV, exact values', detail: 'for programs' },
  { format: 'json', label: 'JSON', detail: 'a list of objects' },
]

/** Saves the whole comparison as a file, and says whether it is complete. */
export function ExportBar({ of, as }: { of: Comparison; as: ExportedAs }) {
  const write = useSetAtom(exportComparisonAtom)
  const stop = useSetAtom(stopComparisonExportAtom)
  const made = useAtomValue(comparisonExportAtom)
  const own = made?.of === exportName(of) ? made : null
  const isRunning = made?.state === 'running'
  const save = async (format: ExportFormat) => {
    const file = await write(of, as, format)
    if (file) saveFile(file.name, new Blob([...file.parts]), file.type)
  }
  return (
    <>
      <ExportMenu
        formats={formats}
        isRunning={isRunning}
        onChoose={(format) => void save(format)}
      />
      {own && <ExportNote made={own} onStop={() => stop()} />}
    </>
  )
}
