import { useAtomValue } from 'jotai'
import {
  chooseColumns,
  columnChoiceAtom,
  type HistoryColumn,
  historyColumns,
} from '~/atoms/tables/columns'
import { useAct } from '~/core/act'
import { Checkbox } from '~/ui/Checkbox'
import { showToast } from '~/ui/toast'

const labels: Readonly<Record<HistoryColumn, string>> = {
  transaction: 'Transaction that wrote the row last',
  time: 'Time of that transaction',
  revision: 'Revision that is shown',
  revisions: 'Number of revisions',
}

type Props = { database: string; table: string }

/** Chooses what is shown beside the rows of a table, here and in results; this browser keeps it. */
export function HistoryChoice({ database, table }: Props) {
  const chosen = useAtomValue(columnChoiceAtom)(database, table)
  const choose = useAct(chooseColumns)
  const { history = [] } = chosen
  const set = async (name: HistoryColumn, isOn: boolean) => {
    const next = historyColumns.filter((one) => (one === name ? isOn : history.includes(one)))
    const isKept = await choose({ ...chosen, history: next, database, table })
    if (!isKept) showToast({ kind: 'error', text: 'This browser could not keep the choice.' })
  }
  return (
    <fieldset className="grid gap-0.5">
      <legend className="pb-1 font-medium text-sm">History of each row</legend>
      {historyColumns.map((name) => (
        <Checkbox
          checked={history.includes(name)}
          key={name}
          label={labels[name]}
          onChange={(isOn) => void set(name, isOn)}
        />
      ))}
      <p className="text-muted text-xs">
        Reported by the server for the rows in sight. Verify a row to prove its transaction, with
        the time that the server gave it. A number of revisions cannot be proven. Exports leave
        these columns out.
      </p>
    </fieldset>
  )
}
