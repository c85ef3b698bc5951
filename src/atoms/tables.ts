import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { describeTable, listColumns, listIndexes, listTables } from '~/api/tables'
import { family } from '~/lib/family'
import { clientAtom } from './client'
import { perDatabase } from './per-database'
import { databaseAtom } from './session'
import { hasTransactionsAtom } from './state'

export const tablesKey = (database: string) => ['tables', database] as const

/** Table names of the database; an empty database has none and is not asked. */
export const tablesAtom = perDatabase((database) =>
  atomWithQuery((get) => {
    const client = get(clientAtom)
    return {
      queryKey: tablesKey(database),
      enabled: database !== '' && get(hasTransactionsAtom),
      queryFn: ({ signal }) => listTables(client, { database, signal }),
    }
  }),
)

/** Gives the query atom of a table's columns and indexes, the same one each time it is asked. */
const tableDetailsAtom = atom(() =>
  family((database = '', table = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: [...tablesKey(database), table],
        queryFn: async ({ signal }) => {
          const request = { database, table, signal }
          const columns = await describeTable(client, request)
          // Without the SELECT privilege the columns are still worth showing.
          const indexes = await listIndexes(client, request).catch(() => null)
          return { columns, indexes }
        },
      }
    }),
  ),
)

/**
 * All columns of the database for completion and for telling names from texts. An operator
 * without the SELECT privilege gets none, which is no error here.
 */
export const schemaAtom = perDatabase((database) =>
  atomWithQuery((get) => {
    const client = get(clientAtom)
    return {
      queryKey: [...tablesKey(database), 'columns'],
      enabled: database !== '' && get(hasTransactionsAtom),
      queryFn: ({ signal }) => listColumns(client, { database, signal }).catch(() => []),
    }
  }),
)

/** Names of all known tables and columns of the database, in lower case. */
export const knownNamesAtom = atom((get) => {
  const names = new Set(get(tablesAtom).data ?? [])
  for (const { table, columns } of get(schemaAtom).data ?? []) {
    names.add(table)
    for (const column of columns) names.add(column.name)
  }
  return { names }
})

const openTablesAtom = atom<ReadonlySet<string>>(new Set<string>())

/** Opens or closes a table in the tree; an open one has its details fetched. */
export const toggleTableAtom = atom(null, (get, set, table: string, isOpen: boolean) => {
  const tables = new Set(get(openTablesAtom))
  if (isOpen) tables.add(table)
  else tables.delete(table)
  set(openTablesAtom, tables)
})

/** The details of the open tables by name, as far as they are known. */
export const openDetailsAtom = atom((get) => {
  const database = get(databaseAtom) ?? ''
  const detailsOf = get(tableDetailsAtom)
  const listed = new Set(get(tablesAtom).data ?? [])
  const open = [...get(openTablesAtom)].filter((table) => listed.has(table))
  return new Map(open.map((table) => [table, get(detailsOf(database, table))]))
})

/** Asks again for tables, columns and indexes, for instance after a statement changed them. */
export const refreshTablesAtom = atom(null, (get) =>
  get(queryClientAtom).invalidateQueries({ queryKey: tablesKey(get(databaseAtom) ?? '') }),
)
