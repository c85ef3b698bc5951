import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { ApiError, isMissing } from '~/api/errors'
import { readVerifiableRow } from '~/api/proof'
import { querySql } from '~/api/sql'
import { clientAtom } from '~/core/session/client'
import { perNames } from '~/core/session/per-names'
import type { KeyValue } from '~/immudb/key-address'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { withRetries } from '~/lib/retry'
import { hash } from '~/proof/kernel/hash'
import { anyFields } from '~/proof/kernel/read'
import { claimedSchema, type Schema } from '~/proof/kernel/schema'
import { ProofError } from '~/proof/kernel/steps'
import { keyValue } from '~/sql/literals'
import { quoteName } from '~/sql/names'
import { readResult } from '~/sql/result'
import { collectionNamesAtom } from '../documents/collection-names'
import { catalogueAtom, isCatalogueComingAtom, mostMoments } from '../tables/catalogue-history'
import { readDetails, readTables } from '../tables/table-list'
import { replay, schemaOf, type TableStates } from '../tables/table-states'

/** The tables before and after a transaction, and at present. */
export type TablesThen = { before: TableStates; after: TableStates; present: TableStates }

/** Returns the atom of the tables around a transaction; null when the history was not read. */
export const tablesThenAtom = perNames((get, database = '', tx = ''): TablesThen | null => {
  const read = get(get(catalogueAtom)(database, tx))
  if (!read) return null
  const at = BigInt(tx)
  const upTo = (last: bigint) => replay(read.changes.filter(({ tx }) => BigInt(tx) <= last))
  return { before: upTo(at - 1n), after: upTo(at), present: replay(read.changes) }
}, mostMoments)

/** Returns the query atom of a table of today by its number; null for one that is not found. */
export const presentTablesAtom = atom(() =>
  memoizeByNames((database = '', tableId = '') =>
    atomWithQuery((get) => ({
      queryKey: ['transactions', database, 'table', tableId],
      queryFn: async () => ({ schema: await findTable(get, database, Number(tableId)) }),
    })),
  ),
)

/** Tables that are asked for their number at most. */
const mostAsked = 12

/**
 * No call lists the numbers of tables, but a proof of any of its rows names that of a table. The
 * list is in the order of the numbers.
 */
async function findTable(get: Getter, database: string, tableId: number): Promise<Schema | null> {
  const names = [...(await readTables(get, database, () => []))]
  let [first, last] = [0, names.length - 1]
  let at = Math.min(tableId - 1, last)
  const asked = new Set<number>()
  while (first <= last && asked.size < mostAsked) {
    const place = nearest(at, first, last, asked)
    if (place === null) return null
    asked.add(place)
    const schema = await describedBy(get, database, names[place] ?? '')
    if (schema?.tableId === tableId) return schema
    if (schema && schema.tableId > tableId) last = place - 1
    if (schema && schema.tableId < tableId) first = place + 1
    at = schema ? place + Math.sign(tableId - schema.tableId) : place
  }
  return null
}

/** Tables of one name part that are asked for their numbers at most. */
const mostNamed = 8

/** The numbers of tables of today by their names, as far as they have a row that tells it. */
export async function tableIdsNamed(
  get: Getter,
  database: string,
  isNamed: (name: string) => boolean,
): Promise<ReadonlySet<number>> {
  const names = [...(await readTables(get, database, () => []))].filter(isNamed)
  const found = await Promise.all(
    names.slice(0, mostNamed).map((name) => describedBy(get, database, name)),
  )
  return new Set(found.flatMap((schema) => (schema ? [schema.tableId] : [])))
}

/** The place between two that was not asked and is nearest to one. */
function nearest(at: number, first: number, last: number, asked: ReadonlySet<number>) {
  for (let by = 0; by <= last - first + 1; by += 1) {
    for (const place of [at + by, at - by]) {
      if (place >= first && place <= last && !asked.has(place)) return place
    }
  }
  return null
}

/** The table as the server describes it beside the proof of a row; null without rows. */
async function describedBy(get: Getter, database: string, table: string): Promise<Schema | null> {
  const key = ['transactions', database, 'described', table]
  return get(queryClientAtom).fetchQuery({
    queryKey: key,
    queryFn: () => describe(get, database, table).catch(nullIfRefused),
  })
}

async function describe(get: Getter, database: string, table: string): Promise<Schema | null> {
  const { columns, indexes } = await readDetails(get, database, table)
  const marked = columns.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
  const names = indexes?.find(({ isPrimary }) => isPrimary)?.columns ?? marked
  const sql = `SELECT ${names.map(quoteName).join(', ')} FROM ${quoteName(table)} LIMIT 1;`
  const client = get(clientAtom)
  const found = readResult(await querySql(client, { database, sql }))
  if (found.rowCount === 0) return null
  const pkValues = found.columns.map(({ type, values }) => keyValue(type, values[0] ?? null))
  if (!pkValues.every((value): value is KeyValue => value !== null)) return null
  // The index may lag briefly after a write.
  const answer = await withRetries(
    () => readVerifiableRow(client, { database, table, pkValues, since: '0' }),
    { retries: 3, mayRepeat: isMissing },
  )
  return claimedSchema(anyFields(answer, 'answer'), table, database)
}

function nullIfRefused(error: unknown): null {
  const isRefused =
    error instanceof ApiError &&
    error.code !== null &&
    (error.kind === 'permission' || error.kind === 'refused')
  if (isRefused || error instanceof ProofError) return null
  throw error
}

/** What decodes and names the rows of a table. */
export type TableView = {
  /** As it was in the transaction, or as it is today when the history was not read. */
  written: Schema
  /** As the server's queries know it; null when it was dropped since. */
  today: Schema | null
  isFromHistory: boolean
}

/** Six of each transaction, as many as a row of the list shows. */
const mostNames = 6 * mostMoments

/**
 * Returns the atom of a table by its number as a transaction has it: null when unknown, undefined
 * while asked for.
 */
export const tableViewAtom = perNames(viewOf, mostNames)

function viewOf(get: Getter, database = '', tx = '', id = ''): TableView | null | undefined {
  const tableId = Number(id)
  const around = get(get(tablesThenAtom)(database, tx))
  if (around) {
    const states = [around.after, around.before].map((tables) => tables.get(tableId))
    const known = states.map((state) => state && schemaOf(tableId, state)).find(Boolean)
    const present = around.present.get(tableId)
    const today = present ? schemaOf(tableId, present) : null
    return known ? { written: known, today, isFromHistory: true } : null
  }
  if (get(get(isCatalogueComingAtom)(database))) return undefined
  const { data, isPending } = get(get(presentTablesAtom)(database, id))
  if (data?.schema) return { written: data.schema, today: data.schema, isFromHistory: false }
  return isPending ? undefined : null
}

/**
 * Returns the atom of the name of a collection by its number, as far as the history was read; null
 * when it is not known. The history has only the digests of names, so they are compared with those
 * of today.
 */
export const collectionNameAtom = perNames((get, database = '', tx = '', id = '') => {
  const read = get(get(catalogueAtom)(database, tx))
  const named = read?.changes.findLast(
    ({ isOfCollections, of }) =>
      isOfCollections && of.part === 'table' && of.tableId === Number(id),
  )
  if (!named) return null
  const names = get(get(collectionNamesAtom)(database)).data ?? []
  return names.find((name) => bytesToBase64(hash(encodeUtf8(name))) === named.hValue) ?? null
}, mostNames)
