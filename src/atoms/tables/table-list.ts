import { type Atom, atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { ApiError } from '~/api/errors'
import { describeTable, listIndexes, listTables } from '~/api/tables'
import type { Io } from '~/core/act'
import { askOnGrowth, hasTransactionsAtom } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { perDatabase } from '~/core/session/per-database'
import { databaseAtom } from '~/core/session/session'
import { listedTxAtom } from '~/core/session/session-start'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { checkNames } from '~/sql/names'

export const tablesKey = (database: string) => ['tables', database] as const

/**
 * A query that is sent once the database holds a transaction. Two atoms, because one whose options
 * change sends its request twice, the first one aborted.
 */
function onceWritten<T>(make: (enabled: boolean) => Atom<T>): Atom<T> {
  const asked = make(true)
  const waiting = make(false)
  return atom((get) => get(get(hasTransactionsAtom) ? asked : waiting))
}

/** Table names of the database; an empty database has none and is not asked. */
export const tablesAtom = perDatabase((database) => {
  const growth = askOnGrowth(database)
  return onceWritten((enabled) =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      const listed = get(listedTxAtom)
      return {
        queryKey: tablesKey(database),
        enabled,
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: ({ signal, client: cache }) => {
          growth.note(cache, listed)
          return listTables(client, { database, signal })
        },
      }
    }),
  )
})

function detailsQuery(client: Client, database: string, table: string) {
  return {
    queryKey: [...tablesKey(database), 'table', table],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      checkNames([table])
      const request = { database, table, signal }
      const columns = await describeTable(client, request)
      // Without the SELECT privilege the columns are still useful.
      const indexes = await listIndexes(client, request).catch(nullIfRefused)
      // Everything that reads or writes rows takes the names from here.
      checkNames([
        ...columns.map(({ name }) => name),
        ...(indexes ?? []).flatMap((of) => of.columns),
      ])
      return { columns, indexes }
    },
  }
}

/** Gives the query atom of a table's columns and indexes, the same one each time it is asked. */
const tableDetailsAtom = atom(() =>
  memoizeByNames((database = '', table = '') =>
    atomWithQuery((get) => detailsQuery(get(clientAtom), database, table)),
  ),
)

/**
 * Columns and indexes of a table as they were within the last minute; rejects with `ApiError`, and
 * with `UnwritableName` when no statement can hold one of the names.
 */
export function readDetails(get: Getter, database: string, table: string) {
  return get(queryClientAtom).fetchQuery(detailsQuery(get(clientAtom), database, table))
}

/** Null instead of an answer that the operator has no privilege for; other failures stay. */
export function nullIfRefused(error: unknown): null {
  const isRefused =
    error instanceof ApiError && (error.kind === 'permission' || error.kind === 'refused')
  if (isRefused) return null
  throw error
}

/** The columns of a table of the open database, for completion; none where they cannot be had. */
export async function readColumns({ get }: Io, table: string) {
  const details = await readDetails(get, get(databaseAtom) ?? '', table).catch(() => null)
  return details?.columns ?? []
}

/**
 * Names of the tables of a database, as they were listed within the last minute; fetched again when
 * one of `needed` is missing, because someone else may have created it since. Views are not in the
 * list. Rejects with `ApiError`.
 */
export async function readTables(
  get: Getter,
  database: string,
  needed: (names: ReadonlySet<string>) => readonly string[],
): Promise<ReadonlySet<string>> {
  const client = get(clientAtom)
  const query = {
    queryKey: tablesKey(database),
    queryFn: ({ signal }: { signal: AbortSignal }) => listTables(client, { database, signal }),
  }
  const known = new Set(await get(queryClientAtom).fetchQuery(query))
  if (needed(known).length === 0) return known
  return new Set(await get(queryClientAtom).fetchQuery({ ...query, staleTime: 0 }))
}

/** Marks what is known of the tables as outdated; it is fetched again when needed. */
export function outdateTables({ get }: Io, database: string) {
  return get(queryClientAtom).invalidateQueries({
    queryKey: tablesKey(database),
    refetchType: 'none',
  })
}

const openTablesAtom = atom<ReadonlySet<string>>(new Set<string>())

/** Opens or closes a table in the tree; an open one has its details fetched. */
export function toggleTable({ get, set }: Io, table: string, isOpen: boolean) {
  const tables = new Set(get(openTablesAtom))
  if (isOpen) tables.add(table)
  else tables.delete(table)
  set(openTablesAtom, tables)
}

/** The details of the open tables by name, as far as they are known. */
export const openDetailsAtom = atom((get) => {
  const database = get(databaseAtom) ?? ''
  const detailsOf = get(tableDetailsAtom)
  const listed = new Set(get(tablesAtom).data ?? [])
  const open = [...get(openTablesAtom)].filter((table) => listed.has(table))
  return new Map(open.map((table) => [table, get(detailsOf(database, table))]))
})

/** Asks again for tables, columns and indexes, for instance after a statement changed them. */
export function refreshTables({ get }: Io) {
  return get(queryClientAtom).invalidateQueries({ queryKey: tablesKey(get(databaseAtom) ?? '') })
}
