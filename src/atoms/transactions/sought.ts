import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { fromBase64, utf8Text } from '~/proof/bytes'
import { hash } from '~/proof/hash'
import { collectionNamesQuery } from '../documents/collection-names'
import { presentTxOfAtom } from '../history/newest-state'
import { clientAtom } from '../session/client'
import type { Sought } from './content'
import { type CatalogueWrite, readRange } from './reading'
import { tableIdsNamed } from './tables'

/** Histories with so few transactions are read for the names of tables and collections. */
const readAtMost = 2_000n

/**
 * What to look for by a text that someone typed. In a long history only tables of today with a row
 * are known by their names, and no collections.
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
  if (newest > readAtMost || newest === 0n) {
    const tables = await tableIdsNamed(get, database, isNamed)
    return { text, tables, collections: new Set() }
  }
  const options = signal ? { signal } : {}
  const { catalogue } = await readRange({ get }, database, { from: 1n, to: newest }, options)
  const named = catalogue.filter(({ of, isDeleted }) => of.part === 'table' && !isDeleted)
  const tables = idsOf(named, (one) => {
    if (one.isOfCollections) return false
    const bytes = one.value === null ? null : fromBase64(one.value)
    return bytes !== null && isNamed(utf8Text(bytes))
  })
  return { text, tables, collections: await collectionsNamed(get, database, named, isNamed) }
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
