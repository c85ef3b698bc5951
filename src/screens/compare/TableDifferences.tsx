import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import {
  comparisonFailure,
  countsAtom,
  differences,
  whyNotCompared,
} from '~/atoms/compare/compared-tables'
import { comparisonExport } from '~/atoms/compare/comparison-export'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { counted, formatCount } from '~/lib/text'
import { type DiffColumn, type DiffCounts, type Difference, isChanged } from '~/sql/comparison'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import { CompareIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Spinner } from '~/ui/Spinner'
import { useCompareAddress } from './address'
import { HowMuch, useComparedAs } from './ComparedAs'
import { Limits } from './ComparisonLimits'
import { DifferenceGrid } from './DifferenceGrid'
import { More } from './FetchMore'
import { type PartProps, Steps } from './Steps'

type Props = { table: string; from: string; to: string }

/** What differs in one table: counts first, then the rows. */
export function TableDifferences(props: Props) {
  const { database } = useCompareAddress()
  const [action, setAction] = useState('')
  const [column, setColumn] = useState('')
  const [as, setAs] = useComparedAs(props)
  const file = useExport(comparisonExport({ database, ...props }, as))
  const bar = (columns: readonly DiffColumn[]) => (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <HowMuch as={as} onChange={setAs} {...props} />
      <Select
        label="Kind of change"
        onChange={setAction}
        options={actions}
        size="small"
        value={action}
      />
      <Select
        label="Changed column"
        onChange={setColumn}
        options={[
          { value: '', label: 'Any column' },
          ...columns.map(({ name }) => ({ value: name, label: name })),
        ]}
        size="small"
        value={column}
      />
      <ExportBar {...file} formats={rowFormats} title="The whole comparison of this table" />
    </div>
  )
  const part = { ...props, action, column, bar }
  return (
    <section aria-label="Table" className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3">
        <h2 className="min-w-0 break-words font-medium">
          <SafeName text={props.table} />
        </h2>
        <Counts {...props} />
      </header>
      {as === 'steps' ? <Steps {...part} /> : <Net {...part} />}
      <Limits />
    </section>
  )
}

const actions = [
  { value: '', label: 'All kinds' },
  { value: 'added', label: 'Added' },
  { value: 'changed', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
]

function Counts({ table, from, to }: Props) {
  const { database } = useCompareAddress()
  const { data, error, refetch } = useAtomValue(useAtomValue(countsAtom)(database, table, from, to))
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm" role="status">
        {data ? <CountTexts counts={data} /> : !error && <Counting />}
      </p>
      {error && !data && (
        <div className="w-full">
          <ErrorNote
            details={technicalDetails(error)}
            notDone="The differences of this table were not counted."
            onRetry={() => void refetch()}
            title={sentence(error)}
          />
        </div>
      )}
    </>
  )
}

function Counting() {
  return (
    <>
      <Spinner /> Counting…
    </>
  )
}

const looks = {
  added: 'border-info/45 bg-info-tint',
  changed: 'border-warning/45 bg-warning-tint',
  deleted: 'border-error/45 bg-error-tint',
}

export function CountTexts({ counts }: { counts: DiffCounts }) {
  return (['added', 'changed', 'deleted'] as const).map((action) => (
    <span className={`rounded border px-2 tabular-nums ${looks[action]}`} key={action}>
      {`${formatCount(counts[action])} ${action}`}
    </span>
  ))
}

const noRows: readonly Difference[] = []

function Net({ table, from, to, action, column, bar }: PartProps) {
  const { database } = useCompareAddress()
  const names = [database, table, from, to, action]
  const list = useAtomValue(useAtomValue(differences.listsAtom)(...names))
  const more = useAct(differences.more)
  const head = list.data
  const all = head?.rows ?? noRows
  const at = head?.columns.findIndex(({ name }) => name === column) ?? -1
  const rows = useMemo(() => (at < 0 ? all : all.filter((row) => isChanged(row, at))), [all, at])
  if (!head) {
    return (
      <>
        {bar([])}
        <div className="px-4 py-2">
          {list.error ? (
            <Failed error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <Skeleton lines={5} />
          )}
        </div>
      </>
    )
  }
  return (
    <>
      {bar(head.columns)}
      {all.length === 0 ? (
        <EmptyState
          icon={<CompareIcon />}
          text={
            action === ''
              ? 'Rows that were added and deleted in between show only as steps.'
              : 'Other kinds of change may be there.'
          }
          title={action === '' ? 'No row differs' : `No row was ${action}`}
        />
      ) : (
        <DifferenceGrid head={head} label="Differences" rows={rows} table={table} />
      )}
      <More
        hasMore={head.next !== null}
        more={() => more(...names)}
        problem={list.problem}
        said={
          at < 0
            ? `${counted(all.length, 'row')} read`
            : `${formatCount(rows.length)} of ${counted(all.length, 'row')} read differ in ${column}`
        }
      />
    </>
  )
}

const advice = {
  'json-null':
    'This server refuses tables with a row whose JSON is null. Read both moments in Query instead.',
  'values-gone':
    'This server refuses to compare a table as long as cells of any of its revisions are gone. Transactions shows which transactions wrote rows.',
  other: undefined,
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <ErrorNote
      advice={advice[whyNotCompared(error) ?? 'other']}
      details={technicalDetails(error)}
      notDone="The differences of this table are not shown."
      onRetry={onRetry}
      title={comparisonFailure(error)}
    />
  )
}
