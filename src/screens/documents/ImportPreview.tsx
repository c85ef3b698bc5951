import { useAtomValue } from 'jotai'
import type { ImportFile } from '~/atoms/documents/import-file'
import type { EndedImport } from '~/atoms/documents/import-records'
import { keptWords } from '~/atoms/documents/import-words'
import { timezoneAtom } from '~/core/view'
import type { Collection } from '~/immudb/collection'
import { counted, formatCount } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'

/** What the user has decided about a file. */
export type ImportChoices = {
  /** Lines that cannot be imported are left out. */
  readonly leavesProblems: boolean
  /** What becomes of documents that would be stored otherwise than written; null until decided. */
  readonly warned: 'import' | 'leave out' | null
  /** A file that was imported before begins again at its first line. */
  readonly isAgain: boolean
}

export const noChoices: ImportChoices = { leavesProblems: false, warned: null, isAgain: false }

/** What is still to be decided before a file is imported; undefined for nothing. */
export function whyNotYet(
  file: ImportFile,
  before: EndedImport | null,
  { leavesProblems, warned, isAgain }: ImportChoices,
): string | undefined {
  if (before !== null && !isAgain) return 'This file was imported before: decide first.'
  if (file.problemCount > 0 && !leavesProblems) return 'Correct the file, or leave lines out.'
  if (file.warned > 0 && warned === null) {
    return 'Decide what becomes of the documents that would be stored otherwise.'
  }
  return undefined
}

type Props = {
  file: ImportFile
  of: Collection
  choices: ImportChoices
  onChoose: (choices: ImportChoices) => void
}

export function Preview({ file, of, choices, onChoose }: Props) {
  const { documents, problems, problemCount, withId, warned, warnings } = file
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p role="status">
        <SafeText text={file.name} />: {counted(documents.length, 'document')}
        {problemCount > 0 && `, ${counted(problemCount, 'line')} that cannot be imported`}.
      </p>
      {withId > 0 && (
        <p>
          {counted(withId, 'document has', 'documents have')} a field{' '}
          <span className="font-mono" translate="no">
            <SafeName text={of.idField} />
          </span>
          . Their old ids are left out: the server makes new ones.
        </p>
      )}
      {problemCount > 0 && (
        <>
          <Listed
            items={problems.map(({ line, reason }) => ({ line, text: reason }))}
            label="Lines that cannot be imported"
            more={problemCount - problems.length}
            tone="text-error"
          />
          <Checkbox
            checked={choices.leavesProblems}
            label={`Leave out ${counted(problemCount, 'line')}`}
            onChange={(leavesProblems) => onChoose({ ...choices, leavesProblems })}
          />
        </>
      )}
      {warned > 0 && (
        <>
          <p>{counted(warned, 'document')} will not be stored exactly as written:</p>
          <Listed
            items={warnings}
            label="Documents that will be stored otherwise"
            more={warned - warnings.length}
            tone="text-warning"
          />
          <Select
            label="Documents that would be stored otherwise"
            onChange={(value) => {
              const found = decisions.find((one) => one.value === value)
              if (found) onChoose({ ...choices, warned: found.value })
            }}
            options={decisions}
            placeholder="Decide: import or leave out"
            value={choices.warned ?? ''}
          />
        </>
      )}
    </div>
  )
}

const decisions = [
  { value: 'import', label: 'Import them as listed' },
  { value: 'leave out', label: 'Leave them out' },
] as const

type BeforeProps = {
  of: EndedImport
  choices: ImportChoices
  onChoose: (choices: ImportChoices) => void
  /** Absent for an import that was complete. */
  onContinue: (() => void) | undefined
  /** The line behind what is committed. */
  line: number | undefined
  reason: string | undefined
}

/** The file was imported into this collection before. */
export function Before({ of, choices, onChoose, onContinue, line, reason }: BeforeProps) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <section
      aria-label="This file was imported before"
      className="grid gap-2 rounded border border-warning/45 bg-warning-tint px-3 py-2 text-sm"
    >
      <p className="font-medium">
        This browser imported this file before, until {formatMoment(of.endedAt, timezone)}.
      </p>
      {keptWords(of).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {onContinue && (
        <div>
          <Button disabledReason={reason} onClick={onContinue} variant="primary">
            {of.open === null && line !== undefined ? `Continue at line ${line}` : 'Continue'}
          </Button>
        </div>
      )}
      <Checkbox
        checked={choices.isAgain}
        hint="The documents that are committed will be in the collection twice."
        label="Import the whole file again"
        onChange={(isAgain) => onChoose({ ...choices, isAgain })}
      />
    </section>
  )
}

type ListedProps = {
  items: readonly { line: number; text: string }[]
  label: string
  more: number
  tone: string
}

function Listed({ items, label, more, tone }: ListedProps) {
  return (
    <ul
      aria-label={label}
      className={`grid max-h-48 gap-1 overflow-auto rounded border border-line px-2 py-1 ${tone}`}
    >
      {items.map(({ line, text }) => (
        <li className="[overflow-wrap:anywhere]" key={line}>
          Line {line}: <SafeText text={text} />
        </li>
      ))}
      {more > 0 && <li>{formatCount(more)} more.</li>}
    </ul>
  )
}
