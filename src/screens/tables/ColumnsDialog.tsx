import { useAtomValue } from 'jotai'
import {
  allColumns,
  type ColumnChoice,
  chooseColumns,
  columnChoiceAtom,
  ordered,
} from '~/atoms/tables/columns'
import { useAct } from '~/core/act'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Dialog } from '~/ui/Dialog'
import { ChevronDownIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { showToast } from '~/ui/toast'
import { HistoryChoice } from './HistoryChoice'

type Props = {
  database: string
  table: string
  columns: readonly { readonly name: string }[]
  /** A view has no rows with a history. */
  isStored: boolean
  onClose: () => void
}

/** Chooses which columns are shown and in which order; this browser keeps the choice. */
export function ColumnsDialog({ database, table, columns, isStored, onClose }: Props) {
  const chosen = useAtomValue(columnChoiceAtom)(database, table)
  const choose = useAct(chooseColumns)
  const names = ordered(
    columns.map(({ name }) => name),
    chosen,
  )
  const shown = names.filter((name) => !chosen.hidden.includes(name))
  const set = async (next: ColumnChoice) => {
    const isKept = await choose({ ...next, database, table })
    if (!isKept) showToast({ kind: 'error', text: 'This browser could not keep the choice.' })
  }
  const move = (name: string, by: number) => {
    const at = names.indexOf(name)
    const order = names.filter((one) => one !== name)
    order.splice(at + by, 0, name)
    void set({ ...chosen, order })
  }
  const hide = (name: string, isHidden: boolean) => {
    const others = chosen.hidden.filter((one) => one !== name)
    void set({ ...chosen, hidden: isHidden ? [...others, name] : others })
  }
  return (
    <Dialog
      description="This browser keeps which columns are shown. Links and exports have all of them."
      footer={
        <>
          <Button onClick={() => void set({ ...chosen, ...allColumns })}>
            Show all as in the table
          </Button>
          <Button onClick={onClose} variant="primary">
            Done
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={`Columns of ${table}`}
    >
      <ol className="grid grid-cols-1 gap-0.5">
        {names.map((name, at) => (
          <li className="flex items-center gap-1" key={name}>
            <div className="min-w-0 grow">
              <Checkbox
                checked={shown.includes(name)}
                disabled={shown.length === 1 && shown[0] === name}
                label={name}
                onChange={(isShown) => hide(name, !isShown)}
              />
            </div>
            <IconButton
              disabledReason={at === 0 ? 'This is the first column.' : undefined}
              icon={<ChevronDownIcon className="rotate-180" />}
              label={`Move ${name} to the left`}
              onClick={() => move(name, -1)}
              size="small"
            />
            <IconButton
              disabledReason={at === names.length - 1 ? 'This is the last column.' : undefined}
              icon={<ChevronDownIcon />}
              label={`Move ${name} to the right`}
              onClick={() => move(name, 1)}
              size="small"
            />
          </li>
        ))}
      </ol>
      {isStored && (
        <div className="mt-4">
          <HistoryChoice database={database} table={table} />
        </div>
      )}
    </Dialog>
  )
}
