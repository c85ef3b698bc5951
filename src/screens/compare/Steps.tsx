import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { comparisonFailure, differenceSteps, type Step } from '~/atoms/compare/compared-tables'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { counted, formatTx } from '~/lib/text'
import { type DiffColumn, type Difference, isChanged } from '~/sql/comparison'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { TransactionsIcon } from '~/ui/Icon'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { useCompareAddress } from './address'
import { DifferenceGrid } from './DifferenceGrid'
import { More } from './FetchMore'

export type PartProps = {
  table: string
  from: string
  to: string
  action: string
  column: string
  /** What is filtered and exported, as far as the columns are known. */
  bar: (columns: readonly DiffColumn[]) => ReactNode
}

const comparisonWords = (error: unknown) => ({
  title: comparisonFailure(error),
  details: technicalDetails(error),
})

/** What each transaction changed in a table, in their order. */
export function Steps({ table, from, to, action, column, bar }: PartProps) {
  const { database } = useCompareAddress()
  const names = [database, table, from, to, action]
  const list = useAtomValue(useAtomValue(differenceSteps.listsAtom)(...names))
  const more = useAct(differenceSteps.more)
  if (!list.data) {
    return (
      <>
        {bar([])}
        <div className="px-4 py-2">
          <Unanswered
            asked={list}
            lines={5}
            notDone="The steps are not shown."
            words={comparisonWords}
          />
        </div>
      </>
    )
  }
  const { steps, upTo, next } = list.data
  const shown = steps.flatMap((step) => {
    const rows = inColumn(step, column)
    return rows.length > 0 ? [{ step, rows }] : []
  })
  return (
    <>
      {bar(steps[0]?.columns ?? [])}
      {shown.length === 0 && next === null && (
        <EmptyState
          icon={<TransactionsIcon />}
          text="None of these transactions changed such a row of the table."
          title="No steps"
        />
      )}
      <ol aria-label="Steps" className="divide-y divide-line border-line border-y">
        {shown.map(({ step, rows }, index) => (
          <li key={step.tx}>
            <OneStep isFirst={index < opened} rows={rows} step={step} table={table} />
          </li>
        ))}
      </ol>
      <More
        hasMore={next !== null}
        more={() => more(...names)}
        problem={list.problem}
        said={`${counted(shown.length, 'step')} in the transactions up to tx ${formatTx(upTo)}`}
      />
    </>
  )
}

/** Steps that show their rows at once. */
const opened = 3

function inColumn({ columns, rows }: Step, column: string): readonly Difference[] {
  if (column === '') return rows
  const at = columns.findIndex(({ name }) => name === column)
  return rows.filter((row) => isChanged(row, at))
}

type StepProps = { step: Step; rows: readonly Difference[]; table: string; isFirst: boolean }

function OneStep({ step, rows, table, isFirst }: StepProps): ReactNode {
  const { database } = useCompareAddress()
  const [isOpen, setOpen] = useState(isFirst)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-4 py-1.5 text-sm">
        <span className="font-mono">
          <TxLink database={database} id={step.tx} />
        </span>
        <span>
          {summaryOf(rows)}
          {step.next && ', the first of more. An export has all of them.'}
        </span>
        <Button
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} rows of tx ${formatTx(step.tx)}`}
          onClick={() => setOpen(!isOpen)}
          size="small"
          variant="quiet"
        >
          {isOpen ? 'Hide rows' : 'Show rows'}
        </Button>
      </div>
      {isOpen && (
        <DifferenceGrid
          head={step}
          label={`Differences of tx ${formatTx(step.tx)}`}
          maxHeight={240}
          rows={rows}
          table={table}
        />
      )}
    </>
  )
}

function summaryOf(rows: readonly Difference[]): string {
  return (['added', 'changed', 'deleted'] as const)
    .flatMap((action) => {
      const count = rows.filter((row) => row.action === action).length
      return count > 0 ? [`${count} ${action}`] : []
    })
    .join(', ')
}
