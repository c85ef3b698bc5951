import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { type RowMark, withBeside } from '~/atoms/rows/row-marks'
import { type RowWrite, rowWritesAtom, type ToldWrite, unasked } from '~/atoms/rows/row-writes'
import type { HistoryColumn } from '~/atoms/tables/columns'
import { txTimesAtom } from '~/core/history/tx-times'
import { timezoneAtom } from '~/core/page-view'
import type { RowSet } from '~/core/row-set'
import { pathTo } from '~/lib/paths'
import { formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { type Leaf, numberValue, objectLeaf } from '~/proof/shown'
import { saidLeaf, writtenLeaves } from '~/trust/questions'
import type { Cell, GridColumn } from '~/ui/grid/cell'
import type { Beside } from '~/ui/grid/ResultGrid'

const titles: Readonly<Record<HistoryColumn, GridColumn>> = {
  transaction: { title: 'Transaction', align: 'end', room: 11 },
  time: { title: 'Time', align: 'start', room: 25 },
  revision: { title: 'Revision', detail: 'as shown', align: 'end', room: 8 },
  revisions: { title: 'Revisions', detail: 'now', align: 'end', room: 8 },
}

const off = {
  beside: undefined,
  besides: (mark: RowMark, _row: number) => mark,
  onSight: undefined,
  problem: null,
}

type Sight = { readonly first: number; readonly last: number }

const none: readonly HistoryColumn[] = []

/** What the server knows of the history of rows, as far as they are in sight. */
export function useHistoryColumns(rowSet: RowSet, chosen: readonly HistoryColumn[] = none) {
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0 })
  const isCounted = chosen.includes('revision') || chosen.includes('revisions')
  const writes = useAtomValue(rowWritesAtom)(rowSet)
  const refusal = useAtomValue(chosen.length > 0 ? writes.refusal : unasked.refusal)
  const isOn = refusal.data === null
  const told = useAtomValue(
    isOn
      ? writes.between(String(sight.first), String(sight.last), isCounted ? 'counted' : '')
      : unasked.writes,
  )
  const secondsOf = useSeconds(rowSet, told, chosen.includes('time'))
  const zone = useAtomValue(timezoneAtom)
  const of = useMemo(() => {
    const cell = (row: number, name: HistoryColumn) =>
      // Rows behind them are staged.
      row < rowSet.rows.rowCount
        ? cellOf(name, told.get(row) ?? 'reading', { rowSet, secondsOf, zone })
        : unknown
    const beside: Beside = {
      columns: chosen.map((name) => titles[name]),
      cell: (row, column) => cell(row, chosen[column] ?? 'transaction'),
    }
    // Also of rows that were scrolled away: a summary is about all of them.
    const leavesOf = (row: number) => leavesBeside(writes.seen.get(row), chosen, secondsOf)
    const besides = (mark: RowMark, row: number) => withBeside(mark, leavesOf(row), rowSet.txBefore)
    return { beside, besides }
  }, [told, writes, chosen, secondsOf, zone, rowSet])
  if (!isOn) return off
  const onSight = (first: number, last: number) => {
    if (first !== sight.first || last !== sight.last) setSight({ first, last })
  }
  return { ...of, onSight, problem: problemOf(told) }
}

/** Why rows in sight have no history here, if that is a failure. */
function problemOf(told: ReadonlyMap<number, ToldWrite>): string | null {
  for (const one of told.values()) {
    if (one !== 'reading' && 'why' in one && one.isFailed) return one.why
  }
  return null
}

type SecondsOf = (tx: string) => string | null

/** The times that were read so far, by transactions. */
const timesOf = new WeakMap<RowSet, Map<string, string>>()

function useSeconds(
  rowSet: RowSet,
  told: ReadonlyMap<number, ToldWrite>,
  isOn: boolean,
): SecondsOf {
  const ids = isOn
    ? [...told.values()].flatMap((one) => (isToldWrite(one) && one.tx !== null ? [one.tx] : []))
    : []
  const { data } = useAtomValue(
    useAtomValue(txTimesAtom)(rowSet.database, [...new Set(ids)].sort().join()),
  )
  return useMemo(() => {
    const known = timesOf.get(rowSet) ?? new Map<string, string>()
    timesOf.set(rowSet, known)
    for (const [tx, seconds] of Object.entries(data ?? {})) {
      if (seconds !== null) known.set(tx, seconds)
    }
    return (tx) => known.get(tx) ?? null
  }, [rowSet, data])
}

const isToldWrite = (one: ToldWrite | undefined): one is RowWrite =>
  one !== undefined && one !== 'reading' && !('why' in one)

type Drawn = { rowSet: RowSet; secondsOf: SecondsOf; zone: string }

/** What is copied of a cell that has no value. */
const nothing = () => ''
const reading: Cell = { kind: 'text', text: '…', exact: nothing }
const unknown: Cell = { kind: 'text', text: '–', exact: nothing }

function cellOf(name: HistoryColumn, told: ToldWrite, { rowSet, secondsOf, zone }: Drawn): Cell {
  if (told === 'reading') return reading
  if ('why' in told) return { kind: 'text', text: 'not read', error: told.why, exact: nothing }
  const { tx, isLater, count, revision } = told
  switch (name) {
    case 'transaction': {
      if (tx === null) return { kind: 'text', text: 'gone since', exact: nothing }
      if (isLater) return { kind: 'text', text: `after ${formatTx(rowSet.txBefore)}` }
      const to = pathTo('transactions', { db: rowSet.database, id: tx })
      return { kind: 'number', text: tx, to }
    }
    case 'time': {
      const seconds = tx === null || isLater ? null : secondsOf(tx)
      if (tx === null || isLater) return unknown
      return seconds === null
        ? reading
        : { kind: 'time', text: formatMoment(Number(seconds) * 1_000, zone) }
    }
    case 'revision':
      if (revision !== null && !isLater) return { kind: 'number', text: revision }
      return count === null
        ? unknown
        : { kind: 'text', text: `up to ${formatCount(BigInt(count))}` }
    case 'revisions':
      return count === null ? unknown : { kind: 'number', text: count }
  }
}

/** The same as what a mark beside the row must account for. */
function leavesBeside(
  told: ToldWrite | undefined,
  chosen: readonly HistoryColumn[],
  secondsOf: SecondsOf,
): readonly Leaf[] {
  if (!isToldWrite(told)) return []
  const { tx, isLater, count } = told
  const seconds = tx !== null && !isLater && chosen.includes('time') ? secondsOf(tx) : null
  const isCounted = chosen.includes('revision') || chosen.includes('revisions')
  return [
    // Of a later one it says only that it is later, which a proof of an earlier one refutes.
    ...(chosen.includes('transaction') ? (tx === null ? [gone] : writtenLeaves(tx)) : []),
    ...(seconds === null ? [] : [objectLeaf('the time of the transaction', numberValue(seconds))]),
    ...(isCounted && count !== null ? [saidLeaf('the revision number', count)] : []),
  ]
}

const gone = saidLeaf('the last change', 'gone since', 'that it is gone since')
