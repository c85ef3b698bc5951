import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { stageEdits } from '~/atoms/tables/edits'
import { useAct } from '~/core/act'
import { jsonLines } from '~/lib/line-diff'
import { formatCount } from '~/lib/text'
import { type CellInput, isValue } from '~/sql/cell-input'
import { type EditPlan, inOrder } from '~/sql/edit-statements'
import { paramText } from '~/sql/params'
import { type Cells, type Edits, type StagedEdit, withoutEdit } from '~/sql/row-edits'
import { rowLabel } from '~/sql/row-label'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { resultCell } from '~/ui/grid/ResultGrid'
import { MeasuredList } from '~/ui/MeasuredList'
import { SafeName, SafeText } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { ChangedLines, ChangedValue, isByLine } from '../ChangedValue'
import type { RowEdits } from './use-row-edits'

type Props = {
  edits: RowEdits
  /** What is listed. */
  staged: Edits
  /** The statements, shown below each row; null for the values alone. */
  plan: EditPlan | null
  /** Whether nothing can be given up now. */
  isHeld: boolean
}

/** Rows that are drawn at once; of more only those in sight are. */
const mostAtOnce = 40

/** Each staged row with its values before and after. */
export function ReviewList({ edits, staged, plan, isHeld }: Props) {
  const { table, place } = edits
  const stage = useAct(stageEdits)
  const rows = useMemo(() => inOrder(staged), [staged])
  const statements = useMemo(
    () => new Map(plan?.statements.map((statement) => [statement.id, statement])),
    [plan],
  )
  const line = useCallback(
    (index: number) => {
      const edit = rows[index]
      if (!edit) return null
      const sent = statements.get(edit.id)
      return (
        <Row edit={edit} label={rowLabel(table, edit.id)}>
          <RowValues columns={table.columns} edit={edit} />
          {sent && (
            <SentRequest
              params={sent.params.map(({ name, value }) => ({ name, text: paramText(value) }))}
              statement={sent.sql}
            />
          )}
          {!isHeld && (
            <Button
              onClick={() => stage(place, (all) => withoutEdit(all, edit.id))}
              size="small"
              variant="quiet"
            >
              Discard
            </Button>
          )}
        </Row>
      )
    },
    [rows, statements, table, place, stage, isHeld],
  )
  const keyOf = (index: number) => rows[index]?.id ?? ''
  if (rows.length <= mostAtOnce)
    return (
      <ul aria-label="Staged rows" className="grid">
        {rows.map(({ id }, index) => (
          <li key={id}>{line(index)}</li>
        ))}
      </ul>
    )
  return (
    <div className="h-[46dvh] rounded border border-line">
      <MeasuredList
        count={rows.length}
        estimate={() => 72}
        head={null}
        label="Staged rows"
        line={line}
        lineKey={keyOf}
        wanted={-1}
      />
    </div>
  )
}

const titles = { add: 'Add', change: 'Change', delete: 'Delete' } as const
const tones = { add: 'info', change: 'neutral', delete: 'warning' } as const

type RowProps = { edit: StagedEdit; label: string; children: readonly ReactNode[] }

function Row({ edit: { kind }, label, children: [values, sent, discard] }: RowProps) {
  return (
    <section
      aria-label={`${titles[kind]} ${label}`}
      className="grid gap-2 border-line/55 border-t py-2"
    >
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tones[kind]}>{titles[kind]}</Badge>
        <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
          <SafeText text={label} />
        </h3>
        <span className="ms-auto">{discard}</span>
      </div>
      {values}
      {sent}
    </section>
  )
}

type Columns = RowEdits['table']['columns']

/** Values of one row that are drawn at first: a table may have hundreds of columns. */
const mostValues = 24

function RowValues({ columns, edit }: { columns: Columns; edit: StagedEdit }) {
  const [isWhole, setWhole] = useState(false)
  const values = valuesOf(columns, edit)
  const shown = isWhole ? values : values.slice(0, mostValues)
  if (values.length === 0)
    return <p className="text-muted text-xs">Every value is left to the server.</p>
  return (
    <>
      <dl className="grid grid-cols-[minmax(5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {shown.map(({ name, type, before, after }) => (
          <div className="contents" key={name}>
            <dt className="max-w-[40vw] text-muted [overflow-wrap:anywhere] xs:max-w-60">
              <SafeName text={name} />
            </dt>
            <dd className="min-w-0">
              <ValueChange after={after} before={before} type={type} />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < values.length && (
        <div>
          <Button onClick={() => setWhole(true)} size="small">
            Show all {formatCount(values.length)} values
          </Button>
        </div>
      )}
    </>
  )
}

type Value = {
  readonly name: string
  readonly type: string
  /** Missing where there was none, as in a new row. */
  readonly before?: string | null | undefined
  /** Missing where none is to be, as in a deleted row. */
  readonly after?: CellInput | undefined
}

/** What a row had or is to have: of a change only the cells that change. */
function valuesOf(columns: Columns, edit: StagedEdit): readonly Value[] {
  const had = (cells: Cells, name: string) =>
    cells.has(name) ? { before: cells.get(name) ?? null } : {}
  if (edit.kind === 'delete')
    return columns.map(({ name, type }) => ({ name, type, ...had(edit.before, name) }))
  return columns.flatMap(({ name, type }) => {
    const after = edit.after.get(name)
    const before = edit.kind === 'change' ? had(edit.before, name) : {}
    return after ? [{ name, type, ...before, after }] : []
  })
}

function ValueChange({ type, before, after }: Omit<Value, 'name'>) {
  const older = before === undefined ? undefined : shownText(type, before)
  if (!after) return <ChangedValue isStruck text={older ?? null} />
  // What is wrong with it stands above.
  if (!isValue(after))
    return (
      <span className="text-error">
        <ChangedValue isNew text={after.text} />
      </span>
    )
  const newer = shownText(type, after.value)
  if (older === undefined) return <ChangedValue isNew text={newer} />
  if (typeof older === 'string' && typeof newer === 'string' && isByLine(older, newer))
    return <ChangedLines newer={newer} older={older} />
  return (
    <>
      <ChangedValue isStruck text={older} /> <span className="text-muted">→</span>{' '}
      <ChangedValue isNew text={newer} />
    </>
  )
}

/** A value in full, times in UTC as they are typed, JSON in lines; null is NULL. */
function shownText(type: string, value: string | null): string | null {
  if (value === null) return null
  if (type === 'JSON') return value.length > 40 ? jsonLines(value) : value
  const cell = resultCell(type, value, 'utc')
  return cell.kind === 'blob' ? (cell.exact?.() ?? cell.text) : cell.text
}
