import { useAtomValue } from 'jotai'
import { technicalDetails } from '~/core/session/failure-words'
import { reportedVersionAtom } from '~/core/session/server-version'
import { databaseAtom } from '~/core/session/session'
import { visibleText } from '~/lib/visible-text'
import { LimitsLink } from '~/ui/LimitsLink'
import { SafeName } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { AttentionList } from './AttentionList'
import { Charts } from './Charts'
import { Counters } from './Counters'
import { RecentTransactions } from './RecentTransactions'
import { SecurityCheck } from './SecurityCheck'
import { StateCard } from './StateCard'
import { TrustCard } from './TrustCard'

/** Where the server and the open database stand, what to look after, and how they move. */
export default function OverviewScreen() {
  return (
    <div className="mx-auto grid max-w-[1440px] grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-6">
      <Heading />
      <SectionBoundary details={technicalDetails} what="The counters">
        <Counters />
      </SectionBoundary>
      <SectionBoundary details={technicalDetails} what="The list of what needs attention">
        <AttentionList />
      </SectionBoundary>
      <div className="grid gap-4 ui:grid-cols-2">
        <SectionBoundary details={technicalDetails} what="The verified history">
          <TrustCard />
        </SectionBoundary>
        <SectionBoundary details={technicalDetails} what="The state">
          <StateCard />
        </SectionBoundary>
      </div>
      <SectionBoundary details={technicalDetails} what="The recent transactions">
        <RecentTransactions />
      </SectionBoundary>
      <SectionBoundary details={technicalDetails} what="The charts">
        <Charts />
      </SectionBoundary>
      <SectionBoundary details={technicalDetails} what="The security check-up">
        <SecurityCheck />
      </SectionBoundary>
    </div>
  )
}

function Heading() {
  const database = useAtomValue(databaseAtom)
  const version = useAtomValue(reportedVersionAtom)
  return (
    <header>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-medium text-xl">Overview</h1>
        <LimitsLink limit="all">Limits of this server</LimitsLink>
      </div>
      <p className="mt-0.5 text-muted [overflow-wrap:anywhere] text-sm">
        {database === null ? 'No database' : <SafeName text={database} />} on immudb
        {version === '-' || version === ''
          ? ', which reports no version'
          : ` ${visibleText(version)}`}
      </p>
    </header>
  )
}
