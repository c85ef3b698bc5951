import { useAtomValue, useSetAtom } from 'jotai'
import {
  type AuditFormat,
  auditExportAtom,
  exportAuditAtom,
  stopAuditExportAtom,
} from '~/atoms/auditlog/export'
import { Button } from '~/ui/Button'
import { saveFile } from '~/ui/file'
import { DownloadIcon } from '~/ui/Icon'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { Spinner } from '~/ui/Spinner'
import { useAuditAddress } from './address'

const formats: readonly { format: AuditFormat; label: string; detail: string }[] = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'ndjson', label: 'NDJSON', detail: 'an object in each line' },
]

/** Saves every event of the filter and range. */
export function ExportMenu() {
  const { filter, range } = useAuditAddress()
  const write = useSetAtom(exportAuditAtom)
  const made = useAtomValue(auditExportAtom)
  const save = async (format: AuditFormat) => {
    const file = await write(filter, range, format)
    if (file) saveFile(file.name, new Blob([...file.parts]), file.type)
  }
  const entries: MenuEntry[] = formats.map(({ format, label, detail }) => ({
    kind: 'action',
    label,
    detail,
    disabledReason: made?.state === 'running' ? 'A file is being written.' : undefined,
    onSelect: () => void save(format),
  }))
  return (
    <Menu
      entries={entries}
      label="Export as"
      trigger={
        <Button icon={<DownloadIcon />} size="small" variant="quiet">
          Export
        </Button>
      }
    />
  )
}

/** How far the export is, and whether its file is complete. */
export function ExportNote() {
  const made = useAtomValue(auditExportAtom)
  const stop = useSetAtom(stopAuditExportAtom)
  if (!made) return null
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm" role="status">
      {made.state === 'running' && <Spinner />}
      <span className={/stopped|failed/.test(made.state) ? 'text-warning' : 'text-muted'}>
        {made.text}
      </span>
      {made.state === 'running' && (
        <Button onClick={() => stop()} size="small">
          Stop the export
        </Button>
      )}
    </div>
  )
}
