import { quoteName } from './names'
import { literalOf } from './pages'

/** A value of each column of a primary key, as a result has it (see ResultColumn.values). */
export type KeyCells = readonly {
  readonly column: string
  readonly type: string
  readonly value: string
}[]

/**
 * A statement that tells, for each period, whether the newest version that the row with a primary
 * key has in it is one that is there and not a deletion: it answers with the numbers of those.
 * @param periods by their numbers, such as `SINCE TX 3 UNTIL TX 9`
 */
export function rowProbes(
  table: string,
  key: KeyCells,
  periods: ReadonlyMap<bigint, string>,
): string {
  const probes = [...periods].map(
    ([number, period]) =>
      `SELECT ${number} FROM ${quoteName(table)} ${period} WHERE ${conditionOf(key)}`,
  )
  return `${probes.join(' UNION ALL ')};`
}

/** A statement that counts the versions of the row with a primary key, deletions among them. */
export function versionCount(table: string, key: KeyCells): string {
  return `SELECT COUNT(*) FROM (HISTORY OF ${quoteName(table)}) WHERE ${conditionOf(key)};`
}

function conditionOf(key: KeyCells): string {
  return key
    .map(({ column, type, value }) => `${quoteName(column)} = ${literalOf(type, value)}`)
    .join(' AND ')
}
