import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import type { ThereTable } from '~/sql/import-target'
import { tableDefaultsAtom } from './defaults'
import { readDetails } from './table-list'

/** The columns and indexes of a table of the open database; rejects with `ApiError`. */
export async function readImportTarget({ get }: Io, table: string): Promise<ThereTable> {
  const database = get(databaseAtom) ?? ''
  const { columns, indexes } = await readDetails(get, database, table)
  const defaults = get(get(tableDefaultsAtom)(database, table))
  return { table, columns, indexes, defaults }
}
