import type { Io } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { rowToAddress } from '~/immudb/row-address'
import { keyOfRow, revisionOf } from './compare-row'
import { planRows } from './proofs'

/** How an address names a row of a result, or why it cannot. */
export type RowLink = { db: string; table: string; row: string; rev: string | undefined }

/** Names a row of a result for an address that opens its history. Never rejects. */
export async function findRowLink(
  { get }: Io,
  rowSet: RowSet,
  row: number,
): Promise<RowLink | { why: string }> {
  const { database, rows: result } = rowSet
  const map = await planRows(get, rowSet)
  if ('why' in map) return map
  const of = { database, result, map, row }
  const key = keyOfRow(of)
  if (!key) return { why: 'An address cannot name this primary key exactly.' }
  const rev = revisionOf(of) ?? undefined
  return { db: database, table: map.table, row: rowToAddress(key), rev }
}
