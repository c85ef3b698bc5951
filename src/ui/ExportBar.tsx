import type { ReactNode } from 'react'
import type { ExportFormat } from '~/sql/result-text'
import { Button } from './Button'
import { cx } from './cx'
import { saveFile } from './file'
import { DownloadIcon } from './Icon'
import { Menu } from './Menu'
import { Sentence } from './Sentence'
import { Spinner } from './Spinner'

type Formats<Format> = readonly { format: Format; label: string; detail: string }[]

/** The formats of files with rows. */
export const rowFormats: Formats<ExportFormat> = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets; formulas get an apostrophe' },
  { format: 'mark-csv', label: 'Excel CSV', detail: 'with a byte order mark' },
  {
    format: 'semicolon-csv',
    label: 'Excel CSV, semicolons',
    detail: 'and decimal commas',
  },
  {
    format: 'exact-csv',
    label: 'CSV, exact values',
    detail: 'for programs, formulas kept',
  },
  { format: 'json', label: 'JSON', detail: 'numbers with all their digits' },
]

/** The format of files with a line for each thing. */
export const lineFormats: Formats<'ndjson'> = [
  { format: 'ndjson', label: 'NDJSON', detail: 'an object in each line' },
]

type WrittenFile = { name: string; parts: readonly BlobPart[]; type: string }

type Props<Format> = {
  formats: Formats<Format>
  /** The button's name where another one is on the screen. */
  label?: string
  /** What is saved. */
  title: string
  /** How far the export is; null if it was not the newest. */
  made: { readonly state: string; readonly text: string } | null
  /** One file is written at a time. */
  isRunning: boolean
  /** Writes the file, which is then saved; null when there is none. */
  write: (format: Format) => Promise<WrittenFile | null>
  onStop: () => void
  /** Puts the button among others. */
  children?: (button: ReactNode) => ReactNode
}

/**
 * Saves something long in a format, and says how far it is and whether the file is complete. With one
 * format it is a button for the foot of a list, where the note stands before it; with several a menu
 * for the bar above, where the note takes a line below. So neither moves away from the pointer.
 */
export function ExportBar<Format>(props: Props<Format>) {
  const { formats, label = 'Export', title, made, isRunning, write, onStop, children } = props
  const save = async (format: Format) => {
    const file = await write(format)
    if (file) saveFile(file.name, new Blob([...file.parts]), file.type)
  }
  const disabledReason = isRunning ? 'A file is being written.' : undefined
  const [only, ...others] = formats
  const isMenu = others.length > 0
  const look = { 'aria-label': label, icon: <DownloadIcon />, title } as const
  const button = isMenu ? (
    <Menu
      entries={formats.map(({ format, label, detail }) => ({
        kind: 'action',
        label,
        detail,
        disabledReason,
        onSelect: () => void save(format),
      }))}
      label="Export as"
      trigger={
        <Button {...look} size="small" variant="quiet">
          <span className="@max-3xl:xs:sr-only">Export</span>
        </Button>
      }
    />
  ) : (
    <Button
      {...look}
      disabledReason={disabledReason}
      onClick={() => only && void save(only.format)}
      size="small"
      variant="quiet"
    >
      Export
    </Button>
  )
  return (
    <>
      {made && <Note {...made} isBelow={isMenu} onStop={onStop} />}
      {children ? children(button) : button}
    </>
  )
}

type NoteProps = { state: string; text: string; isBelow: boolean; onStop: () => void }

function Note({ state, text, isBelow, onStop }: NoteProps) {
  const isRunning = state === 'running'
  return (
    <div
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-2 text-sm',
        isBelow && 'order-last basis-full',
      )}
      role="status"
    >
      {isRunning && <Spinner />}
      <span
        className={cx(
          'min-w-0 [overflow-wrap:anywhere]',
          /stopped|failed/.test(state) ? 'text-warning' : 'text-muted',
        )}
      >
        <Sentence text={text} />
      </span>
      {isRunning && (
        <Button onClick={onStop} size="small">
          Stop the export
        </Button>
      )}
    </div>
  )
}
