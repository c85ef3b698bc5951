import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { technicalDetails } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { healthAtom } from '~/atoms/start'
import { Boundary } from '~/ui/Boundary'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
import { AttentionList } from './AttentionList'
import { Charts } from './Charts'
import { Counters } from './Counters'
import { RecentTransactions } from './RecentTransactions'
import { SecurityCheck } from './SecurityCheck'
import { StateCard } from './StateCard'

/** Where the server and the open database stand, what to look after, and how they move. */
export default function OverviewScreen() {
  return (
    <div className="mx-auto grid max-w-[1440px] gap-4 p-4 sm:p-6">
      <Heading />
      <Part what="The counters">
        <Counters />
      </Part>
      <div className="grid items-stretch gap-4 ui:grid-cols-2">
        <Part what="The state">
          <StateCard />
        </Part>
        <Part what="The list of what needs attention">
          <AttentionList />
        </Part>
      </div>
      <Part what="The charts">
        <Charts />
      </Part>
      <div className="grid items-start gap-4 ui:grid-cols-2">
        <Part what="The recent transactions">
          <RecentTransactions />
        </Part>
        <Part what="The security check-up">
          <SecurityCheck />
        </Part>
      </div>
    </div>
  )
}

function Heading() {
  const database = useAtomValue(databaseAtom)
  const version = useAtomValue(healthAtom)?.version ?? '-'
  return (
    <header>
      <h1 className="font-medium text-xl">Overview</h1>
      <p className="mt-0.5 text-muted text-sm">
        {database === null ? 'No database' : <SafeText text={database} />} on immudb
        {version === '-' || version === '' ? ', which tells no version' : ` ${version}`}. Everything
        here is as reported by the server.
      </p>
    </header>
  )
}

/** Each part fails for itself. */
function Part({ what, children }: { what: string; children: ReactNode }) {
  const failed = (error: unknown, retry: () => void) => (
    <ErrorNote
      details={technicalDetails(error)}
      notDone="Nothing on the server was changed."
      onRetry={retry}
      title={`${what} could not be shown.`}
    />
  )
  return <Boundary fallback={failed}>{children}</Boundary>
}
