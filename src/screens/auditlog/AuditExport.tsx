import { useAtomValue } from 'jotai'
import { type AuditFormat, auditExports, exportAudit } from '~/atoms/auditlog/event-export'
import { useAct } from '~/core/act'
import { ExportMenu, ExportNote } from '~/ui/Export'
import { useAuditAddress } from './address'

const formats: readonly { format: AuditFormat; label: string; detail: string }[] = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'ndjson', label: 'NDJSON', detail: 'an object in each line' },
]

/** Saves every event of the filter and range. */
export function AuditExportMenu() {
  const { filter, range } = useAuditAddress()
  const write = useAct(exportAudit)
  const isRunning = useAtomValue(auditExports.newestAtom)?.state === 'running'
  return (
    <ExportMenu
      formats={formats}
      isRunning={isRunning}
      write={(format) => write(filter, range, format)}
    />
  )
}

/** How far the export is, and whether its file is complete. */
export function AuditExportNote() {
  const made = useAtomValue(auditExports.newestAtom)
  const stop = useAct(auditExports.stop)
  return made && <ExportNote made={made} onStop={() => stop()} />
}
