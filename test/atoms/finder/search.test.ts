import { queryClientAtom } from 'jotai-tanstack-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { State } from '~/api/server'
import { databasesAtom } from '~/atoms/databases/database-list'
import {
  collections,
  columns,
  documents,
  keyIn,
  keys,
  rows,
  tables,
} from '~/atoms/finder/content-kinds'
import { hashes, hashIn, moments, times, transactions } from '~/atoms/finder/history-kinds'
import { editors, savedQueries } from '~/atoms/finder/query-kinds'
import { knownThings, resultsOf } from '~/atoms/finder/search'
import { databases, users } from '~/atoms/finder/server-kinds'
import type { Here, Kind, Lookup, Thing } from '~/atoms/finder/thing'
import { saveBrowserQuery } from '~/atoms/queries/browser-queries'
import { knownQueriesAtom } from '~/atoms/queries/known-queries'
import { queryText } from '~/atoms/queries/query-record'
import { openEditor, renameEditor } from '~/atoms/query/editors'
import { usersAtom } from '~/atoms/users/user-list'
import { stateAtom, stateKey } from '~/core/history/newest-state'
import { writeAt } from '~/immudb/moment'
import { sharedKey } from '~/immudb/saved-query'
import { base64ToHex, textToBase64 } from '~/lib/bytes'
import { pages } from '~/lib/paths'
import { corpusBytes } from '../../support/corpus-bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import { openTab, signIn, soon, type Tab } from '../../support/store'

const kinds: readonly Kind[] = [
  transactions,
  hashes,
  times,
  rows,
  documents,
  tables,
  collections,
  keys,
  databases,
  users,
  moments,
  columns,
]

let server: FakeImmudb
let tab: Tab
let here: Here

const model = (table: string, key: readonly string[], types: readonly string[]) => ({
  table,
  columns: key.map((name, at) => ({ name, type: types[at] ?? 'INTEGER' })),
  key,
  rows: [
    ['7', 'north'],
    ['8', "it's"],
  ],
})

beforeEach(async () => {
  server = fakeImmudb({ databases: ['defaultdb', 'orders', 'ledger'] })
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 42,
    tables: new Map(),
    models: new Map([
      ['orders', model('orders', ['id'], ['INTEGER'])],
      ['order_items', model('order_items', ['id', 'place'], ['INTEGER', 'VARCHAR'])],
    ]),
  })
  tab = openTab(server)
  await signIn(tab)
  for (const of of [stateAtom, databasesAtom, usersAtom]) tab.store.sub(of, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('42'))
  await soon(() => expect(tab.store.get(usersAtom).data).toBeTruthy())
  here = {
    io: tab.store,
    database: 'defaultdb',
    zone: 'utc',
    now: Date.UTC(2026, 10, 30, 12),
    pages: new Set(pages.map(({ name }) => name)),
    search: '',
    pathAt: (at) => `/keys?at=${writeAt(at)}`,
  }
  server.clear()
})

const shown = (text: string, brought: { kind: Kind; things: readonly Thing[] }[] = []) =>
  resultsOf(kinds, here, text, knownThings(kinds, here), brought).shown
const named = (text: string, brought?: { kind: Kind; things: readonly Thing[] }[]) =>
  shown(text, brought).map(({ kind, name }) => `${kind.label} ${name}`)
const pathOf = ({ to }: Thing) => ('path' in to ? to.path : null)

const signal = new AbortController().signal
const lookup = (kind: Kind, text: string) => kind.lookup?.(here, text) ?? null
async function ask(of: Lookup | null) {
  if (!of) throw new Error('nothing is asked')
  return of.ask(signal, () => {})
}

/** Has the lists that a search asks for by themselves. */
async function readLists() {
  tab.store.get(queryClientAtom).setQueryData(['collections', 'defaultdb'], [])
  for (const kind of [tables, columns]) {
    const found = lookup(kind, 'x')
    if (found) await ask(found)
  }
}

describe('what is known', () => {
  test('is found without a request, the exact first, then what begins so, then words', async () => {
    await readLists()
    server.clear()
    expect(named('orders')).toEqual(['Table orders', 'Database orders'])
    expect(named('order')).toEqual(['Table orders', 'Table order_items', 'Database orders'])
    expect(named('items')).toEqual(['Table order_items'])
    expect(named('nothing like it')).toEqual([])
    expect(server.calls).toEqual([])
  })

  test('leads to its address, with the open database', async () => {
    await readLists()
    const [table, database] = shown('orders')
    expect(table && pathOf(table)).toBe('/query?db=defaultdb&table=orders')
    expect(database && pathOf(database)).toBe('/?db=orders')
    expect(shown('immudb').map(pathOf)).toEqual(['/users?db=defaultdb&user=immudb'])
  })

  test('is left out where it leads to a page that is not offered', async () => {
    await readLists()
    here = { ...here, pages: new Set(['overview'] as const) }
    expect(named('orders')).toEqual(['Database orders'])
    expect(tables.lookup?.(here, 'orders')).toBeNull()
  })

  test('is cut to what someone reads, and says how much more there is', async () => {
    tab.store.get(queryClientAtom).setQueryData(
      ['tables', 'defaultdb'],
      Array.from({ length: 5_000 }, (_, at) => `zz${at}`),
    )
    const found = resultsOf(kinds, here, 'zz', knownThings(kinds, here), [])
    expect([found.shown.length, found.more]).toEqual([50, 4_950])
  })

  test('of keys is those of the lists that were read', () => {
    const line = { revision: '1', size: 1, expiresAt: null, target: null }
    const of = (text: string) => ({ kind: 'key' as const, key: textToBase64(text), ...line })
    tab.store.get(queryClientAtom).setQueryData(['keys', 'defaultdb', 'list', ''], {
      items: [of('shop/1'), { kind: 'unreadable', why: 'gone' }, of('a shop')],
      next: null,
    })
    expect(named('shop')).toEqual(['Key shop/1', 'Key a shop'])
    expect(shown('shop/1').map(pathOf)).toEqual(['/keys?db=defaultdb&key=shop%2F1'])
  })
})

test('a list is asked for again when the database has grown, whoever made what is in it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await readLists()
    expect(lookup(tables, 'late')).toBeNull()
    vi.setSystemTime(Date.now() + 60_000)
    // Nothing was written since.
    expect(lookup(tables, 'late')).toBeNull()
    const database = server.databases.get('defaultdb')
    database?.models?.set('late_table', model('late_table', ['id'], ['INTEGER']))
    tab.store
      .get(queryClientAtom)
      .setQueryData<State>(stateKey('defaultdb'), (known) => known && { ...known, txId: '43' })
    expect(named('late')).toEqual([])
    await ask(lookup(tables, 'late'))
    expect(named('late')).toEqual(['Table late_table'])
    expect(lookup(tables, 'late')).toBeNull()
    expect(lookup(collections, 'late')?.asks).toBe(
      'Asks the server for the collections of defaultdb',
    )
  } finally {
    vi.useRealTimers()
  }
})

describe('a text that names something', () => {
  test.each(['42', 'tx 42', ' TX 42', 'transaction 42', '0042'])('%j is a transaction', (text) => {
    expect(named(text)[0]).toBe('Transaction tx 42')
    expect(lookup(transactions, text)).toBeNull()
  })

  test('is a transaction only up to the newest; for others the server is asked', async () => {
    expect(named('43')).toEqual([])
    const { things, says } = await ask(lookup(transactions, '43'))
    expect([things, says]).toEqual([[], 'There is no transaction 43. The newest is 42.'])
    const database = server.databases.get('defaultdb')
    if (database) database.txId = 50
    const found = await ask(lookup(transactions, '43'))
    expect(found.things.map(({ name }) => name)).toEqual(['tx 43'])
    expect(named('18446744073709551615')).toEqual([])
    expect(lookup(transactions, '18446744073709551615')).toBeNull()
  })

  test.each([
    ['5 minutes ago', '30 Nov 2026, 11:55:00 UTC', '2026-11-30T11:55:00Z'],
    ['2026-11-21 09:00', '21 Nov 2026, 09:00:00 UTC', '2026-11-21T09:00:00Z'],
    ['as of 21 Nov 2026, 09:00:00 UTC', '21 Nov 2026, 09:00:00 UTC', '2026-11-21T09:00:00Z'],
  ])('%j is a moment of the shown screen', (text, name, at) => {
    const [first] = shown(text)
    expect(first && [first.kind.label, first.name, pathOf(first)]).toEqual([
      'As of',
      name,
      `/keys?at=${at}`,
    ])
    expect(lookup(times, text)?.asks).toContain(name)
  })

  test('of the future, or behind the newest transaction, says so and asks nothing', () => {
    expect(shown('in 5 minutes')[0]?.refusal).toBe('This time has not come yet.')
    expect(lookup(times, 'in 5 minutes')).toBeNull()
    expect(shown('as of tx 43')[0]?.refusal).toBe('The newest known one is 42.')
    tab.store.get(queryClientAtom).removeQueries({ queryKey: stateKey('defaultdb') })
    expect(shown('as of tx 43')[0]?.refusal).toBe('None is known here yet.')
    tab.store.get(queryClientAtom).setQueryData(stateKey('defaultdb'), { txId: '42' })
    expect(shown('as of 42').map(pathOf)).toContain('/keys?at=tx:42')
  })

  test('is a hash in hex and both alphabets of base64, with or without its end', () => {
    const hash = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at)).toString('base64')
    const forms = [hash, hash.slice(0, -1), base64ToHex(hash), `0x${base64ToHex(hash)}`]
    forms.push(hash.replaceAll('+', '-').replaceAll('/', '_'), base64ToHex(hash).toUpperCase())
    expect(forms.map(hashIn)).toEqual(forms.map(() => hash))
    for (const other of ['', 'x', hash.slice(1), `${hash}=`, 'g'.repeat(64)]) {
      expect(hashIn(other), other).toBeNull()
    }
    tab.store
      .get(queryClientAtom)
      .setQueryData(stateKey('defaultdb'), { ...tab.store.get(stateAtom).data, txHash: hash })
    expect(shown(hash).map(({ name, note }) => [name, note])).toEqual([
      ['tx 42', 'hash of the newest state, as the server reports it'],
    ])
    // It is looked for among the transactions only on request.
    expect(hashes.scan?.(here, hash)).toEqual({
      kind: 'transactions',
      database: 'defaultdb',
      text: hash,
    })
    expect(hashes.lookup).toBeUndefined()
  })
})

describe('a row', () => {
  test.each([
    ['orders 7', 'orders', 'n:7'],
    ['ORDERS: 7', 'orders', 'n:7'],
    ['orders(8)', 'orders', 'n:8'],
    ['order_items 7, north', 'order_items', 'n:7,s:north'],
    ["order_items (8, 'it''s')", 'order_items', "n:8,s:it's"],
  ])('%j is found by its primary key, which is sent as parameters', async (text, table, row) => {
    await readLists()
    server.clear()
    const { things } = await ask(lookup(rows, text))
    const query = new URLSearchParams({ db: 'defaultdb', table, tab: 'rows', row })
    expect(things.map(pathOf)).toEqual([`/query?${query}`])
    expect(named(text, [{ kind: rows, things }])[0]).toMatch(/^Row /)
    const [sent] = server.calls.filter(({ body }) => String(body.sql).includes('COUNT'))
    expect(sent?.body.sql).not.toMatch(/7|8|north|'/)
  })

  test.each([
    ['orders 9', 'There is no row 9 of orders now.'],
    ['orders seven', /^id: Write a whole number/],
    ['order_items 7', 'The primary key of order_items has 2 columns: id, place.'],
  ])('%j is none, and why', async (text, says) => {
    await readLists()
    const answer = await ask(lookup(rows, text))
    expect(answer.things).toEqual([])
    expect(answer.says).toMatch(says)
  })

  test('is asked for only where the text begins with a known table', async () => {
    expect(lookup(rows, 'orders 7')).toBeNull()
    await readLists()
    for (const text of ['orders', 'orders ', 'nothing 7', 'ordersx 7', '7']) {
      expect(lookup(rows, text), text).toBeNull()
    }
  })
})

describe('keys', () => {
  test('are asked for by their beginning in one request that has them in its body', async () => {
    const database = server.databases.get('defaultdb')
    if (!database) throw new Error('no database')
    for (const name of ['shop/1', 'shop/2', 'other']) storeKey(database, textToBase64(name), 'AA==')
    const { things } = await ask(lookup(keys, 'shop/'))
    expect(things.map(({ name }) => name)).toEqual(['shop/1', 'shop/2'])
    expect(named('shop/2', [{ kind: keys, things }])[0]).toBe('Key shop/2')
    expect(server.log()).toEqual(['POST /db/scan'])
    expect(await ask(lookup(keys, 'none'))).toEqual({ things: [] })
  })

  test('may be any bytes of the corpus, and lead to exactly these', async () => {
    for (const { bytes, name } of corpusBytes('key')) {
      if (bytes.length === 0 || bytes.length > 1_024) continue
      const database = server.databases.get('defaultdb')
      if (database) storeKey(database, bytes.toString('base64'), 'AA==')
      const typed = `b64:${bytes.toString('base64url')}`
      expect(keyIn(typed), name).toBe(bytes.toString('base64'))
      const { things } = await ask(lookup(keys, typed))
      const [first] = shown(typed, [{ kind: keys, things }])
      expect(first?.key, name).toBe(bytes.toString('base64'))
    }
  })

  test('longer than immudb takes are not asked for', () => {
    expect(lookup(keys, 'x'.repeat(1_025))).toBeNull()
    expect(lookup(keys, '')).toBeNull()
  })
})

test('nothing that was not answered is a result', async () => {
  server.unplug()
  for (const text of ['orders 7', 'shop/1', '99', 'ab'.repeat(16)]) {
    expect(named(text), text).toEqual([])
    for (const kind of kinds) {
      const found = lookup(kind, text)
      if (found) await expect(found.ask(signal, () => {})).rejects.toThrow()
    }
    expect(named(text), text).toEqual([])
  }
})

describe('saved queries', () => {
  const content = { id: 'q_1234', name: 'Monthly totals', folder: 'sales', description: '' }

  test('of this browser are known, and open by their address without being run', async () => {
    const of = { ...content, text: 'SELECT 1', database: 'defaultdb' }
    tab.store.sub(knownQueriesAtom, () => {})
    await saveBrowserQuery(tab.store, of, null)
    server.clear()
    const [found] = resultsOf([savedQueries], here, 'monthly', known([savedQueries]), []).shown
    expect(found).toMatchObject({ name: 'Monthly totals', of: 'sales' })
    expect(found && pathOf(found)).toBe('/query?db=defaultdb&query=q_1234')
    expect(server.calls).toEqual([])
  })

  test('that are shared are asked for once, whatever is typed, and found by their names', async () => {
    const database = server.databases.get('defaultdb')
    if (!database) throw new Error('no database')
    const text = queryText({ ...content, text: 'SELECT 2' })
    storeKey(database, sharedKey('q_1234'), textToBase64(text))
    storeKey(database, sharedKey('damaged'), textToBase64('{'))
    const question = lookup(savedQueries, 'monthly')
    expect(question?.id).toBe(lookup(savedQueries, 'other')?.id)
    expect(question?.asks).not.toContain('monthly')
    const { things } = await ask(question)
    const brought = [{ kind: savedQueries, things }]
    const found = (typed: string) => resultsOf([savedQueries], here, typed, [], brought).shown
    expect(found('totals').map(pathOf)).toEqual(['/query?db=defaultdb&query=q_1234'])
    expect(found('nothing like it')).toEqual([])
  })

  const known = (of: readonly Kind[]) => knownThings(of, here)
})

test('editors with a name are found, the first one of a database too', async () => {
  const other = await openEditor(tab.store, { text: 'SELECT 2', name: 'Totals of June' })
  const first = { database: 'defaultdb', id: '' }
  renameEditor(tab.store, first, 'Totals of May')
  const found = resultsOf([editors], here, 'totals', knownThings([editors], here), []).shown
  const id = 'editor' in other ? other.editor.id : null
  expect(found.map(pathOf).sort()).toEqual([
    '/query?db=defaultdb',
    `/query?db=defaultdb&editor=${id}`,
  ])
})
