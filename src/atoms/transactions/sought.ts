import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { presentTxOfAtom } from '~/core/history/newest-state'
import { type CatalogueWrite, readRange } from '~/core/history/transaction-reader'
import { clientAtom } from '~/core/session/client'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { fromBase64, utf8Text } from '~/proof/bytes'
import { hash } from '~/proof/hash'
import { collectionNamesQuery } from '../documents/collection-names'
import { readingAtom } from '../tables/catalogue-history'
import type { Sought } from './tx-kind'
import { tableIdsNamed } from './tx-tables'

/** So few transactions are read for the names of tables and collections without being asked. */
const readAtMost = 2_000n

/**
 * What to look for by a text that someone typed. Where more transactions than a few were not read,
 * only tables of today with a row are known by their names, and no collections made in them.
 */
export async function soughtIn(
  get: Getter,
  database: string,
  typed: string,
  signal?: AbortSignal,
): Promise<Sought> {
  const text = typed.trim().toLowerCase()
  const newest = BigInt(get(get(presentTxOfAtom)(database)))
  const isNamed = (name: string) => name.toLowerCase().includes(text)
  const reading = get(readingAtom)(database)
  const read = reading?.kind === 'done' ? reading.read : { to: 0n, changes: [] }
  const isOfToday = newest === 0n || newest - read.to > readAtMost
  // Even a reading lacks the tables of transactions with more entries than one answer takes.
  const isLong = newest === 0n || newest > readAtMost
  const tablesOfToday = isLong ? await tableIdsNamed(get, database, isNamed) : new Set<number>()
  const unread = { from: read.to + 1n, to: isOfToday ? read.to : newest }
  const { catalogue } = await readRange({ get }, database, unread, signal ? { signal } : {})
  const named = [...read.changes, ...catalogue].filter(
    ({ of, isDeleted }) => of.part === 'table' && !isDeleted,
  )
  const tables = idsOf(named, (one) => {
    if (one.isOfCollections) return false
    const bytes = one.value === null ? null : fromBase64(one.value)
    return bytes !== null && isNamed(utf8Text(bytes))
  })
  return {
    text,
    tables: new Set([...tables, ...tablesOfToday]),
    collections: await collectionsNamed(get, database, named, isNamed),
    isOfToday,
  }
}

/** The history has only the digests of the names of collections. */
async function collectionsNamed(
  get: Getter,
  database: string,
  named: readonly CatalogueWrite[],
  isNamed: (name: string) => boolean,
): Promise<ReadonlySet<number>> {
  const ofCollections = named.filter(({ isOfCollections }) => isOfCollections)
  if (ofCollections.length === 0) return new Set()
  const query = collectionNamesQuery(get(clientAtom), database)
  // Not those of a minute ago: a new one would not be found, and nothing would say so.
  const names = await get(queryClientAtom).fetchQuery({ ...query, staleTime: 0 })
  const digests = new Set(
    names.filter(isNamed).map((name) => bytesToBase64(hash(encodeUtf8(name)))),
  )
  return idsOf(ofCollections, ({ hValue }) => digests.has(hValue))
}

function idsOf(
  writes: readonly CatalogueWrite[],
  isWanted: (one: CatalogueWrite) => boolean,
): ReadonlySet<number> {
  return new Set(writes.filter(isWanted).flatMap(({ of }) => ('tableId' in of ? [of.tableId] : [])))
}
