import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { isReplicaAtom, replicaReason } from '~/atoms/databases/database-list'
import { runStatements } from '~/atoms/query/run'
import { refreshTables, tablesAtom } from '~/atoms/tables/table-list'
import type { PastTable } from '~/atoms/transactions/past-tables'
import { importRefusalAtom } from '~/atoms/users/privileges'
import { levelAtom } from '~/atoms/users/user-list'
import { useAct } from '~/core/act'
import { asOfTxAtom } from '~/core/history/as-of'
import { hasTransactionsAtom } from '~/core/history/newest-state'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { openUploadsAtom } from '~/core/upload-records'
import { refusalFor } from '~/immudb/permission'
import { splitStatements } from '~/sql/statements'
import { writesHeldAtom } from '~/trust/write-block'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { RefreshIcon, TableIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { AddIcon } from '~/ui/QueryIcons'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { ScriptButton } from '../scripts/ScriptButton'
import { SchemaButton } from '../tables/schema/SchemaButton'
import { SchemaHost } from '../tables/schema/SchemaHost'
import { SchemaNote, useChangedSchema } from '../tables/schema/SchemaNote'
import { DemoDialog, ImportDialog } from '../tables/table-doors'
import { useQueryPanes } from './query-panes'
import { TableTree } from './TableTree'

/** The tables of the open database with columns, types, keys and indexes. */
export function TablesPane() {
  const database = useAtomValue(databaseAtom)
  const refresh = useAct(refreshTables)
  const past = useAtomValue(asOfTxAtom)
  const panes = useQueryPanes()
  const dropped = useChangedSchema(null, ['drop-table'])
  return (
    <section aria-label="Tables of the database" className="flex h-full flex-col bg-panel">
      <header className="flex min-h-10 shrink-0 items-center justify-between gap-x-1 border-line border-b ps-3 pe-1">
        <h2 className="truncate font-medium">Tables</h2>
        <span className="flex shrink-0">
          {database !== null && (
            <SchemaButton
              database={database}
              icon={<AddIcon />}
              label="Create table"
              of={{ columns: [], indexes: [] }}
              privilege="CREATE"
              start={{ kind: 'create-table', table: '', columns: [] }}
            />
          )}
          {database !== null && <ImportButton database={database} />}
          <IconButton
            icon={<RefreshIcon />}
            label="Refresh the tables"
            onClick={() => void refresh()}
            size="small"
          />
        </span>
      </header>
      {dropped && (
        <div className="p-2">
          <SchemaNote done={dropped} hasFocus />
        </div>
      )}
      {past !== null && database !== null ? (
        <SectionBoundary details={technicalDetails} what="The tables of the past">
          <PastPart database={database} tx={past}>
            {(tables) => (tables ? <Past key={past} tables={tables} /> : <Present />)}
          </PastPart>
        </SectionBoundary>
      ) : (
        <Present />
      )}
      <SchemaHost onDrop={() => panes.show('tables')} />
    </section>
  )
}

const labels = { running: 'Importing…', stopped: 'Import stopped…' } as const
/** The pane may be as narrow as 200 pixels. */
const shortLabels = { running: 'Importing…', stopped: 'Stopped…' } as const

/** Opens the import of a file, which goes on behind it. */
function ImportButton({ database }: { database: string }) {
  const [isOpen, setOpen] = useState(false)
  const refusal = useAtomValue(importRefusalAtom)
  const open = useAtomValue(openUploadsAtom).get('tables')
  return (
    <>
      <Button
        aria-label={open ? labels[open] : 'Import CSV'}
        disabledReason={open ? undefined : refusal}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void ImportDialog.prepare()}
        size="small"
        title={open ? labels[open] : 'Import CSV'}
        variant="quiet"
      >
        {open ? shortLabels[open] : 'Import'}
      </Button>
      {isOpen && <ImportDialog database={database} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shared with the choice of a moment, which is open whenever the past is looked at. */
const PastPart = lazyWithRetry(
  () => import('../moments/MomentPart').then((part) => part.MomentPart),
  { meanwhile: <Present /> },
)

function Present() {
  const database = useAtomValue(databaseAtom)
  return (
    <div className="min-h-0 grow" key={database}>
      <Content />
    </div>
  )
}

function Past({ tables }: { tables: readonly PastTable[] }) {
  const names = tables.map(({ name }) => name)
  const past = new Map(tables.map((table) => [table.name, table]))
  if (tables.length === 0) {
    return (
      <EmptyState icon={<TableIcon />} text="There were none at this moment." title="No tables" />
    )
  }
  return (
    <div className="min-h-0 grow">
      <TableTree past={past} tables={names} />
    </div>
  )
}

function Content() {
  const { data, error, isPending, isEnabled, refetch } = useAtomValue(tablesAtom)
  if (error && !data) {
    return (
      <div className="p-3">
        <ErrorNote onRetry={() => void refetch()} title={sentence(error)} />
      </div>
    )
  }
  const waiting = (
    <div className="p-3">
      <Skeleton lines={4} />
    </div>
  )
  if (isPending && isEnabled) return waiting
  if (!data?.length) return <NoTables />
  return <TableTree tables={data} />
}

/** Why there is nothing, and something to begin with. */
function NoTables() {
  const hasTransactions = useAtomValue(hasTransactionsAtom)
  const database = useAtomValue(databaseAtom)
  const level = useAtomValue(levelAtom)
  const [isOpen, setOpen] = useState(false)
  const run = useAct(runStatements)
  const { show } = useQueryPanes()
  const add = (sql: string) => {
    show('output')
    void run(sql, splitStatements(sql))
  }
  const isReplica = useAtomValue(isReplicaAtom)
  const held = useAtomValue(writesHeldAtom)(database ?? '')
  const refusal = isReplica ? replicaReason : (refusalFor(level, 'write') ?? held)
  const reason = database === null ? 'No database is open.' : refusal
  return (
    <>
      <div aria-label="Tables" className="sr-only" role="tree" />
      <EmptyState
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {database !== null && (
              <SchemaButton
                database={database}
                isMain
                label="Create a table"
                of={{ columns: [], indexes: [] }}
                privilege="CREATE"
                start={{ kind: 'create-table', table: '', columns: [] }}
              >
                Create a table
              </SchemaButton>
            )}
            <Button disabledReason={reason} onClick={() => setOpen(true)}>
              Add demo data
            </Button>
            <ScriptButton text="Bring a script" />
          </span>
        }
        icon={<TableIcon />}
        refusal={reason}
        text={
          hasTransactions
            ? 'Keys and documents are not tables and do not show here.'
            : 'Nothing was ever written to this database.'
        }
        title="No tables"
      />
      {isOpen && database !== null && (
        <DemoDialog database={database} onAdd={add} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
