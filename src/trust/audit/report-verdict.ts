import type { Io } from '~/core/act'
import { formatTx } from '~/lib/text'
import { factsAlone } from '~/proof/shown'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { writeEvidenceFile } from '../evidence-file'
import { verifyInWorker } from '../proof-worker'
import type { Trust } from '../trust'
import { type Break, isCompared, isSameContact, type TrustRecord } from '../trust-record'
import type { Verification } from '../verification'
import type { AuditReport } from './audit-record'
import { isOddReport } from './earlier-audits'

/** What is now known of the history that an audit report is about. */
export type Standing =
  /** It ends at the trusted state; `isRecorded` once that was recorded and compared again. */
  | { kind: 'newest'; isRecorded: boolean }
  /** The trusted state has advanced since; the report does not cover the newer transactions. */
  | { kind: 'behind'; newest: string; isRecorded: boolean }
  /** The history is broken. */
  | { kind: 'broken'; broken: Break }
  /** The trusted state that it ended at was forgotten. */
  | { kind: 'forgotten' }
  /** The trusted state was not checked yet in this page. */
  | { kind: 'unchecked'; why: string | null }

/** Compares a report with what is known of its history. */
export function standingOf(report: AuditReport, trust: Trust): Standing {
  if (trust.kind === 'broken') return { kind: 'broken', broken: trust.broken }
  const record = 'record' in trust ? trust.record : null
  if (!record) return { kind: 'unchecked', why: 'why' in trust ? trust.why : null }
  if (!isAbout(report, record)) return { kind: 'forgotten' }
  const { txId } = record.point
  // At first contact, there is no earlier record to compare with.
  const isSeenAgain = trust.kind !== 'first' || isCompared(record) || record.provenAt > 0
  const isRecorded = (report.keeping ?? 'kept') === 'kept' && isSeenAgain
  if (txId === report.point.txId) return { kind: 'newest', isRecorded }
  return { kind: 'behind', newest: txId, isRecorded }
}

function isAbout({ contact, point }: AuditReport, record: TrustRecord): boolean {
  const isSame = isSameContact({ ...record, firstContact: contact }, record)
  const [ours, theirs] = [record.point, point]
  const isLater = BigInt(ours.txId) > BigInt(theirs.txId)
  return isSame && (isLater || (ours.txId === theirs.txId && ours.txHash === theirs.txHash))
}

/** The verdict on an audit report, by what is now known of the history. */
export function verdictOfReport(report: AuditReport, standing: Standing): Judged {
  return verdictOf({
    proof: 'holds',
    ...basisOf(report, standing),
    // The report is what the audit itself counted.
    shown: [],
    isOdd: isOddReport(report),
    // A digest alone says nothing about what was written.
    open: isRead(report) ? [] : ['report'],
  })
}

/** The same for its transactions alone. Their digests prove them even without their content. */
export function verdictOnChain(report: AuditReport, standing: Standing): Judged {
  return verdictOf({
    proof: 'holds',
    ...basisOf(report, standing),
    shown: [],
    isOdd: false,
    open: [],
  })
}

function basisOf({ keeping }: AuditReport, standing: Standing): Pick<Known, 'ground' | 'history'> {
  switch (standing.kind) {
    case 'newest':
    case 'behind':
      return { history: 'followed', ground: standing.isRecorded ? 'recorded' : unrecorded(keeping) }
    case 'broken':
    case 'forgotten':
      return { history: standing.kind, ground: 'recorded' }
    case 'unchecked':
      return { history: 'followed', ground: 'stale' }
  }
}

const unrecorded = (keeping: AuditReport['keeping']) => (keeping === 'memory' ? 'memory' : 'first')

/** Whether all content was read, also by the audits that this one continued from. */
function isRead({ first, withValues, exceptions, before }: AuditReport): boolean {
  const counts = { ...before?.exceptions.counts, ...exceptions.counts }
  const isAllKnown = first === '1' || before?.isWhole === true
  return (
    isAllKnown && withValues && Object.keys(counts).length === 0 && before?.withValues !== false
  )
}

/**
 * The report of an audit as an evidence file. Without the server only the last transaction can be
 * checked again: it must lead from the walk before it to the trusted state.
 */
export async function writeAuditEvidence(io: Io, report: AuditReport) {
  const { end, ...said } = report
  return writeEvidenceFile(io, await verificationOf(report), said)
}

async function verificationOf(report: AuditReport) {
  const { id, point, first, end, finishedAt, contact, keeping = 'kept' } = report
  const { database, server } = id
  const basis = { contact, keeping }
  const what = `the audit of transactions ${formatTx(first)} to ${formatTx(point.txId)}`
  const context = { db: database, trusted: point, publicKey: null }
  const about = { database, server, what, context, basis, shown: factsAlone, at: finishedAt }
  const request = { initialTx: point.txId, limit: 1, ...(end ? { after: end.after } : {}) }
  if (!end) {
    const why =
      'The report does not include the last transaction. It has too many entries, or the audit was paused after reading it.'
    const outcome = { kind: 'unproven', why } as const
    const none: Verification = { ...about, kind: 'none', request, response: null, outcome }
    return none
  }
  const response = { txs: [end.tx] }
  const verified = await verifyInWorker('audit', context, request, response)
  const outcome = { kind: 'ok', verified } as const
  const proven: Verification = { ...about, kind: 'audit', request, response, outcome }
  return proven
}
