import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { defaultFrom, MomentError, resolvedAtom } from '~/atoms/compare/moments'
import { lastVisitAtom } from '~/core/history/last-visit'
import { stateAtom } from '~/core/history/newest-state'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { CompareIcon, DatabaseIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { Tabs } from '~/ui/Tabs'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { useOneColumn } from '~/ui/use-narrow'
import { AsOfButton, AsOfStrip } from '../moments/AsOf'
import { compareTabs, useCompareAddress } from './address'
import { type Looked, Moments } from './Moments'
import { SchemaTab } from './SchemaTab'
import { TablesTab } from './TablesTab'
import { DocumentsTab, KeysTab } from './ValuesTab'

/** What changed in a database between two moments. */
export default function CompareScreen() {
  const database = useAtomValue(databaseAtom)
  return (
    <div className="flex h-full min-h-0 flex-col overflow-auto">
      <AsOfStrip />
      <div className="flex flex-wrap items-center gap-3 px-4 pt-4">
        <h1 className="me-auto font-medium text-xl">Compare</h1>
        {database !== null && <AsOfButton />}
      </div>
      {database === null ? (
        <EmptyState
          icon={<DatabaseIcon />}
          text="Choose one at the top to compare two of its moments."
          title="No database is open"
        />
      ) : (
        <OfDatabase database={database} key={database} />
      )}
    </div>
  )
}

function OfDatabase({ database }: { database: string }) {
  const state = useAtomValue(stateAtom)
  const { data } = state
  // What arrives while someone reads the differences does not move their end.
  const [end, setEnd] = useState<string>()
  if (data && end === undefined) setEnd(data.txId)
  if (end === undefined) {
    return (
      <div className="p-4">
        <Unanswered asked={state} lines={4} words={failureWords} />
      </div>
    )
  }
  if (data?.txId === '0') {
    return (
      <EmptyState
        action={
          <Link className="text-primary underline" to={pathTo('query')}>
            Open Query
          </Link>
        }
        icon={<CompareIcon />}
        text="Nothing was ever written to this database, so it has no two moments."
        title="No transactions"
      />
    )
  }
  return <Between database={database} end={end} onNow={() => setEnd(data?.txId ?? end)} />
}

function useMoment(database: string, text: string): Looked & { retry: () => void } {
  const { data, error, refetch } = useAtomValue(useAtomValue(resolvedAtom)(database, text))
  return { text, found: data ?? null, problem: error, retry: () => void refetch() }
}

function Between({ database, end, onNow }: { database: string; end: string; onNow: () => void }) {
  const address = useCompareAddress()
  const visit = useAtomValue(lastVisitAtom)
  // A new visit that begins while someone reads the differences does not move their beginning.
  const [lastVisit] = useState(visit?.tx ?? null)
  const to = useMoment(database, address.to || `tx:${end}`)
  const usual = to.found ? defaultFrom(to.found.tx, lastVisit) : ''
  const from = useMoment(database, address.from || usual)
  return (
    <>
      <Moments
        from={from}
        isSettled={isSettled(from, to)}
        lastVisit={lastVisit}
        onChange={address.change}
        onNow={onNow}
        to={to}
      />
      <Outcome database={database} from={from} to={to} />
    </>
  )
}

/** Whether the moments can be compared, as far as they are known. */
function isSettled(from: Looked, to: Looked): boolean {
  if (from.problem || to.problem) return false
  return !from.found || !to.found || BigInt(from.found.tx) < BigInt(to.found.tx)
}

type OutcomeProps = {
  database: string
  from: Looked & { retry: () => void }
  to: Looked & { retry: () => void }
}

function Outcome({ database, from, to }: OutcomeProps) {
  for (const { problem, retry } of [to, from]) {
    if (!problem) continue
    const isOurs = problem instanceof MomentError
    return (
      <Note>
        <ErrorNote
          {...(isOurs ? {} : { details: technicalDetails(problem), onRetry: retry })}
          advice={
            <>
              {isOurs && problem.newest !== undefined && (
                <>
                  The newest is <TxLink database={database} id={problem.newest} />.{' '}
                </>
              )}
              Choose another moment above.
            </>
          }
          notDone="Nothing was compared."
          title={isOurs ? problem.message : sentence(problem)}
        />
      </Note>
    )
  }
  if (!from.found || !to.found) {
    return (
      <Note>
        <Skeleton lines={4} />
      </Note>
    )
  }
  const [first, last] = [BigInt(from.found.tx), BigInt(to.found.tx)]
  if (first > last) {
    return (
      <Note>
        <ErrorNote
          advice="Choose “Swap” above, or another moment."
          notDone="Nothing was compared."
          title={`The first moment, tx ${formatTx(from.found.tx)}, is after the second, tx ${formatTx(to.found.tx)}.`}
        />
      </Note>
    )
  }
  if (first === last) {
    return (
      <EmptyState
        icon={<CompareIcon />}
        text="Choose an earlier or a later one above."
        title={`Both moments are ${last === 0n ? 'before the first transaction' : `tx ${formatTx(to.found.tx)}`}, so nothing differs`}
      />
    )
  }
  return <Differing from={from.found.tx} to={to.found.tx} />
}

function Note({ children }: { children: ReactNode }) {
  return <div className="p-4">{children}</div>
}

const labels = { tables: 'Tables', keys: 'Keys', documents: 'Documents', schema: 'Schema' }

function Differing({ from, to }: { from: string; to: string }) {
  const isOneColumn = useOneColumn()
  const { database, tab, change } = useCompareAddress()
  const ends = { from, to }
  const contents = {
    tables: <TablesTab {...ends} />,
    keys: <KeysTab {...ends} />,
    documents: <DocumentsTab {...ends} />,
    schema: <SchemaTab {...ends} />,
  }
  return (
    <div className={isOneColumn ? undefined : 'min-h-0 flex-1'}>
      <Tabs
        fill={!isOneColumn}
        label="What to compare"
        onChange={(id) => change({ tab: id === 'tables' ? undefined : id }, { replace: true })}
        tabs={compareTabs.map((id) => ({
          id,
          label: labels[id],
          content: id === tab && (
            <SectionBoundary
              details={technicalDetails}
              resetKey={`${database} ${from} ${to} ${id}`}
              what="The comparison"
            >
              {contents[id]}
            </SectionBoundary>
          ),
        }))}
        value={tab}
      />
    </div>
  )
}
