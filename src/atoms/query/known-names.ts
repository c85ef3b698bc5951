import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { listColumns, type TableColumns } from '~/api/tables'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { lackingAtom } from '~/core/session/server-version'
import { serverRowLimit } from '~/lib/constants'
import { nullIfRefused, readDetails, readTables, tablesKey } from '../tables/table-list'

/** The query of every column of every table; null where the privilege is missing. */
export function columnsQuery(client: Client, database: string) {
  return {
    queryKey: [...tablesKey(database), 'columns'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      listColumns(client, { database, signal }).catch(nullIfRefused),
  }
}

/** Most tables that are asked for one by one. */
const mostDescribed = 50

/** Every column of every table, one table after the other; null for too many. */
async function describeEach(get: Getter, database: string): Promise<TableColumns[] | null> {
  const tables = await readTables(get, database, () => [])
  if (tables.size > mostDescribed) return null
  const found: TableColumns[] = []
  for (const table of tables) {
    found.push({ table, columns: (await readDetails(get, database, table)).columns })
  }
  return found
}

/**
 * Names of all tables and columns of a database, in lower case, fetched when needed; null when not
 * all of them can be known.
 */
export async function readNames(
  { get }: Io,
  database: string,
): Promise<ReadonlySet<string> | null> {
  const known = get(lackingAtom)('columnList')
    ? describeEach(get, database)
    : get(queryClientAtom).fetchQuery(columnsQuery(get(clientAtom), database))
  const tables = await known.catch(() => null)
  if (!tables) return null
  const columns = tables.flatMap((table) => table.columns.map(({ name }) => name))
  if (columns.length >= serverRowLimit) return null
  return new Set([...tables.map(({ table }) => table), ...columns])
}
