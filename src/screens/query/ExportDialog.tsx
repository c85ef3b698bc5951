import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { OutputEntry } from '~/atoms/query/output'
import { exportAtom, exportResult, stopExport } from '~/atoms/query/result-export'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { counted } from '~/lib/text'
import type { ResultTable } from '~/sql/result'
import { type CopyFormat, copiedRows, type ExportFormat } from '~/sql/result-text'
import { Button } from '~/ui/Button'
import { copyText } from '~/ui/clipboard'
import { Dialog } from '~/ui/Dialog'
import { saveExport } from '~/ui/file'
import { Spinner } from '~/ui/Spinner'
import { showToast } from '~/ui/toast'

const files: readonly { format: ExportFormat; label: string; text: string }[] = [
  {
    format: 'csv',
    label: 'CSV',
    text: 'For spreadsheets. What looks like a formula gets an apostrophe.',
  },
  {
    format: 'mark-csv',
    label: 'Excel CSV',
    text: 'The same with a byte order mark, for every script.',
  },
  {
    format: 'semicolon-csv',
    label: 'Excel CSV, semicolons',
    text: 'The same with semicolons and decimal commas.',
  },
  {
    format: 'exact-csv',
    label: 'CSV, exact values',
    text: 'For programs. A spreadsheet may run formulas in it.',
  },
  {
    format: 'json',
    label: 'JSON',
    text: 'A list of objects. Whole numbers keep all their digits.',
  },
]

const copies: readonly { format: CopyFormat; label: string }[] = [
  { format: 'tab', label: 'Cells for a spreadsheet' },
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'JSON' },
  { format: 'markdown', label: 'Markdown' },
  { format: 'insert', label: 'INSERT' },
]

type Props = { entry: OutputEntry; result: ResultTable; onClose: () => void }

/** Saves the whole result as a file, or puts the rows that are here on the clipboard. */
export function ExportDialog({ entry, result, onClose }: Props) {
  const isPartial = entry.paging !== null && !entry.paging.isComplete
  return (
    <Dialog
      description={
        isPartial
          ? `${counted(result.rowCount, 'row')} of more are here. A file gets all of them, fetched while it is written.`
          : `${counted(result.rowCount, 'row')}, the whole result.`
      }
      footer={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
      open
      title={`Export or copy result ${entry.number}`}
    >
      <Files entry={entry} />
      <Copies entry={entry} isPartial={isPartial} result={result} />
    </Dialog>
  )
}

function Files({ entry }: { entry: OutputEntry }) {
  const write = useAct(exportResult)
  const stop = useAct(stopExport)
  const made = useAtomValue(exportAtom).get(entry.number)
  const isRunning = made?.state === 'running'
  const save = async (format: ExportFormat) => saveExport(await write(entry, format))
  return (
    <section aria-labelledby="export-files" className="pb-2">
      <h3 className="pb-1 font-medium" id="export-files">
        Save as a file
      </h3>
      <ul className="divide-y divide-line">
        {files.map(({ format, label, text }) => (
          <li className="flex items-center gap-3 py-2" key={format}>
            <div className="min-w-0 flex-1">
              <p>{label}</p>
              <p className="text-muted text-sm">{text}</p>
            </div>
            <Button
              aria-label={`Save as ${label}`}
              disabledReason={isRunning ? 'A file is being written.' : undefined}
              onClick={() => void save(format)}
              size="small"
            >
              Save
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex min-h-8 items-center gap-2 text-sm" role="status">
        {isRunning && <Spinner />}
        {made && (
          <span className={made.state === 'complete' || isRunning ? undefined : 'text-warning'}>
            {made.text}
          </span>
        )}
        {isRunning && (
          <Button onClick={() => stop(entry.number)} size="small">
            Stop
          </Button>
        )}
      </div>
    </section>
  )
}

type CopiesProps = { entry: OutputEntry; result: ResultTable; isPartial: boolean }

function Copies({ entry, result, isPartial }: CopiesProps) {
  const [told, tell] = useState('')
  const table = entry.tables.length === 1 ? (entry.tables[0] ?? 'table_name') : 'table_name'
  const copy = async (format: CopyFormat, label: string) => {
    try {
      const isDone = await copyText(copiedRows(format, result, table))
      if (isDone) tell(`${counted(result.rowCount, 'row')} copied as ${label}.`)
      else showToast({ kind: 'error', text: 'The browser did not let the rows be copied.' })
    } catch (error) {
      showToast({ kind: 'error', text: sentence(error) })
    }
  }
  return (
    <section aria-labelledby="export-copies">
      <h3 className="pb-1 font-medium" id="export-copies">
        Copy {isPartial ? 'the rows that are here' : 'the rows'}
      </h3>
      <div className="flex flex-wrap gap-2">
        {copies.map(({ format, label }) => (
          <Button
            aria-label={`Copy as ${label}`}
            key={format}
            onClick={() => void copy(format, label)}
            size="small"
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="min-h-6 pt-1 text-muted text-sm" role="status">
        {told}
      </p>
    </section>
  )
}
