import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { tableDefaultsAtom } from '~/atoms/tables/defaults'
import { stageEdits } from '~/atoms/tables/edits'
import { checkCommit, commitEdits, commitStateAtom } from '~/atoms/tables/edits-commit'
import { readEntryLimitAtom } from '~/atoms/tables/entry-limit'
import { useAct } from '~/core/act'
import { formatCount } from '~/lib/text'
import { isBusy, type Write } from '~/lib/write-state'
import { type EditProblem, problemsOf, unknownDefaults } from '~/sql/edit-problems'
import { type EditPlan, planEdits, tooManyEntries } from '~/sql/edit-statements'
import { countedEdits, type Edits, withoutCell, withoutEdit } from '~/sql/row-edits'
import { rowLabel } from '~/sql/row-label'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { SafeText } from '~/ui/SafeText'
import { Switch } from '~/ui/Switch'
import { Conflicts } from './Conflicts'
import { ReviewList } from './ReviewList'
import type { RowEdits } from './use-row-edits'

type Props = {
  edits: RowEdits
  /** What is committed by itself when the dialog opens, unless something is to be asked; or null. */
  commits: Edits | null
  onClose: () => void
}

/** The staged rows before and after, what stands against them, and the commit. */
export function ReviewDialog({ edits, commits, onClose }: Props) {
  const { place, table, state } = edits
  const commit = useAct(commitEdits)
  const check = useAct(checkCommit)
  const standing = useAtomValue(commitStateAtom)(place)
  const defaults = useAtomValue(useAtomValue(tableDefaultsAtom)(place.database, place.table))
  const problems = useMemo(
    () => problemsOf(table, state.edits, defaults),
    [table, state.edits, defaults],
  )
  const limit = useAtomValue(useAtomValue(readEntryLimitAtom)(place.database))
  const isWriting = isBusy(standing)
  // The rows stay in sight until it is known what became of them.
  const [kept, keep] = useState<Edits | null>(null)
  const staged = kept ?? state.edits
  const isReady = problems.length === 0 || kept !== null
  const plan = useMemo(() => (isReady ? planEdits(table, staged) : null), [isReady, table, staged])
  const [isSql, showSql] = useState(false)
  const kinds = [...new Set(state.edits.map(({ kind }) => kind))]
  const refused = kinds.map((kind) => edits.refusal(kind)).find((why) => why !== undefined)
  const reason = against({ edits, plan, limit, problems, standing, refused })
  // Rows of other pages are committed only by someone who has them in sight.
  const isElsewhere = state.edits.some(({ id }) => edits.placeOf(id) < 0)
  const isBegun = commits === state.edits && !isElsewhere && standing.kind !== 'unknown'
  const send = async () => {
    if (!plan) return false
    keep(state.edits)
    const isDone = await commit(place, table)
    keep(null)
    return isDone
  }
  return (
    <AskDialog
      action="Commit"
      cancel="Close"
      begins={isBegun}
      description="All of this is committed as one transaction, or none of it: none if someone else changed one of these rows."
      // The rows were reviewed where they were typed: a second key commits them. Not where what was
      // sent before may be committed already.
      isReady={standing.kind !== 'unknown'}
      onAction={send}
      onClose={onClose}
      refusal={reason}
      title={`Review changes of ${place.table}`}
      width="wide"
      write={{
        database: place.database,
        notDone: 'Nothing was committed. Your edits stay staged.',
        notKnown: 'your edits were committed',
        onCheck: () => void check(place, table),
        state: standing,
      }}
    >
      <div className="grid gap-3 text-sm">
        {staged.length === 0 && <p>Nothing is staged any more.</p>}
        {commits !== null && isElsewhere && !isWriting && kept === null && (
          <p className="text-warning" role="status">
            Some of these rows are not on the page that was shown, so nothing was sent yet.
          </p>
        )}
        {state.conflicts.size > 0 && <Conflicts edits={edits} />}
        {problems.length > 0 && <Problems edits={edits} problems={problems} />}
        {problems.length > 0 && defaults === null && (
          <p className="text-muted text-sm">{unknownDefaults}</p>
        )}
        {staged.length > 0 && (
          <>
            <Summary limit={limit} plan={plan} staged={staged} table={table}>
              <Switch checked={isSql} label="Show the SQL" onChange={showSql} />
            </Summary>
            <ReviewList
              edits={edits}
              isHeld={isWriting || standing.kind === 'unknown'}
              plan={isSql ? plan : null}
              staged={staged}
            />
          </>
        )}
      </div>
    </AskDialog>
  )
}

type Against = {
  edits: RowEdits
  plan: EditPlan | null
  limit: number
  problems: readonly EditProblem[]
  standing: Write<unknown>
  refused: string | undefined
}

/** Why the edits cannot be committed now. */
function against({ edits, plan, limit, problems, standing, refused }: Against): string | undefined {
  const { state } = edits
  // After a check the user decides; rows that were changed are not changed twice.
  const isChecked = standing.kind === 'unknown' && standing.finding !== null
  if (standing.kind === 'unknown' && !isChecked) return 'Check first what became of what you sent.'
  if (!isChecked && refused !== undefined) return refused
  if (state.edits.length === 0) return 'Nothing is staged.'
  if (state.waiting.length > 0) return 'Edits of an earlier visit still wait for their rows.'
  if (state.conflicts.size > 0) return 'Decide first about the rows that someone else changed.'
  if (problems.length > 0) return 'Correct the values that are named first.'
  return (plan && tooManyEntries(plan, limit)) ?? undefined
}

function Problems({ edits, problems }: { edits: RowEdits; problems: readonly EditProblem[] }) {
  return (
    <section className="grid gap-1" role="alert">
      <h3 className="font-medium text-error">These edits cannot be sent as they are</h3>
      <ul className="list-disc ps-5">
        {problems.map(({ id, column, text }) => (
          <li key={`${id} ${column} ${text}`}>
            <SafeText text={rowLabel(edits.table, id)} />
            {column !== null && (
              <>
                , <code translate="no">{column}</code>
              </>
            )}
            : <SafeText text={text} /> <Discard column={column} edits={edits} id={id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type SummaryProps = {
  staged: Edits
  plan: EditPlan | null
  limit: number
  table: RowEdits['table']
  children: ReactNode
}

/** How much it is, beside a choice. */
function Summary({ staged, plan, limit, table, children }: SummaryProps) {
  const tooMany = plan && tooManyEntries(plan, limit)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p>
          {countedEdits(staged)}.{' '}
          {plan && (
            <span className="text-muted">
              {formatCount(plan.entries)} of {formatCount(limit)} entries with those of indexes.
              {table.indexes === null && ' Indexes may not be read, so theirs are not counted.'}
            </span>
          )}
        </p>
        {plan && children}
      </div>
      {tooMany && <p className="text-error">{tooMany}</p>}
    </>
  )
}

type DiscardProps = { edits: RowEdits; id: string; column?: string | null }

/** Gives up one staged edit, or only one cell of it; nothing of a commit that is not answered. */
function Discard({ edits: { place }, id, column = null }: DiscardProps) {
  const stage = useAct(stageEdits)
  const standing = useAtomValue(commitStateAtom)(place)
  if (isBusy(standing) || standing.kind === 'unknown') return null
  const isCell = column !== null
  return (
    <Button
      onClick={() =>
        stage(place, (all) => (isCell ? withoutCell(all, id, column) : withoutEdit(all, id)))
      }
      size="small"
      variant="quiet"
    >
      {isCell ? 'Discard this value' : 'Discard'}
    </Button>
  )
}
