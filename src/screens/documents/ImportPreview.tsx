import type { ImportFile } from '~/atoms/documents/import-file'
import type { Collection } from '~/immudb/collection'
import { counted } from '~/lib/text'
import { Checkbox } from '~/ui/Checkbox'
import { LineList } from '~/ui/LineList'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'

/** What the user has decided about a file. */
export type ImportChoices = {
  /** Lines that cannot be imported are left out. */
  readonly leavesProblems: boolean
  /** What becomes of documents that would be stored otherwise than written; null until decided. */
  readonly warned: 'import' | 'leave out' | null
}

export const noChoices: ImportChoices = { leavesProblems: false, warned: null }

/** What is still to be decided before a file is imported; undefined for nothing. */
export function whyNotYet(
  file: ImportFile,
  { leavesProblems, warned }: ImportChoices,
): string | undefined {
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
          <LineList
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
          <LineList
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
