import { useAtomValue } from 'jotai'
import { type TableDescription, tableDescriptionAtom } from '~/atoms/tables/description'
import { asOfAtom, momentAtom } from '~/core/history/as-of'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { periodOf } from '~/sql/time-travel'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { CloseIcon, TableIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Skeleton } from '~/ui/Skeleton'
import { Tabs } from '~/ui/Tabs'
import { usePart } from './address'
import { RowsPart } from './RowsPart'
import { SchemaNote, useChangedSchema } from './schema/SchemaNote'
import { TableParts } from './table-doors'

type Props = { table: string; onClose: () => void }

/** A table: its rows, its structure, its indexes, and the statements that would make it. */
export function TablePane({ table, onClose }: Props) {
  const database = useAtomValue(databaseAtom) ?? ''
  const found = useAtomValue(useAtomValue(tableDescriptionAtom)(database, table))
  const { data, error, refetch, isFetching } = found
  const done = useChangedSchema(table, ['create-table'])
  return (
    <section aria-label={`Table ${table}`} className="flex h-full flex-col bg-panel">
      {done && (
        <div className="p-2">
          <SchemaNote done={done} hasFocus />
        </div>
      )}
      {data && data.kind !== 'missing' ? (
        <Parts database={database} description={data} onClose={onClose} table={table} />
      ) : (
        <div className="p-3">
          {data ? (
            <Missing
              database={database}
              isLooking={isFetching}
              lookAgain={() => void refetch()}
              onClose={onClose}
              table={table}
            />
          ) : error ? (
            <ErrorNote
              details={technicalDetails(error)}
              onRetry={() => void refetch()}
              title={sentence(error)}
            />
          ) : (
            <Skeleton lines={6} />
          )}
        </div>
      )}
    </section>
  )
}

type MissingProps = Props & { database: string; isLooking: boolean; lookAgain: () => void }

function Missing({ database, table, isLooking, lookAgain, onClose }: MissingProps) {
  return (
    <EmptyState
      action={
        <span className="flex items-center justify-center gap-2">
          <Button busy={isLooking} onClick={lookAgain}>
            Look again
          </Button>
          <CloseButton onClose={onClose} table={table} />
        </span>
      }
      icon={<TableIcon />}
      text="It may have been dropped or renamed, or is not created yet. Names of tables are in lower case."
      title={`There is no table ${table} in ${database}.`}
    />
  )
}

function CloseButton({ table, onClose }: Props) {
  return <IconButton icon={<CloseIcon />} label={`Close ${table}`} onClick={onClose} size="small" />
}

/** While the moment in the address is looked for, or where there is none. */
function NoMoment() {
  const asOf = useAtomValue(asOfAtom)
  if (asOf.kind === 'refused') return <EmptyState text={asOf.text} title="No such moment" />
  return (
    <div className="p-3">
      <Skeleton lines={6} />
    </div>
  )
}

type PartsProps = Props & { database: string; description: TableDescription }

function Parts({ database, table, description, onClose }: PartsProps) {
  const [part, setPart] = usePart()
  const moment = useAtomValue(momentAtom)
  const of = { database, table, description }
  const close = <CloseButton onClose={onClose} table={table} />
  const period = moment ? periodOf(moment) : ''
  const rows =
    moment === undefined ? (
      <NoMoment />
    ) : description.kind === 'view' && period !== '' ? (
      <EmptyState
        icon={<TableIcon />}
        text="immudb accepts a moment for a view but shows the rows of now."
        title="A view cannot be read as of the past"
      />
    ) : (
      <RowsPart {...of} close={close} period={period} />
    )
  const beside = (id: string) =>
    part === id && (
      <>
        {period !== '' && (
          <p className="px-3 pt-2 text-sm text-warning">
            The server describes tables only as they are now. This is not what {table} was then.
          </p>
        )}
        <TableParts {...of} part={id} />
      </>
    )
  return (
    <Tabs
      fill
      label={`Parts of ${table}`}
      onChange={setPart}
      tabs={[
        { id: 'rows', label: 'Rows', content: rows },
        { id: 'structure', label: 'Structure', content: beside('structure') },
        { id: 'indexes', label: 'Indexes', content: beside('indexes') },
        { id: 'ddl', label: 'DDL', content: beside('ddl') },
      ]}
      value={part}
    />
  )
}
