import type { OpenedEvidence, Rechecked } from '~/proof/check-evidence'
import type { TrustedState } from '~/proof/context'
import { isSameSchema } from '~/proof/schema'
import { readRangeOf } from '../audit/kept'
import type { StoreAccess } from '../storage/store-access'
import { type OwnState, recordsOf } from './own-state'
import { isDescribedAt, noSpans, recordedStates, type TrustRecord } from './record'

type Opened = Exclude<OpenedEvidence, { error: string }>

/**
 * Whether this browser itself knows from the history that a table or collection was what a file
 * calls it, in the recorded state that vouches for the file. A file of another history is not
 * described by ours, whatever its transactions are numbered.
 */
export async function isDescribedIn(
  io: StoreAccess,
  { evidence, rechecked }: Pick<Opened, 'evidence' | 'rechecked'>,
  own: OwnState,
  records: readonly TrustRecord[],
): Promise<boolean> {
  const { described, outcome } = rechecked
  if (!described || outcome.kind !== 'ok' || own.kind !== 'same') return false
  // The content is never newer than this. Nor is what vouches, which may be the content alone: a
  // number that nobody here recorded must not help, so both are asked about.
  const newest = outcome.verified.next?.txId ?? own.txId
  for (const record of recordsOf(evidence, records)) {
    const span = hasState(record, own) && spanOf(described, record)
    if (!span) continue
    const read = await readRangeOf(io, record).catch(() => null)
    if ([own.txId, newest].every((txId) => isDescribedAt(span, txId, read))) return true
  }
  return false
}

/** What another record describes may be of another history. */
const hasState = (record: TrustRecord, { txId, txHash }: TrustedState) =>
  recordedStates(record).some((one) => one.txId === txId && one.txHash === txHash)

/** When the history describes it so; undefined where it is pinned as something else. */
function spanOf(described: NonNullable<Rechecked['described']>, record: TrustRecord) {
  const { schemas, collections, spans = noSpans } = record
  if (described.kind === 'collection') {
    const { name, number } = described
    return collections.get(name) === number ? spans.collections.get(name) : undefined
  }
  const { table } = described.schema
  const pinned = schemas.get(table)
  return pinned && isSameSchema(described.schema, pinned) ? spans.tables.get(table) : undefined
}
