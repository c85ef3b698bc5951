import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Database } from '~/api/databases'
import {
  checkWork,
  dismissWorkReport,
  type WorkKind,
  type WorkReport,
  workReportsAtom,
} from '~/atoms/databases/operations'
import { levelWordsAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { codePoints, isUnusualName } from '~/immudb/database-name'
import { exactSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { ErrorNote } from '~/ui/ErrorNote'
import { Fact } from '~/ui/Facts'
import { WarningIcon } from '~/ui/Icon'
import { Pane } from '~/ui/Pane'
import { ResultNote } from '~/ui/ResultNote'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { Tabs } from '~/ui/Tabs'
import { formatInstant } from './moments'
import { Operations } from './Operations'
import { SettingsTab } from './SettingsTab'
import { StateBadge } from './StateBadge'
import { formatPeriod } from './shown-setting'
import { UseButton } from './UseButton'

type Props = {
  name: string
  /** Undefined when there is no such database in the list. */
  database: Database | undefined
  onClose: () => void
}

/** One database: what it is, what can be done to it, how it is set. */
export function DatabasePanel({ name, database, onClose }: Props) {
  const report = useAtomValue(workReportsAtom).get(name)
  // The note above it says so.
  const isDeleted = report?.kind === 'delete' && report.status === 'done'
  return (
    <Pane
      close="Close the database"
      note={<ReportNote isDeleted={!database} name={name} />}
      onClose={onClose}
      title={
        <>
          <SafeName text={name} />
          {database && <StateBadge database={database} />}
        </>
      }
    >
      {database ? (
        <Known database={database} />
      ) : (
        !isDeleted && (
          <p className="p-4 text-muted">
            There is no database of this name that you have a permission on.
          </p>
        )
      )}
    </Pane>
  )
}

function Known({ database }: { database: Database }) {
  const [tab, setTab] = useState('operations')
  return (
    <>
      <div className="flex flex-col gap-3 p-4">
        <Warnings database={database} />
        <DatabaseFacts database={database} />
        <div>
          <UseButton database={database} />
        </div>
      </div>
      <Tabs
        label="About the database"
        onChange={setTab}
        tabs={[
          { id: 'operations', label: 'Operations', content: <Operations database={database} /> },
          {
            id: 'settings',
            label: 'Settings',
            // Fetched only when shown: the answer covers all databases.
            content: tab === 'settings' && <SettingsTab database={database} />,
          },
        ]}
        value={tab}
      />
    </>
  )
}

function Warnings({ database: { name, loaded } }: { database: Database }) {
  const isOpen = useAtomValue(databaseAtom) === name
  return (
    <>
      {!loaded && (
        <p className="flex gap-2 text-sm text-warning">
          <WarningIcon className="mt-0.5 shrink-0" />
          {isOpen
            ? 'This tab uses it, and it is unloaded: load it or use another database.'
            : 'It is unloaded: load it to use it. Its data is kept.'}
        </p>
      )}
      {isUnusualName(name) && (
        <p className="flex gap-2 text-sm text-warning">
          <WarningIcon className="mt-0.5 shrink-0" />
          <span>Its name has characters that can look like others: {codePoints(name)}.</span>
        </p>
      )}
    </>
  )
}

const unknown = 'not known'
const whileUnloaded = 'not known while it is unloaded'

/** What is known of a database from the list, so without another call. */
function DatabaseFacts({ database }: { database: Database }) {
  const { name, loaded, numTransactions, diskSize, createdAt, createdBy, retention } = database
  const level = useAtomValue(levelWordsAtom)(name)
  const zone = useAtomValue(timezoneAtom)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name="Transactions">
        {loaded ? formatTx(numTransactions) || unknown : whileUnloaded}
      </Fact>
      <Fact name="Size on disk">
        {!loaded ? whileUnloaded : diskSize === '' ? unknown : exactSize(Number(diskSize))}
      </Fact>
      <Fact name="Created">
        {diskSize === '' ? (
          unknown
        ) : createdAt === null ? (
          'with the server'
        ) : (
          <>
            {formatInstant(createdAt, zone)} by <SafeName text={createdBy || 'an unknown user'} />
          </>
        )}
      </Fact>
      <Fact name="Values are kept">
        {diskSize === '' ? unknown : retention === '0' ? 'for ever' : formatPeriod(retention)}
      </Fact>
      <Fact name="Your permission">{level}</Fact>
    </dl>
  )
}

const verbs: Record<WorkKind, string> = {
  load: 'Load',
  unload: 'Unload',
  flush: 'Flush',
  compact: 'Compact',
  truncate: 'Truncate',
  delete: 'Delete',
}

/** What became of the last thing done to the database. */
function ReportNote({ name, isDeleted }: { name: string; isDeleted: boolean }) {
  const report = useAtomValue(workReportsAtom).get(name)
  const dismiss = useAct(dismissWorkReport)
  if (!report) return null
  // Someone else may have created one of the same name since.
  if (report.kind === 'delete' && report.status === 'done' && !isDeleted) return null
  return (
    <div className="border-line border-b px-4 py-3">
      {report.status === 'done' || report.status === 'usual' ? (
        <ResultNote isDone={report.status === 'done'} onClose={() => dismiss(name)}>
          <Sentence text={report.text} />
        </ResultNote>
      ) : (
        <Failed name={name} report={report} />
      )}
    </div>
  )
}

function Failed({ name, report }: { name: string; report: WorkReport }) {
  const check = useAct(checkWork)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    await check(name)
    setBusy(false)
  }
  const isUnknown = report.status === 'unknown'
  return (
    <>
      <ErrorNote
        busy={isBusy}
        retryLabel="Check now"
        title={`${verbs[report.kind]}: ${report.text}`}
        {...(report.details === null ? {} : { details: report.details })}
        {...(isUnknown
          ? { onRetry: () => void look(), advice: report.advice }
          : { notDone: 'Nothing was changed.' })}
      />
      {report.finding && (
        <p className="pt-2 text-sm" role="status">
          <SafeText text={report.finding} />
        </p>
      )}
    </>
  )
}
