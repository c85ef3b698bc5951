import type { FileCheck } from '~/atoms/tables/import-file'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { problemText } from '~/sql/import-rows'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorNote } from '~/ui/ErrorNote'
import { LineList } from '~/ui/LineList'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeText } from '~/ui/SafeText'
import type { useCheck } from './use-check'

type Props = {
  check: ReturnType<typeof useCheck>
  size: number
  isLeavingOut: boolean
  onLeaveOut: (is: boolean) => void
  /** Whether values may be written otherwise than they stand in the file. */
  isChanging: boolean
  onChanging: (is: boolean) => void
  /** Most rows of one transaction; null where there is no target. */
  rowsEach: number | null
}

/** The result stands above the choices, so it is brought into sight. */
const bringIntoSight = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'end' })

/** What the check of the whole file found: every row that does not fit, with its line. */
export function CheckResult({
  check,
  size,
  isLeavingOut,
  onLeaveOut,
  isChanging,
  onChanging,
  rowsEach,
}: Props) {
  const { found, failure, bytes } = check
  if (failure !== null) return <ErrorNote notDone="Nothing was sent." title={failure} />
  if (found === null && bytes === null) return null
  const changed = found ? [...found.changes.columns.values()].reduce((sum, one) => sum + one, 0) : 0
  return (
    <section
      aria-label="Check of the file"
      className="space-y-2 rounded border border-line bg-page px-3 py-2"
      ref={bringIntoSight}
    >
      <div className="min-h-6 text-sm" role="status">
        {bytes !== null && (
          <p className="pb-1">
            Checking: {formatSize(bytes)} of {formatSize(size)}
          </p>
        )}
        {found && <p>{foundText(found)}</p>}
        {found && rowsEach !== null && found.rows - found.problems.length > rowsEach && (
          <p className="text-muted">
            Rows go in in transactions of at most {formatCount(rowsEach)}, each stored whole or not
            at all. If one fails, those before it stay.
          </p>
        )}
      </div>
      {bytes !== null && <ProgressBar label="Checked" share={size > 0 ? bytes / size : 1} />}
      {found && found.problems.length > 0 && (
        <LineList
          items={found.problems.map((problem) => ({
            line: problem.line,
            text: problemText(problem),
          }))}
          label="Rows that do not fit"
        />
      )}
      {found && found.problems.length > 0 && !found.isCutShort && (
        <Checkbox
          checked={isLeavingOut}
          hint="Their lines are listed above. The file is not changed."
          label={`Leave out ${counted(found.problems.length, 'row')}`}
          onChange={onLeaveOut}
        />
      )}
      {found && changed > 0 && <Changes changes={found.changes} />}
      {found && changed > 0 && (
        <Checkbox
          checked={isChanging}
          hint="As listed above. A column of VARCHAR keeps every character."
          label={`Write ${counted(changed, 'value')} otherwise than in the file`}
          onChange={onChanging}
        />
      )}
    </section>
  )
}

function foundText({ rows, problems, isCutShort }: FileCheck): string {
  if (isCutShort) {
    return `The check stopped at row ${formatCount(rows)}: more than ${counted(problems.length, 'row')} do not fit.`
  }
  if (problems.length === 0) {
    return rows === 1 ? 'Checked: the only row fits.' : `Checked: all ${counted(rows, 'row')} fit.`
  }
  const fit = rows - problems.length
  return `Checked: ${formatCount(problems.length)} of ${counted(rows, 'row')} do not fit, ${formatCount(fit)} do. Nothing was sent yet.`
}

function Changes({ changes: { columns, first } }: { changes: FileCheck['changes'] }) {
  const all = [...columns.values()].reduce((sum, one) => sum + one, 0)
  return (
    <div className="text-sm">
      <p className="text-warning">
        {counted(all, 'value is', 'values are')} written otherwise than they stand in the file:{' '}
        <SafeText
          text={[...columns].map(([name, count]) => `${name} ${formatCount(count)}`).join(', ')}
        />
      </p>
      <LineList
        items={first.map(({ line, column, before, after }) => ({
          line,
          text: `${column}: ${before} → ${after}`,
        }))}
        label="Values that are written otherwise"
        more={all - first.length}
      />
    </div>
  )
}
