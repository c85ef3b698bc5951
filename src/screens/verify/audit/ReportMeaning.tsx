import { useAtomValue } from 'jotai'
import type { AuditReport } from '~/atoms/audit/record'
import { verdictOnChain } from '~/atoms/audit/report-verdict'
import { type Standing, standingOf } from '~/atoms/audit/standing'
import { trustAtom } from '~/atoms/trust/trust'
import { formatTx } from '~/lib/text'
import { Section } from './Section'

/** What a report says and what it does not, by what was read and what is known of the history now. */
export function ReportMeaning({ report }: { report: AuditReport }) {
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
