import { mountedAtom } from '~/core/act'
import { presentTxOfAtom } from '~/core/history/newest-state'
import { perNames } from '~/core/session/per-names'
import type { TableRules } from '~/sql/table-ddl'
import { catalogueAtom } from './catalogue-history'
import { rulesSourceAtom } from './defaults'
import { replay } from './table-states'

/**
 * Returns the atom of the conditions that rows of a table must fulfil and the defaults of its
 * columns. Null while they are not known: no call of the server tells them, so the transactions that
 * made them must be read.
 */
const rulesAtom = perNames((get, database = '', table = ''): TableRules | null => {
  const read = get(get(catalogueAtom)(database, get(get(presentTxOfAtom)(database))))
  if (!read) return null
  const states = [...replay(read.changes).values()]
  const found = states.find(({ name, droppedTx }) => name === table && droppedTx === null)
  if (!found || found.isPartial) return null
  const defaults = [...found.columns.values()].flatMap(({ name, defaultSql }) =>
    defaultSql === null ? [] : [[name, defaultSql] as const],
  )
  return { checks: [...found.checks.values()], defaults: new Map(defaults) }
})

/** The same; where it is used, others know the defaults too. */
export const tableRulesAtom = mountedAtom(
  (get) => get(rulesAtom),
  ({ set }) => {
    set(rulesSourceAtom, { rulesAtom })
    return undefined
  },
)
