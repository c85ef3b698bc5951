import type { Schema } from './kernel/schema'
import { isLimited } from './kernel/sql-type'

/** A column in the server's description. */
export type ClaimedColumn = { name: string; type: string; isPrimaryKey: boolean }

/** The result of comparing a table in the history with the server's description. */
export type TableFinding = {
  table: string
  kind:
    | 'agrees'
    | 'differs'
    /** The history has it, the server does not list it. */
    | 'missing'
    /** The server lists it, the history does not have it. */
    | 'surplus'
  /** The differences in words; empty for none. */
  what: string
  /**
   * Whether the numbers and lengths of its columns were compared too. These only come with the
   * proof of a row: `none` when no suitable row is known, `refused` when the server gave no proof
   * of it.
   */
  row: 'compared' | 'none' | 'refused'
}

/** Compares a table in the history with the server's description of its columns. */
export function compareColumns(derived: Schema, claimed: readonly ClaimedColumn[]): TableFinding {
  const found = { table: derived.table, row: 'none' } as const
  const theirs = new Map(claimed.map((column) => [column.name, column]))
  for (const { id, name, type, maxLen } of derived.cols) {
    const other = theirs.get(name)
    if (!other) return { ...found, kind: 'differs', what: `column ${name} is missing` }
    const expected = maxLen > 0 && isLimited(type) ? `${type}(${maxLen})` : type
    const isKey = derived.pk.includes(id)
    if (other.type !== expected) {
      const what = `column ${name} is ${other.type}, by the history ${expected}`
      return { ...found, kind: 'differs', what }
    }
    if (other.isPrimaryKey !== isKey) {
      return { ...found, kind: 'differs', what: `column ${name} differs as part of the key` }
    }
    theirs.delete(name)
  }
  const [surplus] = theirs.keys()
  if (surplus === undefined) return { ...found, kind: 'agrees', what: '' }
  return { ...found, kind: 'differs', what: `column ${surplus} is not in the history` }
}

/** Tables that only one side has. */
export function compareNames(
  derived: readonly Schema[],
  listed: readonly string[],
): TableFinding[] {
  const names = new Set(derived.map(({ table }) => table))
  const surplus = listed.filter((table) => !names.has(table))
  const missing = [...names].filter((table) => !listed.includes(table))
  return [
    ...missing.map((table) => ({ table, kind: 'missing', what: '', row: 'none' }) as const),
    ...surplus.map((table) => ({ table, kind: 'surplus', what: '', row: 'none' }) as const),
  ]
}
