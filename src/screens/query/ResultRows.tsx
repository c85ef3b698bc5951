import { useAtomValue, useStore } from 'jotai'
import { useMemo, useState } from 'react'
import { noteFact, shownEditorAtom } from '~/atoms/query/editor'
import { rowSetOfResult, shownHitAtom } from '~/atoms/query/output'
import type { OutputEntry, Paging } from '~/atoms/query/output-entry'
import { resultExport } from '~/atoms/query/result-export'
import { fetchResultPages, stopPages } from '~/atoms/query/result-pages'
import { findRowLink } from '~/atoms/rows/history-link'
import { openRowProof } from '~/atoms/rows/proofs'
import { type Besides, rowProofsAtom, rowVerdictAtom } from '~/atoms/rows/row-marks'
import { columnChoiceAtom } from '~/atoms/tables/columns'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { timezoneAtom } from '~/core/page-view'
import type { RowSet } from '~/core/row-set'
import { databaseAtom } from '~/core/session/session'
import { keysOf } from '~/lib/shortcuts'
import { firstChoice, fitsChoice, isDrawable, lackedColumns, plainColumn } from '~/sql/chart-points'
import { lowerAscii } from '~/sql/names'
import type { ResultTable } from '~/sql/result'
import { rowSource } from '~/sql/row-source'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import type { RowAction } from '~/ui/grid/cell'
import { ResultGrid } from '~/ui/grid/ResultGrid'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useChangeSearch } from '~/ui/location'
import { ChartIcon, HistoryIcon } from '~/ui/QueryIcons'
import { SafeText } from '~/ui/SafeText'
import { Spinner } from '~/ui/Spinner'
import { showToast } from '~/ui/toast'
import { CodeButton } from '../code/CodeButton'
import type { Call } from '../code/call'
import { gridMark } from '../proof/row-mark'
import { CopyMenu } from '../tables/CopyRows'
import { HistoryProblem } from '../tables/HistoryProblem'
import { useHistoryColumns } from '../tables/use-history-columns'
import { HistoryColumns } from './HistoryColumns'
import { rowRefusal, VerifyBar, VerifySummary } from './VerifyBar'

const ResultChart = lazyWithRetry(() => import('./ResultChart').then((part) => part.ResultChart), {
  meanwhile: <p className="late text-muted">Drawing…</p>,
})

/** Stands in copied statements where rows come from several tables, or none. */
const noTable = 'table_name'

/** The rows of a result with what can be done with them. */
export function ResultRows({ entry, result }: { entry: OutputEntry; result: ResultTable }) {
  const isPartial = entry.paging !== null && !entry.paging.isComplete
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set<number>())
  const rowSet = useMemo(() => rowSetOfResult(entry, result), [entry, result])
  const chart = useChart(result)
  const history = useHistoryOf(rowSet)
  // It is not drawn again while the rows are scrolled.
  const { isAsked } = chart
  const drawn = useMemo(
    () => <ResultChart entry={entry} isAsked={isAsked} result={result} />,
    [entry, isAsked, result],
  )
  return (
    <>
      {isPartial && entry.paging && <PagesBar number={entry.number} paging={entry.paging} />}
      <VerifiableGrid
        history={history}
        onSelect={setSelected}
        rowSet={rowSet}
        selected={selected}
      />
      {chart.isOpen && drawn}
      <HistoryProblem problem={history.problem} rowSet={rowSet} />
      {chart.lacked.length > 0 && (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          The chart of the saved query is not drawn. This result does not have what it needs:{' '}
          <SafeText text={chart.lacked.map(plainColumn).join(', ')} />.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <VerifyBar rowSet={rowSet} selected={selected} />
        <HistoryButton rowSet={rowSet} selected={selected} />
        <Button
          aria-expanded={chart.isOpen}
          aria-label={`Chart of result ${entry.number}`}
          disabledReason={chart.refusal}
          icon={<ChartIcon />}
          onClick={chart.toggle}
          size="small"
          variant="quiet"
        >
          Chart
        </Button>
        <HistoryColumns of={tableOf(rowSet)} rowSet={rowSet} />
        <CopyMenu
          label={isPartial ? 'Copy the rows that are here' : 'Copy the rows'}
          rows={result}
          table={entry.tables.length === 1 ? (entry.tables[0] ?? noTable) : noTable}
        />
        <ExportBar
          {...useExport(resultExport(entry, result))}
          formats={rowFormats}
          label={`Export result ${entry.number}`}
          title={
            isPartial
              ? 'All rows, also those that are not here: they are fetched while the file is written'
              : 'The whole result'
          }
        />
        <ResultCode entry={entry} />
        <VerifySummary besides={history.besides} rowSet={rowSet} />
      </div>
    </>
  )
}

/** The whole result from a program, as the export has it. */
function ResultCode({ entry }: { entry: OutputEntry }) {
  const open = useAtomValue(databaseAtom)
  // The code logs in to the open database.
  const call = entry.database === open ? callOfResult(entry) : null
  return (
    call && (
      <CodeButton
        call={() => call}
        isSmall
        label={`Show result ${entry.number} as code`}
        what={`result ${entry.number}`}
      />
    )
  )
}

/** Null where the pages of a program would not be the rows of the result. */
function callOfResult({ source, sent, given, paging }: OutputEntry): Call | null {
  const params = given.map(({ name, value }) => ({ name, value }))
  if (!paging) return { kind: 'sql', sql: sent ?? source, params, isQuery: true }
  const { body, limit, offset, isCombined } = paging.shape
  const isPlain = limit === null && offset === 0 && !isCombined
  return isPlain ? { kind: 'rows', sql: body, params } : null
}

const noColumns: ReturnType<typeof lackedColumns> = []

/** Whether the rows are drawn: where the editor has a choice that fits them, or by the button. */
function useChart(result: ResultTable) {
  const editor = useAtomValue(shownEditorAtom)
  const note = useAct(noteFact)
  const [isChosen, choose] = useState<boolean | null>(null)
  const hasNumbers = useMemo(() => result.columns.some(isDrawable), [result])
  const isKept = editor.chart !== undefined && fitsChoice(result, editor.chart)
  const isOpen = isChosen ?? isKept
  const saved = editor.savedQuery?.chart
  const isSaved = !isOpen && result.rowCount > 0 && editor.chart !== undefined && !isKept
  const toggle = () => {
    choose(!isOpen)
    // A saved query draws its rows while they are drawn here.
    if (isOpen) note(editor, 'chart', null)
    else if (!isKept) note(editor, 'chart', firstChoice(result))
  }
  const refusal =
    result.rowCount === 0
      ? 'There are no rows to draw.'
      : hasNumbers
        ? undefined
        : 'No column of this result holds numbers.'
  const lacked = isSaved && saved ? lackedColumns(result, saved) : noColumns
  return {
    isOpen: isOpen && refusal === undefined,
    isAsked: isChosen === true,
    toggle,
    refusal,
    lacked,
  }
}

/** Says that there is more than is shown, and fetches it. */
function PagesBar({ number, paging }: { number: number; paging: Paging }) {
  const store = useStore()
  const fetchPages = async (which: 'next' | 'all') => {
    await fetchResultPages(store, number, which)
  }
  const stop = async () => {
    stopPages(store, number)
  }
  return (
    <div className="grid gap-1.5">
      <p className="text-muted text-sm">
        The server sends at most 2,500 rows in one answer, so the rows come in pages
        {paging.plan.kind === 'key' ? ' along the key' : ''}.
        {paging.tx === null && ' Rows that change between two pages may be missed or shown twice.'}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {paging.isFetching ? (
          <>
            <span className="flex items-center gap-2 text-muted text-sm">
              <Spinner /> Fetching…
            </span>
            <Button onClick={() => void stop()} size="small">
              Stop
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => void fetchPages('next')} size="small">
              Next rows
            </Button>
            <Button onClick={() => void fetchPages('all')} size="small">
              All rows
            </Button>
          </>
        )}
      </div>
      {paging.problem !== null && (
        <ErrorNote
          notDone="The rows that are here stay."
          onRetry={() => void fetchPages('next')}
          title={paging.problem}
        />
      )}
    </div>
  )
}

/** The table whose rows are shown, as far as the statement tells, or why they have no history. */
function tableOf(rowSet: RowSet): { table: string } | { why: string } {
  const why = rowRefusal(rowSet)
  const source = rowSource(rowSet.sql)
  if (why !== undefined || 'why' in source) return { why: why ?? '' }
  if (source.isHistory) {
    return { why: 'These rows are revisions. The history of a row names their transactions.' }
  }
  // The server has tables in lower case.
  return { table: lowerAscii(source.table) }
}

/** What is shown beside the rows, as it was chosen for their table. */
function useHistoryOf(rowSet: RowSet) {
  const source = tableOf(rowSet)
  const choiceOf = useAtomValue(columnChoiceAtom)
  const { history } = choiceOf(rowSet.database, 'table' in source ? source.table : '')
  return useHistoryColumns(rowSet, 'table' in source ? history : undefined)
}

/** Rows that are only looked at. */
export function PlainRows({ result, label }: { result: ResultTable; label: string }) {
  return <ResultGrid label={label} result={result} zone={useAtomValue(timezoneAtom)} />
}

type VerifiableGridProps = {
  history: ReturnType<typeof useHistoryColumns>
  rowSet: RowSet
  selected: ReadonlySet<number>
  onSelect: (rows: ReadonlySet<number>) => void
}

/** The rows of a result, each with what this browser verified of it. */
export function VerifiableGrid({ rowSet, history, selected, onSelect }: VerifiableGridProps) {
  const open = useAct(openRowProof)
  const mark = useMarks(rowSet, history.besides)
  const found = useFound(rowSet)
  const canVerify = rowRefusal(rowSet) === undefined
  const verify = (row: number) => void open(rowSet, row)
  const openHistory = useOpenHistory(rowSet)
  const onRowAction = (action: RowAction, row: number) => {
    if (action === 'row' || !canVerify) return false
    if (action === 'verify') verify(row)
    else void openHistory(row, action === 'blame')
    return true
  }
  return (
    <ResultGrid
      beside={history.beside}
      found={found}
      label={`Rows of result ${rowSet.number}`}
      onRowAction={onRowAction}
      onMark={verify}
      onSight={history.onSight}
      result={rowSet.rows}
      zone={useAtomValue(timezoneAtom)}
      {...(canVerify ? { onSelect, selected } : {})}
      {...(mark ? { mark } : {})}
    />
  )
}

/** Opens the history of the one chosen row. */
function HistoryButton({ rowSet, selected }: Pick<VerifiableGridProps, 'rowSet' | 'selected'>) {
  const open = useOpenHistory(rowSet)
  const [only, ...others] = [...selected].filter((row) => row < rowSet.rows.rowCount)
  const isOne = only !== undefined && others.length === 0
  const choose = `Choose one row first, or press ${keysOf('grid', 'history')} on it.`
  return (
    <Button
      aria-label={`History of the chosen row of result ${rowSet.number}`}
      disabledReason={rowRefusal(rowSet) ?? (isOne ? undefined : choose)}
      icon={<HistoryIcon />}
      onClick={() => only !== undefined && void open(only)}
      size="small"
      variant="quiet"
    >
      History
    </Button>
  )
}

/** Opens the history of a row; the address then names it. */
function useOpenHistory(rowSet: RowSet) {
  const link = useAct(findRowLink)
  const change = useChangeSearch()
  return async (row: number, isBlame = false) => {
    const found = await link(rowSet, row)
    if ('why' in found) showToast({ kind: 'error', text: found.why })
    else change({ ...found, ...(isBlame ? { dialog: 'blame' } : {}) })
  }
}

/** The head or value that a search of the output shows, if it is in this result. */
function useFound({ number }: RowSet) {
  const hit = useAtomValue(shownHitAtom)
  return useMemo(() => {
    if (hit?.entry !== number) return undefined
    if (hit.kind === 'column') return { row: null, column: hit.column }
    return hit.kind === 'cell' ? { row: hit.row, column: hit.column } : undefined
  }, [hit, number])
}

/** What was verified of each row, if anything. */
function useMarks({ number }: RowSet, besides: Besides) {
  const { marks } = useAtomValue(rowProofsAtom)(number)
  const verdictOn = useAtomValue(rowVerdictAtom)
  return useMemo(() => {
    if (marks.size === 0) return undefined
    return (row: number) => {
      const found = marks.get(row)
      const mark = found && besides(found, row)
      return mark && gridMark(mark, verdictOn(mark))
    }
  }, [marks, verdictOn, besides])
}
