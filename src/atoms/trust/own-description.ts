import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import { isSameSchema } from '~/proof/schema'
import { readRangeOf } from '../audit/kept'
import type { Io } from '../io'
import { recordsOf } from './own-point'
import { isDescribedAt, noSpans, type TrustRecord } from './record'

/**
 * Whether this browser itself knows from the history that a table or collection was what a file
 * calls it, in the state that the file brings.
 */
export async function isDescribedIn(
  io: Io,
  evidence: EvidenceFile,
  { described }: Rechecked,
  records: readonly TrustRecord[],
): Promise<boolean> {
  const txId = evidence.context.trusted?.txId
  if (!described || txId === undefined) return false
  for (const record of recordsOf(evidence, records)) {
    const span = spanOf(described, record)
    if (!span) continue
    const read = await readRangeOf(io, record).catch(() => null)
    if (isDescribedAt(span, txId, read)) return true
  }
  return false
}

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
