import { useAtomValue, useSetAtom } from 'jotai'
import { auditEvidenceAtom } from '~/atoms/audit/evidence'
import type { AuditReport } from '~/atoms/audit/record'
import { verdictOnChain } from '~/atoms/audit/report-verdict'
import { type Standing, standingOf } from '~/atoms/audit/standing'
import { timezoneAtom } from '~/atoms/settings/view'
import { technicalDetails } from '~/atoms/storage/failure'
import { hexOf } from '~/atoms/trust/record'
import { trustAtom } from '~/atoms/trust/trust'
import { exactSize } from '~/lib/size'
import { counted, formatCount, formatElapsed, formatMoment, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { BeforeList } from './BeforeList'
import { ExceptionList } from './ExceptionList'
import { Oddities, ReportVerdict } from './ReportVerdict'
import { Section } from './Section'
import { CollectionList, TableList } from './TableList'

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
      <FactLine name="Server">
        <SafeText text={id.server || 'did not say its name'} /> at <SafeText text={id.origin} />
      </FactLine>
      <FactLine name="Followed since">
        {formatMoment(contact.at, zone)}, at tx {formatTx(contact.txId)}
      </FactLine>
      <FactLine name="Ended">{formatMoment(finishedAt, zone)}</FactLine>
      <FactLine name="Transactions">{formatCount(transactions)}</FactLine>
      <FactLine name="Entries">{formatCount(entries)}</FactLine>
      {withValues ? (
        <FactLine name="Values read">
          {formatCount(counts.values)}, {exactSize(counts.bytes)}
          {counts.documents > 0 && `, among them ${counted(counts.documents, 'document')}`}
        </FactLine>
      ) : (
        <FactLine name="Values">
          not read: digests only
          {Object.keys(report.exceptions.counts).length > 0 && ', and not all of those, see below'}
        </FactLine>
      )}
      <FactLine name="Ends at">
        tx {formatTx(point.txId)}{' '}
        <Hash hash={hexOf(point.txHash)} what="hash of the trusted state" />
      </FactLine>
      <FactLine name="Work">
        {formatElapsed(active)}, {formatCount(Math.round(rate))} transactions/s
      </FactLine>
    </dl>
  )
}

/** What a report says and what it does not, by what was read and what is known of the history now. */
function ReportMeaning({ report }: { report: AuditReport }) {
  const standing = standingOf(report, useAtomValue(trustAtom))
  return (
    <Section title="What this says, and what it does not">
      <p className="text-sm">
        {readOf(report)} {ledOf(report, standing)}
      </p>
      <p className="text-sm">
        No audit can tell whether what was written is true, whether the times are right, or whether
        the server was honest before this browser had a trusted state of it. This page comes from
        the server that it audits: to be independent of it, open the console from elsewhere or
        compare the trusted state with someone else’s.
      </p>
    </Section>
  )
}

/** What was hashed, which is all that the rest follows from. */
function readOf({ withValues, exceptions }: AuditReport): string {
  const isWhole = Object.keys(exceptions.counts).length === 0
  if (withValues && isWhole) {
    return 'This browser calculated the hash of each transaction from the content of its entries.'
  }
  if (withValues) {
    return 'This browser calculated the hash of each transaction, from the content of its entries where that was read. Of the rest it knows at most the digests, and nothing about the content.'
  }
  const digests = isWhole ? 'the digests of its entries' : 'the digests of its entries it was given'
  return `This browser calculated the hash of each transaction from ${digests}. It read no content.`
}

/** Where the transactions lead, and what that is worth now. */
function ledOf(report: AuditReport, standing: Standing): string {
  const end = `tx ${formatTx(report.point.txId)}`
  switch (standing.kind) {
    case 'newest':
    case 'behind':
      return verdictOnChain(report, standing).verdict === 'verified'
        ? `They lead to ${end}, a state that this browser recorded: they are as they were committed in that history.`
        : `They lead to ${end}, a state that was compared with nothing: they fit each other, and no more is known.`
    case 'broken':
      return `They led to ${end}. The history is broken now, so this report proves nothing until the alarm ends.`
    case 'forgotten':
      return `They led to ${end}. That state was forgotten, so this report proves nothing about the history that this browser follows now.`
    case 'unchecked':
      return `They led to ${end}. Whether that still belongs to the trusted history was not checked yet.`
  }
}
