import { readWritesAgain } from '~/atoms/rows/row-writes'
import { useAct } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { Button } from '~/ui/Button'
import { WarningIcon } from '~/ui/Icon'
import { Sentence } from '~/ui/Sentence'

type Props = { rowSet: RowSet; problem: string | null }

/** Why history columns of rows in sight were not read. */
export function HistoryProblem({ rowSet, problem }: Props) {
  const again = useAct(readWritesAgain)
  if (problem === null) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1 text-sm" role="alert">
      <WarningIcon className="shrink-0 text-warning" />
      <span className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        The history of some rows was not read. <Sentence text={problem} />
      </span>
      <Button onClick={() => again(rowSet)} size="small">
        Read it again
      </Button>
    </p>
  )
}
