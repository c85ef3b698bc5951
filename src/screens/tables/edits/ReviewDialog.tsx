import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import { commitStateAtom } from '~/atoms/tables/commit-state'
import { tableDefaultsAtom } from '~/atoms/tables/defaults'
import { stageAtom } from '~/atoms/tables/edits'
import { checkCommitAtom, commitEditsAtom } from '~/atoms/tables/edits-commit'
import { readEntryLimitAtom } from '~/atoms/tables/entry-limit'
import { counted, formatCount } from '~/lib/text'
import { isBusy, type Write } from '~/lib/write'
import { type EditProblem, problemsOf, unknownDefaults } from '~/sql/edit-problems'
import { type EditPlan, planEdits, tooManyEntries } from '~/sql/edit-statements'
import { countedEdits } from '~/sql/edited-rows'
import { paramText } from '~/sql/params'
import { withoutCell, withoutEdit } from '~/sql/row-edits'
import { rowLabel } from '~/sql/row-label'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { SafeText } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { WriteNote } from '~/ui/WriteNote'
import { Conflicts } from './Conflicts'
import type { RowEdits } from './use-row-edits'

type Props = { edits: RowEdits; onClose: () => void }

/** The statements of the staged edits, what stands against them, and the commit. */
export function ReviewDialog({ edits, onClose }: Props) {
  const { place, table, state } = edits
  const commit = useSetAtom(commitEditsAtom)
  const check = useSetAtom(checkCommitAtom)
  const standing = useAtomValue(commitStateAtom)(place)
  const defaults = useAtomValue(useAtomValue(tableDefaultsAtom)(place.database, place.table))
  const problems = useMemo(
    () => problemsOf(table, state.edits, defaults),
    [table, state.edits, defaults],
  )
  const limit = useAtomValue(useAtomValue(readEntryLimitAtom)(place.database))
  const isWriting = isBusy(standing)
  // The statements stay in sight until it is known what became of them.
  const [kept, keep] = useState<EditPlan | null>(null)
  const isReady = problems.length === 0
  const plan = useMemo(
    () => kept ?? (isReady ? planEdits(table, state.edits) : null),
    [kept, isReady, table, state.edits],
  )
  const kinds = [...new Set(state.edits.map(({ kind }) => kind))]
  const refused = kinds.map((kind) => edits.refusal(kind)).find((why) => why !== undefined)
  const reason = against({ edits, plan, limit, problems, standing, refused })
  const send = async () => {
    if (!plan) return
    keep(plan)
    const isDone = await commit(place, table)
    keep(null)
    if (isDone) onClose()
  }
  return (
    <Dialog
      description="One transaction: all of them are committed, or none. If someone else changes one of these rows first, nothing is."
      footer={
        <DialogButtons
          action="Commit"
          busy={isWriting}
          disabledReason={reason}
          cancel="Close"
          onAction={() => void send()}
          onClose={onClose}
          whyStay={isWriting ? 'It is being sent.' : undefined}
        />
      }
      onClose={onClose}
      open
      persistent={isWriting}
      title={`Review changes of ${place.table}`}
      width="wide"
    >
      <div className="grid gap-3 text-sm">
        <WriteNote
          database={place.database}
          notDone="Nothing was committed. Your edits stay staged."
          notKnown="your edits were committed"
          onCheck={() => void check(place, table)}
          state={standing}
        />
        {state.edits.length === 0 && <p>Nothing is staged any more.</p>}
        {state.conflicts.size > 0 && <Conflicts edits={edits} />}
        {problems.length > 0 && <Problems edits={edits} problems={problems} />}
        {problems.length > 0 && defaults === null && (
          <p className="text-muted text-sm">{unknownDefaults}</p>
        )}
        {plan && state.edits.length > 0 && <Plan edits={edits} limit={limit} plan={plan} />}
      </div>
    </Dialog>
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

/** Statements that are drawn at first. */
const shownAtFirst = 50

function Plan({ edits, plan, limit }: Pick<Against, 'edits' | 'limit'> & { plan: EditPlan }) {
  const [isWhole, setWhole] = useState(false)
  const { statements, entries } = plan
  const shown = isWhole ? statements : statements.slice(0, shownAtFirst)
  const tooMany = tooManyEntries(plan, limit)
  return (
    <section aria-label="Statements" className="grid gap-3">
      <p>
        {countedEdits(edits.state.edits)}: {counted(statements.length, 'statement')},{' '}
        {formatCount(entries)} of {formatCount(limit)} entries with those of indexes.
        {edits.table.indexes === null && ' Indexes may not be read, so theirs are not counted.'}
      </p>
      {tooMany !== null && <p className="text-error">{tooMany}</p>}
      {shown.map(({ id, kind, sql, params }) => (
        <section className="grid gap-1" key={id}>
          <h3 className="flex items-center justify-between gap-2 font-medium">
            <span>
              {titles[kind]} <SafeText text={rowLabel(edits.table, id)} />
            </span>
            <Discard edits={edits} id={id} />
          </h3>
          <SentRequest
            params={params.map(({ name, value }) => ({ name, text: paramText(value) }))}
            statement={sql}
          />
        </section>
      ))}
      {shown.length < statements.length && (
        <Button onClick={() => setWhole(true)} size="small">
          Show all {formatCount(statements.length)} statements
        </Button>
      )}
    </section>
  )
}

type DiscardProps = { edits: RowEdits; id: string; column?: string | null }

/** Gives up one staged edit, or only one cell of it; nothing of a commit that is not answered. */
function Discard({ edits: { place }, id, column = null }: DiscardProps) {
  const stage = useSetAtom(stageAtom)
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

const titles = { add: 'Add', change: 'Change', delete: 'Delete' } as const
