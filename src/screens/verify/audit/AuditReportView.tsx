import { useAtomValue, useSetAtom } from 'jotai'
import { auditEvidenceAtom } from '~/atoms/audit/evidence'
import type { AuditReport } from '~/atoms/audit/record'
import { technicalDetails } from '~/atoms/failure'
import { hexOf } from '~/atoms/trust/record'
import { timezoneAtom } from '~/atoms/view'
import { exactSize } from '~/lib/size'
import { counted, formatCount, formatElapsed, formatMoment, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Hash } from '~/ui/Hash'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { Fact } from '../Fact'
import { BeforeList } from './BeforeList'
import { CollectionList } from './CollectionList'
import { ExceptionList } from './ExceptionList'
import { Oddities } from './Oddities'
import { ReportMeaning } from './ReportMeaning'
import { ReportVerdict } from './ReportVerdict'
import { TableList } from './TableList'

/** What the last audit that ended found out; it is also what is printed. */
export function AuditReportView({ report }: { report: AuditReport }) {
  const { id, withValues } = report
  const write = useSetAtom(auditEvidenceAtom)
  return (
    <article aria-labelledby="report-title" className="grid grid-cols-1 gap-4">
      <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <h2 className="min-w-0 flex-1 break-words font-medium text-lg" id="report-title">
          Report: <SafeName text={id.database} />
        </h2>
        <div className="flex flex-wrap gap-2 print:hidden">
          <SaveButton
            details={technicalDetails}
            text="Save report"
            what="The report"
            write={async () => [await write(report)]}
          />
          <Button onClick={() => window.print()}>Print</Button>
        </div>
      </header>
      <ReportVerdict report={report} />
      <Oddities report={report} />
      <Facts report={report} />
      <ExceptionList exceptions={report.exceptions} withValues={withValues} />
      {withValues && <TableList report={report} />}
      <CollectionList report={report} />
      <BeforeList report={report} />
      <ReportMeaning report={report} />
    </article>
  )
}

function Facts({ report }: { report: AuditReport }) {
  const { id, contact, first, point, entries, counts, withValues, active, finishedAt } = report
  const zone = useAtomValue(timezoneAtom)
  const transactions = BigInt(point.txId) - BigInt(first) + 1n
  const rate = Number(transactions) / Math.max(active / 1_000, 0.001)
  return (
    <dl className="grid gap-1.5">
      <Fact name="Server">
        <SafeText text={id.server || 'did not say its name'} /> at <SafeText text={id.origin} />
      </Fact>
      <Fact name="Followed since">
        {formatMoment(contact.at, zone)}, at tx {formatTx(contact.txId)}
      </Fact>
      <Fact name="Ended">{formatMoment(finishedAt, zone)}</Fact>
      <Fact name="Transactions">{formatCount(transactions)}</Fact>
      <Fact name="Entries">{formatCount(entries)}</Fact>
      {withValues ? (
        <Fact name="Values read">
          {formatCount(counts.values)}, {exactSize(counts.bytes)}
          {counts.documents > 0 && `, among them ${counted(counts.documents, 'document')}`}
        </Fact>
      ) : (
        <Fact name="Values">
          not read: digests only
          {Object.keys(report.exceptions.counts).length > 0 && ', and not all of those, see below'}
        </Fact>
      )}
      <Fact name="Ends at">
        tx {formatTx(point.txId)}{' '}
        <Hash hash={hexOf(point.txHash)} what="hash of the trusted state" />
      </Fact>
      <Fact name="Work">
        {formatElapsed(active)}, {formatCount(Math.round(rate))} transactions/s
      </Fact>
    </dl>
  )
}
