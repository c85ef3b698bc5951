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
import type { Sought } from './content'
import { tableIdsNamed } from './tables'

/** Histories with so few transactions are read for the names of tables and collections. */
const readAtMost = 2_000n

/**
 * What to look for by a text that someone typed. In a long history that was not read, only tables of
 * today with a row are known by their names, and no collections.
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
  const isLong = newest > readAtMost || newest === 0n
  const reading = get(readingAtom)(database)
  const known = reading?.kind === 'done' ? reading.read.changes : null
  const tablesOfToday = isLong ? await tableIdsNamed(get, database, isNamed) : new Set<number>()
  if (isLong && known === null) {
    return { text, tables: tablesOfToday, collections: new Set(), isOfToday: true }
  }
  const options = signal ? { signal } : {}
  const catalogue =
    isLong && known !== null
      ? known
      : (await readRange({ get }, database, { from: 1n, to: newest }, options)).catalogue
  const named = catalogue.filter(({ of, isDeleted }) => of.part === 'table' && !isDeleted)
  const tables = idsOf(named, (one) => {
    if (one.isOfCollections) return false
    const bytes = one.value === null ? null : fromBase64(one.value)
    return bytes !== null && isNamed(utf8Text(bytes))
  })
  return {
    text,
    tables: new Set([...tables, ...tablesOfToday]),
    collections: await collectionsNamed(get, database, named, isNamed),
    isOfToday: false,
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
  const names = await get(queryClientAtom).fetchQuery(query)
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
