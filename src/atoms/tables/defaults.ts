import { type Atom, atom } from 'jotai'
import type { TableRules } from '~/sql/table-ddl'

type RulesOf = (database: string, table: string) => TableRules | null

/**
 * What reads the rules of tables out of the history. It comes with the parts that show them, and
 * puts itself here: rows, which load before it, know no defaults until then.
 */
export const rulesSourceAtom = atom<{ readonly rulesAtom: Atom<RulesOf> } | null>(null)

/** Gives the defaults of a table's columns as SQL, by their names. Null while they are not known. */
export const tableDefaultsAtom = atom((get) => {
  const source = get(rulesSourceAtom)
  const rulesOf = source && get(source.rulesAtom)
  return (database: string, table: string) => rulesOf?.(database, table)?.defaults ?? null
})
