import { useAtomValue } from 'jotai'
import { isOddItself, tablesGapOf } from '~/atoms/audit/earlier-audits'
import type { AuditReport } from '~/atoms/audit/record'
import { verdictOfReport, verdictOnChain } from '~/atoms/audit/report-verdict'
import { type Standing, standingOf } from '~/atoms/audit/standing'
import { timezoneAtom } from '~/atoms/settings/view'
import { trustAtom } from '~/atoms/trust/trust'
import { formatSize } from '~/lib/size'
import { counted, formatMoment, formatTx, type TimeZoneChoice } from '~/lib/text'
import { toneOf } from '~/proof/verdict'
import { WarningIcon } from '~/ui/Icon'
import { isOnItsWord } from '~/words/audit'
import { VerdictNote } from '../../proof/VerdictNote'
import { upTo } from './BeforeList'

/** What a report says, by what is known of the history now. */
export function ReportVerdict({ report }: { report: AuditReport }) {
  const standing = standingOf(report, useAtomValue(trustAtom))
  const zone = useAtomValue(timezoneAtom)
  const all = { ...report.before?.exceptions.counts, ...report.exceptions.counts }
  const isWhole = !Object.keys(all).some(isOnItsWord)
  const { title, texts } = wordsOf(report, standing, zone)
  return (
    <VerdictNote title={title} tone={toneOf(verdictOfReport(report, standing))}>
      {[contentOf(report), ...texts, ...(isWhole ? [] : [unseen])].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </VerdictNote>
  )
}

const unseen =
  'Some of what they hold was not seen, for reasons that are only the word of the server. See below.'

/** How much of it was read, before anything else. */
function contentOf({ first, point, entries, withValues, counts }: AuditReport): string {
  const transactions = counted(BigInt(point.txId) - BigInt(first) + 1n, 'transaction')
  if (!withValues) return `${transactions}. No content was read: entries are known by digest only.`
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
    `${now} Transactions ${formatTx(before.first)} to ${upTo} were read by earlier audits, the last of which ended on ${formatMoment(before.endedAt, zone)}${values}.`,
  ]
}

/** What is known without a record of what the history was before. */
function unrecordedOf(report: AuditReport): readonly string[] {
  const { first, keeping = 'kept' } = report
  const isKept = keeping === 'kept'
  const why = isKept
    ? 'This browser has compared nothing with that state since it has it'
    : 'This browser keeps nothing for this page'
  const link =
    first === '1'
      ? 'They lead, one after the other, to the trusted state.'
      : `They go on from transaction ${upTo(report)}, where the earlier audit ended, and lead to the trusted state.`
  return [
    link,
    `${why}, so they were compared with nothing that was recorded before: a history that was replaced as a whole would look the same.`,
  ]
}

function linkOf(report: AuditReport, { kind }: Standing): string {
  const end =
    kind === 'newest'
      ? 'the end is the trusted state of this browser'
      : 'the trusted state of this browser was proven to continue from there'
  if (report.first === '1') return `None is missing, inserted or changed, and ${end}.`
  return `They go on from transaction ${upTo(report)}, where the earlier audit ended, and ${end}.`
}

function coverOf({ point }: AuditReport, standing: Standing, ended: string): string {
  const covers = `This covers the history through transaction ${formatTx(point.txId)}, as of ${ended}.`
  if (standing.kind !== 'behind') return covers
  const since = BigInt(standing.newest) - BigInt(point.txId)
  return `${covers} The ${since === 1n ? 'transaction' : counted(since, 'transaction')} since then ${since === 1n ? 'is' : 'are'} not in it.`
}

/** Why somebody should look into a report although the history is whole. */
export function Oddities({ report }: { report: AuditReport }) {
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
    isOdd &&
      'Not everything that belongs to these transactions could be read, or agrees with what the server says of it. See below.',
    gap !== null &&
      gap !== 'unread' &&
      'The tables could not be compared with what the server says of them. See below.',
    report.before?.isOdd &&
      `The audits that this one goes on from, up to transaction ${upTo(report)}, left something to be looked into, which this one did not look at again. See below.`,
  ]
  return words.filter((text) => typeof text === 'string')
}
