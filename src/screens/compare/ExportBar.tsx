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
import { Button } from '~/ui/Button'
import { saveFile } from '~/ui/file'
import { DownloadIcon } from '~/ui/Icon'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { Spinner } from '~/ui/Spinner'

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
  const entries: MenuEntry[] = formats.map(({ format, label, detail }) => ({
    kind: 'action',
    label,
    detail,
    disabledReason: isRunning ? 'A file is being written.' : undefined,
    onSelect: () => void save(format),
  }))
  return (
    <>
      <Menu
        entries={entries}
        label="Export as"
        trigger={
          <Button icon={<DownloadIcon />} size="small" variant="quiet">
            Export
          </Button>
        }
      />
      {own && (
        <div className="flex flex-wrap items-center gap-2 text-sm" role="status">
          {own.state === 'running' && <Spinner />}
          <span className={/stopped|failed/.test(own.state) ? 'text-warning' : 'text-muted'}>
            {own.text}
          </span>
          {own.state === 'running' && (
            <Button onClick={() => stop()} size="small">
              Stop the export
            </Button>
          )}
        </div>
      )}
    </>
  )
}
