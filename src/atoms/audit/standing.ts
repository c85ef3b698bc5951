import { type Break, isCompared, isSameContact, type TrustRecord } from '../trust/record'
import type { Trust } from '../trust/trust'
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
