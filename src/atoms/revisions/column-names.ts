import { presentTxOfAtom } from '~/core/history/newest-state'
import { perNames } from '~/core/session/per-names'
import { listOf } from '~/lib/text'
import { catalogueAtom } from '../tables/catalogue-history'
import { type ColumnPast, columnAt, columnPasts } from '../tables/table-states'
import { cellText } from '../transactions/changed-rows'
import type { DroppedCell, Part } from './history'

/** The columns that a table ever had, by their numbers. */
export type ColumnPasts = ReadonlyMap<number, ColumnPast>

/**
 * Returns the atom of the columns that a table of now ever had; `pasts` is null when the history was
 * not read. Null for no table, of which nothing is asked.
 */
export const columnPastsAtom = perNames((get, database = '', table = '') => {
  if (table === '') return null
  const read = get(get(catalogueAtom)(database, get(get(presentTxOfAtom)(database))))
  return { pasts: read && columnPasts(read.changes, table) }
})

/** The dropped cells of a revision as parts; without names and types they are numbers and bytes. */
export function droppedParts(
  dropped: readonly DroppedCell[],
  pasts: ColumnPasts | null,
  tx: string | null,
): Part[] {
  return dropped.map(({ id, cell }) => {
    const past = pasts?.get(id)
    const then = past && tx !== null ? columnAt(past, tx) : null
    const { name, type } = then ?? past?.names.at(-1) ?? { name: `column ${id}`, type: 'BLOB' }
    const text = cellText(type, cell)
    const value = text ?? cellText('BLOB', cell) ?? ''
    return { name, type: text === undefined ? 'BLOB' : type, value, dropped: id }
  })
}

/** What became of a column since a revision, in words; null when nothing is known to have. */
export function columnNote(
  { name, dropped }: Pick<Part, 'name' | 'dropped'>,
  pasts: ColumnPasts | null,
  txs: readonly (string | null)[],
): { text: string; tx: string | null } | null {
  if (dropped !== undefined) {
    const past = pasts?.get(dropped)
    if (!past) return { text: 'dropped since; its name is not known yet', tx: null }
    if (past.names.length === 0)
      return { text: 'dropped since; the server no longer has its name', tx: past.droppedTx }
    return { text: 'dropped since, in', tx: past.droppedTx }
  }
  const past = [...(pasts?.values() ?? [])].find(
    ({ names, droppedTx }) => droppedTx === null && names.at(-1)?.name === name,
  )
  const earlier = txs.flatMap((tx) => (past && tx !== null ? (columnAt(past, tx)?.name ?? []) : []))
  const others = [...new Set(earlier)].filter((one) => one !== name)
  if (!past || others.length === 0) return null
  const renamed = past.names.findLast((one, at) => past.names[at - 1]?.name !== one.name)
  return { text: `renamed since from ${listOf(others)}, in`, tx: renamed?.tx ?? null }
}
