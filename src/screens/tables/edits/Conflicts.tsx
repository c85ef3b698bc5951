import { useAtomValue } from 'jotai'
import { stageEdits } from '~/atoms/tables/edits'
import { commitStateAtom, forgetCommit } from '~/atoms/tables/edits-commit'
import { keepMine } from '~/atoms/tables/edits-rows'
import { useAct } from '~/core/act'
import { cutText } from '~/lib/visible-text'
import { isValue } from '~/sql/cell-input'
import { type Cells, editOf, isSameValue, withoutEdit } from '~/sql/row-edits'
import { rowLabel } from '~/sql/row-label'
import { Button } from '~/ui/Button'
import { Conflict } from '~/ui/Conflict'
import { resultCell } from '~/ui/grid/ResultGrid'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { ChangedValue } from '../ChangedValue'
import type { RowEdits } from './use-row-edits'

/** Rows that someone else changed first: both values, and what can be done. */
export function Conflicts({ edits }: { edits: RowEdits }) {
  return (
    <Conflict isAlert title="Someone else changed these rows first">
      {[...edits.state.conflicts].map(([id, now]) => (
        <RowConflict edits={edits} id={id} key={id} now={now} />
      ))}
    </Conflict>
  )
}

type Props = { edits: RowEdits; id: string; now: Cells | null }

function RowConflict({ edits, id, now }: Props) {
  const { place, table, state } = edits
  const stage = useAct(stageEdits)
  const keep = useAct(keepMine)
  const forget = useAct(forgetCommit)
  const standing = useAtomValue(commitStateAtom)(place)
  /** What the last commit was refused for is over with the last decision. */
  const decide = (how: () => void) => {
    how()
    if (state.conflicts.size === 1 && standing.kind === 'refused') forget(place)
  }
  const edit = editOf(state.edits, id)
  if (!edit) return null
  const name = rowLabel(edits.table, id)
  return (
    <section aria-label={`Row ${name}`} className="grid gap-2">
      <h4 className="font-medium">
        <SafeText text={name} />
        {edit.kind === 'delete' && ': you want to delete it'}
        {now === null &&
          (edit.kind === 'add' ? ': the row that it copies was deleted' : ': it was deleted')}
      </h4>
      {now === null && edit.kind === 'add' && (
        <p>Values of rows are not kept, so it has only its key and what you typed.</p>
      )}
      {now !== null && <Differences edits={edits} id={id} now={now} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() => decide(() => stage(place, (all) => withoutEdit(all, id)))}
          size="small"
        >
          Discard mine
        </Button>
        <Button onClick={() => decide(() => keep(place, table, id))} size="small">
          {edit.kind === 'add' ? 'Keep mine' : now === null ? 'Add it again' : 'Keep mine over it'}
        </Button>
      </div>
    </section>
  )
}

const head = ['Column', 'When you staged it', 'Now', 'Yours']

/** Each column in which the row is another one, or is to be. */
function Differences({ edits: { table, state }, id, now }: Props & { now: Cells }) {
  const edit = editOf(state.edits, id)
  if (!edit) return null
  const before = edit.kind === 'add' ? new Map<string, string | null>() : edit.before
  // An edit of an earlier visit is based on the row as it was found.
  const isKept = before !== now
  const rows = table.columns.flatMap(({ name, type }) => {
    const [old, found] = [isKept ? before.get(name) : undefined, now.get(name) ?? null]
    const input = edit.kind === 'delete' ? undefined : edit.after.get(name)
    if (!input && (!isKept || (old !== undefined && isSameValue(type, old, found)))) return []
    const yours = !input ? undefined : isValue(input) ? shown(type, input.value) : input.text
    return [
      {
        name,
        old: old === undefined ? undefined : shown(type, old),
        found: shown(type, found),
        yours,
      },
    ]
  })
  return (
    <>
      {!isKept && (
        <p>Staged in an earlier visit, without the old values: what changed is not known.</p>
      )}
      {rows.length > 0 && <DifferenceTable rows={rows} />}
    </>
  )
}

/** Null is NULL; undefined where there is no value. */
type Difference = {
  name: string
  old: string | null | undefined
  found: string | null
  yours: string | null | undefined
}

function DifferenceTable({ rows }: { rows: readonly Difference[] }) {
  return (
    <Table caption="What differs" titles={head}>
      {rows.map(({ name, old, found, yours }) => (
        <tr key={name}>
          <th className="min-w-[8ch] font-medium [overflow-wrap:anywhere]" scope="row">
            <SafeName text={name} />
          </th>
          {[old, found, yours].map((text, at) => (
            <td className="min-w-[8ch] text-xs [overflow-wrap:anywhere]" key={head[at + 1]}>
              {text === undefined ? '–' : <ChangedValue text={text} />}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

/** Characters of a value that are shown. */
const shownLength = 400

function shown(type: string, value: string | null): string | null {
  if (value === null || value === '') return value
  const { text } = resultCell(type, value, 'utc')
  return cutText(text, shownLength)
}
