import { atom, type Getter } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { isBecause } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Column, Index } from '~/api/tables'
import { clientAtom } from '~/core/session/client'
import { statePollPeriod } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { plainType } from '~/sql/keyset'
import { quoteName } from '~/sql/names'
import { readResult } from '~/sql/result'
import { readDetails, tablesKey } from './table-list'

/** What a name in the database stands for. */
export type TableDescription =
  | { readonly kind: 'table'; readonly columns: Column[]; readonly indexes: Index[] | null }
  /** The server describes no view; these are the columns of its rows. */
  | { readonly kind: 'view'; readonly columns: readonly { name: string; type: string }[] }
  | { readonly kind: 'missing' }

/** Rejects with `ApiError`. */
async function describe(
  get: Getter,
  database: string,
  table: string,
  signal: AbortSignal,
): Promise<TableDescription> {
  try {
    const { columns, indexes } = await readDetails(get, database, table)
    return { kind: 'table', columns, indexes }
  } catch (error) {
    if (!isBecause(error, 'missing')) throw error
  }
  try {
    const sql = `SELECT * FROM ${quoteName(table)} LIMIT 1;`
    const { columns } = readResult(await querySql(get(clientAtom), { database, sql, signal }))
    return {
      kind: 'view',
      columns: columns.map(({ label, type }) => ({ name: label, type: plainType(type) })),
    }
  } catch (error) {
    if (!isBecause(error, 'missing')) throw error
    return { kind: 'missing' }
  }
}

/** Returns the query atom of what a name stands for; the same one each time it is asked. */
export const tableDescriptionAtom = atom((io) =>
  memoizeByNames((database = '', table = '') =>
    atomWithQuery<TableDescription>(() => ({
      queryKey: [...tablesKey(database), 'description', table],
      // A table that someone else creates is found while its tab waits for it.
      refetchInterval: ({ state }) => state.data?.kind === 'missing' && statePollPeriod,
      queryFn: ({ signal }) => describe(io, database, table, signal),
    })),
  ),
)
