import { useAtomValue, useSetAtom } from 'jotai'
import {
  type AuditFormat,
  auditExportAtom,
  exportAudit,
  stopAuditExportAtom,
} from '~/atoms/auditlog/event-export'
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
  const isRunning = useAtomValue(auditExportAtom)?.state === 'running'
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
  const made = useAtomValue(auditExportAtom)
  const stop = useSetAtom(stopAuditExportAtom)
  return made && <ExportNote made={made} onStop={() => stop()} />
}
