import { keysOf } from '~/lib/shortcuts'
import { Button } from '~/ui/Button'
import type { RowEdits } from './use-row-edits'

type Props = { edits: RowEdits; selected: ReadonlySet<number> }

const noneChosen = 'Choose rows first: press their numbers, or Space.'
const noneToDelete = `${noneChosen} ${keysOf('rows', 'remove').split(', ')[0]} deletes the row of the cell.`

/** Adds rows, and copies or deletes those that are chosen. Nothing is sent. */
export function EditButtons({ edits, selected }: Props) {
  const rows = [...selected].sort((one, other) => one - other)
  const none = rows.length === 0 ? noneChosen : undefined
  return (
    <>
      <Button disabledReason={edits.refusal('add')} onClick={edits.add} size="small">
        Add row
      </Button>
      <span className={none === undefined ? 'contents' : 'flex gap-1 @max-3xl:xs:hidden'}>
        <Button
          disabledReason={edits.refusal('add') ?? none}
          onClick={() => edits.duplicate(rows)}
          size="small"
          variant="quiet"
        >
          Duplicate
        </Button>
        <Button
          disabledReason={edits.refusal('delete') ?? (none && noneToDelete)}
          onClick={() => edits.remove(rows)}
          size="small"
          variant="quiet"
        >
          Delete
        </Button>
      </span>
    </>
  )
}
