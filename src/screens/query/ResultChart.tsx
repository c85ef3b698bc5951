import { useAtomValue, useStore } from 'jotai'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { noteFact, shownEditorAtom } from '~/atoms/query/editor'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { fetchResultPages, stopPages } from '~/atoms/query/result-pages'
import { useAct } from '~/core/act'
import { plainNames } from '~/core/files/export-rows'
import { timezoneAtom } from '~/core/page-view'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { formatCell } from '~/sql/cells'
import { type ChartChoice, mostColumns } from '~/sql/chart-choice'
import {
  type ChartPoints,
  chartPoints,
  chosenColumn,
  columnLabel,
  firstChoice,
  fitsChoice,
  isDrawable,
  placeOf,
  textOfX,
} from '~/sql/chart-points'
import { firstRows } from '~/sql/paging'
import type { ResultTable } from '~/sql/result'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { ChartTable } from '~/ui/chart/ChartTable'
import { colour } from '~/ui/chart/drawing'
import { mostLines } from '~/ui/chart/look'
import { drawnOf, type Picture, paintPicture, pictureSize, svgOf } from '~/ui/chart/picture'
import { ResultPlot } from '~/ui/chart/ResultPlot'
import { Swatch } from '~/ui/chart/Swatch'
import { TableSwitch } from '~/ui/chart/TableSwitch'
import { saveFile } from '~/ui/file'
import type { Cell } from '~/ui/grid/cell'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { showWhole } from '~/ui/show-whole'
import { showToast } from '~/ui/toast'
import { momentLabel } from '../moments/moment-text'

// Outside React: the canvas of a file, and what is in sight.

type Props = {
  entry: OutputEntry
  result: ResultTable
  /** It was asked for just now, and is scrolled to. */
  isAsked: boolean
}

/** The rows of a result as lines, bars or points, by a choice of columns that the editor keeps. */
export function ResultChart({ entry, result, isAsked }: Props) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isAsked) showWhole(section.current)
  }, [isAsked])
  const editor = useAtomValue(shownEditorAtom)
  const note = useAct(noteFact)
  const rows = useSettledRows(entry, result)
  const kept = editor.chart
  const choice = useMemo(
    () => (kept && fitsChoice(rows, kept) ? kept : firstChoice(rows)),
    [kept, rows],
  )
  return (
    <section
      aria-label={`Chart of result ${entry.number}`}
      className="grid min-w-0 grid-cols-1 gap-2 rounded-lg border border-line bg-panel p-3"
      ref={section}
    >
      {choice === null ? (
        <p className="text-muted text-sm">
          There is nothing to draw: no column of this result holds numbers.
        </p>
      ) : (
        <>
          <Choices choice={choice} onChange={(next) => note(editor, 'chart', next)} result={rows} />
          <Figure choice={choice} entry={entry} rows={rows} />
        </>
      )}
    </section>
  )
}

/** Rows that are drawn at most: the page stays quick, and more points cannot be told apart. */
const mostRows = 100_000

/** The rows to draw; while more of them come, those that were there before. */
function useSettledRows({ paging }: OutputEntry, result: ResultTable): ResultTable {
  const [settled, settle] = useState(result)
  if (settled !== result && !paging?.isFetching) settle(result)
  return useMemo(() => firstRows(settled, mostRows), [settled])
}

type ChoicesProps = {
  result: ResultTable
  choice: ChartChoice
  onChange: (choice: ChartChoice) => void
}

const kinds = [
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bars' },
  { value: 'scatter', label: 'Points' },
] as const

const none = '-1'

function Choices({ result: { columns }, choice, onChange }: ChoicesProps) {
  const options = columns.map((column, at) => ({
    value: String(at),
    label: columnLabel(columns, at),
    detail: column.type,
  }))
  const chosenAt = (one: ChartChoice['x']) => (one === null ? none : String(placeOf(columns, one)))
  const columnAt = (value: string) => (value === none ? null : chosenColumn(columns, Number(value)))
  const drawn = new Set(choice.y.map((one) => placeOf(columns, one)))
  const toggle = (at: number) => {
    const next = new Set(drawn)
    if (!next.delete(at)) next.add(at)
    if (next.size > mostColumns) return
    const y = [...next].sort((one, other) => one - other).map((one) => chosenColumn(columns, one))
    onChange({ ...choice, y })
  }
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Select
        label="Kind"
        labelled
        onChange={(value) => {
          const kind = kinds.find((one) => one.value === value)?.value
          if (kind) onChange({ ...choice, kind })
        }}
        options={[...kinds]}
        size="small"
        value={choice.kind}
      />
      <Select
        label="X axis"
        labelled
        onChange={(value) => onChange({ ...choice, x: columnAt(value) })}
        options={[{ value: none, label: 'Row number' }, ...options]}
        size="small"
        value={chosenAt(choice.x)}
      />
      <Select
        label="Split by"
        labelled
        onChange={(value) => onChange({ ...choice, split: columnAt(value) })}
        options={[{ value: none, label: 'Column' }, ...options]}
        size="small"
        value={chosenAt(choice.split)}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium text-sm">Values</legend>
        <div className="flex max-h-24 flex-wrap items-center gap-x-4 overflow-y-auto">
          {columns.map((column, at) => {
            if (!isDrawable(column)) return null
            const isOnly = drawn.has(at) && drawn.size === 1
            return (
              <Checkbox
                checked={drawn.has(at)}
                disabled={isOnly}
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                key={at}
                label={columnLabel(columns, at)}
                onChange={() => toggle(at)}
              />
            )
          })}
        </div>
      </fieldset>
    </div>
  )
}

type FigureProps = { entry: OutputEntry; rows: ResultTable; choice: ChartChoice }

const plotHeight = 300

function Figure({ entry, rows, choice }: FigureProps) {
  const zone = useAtomValue(timezoneAtom)
  const [isTable, setTable] = useState(false)
  const [active, setActive] = useState<number | null>(null)
  const points = useMemo(() => chartPoints(rows, choice, zone, mostLines), [rows, choice, zone])
  const drawn = useMemo(() => drawnOf(choice.kind, points, zone), [choice, points, zone])
  const title = titleOf(rows, choice)
  const sources = useSources(entry, rows, points)
  const exact = useCallback(
    (series: number, at: number): string | null | undefined => {
      const column = points.series[series]?.column ?? -1
      if (points.ys[series]?.[at] === undefined) return undefined
      return rows.columns[column]?.values[points.rows[at] ?? -1] ?? null
    },
    [points, rows],
  )
  const along = useCallback(
    (at: number) => textOfX(rows, choice, points.rows[at] ?? 0, zone),
    [rows, choice, points, zone],
  )
  const describe = (at: number) =>
    points.series.reduce(
      (text, { name }, series) => {
        const value = exact(series, at)
        return value === undefined ? text : `${text} ${name} ${value ?? 'NULL'},`
      },
      `${along(at)}:`,
    )
  const picture = (): Picture => ({ drawn, title, sources, colour })
  const name = plainNames([entry.database, `chart-of-result-${entry.number}`])
  return (
    <figure aria-label={title} className="flex min-w-0 flex-col">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 truncate font-medium">
          <SafeText text={title} />
        </h3>
        <span className="ms-auto flex items-center gap-1">
          <TableSwitch isTable={isTable} onChange={setTable} />
          <Button
            aria-label="Save the chart as PNG"
            onClick={() => void savePng(name, picture())}
            size="small"
            variant="quiet"
          >
            PNG
          </Button>
          <Button
            aria-label="Save the chart as SVG"
            onClick={() => saveFile(`${name}.svg`, svgOf(picture()), 'image/svg+xml')}
            size="small"
            variant="quiet"
          >
            SVG
          </Button>
        </span>
      </div>
      <div className="h-[300px]">
        {points.xs.length === 0 ? (
          <p className="py-8 text-center text-muted">No row has a value for the X axis.</p>
        ) : isTable ? (
          <PointTable
            along={along}
            exact={exact}
            head={alongOf(rows, choice)}
            points={points}
            title={title}
          />
        ) : (
          <ResultPlot
            active={active}
            describe={describe}
            drawn={drawn}
            onActive={setActive}
            title={title}
          />
        )}
      </div>
      <Legend active={active} along={along} exact={exact} points={points} />
      <figcaption className="mt-1 grid gap-0.5 text-muted text-xs">
        {sources.map((source) => (
          <span className="[overflow-wrap:anywhere]" key={source}>
            <SafeText text={source} />
          </span>
        ))}
        <More entry={entry} />
      </figcaption>
    </figure>
  )
}

/** What the x axis holds. */
const alongOf = ({ columns }: ResultTable, { x }: ChartChoice) =>
  x === null ? 'row' : columnLabel(columns, placeOf(columns, x))

function titleOf(rows: ResultTable, choice: ChartChoice): string {
  const { columns } = rows
  const { y, split } = choice
  const names = y.map((one) => columnLabel(columns, placeOf(columns, one))).join(', ')
  const along = alongOf(rows, choice)
  const each = split === null ? '' : `, for each ${columnLabel(columns, placeOf(columns, split))}`
  return `${names} by ${along}${each}`
}

/** Where the rows are from, how many are drawn, and what is not. */
function useSources(entry: OutputEntry, rows: ResultTable, points: ChartPoints): string[] {
  const zone = useAtomValue(timezoneAtom)
  const statement = visibleText(entry.source.replace(/\s+/g, ' ').trim())
  const moment = `${momentOf(entry)}, asked ${formatMoment(entry.timestamp, zone)}`
  const isPart = entry.paging !== null && !entry.paging.isComplete
  const all = counted(entry.result?.rowCount ?? 0, 'row')
  const isCut = rows.rowCount === mostRows && rows.rowCount < (entry.result?.rowCount ?? 0)
  const first = isCut ? `the first ${formatCount(rows.rowCount)} of ` : ''
  const here = isPart
    ? `${first}${isCut ? '' : 'the first '}${all}; the statement has more`
    : isCut
      ? `${first}${all}`
      : `all ${all}`
  const { left, series } = points
  const not = [
    left.rows > 0 &&
      `${counted(left.rows, 'row')} without a value for the X axis (NULL, NaN, Infinity or beyond ±1e307)`,
    left.nulls > 0 && counted(left.nulls, 'NULL', 'NULLs'),
    left.unbounded > 0 && counted(left.unbounded, 'NaN or Infinity', 'NaNs or Infinities'),
    left.beyond > 0 && `${counted(left.beyond, 'number')} beyond ±1e307`,
    left.series > 0 && `${left.series} of ${series.length + left.series} series`,
  ].filter(Boolean)
  return [
    statement,
    `Database ${visibleText(entry.database)}, ${moment}.`,
    `Drawn: ${points.drawn === rows.rowCount && !isPart && !isCut ? '' : `${formatCount(points.drawn)} of `}${here}.${not.length > 0 ? ` Not drawn: ${not.join(', ')}.` : ''}`,
    ...(left.covered > 0
      ? [
          `${counted(left.covered, 'point')} of a series ${left.covered === 1 ? 'shares its' : 'share their'} place on the X axis with another. GROUP BY in the statement adds them up.`,
        ]
      : []),
  ]
}

/** The state of the database that the rows show. */
function momentOf({ at, paging, txBefore, timeTravel }: OutputEntry): string {
  if (at?.kind === 'past') return `as of ${momentLabel(at.moment)}`
  if (at?.kind === 'own' || timeTravel) return 'at the period that the statement names'
  if (paging?.tx) return `as of tx ${formatTx(paging.tx)}`
  return txBefore === '0' ? 'at present' : `at tx ${formatTx(txBefore)} or later`
}

/** Loads the rows that are not here, page by page. */
function More({ entry: { number, paging } }: { entry: OutputEntry }): ReactNode {
  const store = useStore()
  if (!paging || paging.isComplete) return null
  return (
    <span className="mt-1 flex items-center gap-2">
      {paging.isFetching ? (
        <>
          <span role="status">Loading rows…</span>
          <Button onClick={() => stopPages(store, number)} size="small">
            Stop loading
          </Button>
        </>
      ) : (
        <Button onClick={() => void fetchResultPages(store, number, 'all')} size="small">
          Load all rows
        </Button>
      )}
    </span>
  )
}

type ReadProps = {
  points: ChartPoints
  /** The value of a series at a place, as the result has it; undefined where there is none. */
  exact: (series: number, at: number) => string | null | undefined
  along: (at: number) => string
}

/** Which series is which, with its exact value at the chosen place. */
function Legend({ points, exact, along, active }: ReadProps & { active: number | null }) {
  return (
    <div
      aria-hidden="true"
      className="mt-1 flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-xs"
    >
      {points.series.map(({ name }, series) => {
        const value = active === null ? undefined : exact(series, active)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique.
          <span className="inline-flex min-w-0 items-center gap-1.5" key={series}>
            <Swatch index={series} />
            <span className="max-w-[26ch] truncate text-muted" title={visibleText(name)}>
              <SafeText text={name} value />
            </span>
            {value !== undefined && (
              <span className="font-mono tabular-nums">{value ?? 'NULL'}</span>
            )}
          </span>
        )
      })}
      {active !== null && (
        <span className="ms-auto max-w-[40ch] truncate text-muted tabular-nums">
          <SafeText text={along(active)} value />
        </span>
      )}
    </div>
  )
}

/** The same numbers as rows, in the order of the drawing. */
function PointTable({
  title,
  head,
  points,
  exact,
  along,
}: ReadProps & { title: string; head: string }) {
  const cell = useCallback(
    (row: number, column: number): Cell => {
      if (column === 0) return { text: along(row), kind: 'text' }
      const value = exact(column - 1, row)
      if (value === undefined) return { text: '', kind: 'text' }
      const { text, kind } = formatCell('FLOAT', value, 'utc')
      return { text, kind }
    },
    [along, exact],
  )
  return (
    <ChartTable
      along={head}
      cell={cell}
      maxHeight={plotHeight}
      names={points.series.map(({ name }) => name)}
      rowCount={points.xs.length}
      title={title}
    />
  )
}

/** Pixels of a file for each of its picture, so that it is sharp in print too. */
const density = 2

async function savePng(name: string, picture: Picture): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = pictureSize.width * density
  canvas.height = pictureSize.height * density
  const context = canvas.getContext('2d')
  if (context) paintPicture(context, picture, density)
  const blob =
    context && (await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png')))
  if (blob) saveFile(`${name}.png`, blob, 'image/png')
  else showToast({ kind: 'error', text: 'Nothing was saved: this browser made no picture.' })
}
