import type { ExportFormat } from '~/sql/result-text'
import { Button } from './Button'
import { cx } from './cx'
import { saveExport } from './file'
import { DownloadIcon } from './Icon'
import { Menu, type MenuEntry } from './Menu'
import { Spinner } from './Spinner'

type Formats<Format> = readonly { format: Format; label: string; detail: string }[]

/** The formats of files with rows. */
export const rowFormats: Formats<ExportFormat> = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'mark-csv', label: 'Excel CSV', detail: 'with a byte order mark' },
  {
    format: 'semicolon-csv',
    label: 'Excel CSV, semicolons',
    detail: 'and decimal commas',
  },
  { format: 'exact-csv', label: 'CSV, exact values', detail: 'for programs' },
  { format: 'json', label: 'JSON', detail: 'numbers with all their digits' },
]

type MenuProps<Format> = {
  formats: Formats<Format>
  /** One file is written at a time. */
  isRunning: boolean
  /** Writes the file, which is then saved. */
  write: (format: Format) => Promise<Parameters<typeof saveExport>[0]>
}

/** The choice of the format in which something long is saved. */
export function ExportMenu<Format>({ formats, isRunning, write }: MenuProps<Format>) {
  const entries: MenuEntry[] = formats.map(({ format, label, detail }) => ({
    kind: 'action',
    label,
    detail,
    disabledReason: isRunning ? 'A file is being written.' : undefined,
    onSelect: () => void write(format).then(saveExport),
  }))
  return (
    <Menu
      entries={entries}
      label="Export as"
      trigger={
        <Button icon={<DownloadIcon />} size="small" variant="quiet">
          <span className="@max-3xl:xs:sr-only">Export</span>
        </Button>
      }
    />
  )
}

type ButtonProps = {
  /** The button's name where another one is beside it. */
  label?: string
  /** What is saved and how. */
  title: string
  /** The export of the same, if it was the newest; null otherwise. */
  made: NoteProps['made'] | null
  /** One file is written at a time. */
  isRunning: boolean
  /** Writes the file, which is then saved. */
  write: () => Promise<Parameters<typeof saveExport>[0]>
  onStop: () => void
}

/** Saves something long in the one format that it has, and says how far it is. */
export function ExportButton({
  label = 'Export',
  title,
  made,
  isRunning,
  write,
  onStop,
}: ButtonProps) {
  return (
    <>
      {made && <ExportNote made={made} onStop={onStop} />}
      <Button
        aria-label={label}
        disabledReason={isRunning ? 'A file is being written.' : undefined}
        icon={<DownloadIcon />}
        onClick={() => void write().then(saveExport)}
        size="small"
        title={title}
        variant="quiet"
      >
        Export
      </Button>
    </>
  )
}

type NoteProps = { made: { readonly state: string; readonly text: string }; onStop: () => void }

/** How far an export is, and whether its file is complete. */
export function ExportNote({ made: { state, text }, onStop }: NoteProps) {
  const isRunning = state === 'running'
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm" role="status">
      {isRunning && <Spinner />}
      <span
        className={cx(
          'min-w-0 [overflow-wrap:anywhere]',
          /stopped|failed/.test(state) ? 'text-warning' : 'text-muted',
        )}
      >
        {text}
      </span>
      {isRunning && (
        <Button onClick={onStop} size="small">
          Stop the export
        </Button>
      )}
    </div>
  )
}
