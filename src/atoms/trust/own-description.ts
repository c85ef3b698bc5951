import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import { isSameSchema } from '~/proof/schema'
import { recordsOf } from './own-point'
import type { TrustRecord } from './record'

/** Whether an audit here derived from the history what a file calls its table or collection. */
export function isDescribedIn(
  evidence: EvidenceFile,
  { described }: Rechecked,
  records: readonly TrustRecord[],
): boolean {
  return recordsOf(evidence, records).some(({ derived, schemas, collections }) => {
    if (!described || !derived) return false
    if (described.kind === 'table') {
      const { table } = described.schema
      const pinned = schemas.get(table)
      return derived.tables.includes(table) && !!pinned && isSameSchema(described.schema, pinned)
    }
    const { name, number } = described
    return derived.collections.includes(name) && collections.get(name) === number
  })
}
