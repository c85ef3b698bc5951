import { queryClientAtom } from 'jotai-tanstack-query'
import { scanKeys } from '~/api/keys'
import { querySql } from '~/api/sql'
import type { Column, TableColumns } from '~/api/tables'
import { newestKnown } from '~/core/history/newest-state'
import { readPart } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { lackingAtom } from '~/core/session/server-version'
import type { Collection } from '~/immudb/collection'
import { keyFromAddress, keyToAddress } from '~/immudb/key-address'
import { rowToAddress } from '~/immudb/row-address'
import { base64ToBytes, bytesToBase64, decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { counted } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { isValue, readInput, typeAndLength } from '~/sql/cell-input'
import { primaryKey } from '~/sql/keyset'
import { keyValue } from '~/sql/literals'
import { quoteName } from '~/sql/names'
import { newParams } from '~/sql/params'
import { readResult } from '~/sql/result'
import { collectionNamesQuery } from '../documents/collection-names'
import { keyOfDocuments } from '../documents/collections'
import { readDocument } from '../documents/document'
import { keysKey } from '../keys/key-list'
import type { KeyPage } from '../keys/key-pages'
import { columnsQuery } from '../query/known-names'
import { readDetails, readTables, tablesKey } from '../tables/table-list'
import { type Here, inDatabase, type Kind, type Lookup, type Thing } from './thing'

/** Characters of what was typed that a sentence repeats. */
export const mostRepeated = 60

const cached = <T>({ io }: Here, key: readonly unknown[]): T | undefined =>
  io.get(queryClientAtom).getQueryData<T>(key)

const made = new WeakMap<object, readonly Thing[]>()

/** The things of an answer, made once for each: they may be very many. */
function thingsOf<A extends object>(answer: A, make: (answer: A) => readonly Thing[]) {
  const known = made.get(answer) ?? make(answer)
  made.set(answer, known)
  return known
}

/** Whether SQL can be asked: without login the server takes none. */
const hasSql = ({ database, pages }: Here) => database !== '' && pages.has('query')

/** Milliseconds in which a list is taken as it came, however much is written. */
const listLasts = 5_000

/** When lists came that were asked for here, and the newest transaction known by then. */
const listedAt = new WeakMap<object, Map<string, { readonly at: number; readonly tx: string }>>()

/**
 * A list that a kind is found in; it names nothing that was typed. It is asked for once, and again
 * when the database has grown: someone else may have made what is looked for. Null until then.
 */
function listLookup(
  { io, database }: Here,
  what: string,
  queryKey: readonly unknown[],
  ask: () => Promise<unknown>,
): Lookup | null {
  const cache = io.get(queryClientAtom)
  const { data, dataUpdatedAt = 0 } = cache.getQueryState(queryKey) ?? {}
  const notes = listedAt.get(cache) ?? new Map()
  listedAt.set(cache, notes)
  const name = JSON.stringify(queryKey)
  const tx = newestKnown(io.get, database)
  const noted = notes.get(name)
  const isSame = noted?.at === dataUpdatedAt && noted.tx === tx
  if (data !== undefined && (isSame || Date.now() - dataUpdatedAt < listLasts)) return null
  return {
    id: `${what} ${database}`,
    asks: `Asks the server for the ${what} of ${database}`,
    ask: async () => {
      await cache.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
      await ask()
      const at = cache.getQueryState(queryKey)?.dataUpdatedAt ?? 0
      notes.set(name, { at, tx })
      return { things: [] }
    },
  }
}

const tableNames = (here: Here) => cached<readonly string[]>(here, tablesKey(here.database))

export const tables: Kind = {
  label: 'Table',
  isInDatabases: true,
  known: (here) =>
    thingsOf(tableNames(here) ?? [], (names) =>
      names.map((name) => tableThing(here.database, name)),
    ),
  lookup(here) {
    const { io, database } = here
    if (!hasSql(here)) return null
    const ask = () => readTables(io.get, database, () => [])
    return listLookup(here, 'tables', tablesKey(database), ask)
  },
}

export const tableThing = (database: string, name: string): Thing => ({
  name,
  isForeign: true,
  to: { path: pathTo('query', inDatabase(database, { table: name })) },
})

/** Every column that is known, by its table. */
function columnNames(here: Here): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const opened = here.io.get(queryClientAtom).getQueriesData<{ columns: readonly Column[] }>({
    queryKey: [...tablesKey(here.database), 'table'],
  })
  for (const [key, details] of opened) {
    if (details)
      found.set(
        String(key[3]),
        details.columns.map(({ name }) => name),
      )
  }
  const all = cached<readonly TableColumns[] | null>(here, [...tablesKey(here.database), 'columns'])
  for (const { table, columns } of all ?? [])
    found.set(
      table,
      columns.map(({ name }) => name),
    )
  return found
}

export const columns: Kind = {
  label: 'Column',
  isInDatabases: true,
  known: (here) =>
    [...columnNames(here)].flatMap(([table, names]) =>
      names.map((name) => ({
        name,
        isForeign: true,
        also: [`${table}.${name}`],
        of: table,
        to: {
          path: pathTo('query', inDatabase(here.database, { table, tab: 'structure' })),
        },
      })),
    ),
  lookup(here) {
    const { io, database } = here
    if (!hasSql(here) || io.get(lackingAtom)('columnList')) return null
    const query = columnsQuery(io.get(clientAtom), database)
    const ask = () => io.get(queryClientAtom).fetchQuery(query)
    return listLookup(here, 'columns', query.queryKey, ask)
  },
}

/** Values of a primary key as they are typed, such as `7` or `(7, 'north, or south')`. */
function valuesIn(text: string, count: number): readonly string[] {
  const plain = /^\((.*)\)$/s.exec(text)?.[1] ?? text
  // A comma in quotes is one of the value.
  const parts =
    count === 1 ? [plain] : (plain.match(/(?:'(?:[^']|'')*'|[^,])+|(?<=,)(?=,|$)/gs) ?? [])
  return parts.map((part) => {
    const [, quoted] = /^\s*'(.*)'\s*$/s.exec(part) ?? []
    return quoted?.replaceAll("''", "'") ?? part.trim()
  })
}

/** The table that a text begins with, and what is behind it; the longest name counts. */
function tableIn(here: Here, text: string): { table: string; rest: string } | null {
  const lower = text.trim().toLowerCase()
  const fitting = (tableNames(here) ?? []).filter((name) => lower.startsWith(name.toLowerCase()))
  const table = fitting.sort((one, other) => other.length - one.length)[0]
  if (table === undefined) return null
  const [, rest = ''] = /^[\s:#/]+(.+)$|^(\(.+\))$/s.exec(text.trim().slice(table.length)) ?? []
  const found = rest || (/^\(.+\)$/s.exec(text.trim().slice(table.length))?.[0] ?? '')
  return found === '' ? null : { table, rest: found.trim() }
}

/** A row by its table and the values of its primary key, such as `orders 7`. */
export const rows: Kind = {
  label: 'Row',
  isInDatabases: true,
  lookup(here, text) {
    const named = hasSql(here) ? tableIn(here, text) : null
    if (named === null) return null
    const { table, rest } = named
    const { io, database } = here
    const row = `row ${cutText(rest, mostRepeated)} of ${table}`
    return {
      id: `row ${database} ${table} ${rest}`,
      asks: `Asks the server for the ${row}`,
      async ask(signal) {
        const key = primaryKey(await readDetails(io.get, database, table))
        const typed = valuesIn(rest, key.length)
        if (key.length === 0 || typed.length !== key.length) {
          const names = key.map(({ name }) => name).join(', ')
          const says =
            key.length === 0
              ? `${table} shows no primary key.`
              : `The primary key of ${table} has ${counted(key.length, 'column')}: ${names}.`
          return { things: [], says }
        }
        const params = newParams()
        const values: ReturnType<typeof keyValue>[] = []
        const conditions: string[] = []
        for (const [at, { name, type: written }] of key.entries()) {
          const column = { name, ...typeAndLength(written) }
          const input = readInput(column, typed[at] ?? '', 'text')
          if (!isValue(input)) return { things: [], says: `${name}: ${input.error}` }
          values.push(keyValue(column.type, input.value))
          conditions.push(`${quoteName(name)} = ${params.add(column.type, input.value)}`)
        }
        const address = values.filter((value) => value !== null)
        if (address.length < key.length) {
          return { things: [], says: `A key of this type cannot be looked up here.` }
        }
        // The count alone: a row may hold megabytes.
        const sql = `SELECT COUNT(*) FROM ${quoteName(table)} WHERE ${conditions.join(' AND ')};`
        const client = io.get(clientAtom)
        const answer = await querySql(client, { database, sql, params: params.list, signal })
        if (readResult(answer).columns[0]?.values[0] !== '1') {
          return { things: [], says: `There is no ${row} now.` }
        }
        const path = pathTo(
          'query',
          inDatabase(database, { table, tab: 'rows', row: rowToAddress(address) }),
        )
        const name = `${table} ${rest}`
        return { things: [{ name, isForeign: true, isNamed: true, to: { path } }] }
      },
    }
  },
}

/** Names of the collections, from the newer list of them. */
function collectionNames(here: Here): readonly string[] | undefined {
  const cache = here.io.get(queryClientAtom)
  const [of, plain] = [keyOfDocuments(here.database, 'collections'), ['collections', here.database]]
  const described = cached<readonly Collection[]>(here, of)?.map(({ name }) => name)
  const names = cached<readonly string[]>(here, plain)
  const timeOf = (key: readonly unknown[]) => cache.getQueryState(key)?.dataUpdatedAt ?? 0
  return timeOf(of) > timeOf(plain) ? described : (names ?? described)
}

export const collections: Kind = {
  label: 'Collection',
  isInDatabases: true,
  known: (here) =>
    (collectionNames(here) ?? []).map((name) => collectionThing(here.database, name)),
  lookup(here) {
    const { io, database } = here
    if (database === '') return null
    const query = collectionNamesQuery(io.get(clientAtom), database)
    const ask = () => io.get(queryClientAtom).fetchQuery(query)
    return listLookup(here, 'collections', query.queryKey, ask)
  },
}

export const collectionThing = (database: string, name: string): Thing => ({
  name,
  isForeign: true,
  to: { path: pathTo('documents', inDatabase(database, { collection: name })) },
})

/** The server makes ids of 16 bytes. */
export const documentId = /^[0-9a-f]{32}$/i

/** Collections in which a document is looked for without being asked to. */
const mostCollections = 5

/** A document by its id, in each collection. */
export const documents: Kind = {
  label: 'Document',
  isInDatabases: true,
  lookup(here, text) {
    const id = text.trim().toLowerCase()
    const { database } = here
    const names = collectionNames(here)
    if (database === '' || !documentId.test(id) || !names) return null
    if (names.length === 0 || names.length > mostCollections) return null
    return {
      id: `document ${database} ${id}`,
      asks: `Asks the server for the document ${id} in ${counted(names.length, 'collection')}`,
      async ask(signal, tell) {
        const things: Thing[] = []
        for (const name of names) {
          things.push(...(await documentIn(here, name, id, signal)))
          tell({ things: [...things] })
        }
        return { things, ...(things.length === 0 && { says: `No collection has it.` }) }
      },
    }
  },
  scan(here, text, isFar = false) {
    const id = text.trim().toLowerCase()
    const isAsked = !isFar && (collectionNames(here)?.length ?? 0) <= mostCollections
    if (here.database === '' || !documentId.test(id) || isAsked) return null
    return { kind: 'documents', database: here.database, text: id }
  },
}

type Asked = Pick<Here, 'io' | 'database'>

/** The document with an id in one collection; none where the collection never had it. */
export async function documentIn(
  { io, database }: Asked,
  collection: string,
  id: string,
  signal?: AbortSignal,
): Promise<Thing[]> {
  const of = { database, collection, id, ...(signal ? { signal } : {}) }
  const state = await readDocument(io.get(clientAtom), of, 'newest')
  if (state.kind === 'absent' || state.kind === 'not-yet') return []
  const path = pathTo('documents', inDatabase(database, { collection, doc: id }))
  const isDeleted = state.kind === 'deleted'
  const note = isDeleted ? { note: 'deleted' } : {}
  return [{ name: id, isNamed: true, of: collection, to: { path }, ...note }]
}

/** A key by its bytes in base64. */
export function keyThing(database: string, key: string): Thing {
  const text = decodeUtf8(base64ToBytes(key))
  const address = keyToAddress(key)
  return {
    name: text ?? address,
    also: text === address ? [] : [address],
    isForeign: true,
    key,
    to: { path: pathTo('keys', inDatabase(database, { key: address })) },
  }
}

/** The bytes of a key, or of its beginning, that a text is; null for none. */
export function keyIn(text: string): string | null {
  if (text === '') return null
  const key = keyFromAddress(text) ?? bytesToBase64(encodeUtf8(text))
  return key !== '' && base64ToBytes(key).length <= longestKey ? key : null
}

/** Bytes that a key may have at most. */
const longestKey = 1_024
/** Keys that are listed by their beginning. */
const mostKeys = 8

/** Keys that begin with some bytes, from the first; a key with just these bytes is the first. */
export async function keysWith(
  client: Parameters<typeof scanKeys>[0],
  database: string,
  prefix: string,
  signal: AbortSignal,
): Promise<{ things: Thing[]; says?: string }> {
  const place = { after: null, offset: 0 }
  const { part } = await readPart(mostKeys, (limit) =>
    scanKeys(client, { database, prefix, ...place, limit, signal }),
  )
  if (typeof part === 'string') {
    return {
      things: [],
      says: 'The value of the first such key cannot be read, so none is listed.',
    }
  }
  const things = part.map(({ key }) => keyThing(database, key))
  return things.length < mostKeys ? { things } : { things, says: `The first ${mostKeys}.` }
}

export const keys: Kind = {
  label: 'Key',
  isInDatabases: true,
  known(here) {
    const lists = here.io
      .get(queryClientAtom)
      .getQueriesData<KeyPage>({ queryKey: [...keysKey(here.database), 'list'] })
    const of = ({ items }: KeyPage) =>
      items.flatMap((item) => (item.kind === 'key' ? [keyThing(here.database, item.key)] : []))
    return lists.flatMap(([, page]) => (page ? thingsOf(page, of) : []))
  },
  lookup({ io, database }, text) {
    const prefix = keyIn(text)
    if (prefix === null || database === '') return null
    return {
      id: `keys ${database} ${prefix}`,
      asks: `Asks the server for keys of ${database} that begin with “${cutText(text, mostRepeated)}”`,
      ask: (signal) => keysWith(io.get(clientAtom), database, prefix, signal),
    }
  },
  scan: ({ database }, text) =>
    database === '' || text.trim() === '' ? null : { kind: 'keys', database, text },
}
