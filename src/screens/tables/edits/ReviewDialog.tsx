import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import { checkCommitAtom, commitEditsAtom, commitStateAtom } from '~/atoms/tables/edits-commit'
import { counted, formatCount } from '~/lib/text'
import { isBusy, type Write } from '~/lib/write'
import { type EditProblem, problemsOf } from '~/sql/edit-problems'
import { type EditPlan, mostEntries, planEdits, tooManyEntries } from '~/sql/edit-statements'
import { countedEdits } from '~/sql/edited-rows'
import { paramText } from '~/sql/param-text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SafeText } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { WriteNote } from '~/ui/WriteNote'
import { Conflicts } from './Conflicts'
import { nameOfRow } from './row-name'
import type { RowEdits } from './use-row-edits'

type Props = { edits: RowEdits; onClose: () => void }

/** The statements of the staged edits, what stands against them, and the commit. */
export function ReviewDialog({ edits, onClose }: Props) {
  const { place, table, state } = edits
  const commit = useSetAtom(commitEditsAtom)
  const check = useSetAtom(checkCommitAtom)
  const standing = useAtomValue(commitStateAtom)(place)
  const problems = useMemo(() => problemsOf(table, state.edits), [table, state.edits])
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
  const reason = against({ edits, plan, problems, standing, refused })
  const send = async () => {
    if (!plan) return
    keep(plan)
    const isDone = await commit(place, table)
    keep(null)
    if (isDone) onClose()
  }
  return (
    <Dialog
      description="All statements are sent in one request, which is one transaction: all of them or none."
      footer={
        <>
          <Button disabledReason={isWriting ? 'It is being sent.' : undefined} onClick={onClose}>
            Close
          </Button>
          <Button
            busy={isWriting}
            disabledReason={reason}
            onClick={() => void send()}
            variant="primary"
          >
            Commit
          </Button>
        </>
      }
      onClose={onClose}
      open
      persistent={isWriting}
      title={`Review changes of ${place.table}`}
      width="wide"
    >
      <div className="grid gap-3 text-sm">
        <WriteNote
          notDone="Nothing was committed. Your edits stay staged."
          notKnown="your edits were committed"
          onCheck={() => void check(place, table)}
          state={standing}
        />
        {state.edits.length === 0 && <p>Nothing is staged any more.</p>}
        {state.conflicts.size > 0 && <Conflicts edits={edits} />}
        {problems.length > 0 && <Problems edits={edits} problems={problems} />}
        {plan && state.edits.length > 0 && <Plan edits={edits} plan={plan} />}
      </div>
    </Dialog>
  )
}

type Against = {
  edits: RowEdits
  plan: EditPlan | null
  problems: readonly EditProblem[]
  standing: Write<unknown>
  refused: string | undefined
}

/** Why the edits cannot be committed now. */
function against({ edits, plan, problems, standing, refused }: Against): string | undefined {
  const { state } = edits
  // After a check the user decides; rows that were changed are not changed twice.
  const isChecked = standing.kind === 'unknown' && standing.finding !== null
  if (standing.kind === 'unknown' && !isChecked) return 'Check first what became of what you sent.'
  if (!isChecked && refused !== undefined) return refused
  if (state.edits.length === 0) return 'Nothing is staged.'
  if (state.waiting.length > 0) return 'Edits of an earlier visit still wait for their rows.'
  if (state.conflicts.size > 0) return 'Decide first about the rows that someone else changed.'
  if (problems.length > 0) return 'Correct the values that are named first.'
  return (plan && tooManyEntries(plan)) ?? undefined
}

function Problems({ edits, problems }: { edits: RowEdits; problems: readonly EditProblem[] }) {
  return (
    <section className="grid gap-1" role="alert">
      <h3 className="font-medium text-error">These edits cannot be sent as they are</h3>
      <ul className="list-disc ps-5">
        {problems.map(({ id, column, text }) => (
          <li key={`${id} ${column} ${text}`}>
            <SafeText text={nameOfRow(edits, id)} />
            {column !== null && (
              <>
                , <code>{column}</code>
              </>
            )}
            : <SafeText text={text} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Statements that are drawn at first. */
const shownAtFirst = 50

function Plan({ edits, plan }: { edits: RowEdits; plan: EditPlan }) {
  const [isWhole, setWhole] = useState(false)
  const { statements, entries, notes } = plan
  const shown = isWhole ? statements : statements.slice(0, shownAtFirst)
  const tooMany = tooManyEntries(plan)
  return (
    <section aria-label="Statements" className="grid gap-3">
      <p>
        {countedEdits(edits.state.edits)}: {counted(statements.length, 'statement')},{' '}
        {formatCount(entries)} of {formatCount(mostEntries)} entries with those of indexes.
        {edits.table.indexes === null && ' Indexes may not be read, so theirs are not counted.'}
      </p>
      {tooMany !== null && <p className="text-error">{tooMany}</p>}
      {notes.map((note) => (
        <p className="text-muted" key={note}>
          {note}
        </p>
      ))}
      {shown.map(({ id, kind, sql, params }) => (
        <section className="grid gap-1" key={id}>
          <h3 className="font-medium">
            {titles[kind]} <SafeText text={nameOfRow(edits, id)} />
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

const titles = { add: 'Add', change: 'Change', delete: 'Delete' } as const
