import { atom } from 'jotai'
import type { ThereTable } from '~/sql/import-target'
import { readDetails } from '../query/tables'
import { databaseAtom } from '../session/session'

/** The columns and indexes of a table of the open database; rejects with `ApiError`. */
export const readThereAtom = atom(null, async (get, _set, table: string): Promise<ThereTable> => {
  const { columns, indexes } = await readDetails(get, get(databaseAtom) ?? '', table)
  return { table, columns, indexes }
})
