import { Fragment } from 'react'
import type { Column } from '~/api/tables'
import type { TableDescription } from '~/atoms/tables/description'
import { primaryKey } from '~/sql/keyset'
import { shownStatement } from '~/sql/names'
import { type TableRules, tableDdl } from '~/sql/table-ddl'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { EmptyState } from '~/ui/EmptyState'
import { focusOnce } from '~/ui/focus-once'
import { ColumnIcon } from '~/ui/Icon'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useChangeSearch } from '~/ui/location'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { AddColumn, ChangeColumn, CreateIndex, DropIndex, DropTable } from './schema/SchemaButtons'
import { madeBy, SchemaNote, useChangedSchema } from './schema/SchemaNote'

type Props = { database: string; table: string; description: TableDescription }
type Described = Extract<TableDescription, { kind: 'table' }>
type OfTable = Props & { description: Described }

/** A line that was just made. */
const made = 'bg-success-tint'

/** What is known of a table beside its rows; `part` is the id of a tab. */
export function TableParts({ part, ...of }: Props & { part: string }) {
  if (part === 'structure') return <StructurePart {...of} />
  return part === 'indexes' ? <IndexesPart {...of} /> : <DdlPart {...of} />
}

/** The columns of a table with what the server tells of them, and what only its history tells. */
function StructurePart({ database, table, description }: Props) {
  const done = useChangedSchema(table, ['add-column', 'rename-column', 'drop-column'])
  if (description.kind !== 'table') return <ViewColumns description={description} />
  const of = { database, table, description }
  const isInList = description.columns.some(({ name }) => done !== null && name === madeBy(done))
  return (
    <div className="grid gap-4 p-3">
      <div className="flex flex-wrap gap-2">
        <AddColumn {...of} />
        <DropTable {...of} />
      </div>
      {done && !isInList && <SchemaNote done={done} hasFocus={madeBy(done) === null} />}
      <div className="overflow-x-auto overscroll-x-contain" data-bar="">
        <Columns {...of} done={done} />
      </div>
      <Rules database={database} table={table} />
    </div>
  )
}

type Done = ReturnType<typeof useChangedSchema>

function Columns({ database, table, description, done }: OfTable & { done: Done }) {
  const key = primaryKey(description).map(({ name }) => name)
  return (
    <Table
      caption="Columns"
      isBoxed
      look="min-w-150 [overflow-wrap:anywhere]"
      titles={['Column', 'Type', 'NULL', 'Key and more', 'Change']}
    >
      {description.columns.map((column) => (
        <Fragment key={column.name}>
          <tr className={cx(isMade(done, column.name) && made)}>
            <th className="min-w-24 font-medium" scope="row" {...focusOf(done, column.name)}>
              <SafeName text={column.name} />
            </th>
            <td className="whitespace-nowrap font-mono">{column.type}</td>
            <td>{column.isNullable ? 'yes' : 'no'}</td>
            <td>{moreOf(column, key)}</td>
            <td>
              <ChangeColumn
                column={column.name}
                database={database}
                description={description}
                table={table}
              />
            </td>
          </tr>
          {isMade(done, column.name) && <NoteLine columns={5} done={done} />}
        </Fragment>
      ))}
    </Table>
  )
}

const isMade = (done: Done, name: string): done is NonNullable<Done> =>
  done !== null && madeBy(done) === name

/** What was just made takes the focus, as soon as the server lists it. */
function focusOf(done: Done, name: string) {
  return isMade(done, name) ? { ref: focusOnce(done), tabIndex: -1 } : {}
}

/** What was done, below the line that came of it. */
function NoteLine({ done, columns }: { done: NonNullable<Done>; columns: number }) {
  return (
    <tr className="border-0">
      <td className="pt-0 pb-2" colSpan={columns}>
        {/* On a phone the table is wider than the window. */}
        <div className="sticky left-2 max-w-[calc(100vw-2.5rem)]">
          <SchemaNote done={done} />
        </div>
      </td>
    </tr>
  )
}

function moreOf(
  { name, isAutoIncrement, isIndexed, isUnique, isPrimaryKey }: Column,
  key: readonly string[],
): string {
  const at = key.indexOf(name)
  const place = key.length > 1 ? ` ${at + 1} of ${key.length}` : ''
  const found = [
    at < 0 ? '' : `primary key${place}`,
    isAutoIncrement ? 'auto-increment' : '',
    isUnique && !isPrimaryKey ? 'unique' : '',
    isIndexed ? 'indexed' : '',
  ].filter(Boolean)
  return found.length > 0 ? found.join(', ') : '–'
}

/** Shared with the choice of a moment, which reads transactions too. */
const HistoryPart = lazyWithRetry(() =>
  import('../moments/MomentPart').then((part) => part.MomentPart),
)

function Rules({ database, table }: Omit<Props, 'description'>) {
  return (
    <section aria-labelledby="table-rules">
      <h2 className="pb-1 font-medium text-sm" id="table-rules">
        Checks and defaults
      </h2>
      <HistoryPart
        rules={(rules) => rules && <RuleList rules={rules} />}
        database={database}
        table={table}
      />
    </section>
  )
}

function RuleList({ rules: { checks, defaults } }: { rules: TableRules }) {
  const lines = [
    ...checks.map(({ name, expression }) => ({ name, sql: `CHECK ${expression}` })),
    ...[...defaults].map(([name, sql]) => ({ name, sql: `DEFAULT ${sql}` })),
  ]
  if (lines.length === 0) return <p className="text-muted text-sm">None.</p>
  return (
    <ul className="text-sm">
      {lines.map(({ name, sql }) => (
        <li className="py-0.5" key={`${name} ${sql}`}>
          <SafeName text={name} />{' '}
          <code translate="no" className="break-words">
            <SafeText text={sql} />
          </code>
        </li>
      ))}
    </ul>
  )
}

function ViewColumns({ description }: Pick<Props, 'description'>) {
  const columns = description.kind === 'view' ? description.columns : []
  return (
    <div className="grid gap-2 p-3 text-sm">
      <p className="text-muted">
        This is a view. The server describes no views; these are the columns of its rows.
      </p>
      <ul>
        {columns.map(({ name, type }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a view may have one name.
          <li key={at}>
            <SafeName text={name} /> <span className="font-mono text-muted">{type}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The indexes of a table, the primary key first. */
function IndexesPart({ database, table, description }: Props) {
  const done = useChangedSchema(table, ['create-index', 'drop-index'])
  if (description.kind !== 'table') return <OfView what="indexes" />
  const { indexes } = description
  if (indexes === null) {
    return (
      <EmptyState
        text="This takes the SQL privilege SELECT."
        title={`You may not read the indexes of ${table}.`}
      />
    )
  }
  const of = { database, table, description }
  return (
    <div className="grid gap-4 p-3">
      <div>
        <CreateIndex {...of} />
      </div>
      {done && !indexes.some(({ columns }) => isMade(done, columns.join())) && (
        <SchemaNote done={done} hasFocus={madeBy(done) === null} />
      )}
      <Table
        caption="Indexes"
        isBoxed
        look="[overflow-wrap:anywhere]"
        titles={['Columns', 'Kind', 'Rows in its order', 'Change']}
      >
        {indexes.map(({ columns, isPrimary, isUnique }) => (
          <Fragment key={columns.join()}>
            <tr className={cx(isMade(done, columns.join()) && made)}>
              <th className="font-mono" scope="row" {...focusOf(done, columns.join())}>
                {columns.join(', ')}
              </th>
              <td>{isPrimary ? 'primary key' : isUnique ? 'unique index' : 'index'}</td>
              <td>{isPrimary ? 'as they are shown first' : `by ${columns[0]}`}</td>
              <td>{isPrimary ? '–' : <DropIndex {...of} columns={columns} />}</td>
            </tr>
            {isMade(done, columns.join()) && <NoteLine columns={4} done={done} />}
          </Fragment>
        ))}
      </Table>
    </div>
  )
}

function OfView({ what }: { what: string }) {
  return (
    <EmptyState
      icon={<ColumnIcon />}
      text="This is a view."
      title={`The server tells no ${what}.`}
    />
  )
}

/** The statements that would make a table like this one. */
function DdlPart({ database, table, description }: Props) {
  if (description.kind !== 'table') return <OfView what="statement of it" />
  return (
    <div className="grid gap-2 p-3">
      <HistoryPart
        rules={(rules) => (
          <Statements
            description={description}
            sql={shownStatement(() => tableDdl(table, description, rules ?? undefined))}
            table={table}
          />
        )}
        database={database}
        table={table}
      />
    </div>
  )
}

type StatementsProps = { table: string; description: Described; sql: string }

function Statements({ table, description, sql }: StatementsProps) {
  const change = useChangeSearch()
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
        <span className="min-w-0 flex-1 basis-56">
          These statements would make a table like this one, without its rows. The table may have
          been made in another way.
          {description.indexes === null && ' You may not read its indexes, so they are missing.'}
        </span>
        <CopyButton text={sql} what="the statements" />
        <Button
          onClick={() => change({ table: undefined, q: undefined, tab: undefined, sql })}
          size="small"
        >
          Open in the editor
        </Button>
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={`Statements of ${table}`}
        className="overflow-x-auto overscroll-x-contain rounded border border-line bg-page px-3 py-2"
      >
        <pre translate="no" className="font-mono text-sm">
          <SafeText lines text={sql} value />
        </pre>
      </section>
    </>
  )
}
