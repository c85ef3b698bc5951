import { useAtomValue } from 'jotai'
import { useState } from 'react'
import {
  comparisonName,
  countAllTables,
  countingProgressAtom,
  countsAtom,
  firstDifferentAtom,
  stopCounting,
} from '~/atoms/compare/compared-tables'
import { tablesAtom } from '~/atoms/tables/table-list'
import { useAct } from '~/core/act'
import { failureWords, sentence } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import { formatCount } from '~/lib/text'
import type { DiffCounts } from '~/sql/comparison'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { TableIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { SafeName } from '~/ui/SafeText'
import { Spinner } from '~/ui/Spinner'
import { Unanswered } from '~/ui/Unanswered'
import { useOneColumn } from '~/ui/use-narrow'
import { useCompareAddress } from './address'
import { Limits } from './ComparisonLimits'
import { TableDifferences } from './TableDifferences'

type Ends = { from: string; to: string }

/** The tables with how many of their rows differ, and the rows of the one that is chosen. */
export function TablesTab(ends: Ends) {
  const lacks = useAtomValue(lackingAtom)('tableComparison')
  if (lacks === undefined) return <OfTables {...ends} />
  return (
    <EmptyState
      icon={<TableIcon />}
      text={`${lacks} Keys, documents and the schema can be compared.`}
      title="This server cannot compare tables"
    />
  )
}

function OfTables({ from, to }: Ends) {
  const tables = useAtomValue(tablesAtom)
  const { data, error, isPending, isEnabled } = tables
  if (!data && (error || (isPending && isEnabled))) {
    return (
      <div className="p-4">
        <Unanswered
          asked={tables}
          lines={4}
          notDone="No table was compared."
          words={failureWords}
        />
      </div>
    )
  }
  if (!data?.length) {
    return (
      <EmptyState
        icon={<TableIcon />}
        text="Its keys, documents and schema can be compared. Rows of dropped tables cannot."
        title="This database has no tables"
      />
    )
  }
  return <Tables from={from} tables={data} to={to} />
}

/** Most tables that are surely in sight, which are counted without being asked. */
const few = 8

function Tables({ tables, from, to }: Ends & { tables: readonly string[] }) {
  const { database, table: named, change } = useCompareAddress()
  const isOneColumn = useOneColumn()
  const [isPaused, pause] = useState(false)
  // Of those that are counted anyway.
  const counted = named || isPaused ? [] : tables.slice(0, few)
  const first = useAtomValue(
    useAtomValue(firstDifferentAtom)(database, JSON.stringify(counted), from, to),
  )
  // The only one needs no choice.
  const table = named || (tables.length === 1 ? (tables[0] ?? '') : first)
  const pick = (index: number) => change({ table: tables[index] })
  const list = (
    <div className="flex min-h-0 flex-col">
      <div
        className={isOneColumn ? undefined : 'min-h-0 flex-1'}
        style={isOneColumn ? { height: Math.min(tables.length, 4) * 44 } : undefined}
      >
        <PickList
          count={tables.length}
          label="Tables"
          onPick={pick}
          picked={tables.indexOf(table)}
          render={(index) => (
            <Line
              ends={{ from, to }}
              isPaused={isPaused}
              key={tables[index]}
              table={tables[index] ?? ''}
            />
          )}
        />
      </div>
      <CountAll from={from} isPaused={isPaused} pause={pause} tables={tables} to={to} />
    </div>
  )
  return (
    <div
      className={
        isOneColumn
          ? 'grid grid-cols-[minmax(0,1fr)] divide-y divide-line'
          : 'grid h-full grid-cols-[minmax(220px,22%)_minmax(0,1fr)] divide-x divide-line'
      }
    >
      {list}
      <div className="flex min-h-0 min-w-0 flex-col overflow-auto">
        <Chosen database={database} from={from} table={table} tables={tables} to={to} />
      </div>
    </div>
  )
}

type ChosenProps = Ends & { database: string; table: string; tables: readonly string[] }

function Chosen({ database, table, tables, from, to }: ChosenProps) {
  if (table === '') {
    return (
      <>
        <EmptyState
          icon={<TableIcon />}
          text="The numbers beside each table say how many rows were added (+), changed (~) and deleted (−)."
          title="Choose a table"
        />
        <Limits />
      </>
    )
  }
  if (!tables.includes(table)) {
    return (
      <EmptyState
        icon={<TableIcon />}
        text="It may have been dropped: the rows of a dropped table cannot be read any more. The Schema tab shows when."
        title={`There is no table ${table} now`}
      />
    )
  }
  return (
    <TableDifferences
      from={from}
      key={JSON.stringify([database, table, from, to])}
      table={table}
      to={to}
    />
  )
}

function Line({ table, ends, isPaused }: { table: string; ends: Ends; isPaused: boolean }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">
        <SafeName text={table} />
      </span>
      {isPaused ? <span className="text-muted">–</span> : <Counted table={table} {...ends} />}
    </>
  )
}

function Counted({ table, from, to }: Ends & { table: string }) {
  const { database } = useCompareAddress()
  const { data, error } = useAtomValue(useAtomValue(countsAtom)(database, table, from, to))
  if (data) return <Short counts={data} />
  if (error) {
    return (
      <span className="text-error" title={sentence(error)}>
        not counted
      </span>
    )
  }
  return <Spinner />
}

/** `+2 ~1 −3`, or that nothing differs. */
function Short({ counts: { added, changed, deleted } }: { counts: DiffCounts }) {
  if (added + changed + deleted === 0n) return <span className="text-muted text-xs">same</span>
  return (
    <span className="flex shrink-0 gap-2 font-mono text-xs tabular-nums">
      {added > 0n && <span title="Rows added">+{formatCount(added)}</span>}
      {changed > 0n && <span title="Rows changed">~{formatCount(changed)}</span>}
      {deleted > 0n && <span title="Rows deleted">−{formatCount(deleted)}</span>}
    </span>
  )
}

type CountAllProps = Ends & {
  tables: readonly string[]
  isPaused: boolean
  pause: (isPaused: boolean) => void
}

/** Counts the tables that are out of sight too, and stops the counting. */
function CountAll({ tables, from, to, isPaused, pause }: CountAllProps) {
  const { database } = useCompareAddress()
  const counting = useAtomValue(countingProgressAtom)
  const countAll = useAct(countAllTables)
  const stop = useAct(stopCounting)
  const own = counting?.of === comparisonName(database, from, to) ? counting : null
  const isRunning = own?.state === 'running'
  if (tables.length <= few && !isPaused) return null
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-line border-t px-3 py-1.5 text-muted text-sm">
      {isRunning && <Spinner />}
      <span className="flex-1" role="status">
        {own?.state === 'done'
          ? `All ${formatCount(own.all)} tables counted.`
          : own
            ? `${formatCount(own.done)} of ${formatCount(own.all)} tables counted.`
            : 'Tables in sight are counted.'}
      </span>
      {isRunning || !isPaused ? (
        <Button
          onClick={() => {
            stop()
            pause(true)
          }}
          size="small"
        >
          Stop counting
        </Button>
      ) : null}
      {!isRunning && own?.state !== 'done' && (
        <Button
          onClick={() => {
            pause(false)
            void countAll({ database, from, to }, tables)
          }}
          size="small"
        >
          Count all
        </Button>
      )}
    </div>
  )
}
