import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { hexOf } from '~/lib/bytes'
import { exactSize, formatSize } from '~/lib/size'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatElapsed, formatMoment } from '~/lib/time'
import type { TimeZoneChoice } from '~/lib/time-zone'
import { toneOf } from '~/proof/verdict'
import type { AuditReport } from '~/trust/audit/audit-record'
import { isOddItself, tablesGapOf } from '~/trust/audit/earlier-audits'
import {
  type Standing,
  standingOf,
  verdictOfReport,
  verdictOnChain,
  writeAuditEvidence,
} from '~/trust/audit/report-verdict'
import { trustAtom } from '~/trust/trust'
import { Button } from '~/ui/Button'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { WarningIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { TxLink } from '~/ui/TxLink'
import { TxText } from '~/ui/TxText'
import { isOnItsWord } from '~/words/audit'
import { VerdictNote } from '../../proof/VerdictNote'
import { VerifyPageOffer } from '../../proof/VerifyPageOffer'
import { ExceptionList, Reasons } from './ExceptionList'
import { Section } from './Section'
import { CollectionList, OddTables, TableList } from './TableList'

/** What the last audit that ended found out; it is also what is printed. */
export function AuditReportView({ report }: { report: AuditReport }) {
  const { id, withValues } = report
  const write = useAct(writeAuditEvidence)
  return (
    <article aria-labelledby="report-title" className="grid grid-cols-1 gap-4">
      <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <h2 className="min-w-0 flex-1 break-words font-medium text-lg" id="report-title">
          Report: <SafeName text={id.database} />
        </h2>
        <div className="flex flex-wrap gap-2 print:hidden">
          <SaveButton
            details={technicalDetails}
            saved={<VerifyPageOffer />}
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
      {(withValues || report.tables) && <TableList report={report} />}
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
        {formatMoment(contact.at, zone)}, at <TxLink database={id.database} id={contact.txId} />
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
        <TxLink database={id.database} id={point.txId} />{' '}
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
        {readOf(report)} <TxText database={report.id.database} text={ledOf(report, standing)} />
      </p>
      <p className="text-sm">
        It does not say whether what was written is true, whether times are right, or what the
        server did before your first contact. This page comes from the server it audits: to be
        independent, open the console from elsewhere or compare the trusted state with someone
        else’s.
      </p>
    </Section>
  )
}

/** What was hashed, which is all that the rest follows from. */
function readOf({ withValues, exceptions, tables }: AuditReport): string {
  const isWhole = Object.keys(exceptions.counts).length === 0
  if (withValues && isWhole) {
    return 'This browser calculated the hash of each transaction from the content of its entries.'
  }
  if (withValues) {
    return 'This browser calculated the hash of each transaction, from the content of its entries where that was read. Of the rest it knows at most digests.'
  }
  const digests = isWhole
    ? 'the digests of its entries'
    : 'the digests of its entries that it was given'
  return `This browser calculated the hash of each transaction from ${digests}. It read no content${tables ? ' but definitions of tables' : ''}.`
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

/** What a report says, by what is known of the history now. */
function ReportVerdict({ report }: { report: AuditReport }) {
  const standing = standingOf(report, useAtomValue(trustAtom))
  const zone = useAtomValue(timezoneAtom)
  const all = { ...report.before?.exceptions.counts, ...report.exceptions.counts }
  const isWhole = !Object.keys(all).some(isOnItsWord)
  const { title, texts } = wordsOf(report, standing, zone)
  return (
    <VerdictNote title={title} tone={toneOf(verdictOfReport(report, standing))}>
      {[contentOf(report), ...texts, ...(isWhole ? [] : [unseen])].map((text) => (
        <p key={text}>
          <TxText database={report.id.database} text={text} />
        </p>
      ))}
    </VerdictNote>
  )
}

const unseen =
  'Some of their content was not seen, for reasons that only the server states. See below.'

/** How much of it was read, before anything else. */
function contentOf({ first, point, entries, withValues, counts, tables }: AuditReport): string {
  const transactions = counted(BigInt(point.txId) - BigInt(first) + 1n, 'transaction')
  if (!withValues) {
    const but = tables ? ' but definitions of tables' : ''
    return `${transactions}. No content was read${but}: entries are known by digest only.`
  }
  const read = `${transactions}, ${formatSize(counts.bytes)} of content read`
  const left = entries - counts.values
  if (left <= 0) return `${read}.`
  const size = counts.unseen ? ` (${formatSize(counts.unseen)} by the server’s word)` : ''
  return `${read}. ${counted(left, 'entry', 'entries')} known by digest only${size}.`
}

type Words = { title: string; texts: readonly string[] }

function wordsOf(report: AuditReport, standing: Standing, zone: TimeZoneChoice): Words {
  const { first, point, finishedAt } = report
  const [from, to] = [formatTx(first), formatTx(point.txId)]
  const ended = formatMoment(finishedAt, zone)
  const isProven = verdictOnChain(report, standing).verdict === 'verified'
  switch (standing.kind) {
    case 'newest':
    case 'behind':
      return isProven
        ? {
            title: `Every transaction from ${from} to ${to} is proven${shareOf(report)}`,
            texts: [
              ...earlierOf(report, zone),
              linkOf(report, standing),
              coverOf(report, standing, ended),
            ],
          }
        : {
            title: `Transactions ${from} to ${to} are consistent in themselves`,
            texts: [
              ...earlierOf(report, zone),
              ...unrecordedOf(report),
              coverOf(report, standing, ended),
            ],
          }
    case 'broken':
      return {
        title: 'This history is broken',
        texts: [
          `The audit ended on ${ended} with transactions ${from} to ${to}. On ${formatMoment(standing.broken.at, zone)} something was found wrong, so the report says nothing about what the server shows now.`,
        ],
      }
    case 'forgotten':
      return {
        title: 'The trusted state that this audit ended at was forgotten',
        texts: [
          `The audit ended on ${ended} with transactions ${from} to ${to}. It says nothing about the history that this browser follows now.`,
        ],
      }
    case 'unchecked':
      return {
        title: `Transactions ${from} to ${to} were audited on ${ended}`,
        texts: [
          `Whether the server still shows this history is not known. ${standing.why ?? 'It is being checked.'}`,
        ],
      }
  }
}

/** What of the transactions is not proven with its content. */
function shareOf({ withValues, exceptions }: AuditReport): string {
  if (!withValues) return ' by digest'
  return Object.keys(exceptions.counts).length > 0 ? ', not all with content' : ''
}

/** What this audit read, and what the ones before it had read: neither stands for the other. */
function earlierOf({ first, point, before }: AuditReport, zone: TimeZoneChoice): string[] {
  if (first === '1') return []
  const now = `Read now: transactions ${formatTx(first)} to ${formatTx(point.txId)}.`
  const upTo = formatTx(String(BigInt(first) - 1n))
  if (before?.first === undefined || before.endedAt === undefined) {
    return [`${now} What was read before them is not known any more.`]
  }
  const values = before.withValues ? '' : ', not all of them with their content'
  return [
    `${now} Transactions ${formatTx(before.first)} to ${upTo} were read by earlier audits; the last one ended on ${formatMoment(before.endedAt, zone)}${values}.`,
  ]
}

/** What is known without a record of what the history was before. */
function unrecordedOf(report: AuditReport): readonly string[] {
  const { first, keeping = 'kept' } = report
  const isKept = keeping === 'kept'
  const why = isKept
    ? 'This browser has compared nothing with that state since it recorded it'
    : 'This browser keeps nothing for this page'
  const link =
    first === '1'
      ? 'They lead, one after the other, to the trusted state.'
      : `They continue from transaction ${upTo(report)}, where the earlier audit ended, and lead to the trusted state.`
  return [
    link,
    `${why}, so they were compared with nothing that was recorded before. A history that was replaced as a whole would look the same.`,
  ]
}

function linkOf(report: AuditReport, { kind }: Standing): string {
  const end =
    kind === 'newest'
      ? 'the end is the trusted state of this browser'
      : 'the trusted state of this browser was proven to continue from there'
  if (report.first === '1') return `None is missing, inserted or changed, and ${end}.`
  return `They continue from transaction ${upTo(report)}, where the earlier audit ended, and ${end}.`
}

function coverOf({ point }: AuditReport, standing: Standing, ended: string): string {
  const covers = `This covers the history through transaction ${formatTx(point.txId)}, as of ${ended}.`
  if (standing.kind !== 'behind') return covers
  const since = BigInt(standing.newest) - BigInt(point.txId)
  return `${covers} The ${since === 1n ? 'transaction' : counted(since, 'transaction')} since then ${since === 1n ? 'is' : 'are'} not in it.`
}

/** Why someone should look into a report although the history is whole. */
function Oddities({ report }: { report: AuditReport }) {
  return oddWords(report).map((text) => (
    <p className="flex gap-2" key={text}>
      <span className="flex h-5 shrink-0 items-center text-warning">
        <WarningIcon />
      </span>
      {text}
    </p>
  ))
}

function oddWords(report: AuditReport): string[] {
  const gap = tablesGapOf(report)
  const isOdd = isOddItself(report)
  const words = [
    isOdd && 'Some content could not be read, or differs from what the server says. See below.',
    gap !== null &&
      gap !== 'unread' &&
      'The tables could not be compared with what the server says. See below.',
    report.before?.isOdd &&
      `The earlier audits, up to transaction ${upTo(report)}, found something to look into. This one did not check it again. See below.`,
  ]
  return words.filter((text) => typeof text === 'string')
}

/** What the earlier audits found, which this one continues. */
function BeforeList({ report }: { report: AuditReport }) {
  const { before } = report
  if (!before) return null
  const { isOdd, exceptions, tables } = before
  const hasExceptions = Object.keys(exceptions.counts).length > 0
  if (!isOdd && !hasExceptions) return null
  return (
    <Section title={`From earlier audits, up to transaction ${upTo(report)}`}>
      <p className="text-sm">
        Found then. An audit from the first transaction looks at all of it again.
      </p>
      {hasExceptions && <Reasons exceptions={exceptions} />}
      <OddTables tables={tables} />
      {isOdd && !hasExceptions && tables.length === 0 && (
        <p className="text-sm">
          The tables could not be compared with what the server said of them.
        </p>
      )}
    </Section>
  )
}

/** The last transaction that the earlier audits read. */
const upTo = ({ first }: AuditReport) => formatTx(String(BigInt(first) - 1n))
