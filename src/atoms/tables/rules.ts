import { atom } from 'jotai'
import type { TableCheck } from '~/sql/table-ddl'
import { presentTxAtom } from '../history/newest-state'
import { catalogueAtom } from '../transactions/catalogue'
import { replay } from '../transactions/table-states'

/**
 * Gives the conditions that rows of a table must fulfil. Null while they are not known: no call of
 * the server tells them, so the transactions that made them must be read.
 */
export const tableChecksAtom = atom((get) => {
  const catalogueOf = get(catalogueAtom)
  const newest = get(presentTxAtom)
  return (database: string, table: string): readonly TableCheck[] | null => {
    const read = catalogueOf(database, newest)
    if (!read) return null
    const states = [...replay(read.changes).values()]
    const found = states.find(({ name, droppedTx }) => name === table && droppedTx === null)
    if (!found || found.isPartial) return null
    return [...found.checks.values()]
  }
})
