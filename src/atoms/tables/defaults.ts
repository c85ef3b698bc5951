import { type Atom, atom } from 'jotai'
import { perNames } from '~/core/session/per-names'
import type { TableRules } from '~/sql/table-ddl'

type RulesOf = (database: string, table: string) => Atom<TableRules | null>

/**
 * What reads the rules of tables out of the history. It comes with the parts that show them, and
 * puts itself here: rows, which load before it, know no defaults until then.
 */
export const rulesSourceAtom = atom<{ readonly rulesAtom: Atom<RulesOf> } | null>(null)

/**
 * Returns the atom of the defaults of a table's columns as SQL, by their names. Null while they are
 * not known.
 */
export const tableDefaultsAtom = perNames((get, database = '', table = '') => {
  const source = get(rulesSourceAtom)
  return (source && get(get(source.rulesAtom)(database, table))?.defaults) ?? null
})
