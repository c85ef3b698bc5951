import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { cellsOf, keyCellsOf, type RowChange, rowChange } from '~/atoms/transactions/changed-rows'
import { type RowBatch, rowsAtOnce, rowsBeforeAtom } from '~/atoms/transactions/transaction'
import { type TableView, tableViewAtom } from '~/atoms/transactions/tx-tables'
import { sentence } from '~/core/session/failure-words'
import { type RowKey, rowToAddress } from '~/immudb/row-address'
import { bytesToBase64 } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import type { Cells } from '~/proof/kernel/row'
import { keyValue } from '~/sql/literals'
import { saidLeaf } from '~/trust/questions'
import { Badge } from '~/ui/Badge'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { ChangeTable } from './ChangeTable'
import { Card, Digest, type EntryProps } from './EntryCard'

type Props = EntryProps & { tableId: number }

/** A row of a table, before and after. */
export function RowEntry(props: Props) {
  const { database, tx, of, values, tableId } = props
  const view = useAtomValue(useAtomValue(tableViewAtom)(database, tx, String(tableId)))
  const stored = values?.byKey.get(of.entry.key)
  const cells = useMemo(() => cellsOf(stored), [stored])
  if (view === undefined || !values) {
    return (
      <Card {...props} kind="Row" name={`of table ${tableId}`} said={[]}>
        <p className="text-muted text-sm">Reading…</p>
      </Card>
    )
  }
  if (cells === null) {
    return (
      <Card {...props} kind="Row" name={`of table ${tableId}`} said={[]}>
        <p className="text-sm">The server does not send the cells of this row.</p>
        <Digest entry={of.entry} />
      </Card>
    )
  }
  if (view === null) return <Undescribed {...props} cells={cells} />
  if (of.entry.isDeleted || !view.today) {
    return <Described {...props} before={null} cells={cells} view={view} />
  }
  return <WithBefore {...props} cells={cells} view={view} />
}

type DescribedProps = Props & { cells: Cells; view: TableView }

/** The rows in sight are asked for together. */
function WithBefore(props: DescribedProps) {
  const batch = useMemo(() => batchOf(props), [props])
  const { data, error, isFetching } = useAtomValue(
    useAtomValue(rowsBeforeAtom)(JSON.stringify(batch)),
  )
  const failure = error && !isFetching ? sentence(error) : null
  return (
    <Described {...props} before={data ?? null} failure={failure} isAsking={!data && !failure} />
  )
}

function batchOf({ database, tx, of, rows, values, view }: DescribedProps): RowBatch {
  const at = Math.floor(rows.indexOf(of) / rowsAtOnce) * rowsAtOnce
  const { today } = view
  const keys = rows.slice(at, at + rowsAtOnce).flatMap(({ entry }) => {
    const cells = entry.isDeleted ? null : cellsOf(values?.byKey.get(entry.key))
    const key = cells && today && keyCellsOf(cells, today)
    return key ? [key] : []
  })
  return { database, tx, table: today?.table ?? '', keys }
}

const actions: Readonly<Record<NonNullable<RowChange['action']>, string>> = {
  inserted: 'Inserted',
  changed: 'Changed',
  deleted: 'Deleted',
  rewritten: 'Written again, unchanged',
}

type BeforeProps = DescribedProps & {
  before: Parameters<typeof rowChange>[3]
  failure?: string | null
  isAsking?: boolean
}

function Described(props: BeforeProps) {
  const { database, of, cells, view, before, failure = null, isAsking = false } = props
  const change = rowChange(of.entry, cells, view, before)
  const { action } = change
  // What a deletion deletes is in its own entry.
  const isBeforeSaid = action !== null && action !== 'deleted'
  const keys = change.cells.filter(({ isKey }) => isKey)
  const side = action === 'inserted' ? 'after' : action === 'deleted' ? 'before' : 'both'
  return (
    <Card
      {...props}
      actions={<HistoryLink cells={cells} database={database} view={view} />}
      kind="Row"
      name=""
      said={[
        saidLeaf('the names of the table and its columns', view.written.table),
        ...(isBeforeSaid ? [saidLeaf('what it was before', '')] : []),
      ]}
      title={
        <>
          <SafeName text={view.written.table} />
          {keys.length > 0 && (
            <>
              {' '}
              <SafeName
                text={keys
                  .map(({ name, after, before }) => `${name} = ${after ?? before}`)
                  .join(', ')}
              />
            </>
          )}
        </>
      }
    >
      {action !== null && action !== 'deleted' && (
        <span>
          <Badge tone={action === 'rewritten' ? 'neutral' : 'info'}>{actions[action]}</Badge>
        </span>
      )}
      <ChangeTable
        changes={change.cells.map((cell) => ({ ...cell, id: String(cell.id) }))}
        missing="NULL"
        noun="column"
        side={side}
        unknown={isAsking ? 'reading…' : 'not known'}
      />
      {failure !== null && (
        <p className="text-sm text-warning">
          What it was before could not be read. <Sentence text={failure} />
        </p>
      )}
      {!view.today && !of.entry.isDeleted && (
        <p className="text-muted text-sm">
          The table was dropped since, so queries no longer read what the row was before.
        </p>
      )}
    </Card>
  )
}

function HistoryLink({
  database,
  cells,
  view,
}: {
  database: string
  cells: Cells
  view: TableView
}) {
  const key = view.today && keyCellsOf(cells, view.today)
  const values = key?.map(({ type, value }) => keyValue(type, value)) ?? []
  if (!view.today || values.length === 0 || values.some((value) => value === null)) return null
  const row = rowToAddress(values as RowKey)
  return (
    <Link
      className="text-primary text-sm underline"
      to={pathTo('query', { db: database, table: view.today.table, row })}
    >
      History
    </Link>
  )
}

/** Cells by their numbers, when the table is not known. */
function Undescribed(props: Props & { cells: Cells }) {
  const changes = [...props.cells].map(([id, cell]) => ({
    id: String(id),
    name: `column number ${id}`,
    type: 'BLOB',
    isKey: false,
    before: undefined,
    after: bytesToBase64(cell.subarray(0, 64)),
    isChanged: false,
  }))
  return (
    <Card {...props} kind="Row" name={`of table ${props.tableId}`} said={[]}>
      <p className="text-muted text-sm">
        The names and types of its columns are not known: the table was dropped, or the history was
        not read.
      </p>
      <ChangeTable changes={changes} missing="NULL" noun="column" side="after" unknown="" />
    </Card>
  )
}
