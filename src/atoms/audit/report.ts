import { atom } from 'jotai'
import { formatTx } from '~/lib/text'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { evidenceFileAtom } from '../trust/evidence-file'
import { verifyInWorker } from '../trust/proof-worker'
import { type Break, isCompared, isSameContact, type TrustRecord } from '../trust/record'
import type { Trust } from '../trust/trust'
import type { Verification } from '../trust/verification'
import { isOddReport } from './earlier-audits'
import type { AuditReport } from './record'

/** What the report of an audit is worth by what is known of the history by now. */
export type Standing =
  /** It ends at the trusted state; `isRecorded` once that was recorded and compared since. */
  | { kind: 'newest'; isRecorded: boolean }
  /** The trusted state moved on from where it ends, which the report says nothing about. */
  | { kind: 'behind'; newest: string; isRecorded: boolean }
  /** The history is not what it was. */
  | { kind: 'broken'; broken: Break }
  /** The trusted state that it ended at was forgotten. */
  | { kind: 'forgotten' }
  /** The trusted state was not checked yet in this page. */
  | { kind: 'unchecked'; why: string | null }

/** Holds a report against what is known of the history that it is about. */
export function standingOf(report: AuditReport, trust: Trust): Standing {
  if (trust.kind === 'broken') return { kind: 'broken', broken: trust.broken }
  const record = 'record' in trust ? trust.record : null
  if (!record) return { kind: 'unchecked', why: 'why' in trust ? trust.why : null }
  if (!isAbout(report, record)) return { kind: 'forgotten' }
  const { txId } = record.point
  // Of a first contact nothing recorded before was compared with what the server shows.
  const isSeenAgain = trust.kind !== 'first' || isCompared(record)
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

/** The verdict on the report of an audit by what is known of the history now. */
export function verdictOfReport(report: AuditReport, standing: Standing): Judged {
  return verdictOf({
    proof: 'holds',
    ...basisOf(report, standing),
    content: isOddReport(report) ? 'odd' : 'same',
    // A digest alone says nothing about what was written.
    open: isRead(report) ? [] : ['content'],
  })
}

/** The same of its transactions alone, which are proven by their digests, whatever they hold. */
export function verdictOnChain(report: AuditReport, standing: Standing): Judged {
  return verdictOf({ proof: 'holds', ...basisOf(report, standing), content: 'same', open: [] })
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

/** Whether all content was read, also by the audits that this one went on from. */
function isRead({ first, withValues, exceptions, before }: AuditReport): boolean {
  const counts = { ...before?.exceptions.counts, ...exceptions.counts }
  const isAllKnown = first === '1' || before?.isWhole === true
  return (
    isAllKnown && withValues && Object.keys(counts).length === 0 && before?.withValues !== false
  )
}

/**
 * The report of an audit as a file of evidence: what can be checked again without the server is the
 * last transaction, which must lead from where the walk was to the trusted state.
 */
export const auditEvidenceAtom = atom(null, async (_get, set, report: AuditReport) => {
  const { end, ...said } = report
  return set(evidenceFileAtom, await verificationOf(report), said)
})

async function verificationOf(report: AuditReport) {
  const { id, point, first, end, finishedAt, contact, keeping = 'kept' } = report
  const { database, server } = id
  const basis = { contact, keeping }
  const what = `the audit of transactions ${formatTx(first)} to ${formatTx(point.txId)}`
  const context = { db: database, trusted: point, publicKey: null }
  const about = { database, server, what, context, basis, at: finishedAt }
  const request = { initialTx: point.txId, limit: 1, ...(end ? { after: end.after } : {}) }
  if (!end) {
    const why =
      'The last transaction is not kept with the report: it has too many entries, or the audit rested after it had been read.'
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
