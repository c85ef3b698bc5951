// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { knownQueriesAtom } from '~/atoms/queries/known-queries'
import { type QueryContent, queryText } from '~/atoms/queries/query-record'
import {
  checkShared,
  forgetSharedSave,
  readAllShared,
  readShared,
  saveShared,
  sharedQueries,
  sharedSaveAtom,
  sharedSlot,
} from '~/atoms/queries/shared-queries'
import { sharedKey, sharedPrefix } from '~/immudb/saved-query'
import { base64ToText, bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { goesAwayAfter } from '../../support/goes-away'
import { openTab, signIn, soon, type Tab } from '../../support/store'

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))

let server: FakeImmudb
let tab: Tab
let database: FakeDatabase

beforeEach(async () => {
  server = fakeImmudb({ users: { eve: { password: 'e', permissions: { defaultdb: 1 } } } })
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  tab = openTab(server)
  await signIn(tab)
  server.clear()
})

const query = (id: string, more = {}): QueryContent => ({
  id,
  name: `Query ${id}`,
  folder: '',
  description: '',
  text: 'SELECT 1',
  ...more,
})
const save = (of: QueryContent, base: string | null = null) =>
  saveShared(tab.store, 'defaultdb', of, base)
const stateOf = (id: string) => tab.store.get(sharedSaveAtom)(sharedSlot('defaultdb', id))
const put = (id: string, value: string) => storeKey(database, sharedKey(id), b(value))

async function list(of: Tab = tab) {
  const atom = of.store.get(sharedQueries.listsAtom)('defaultdb')
  of.store.sub(atom, () => {})
  return soon(() => {
    const found = of.store.get(atom)
    if (found.isPending || found.isFetching || found.isAdding) throw new Error('not yet')
    return found
  })
}

describe('shared queries', () => {
  test('are keys under one prefix, one for each', async () => {
    expect(await save(query('aaaa'))).toMatchObject({ kind: 'committed', value: { tx: '1' } })
    const [[key, revisions] = []] = keysOf(database)
    expect(base64ToText(key ?? '')).toBe(`${sharedPrefix}aaaa`)
    expect(base64ToText(revisions?.[0]?.value ?? '')).toBe(queryText(query('aaaa')))
  })

  test('are listed by one request where there are few', async () => {
    await save(query('aaaa'))
    storeKey(database, b('other'), b('x'))
    server.clear()
    expect((await list()).data?.queries).toMatchObject([
      { id: 'aaaa', place: 'shared', mark: '1', database: 'defaultdb' },
    ])
    // The second shows that there is no more.
    expect(server.log().filter((call) => call === 'POST /db/scan').length).toBeLessThanOrEqual(2)
  })

  test('are read on by pages to their end: 5,000', async () => {
    for (let at = 0; at < 5_000; at += 1) put(`id-${String(at).padStart(5, '0')}`, '')
    for (let at = 0; at < 5_000; at += 1) {
      const id = `id-${String(at).padStart(5, '0')}`
      put(id, queryText(query(id)))
    }
    await list()
    await readAllShared(tab.store, 'defaultdb')
    const atom = tab.store.get(sharedQueries.listsAtom)('defaultdb')
    await soon(() => expect(tab.store.get(atom).data?.queries).toHaveLength(5_000))
    expect(server.log().filter((call) => call === 'POST /db/scan').length).toBeLessThanOrEqual(12)
  })

  test('that are damaged or newer are listed with their keys, and the others work', async () => {
    put('aaaa', queryText(query('aaaa')))
    put('bbbb', 'no JSON')
    put('cccc', queryText(query('cccc')).replace('"version":1', '"version":2'))
    put('dddd', queryText(query('other')))
    put('', queryText(query('aaaa')))
    storeKey(database, b(`${sharedPrefix}eeee`), bytesToBase64(new Uint8Array([0xff, 0xfe])))
    const { data } = await list()
    expect(data?.queries.map(({ id }) => id)).toEqual(['aaaa'])
    expect(data?.unreadable.map(({ key, why }) => [base64ToText(key), why])).toEqual([
      [sharedPrefix, 'It names another query than its key.'],
      [`${sharedPrefix}bbbb`, 'It is not JSON.'],
      [`${sharedPrefix}cccc`, 'A newer version of this console wrote it.'],
      [`${sharedPrefix}dddd`, 'It names another query than its key.'],
      [`${sharedPrefix}eeee`, 'It is not JSON.'],
    ])
  })

  test('of lists that were read are known without a request', async () => {
    put('aaaa', queryText(query('aaaa', { folder: 'x' })))
    tab.store.sub(knownQueriesAtom, () => {})
    expect(tab.store.get(knownQueriesAtom)).toEqual([])
    await list()
    server.clear()
    await soon(() =>
      expect(tab.store.get(knownQueriesAtom)).toMatchObject([
        { id: 'aaaa', name: 'Query aaaa', folder: 'x', database: 'defaultdb' },
      ]),
    )
    expect(server.log()).toEqual([])
  })

  test('are read one by one, by their ids', async () => {
    put('aaaa', queryText(query('aaaa')))
    expect(await readShared(tab.store, 'defaultdb', 'aaaa')).toMatchObject({ name: 'Query aaaa' })
    expect(await readShared(tab.store, 'defaultdb', 'zzzz')).toBeNull()
  })

  test('are not taken for another one that a server answers with', async () => {
    put('aaaa', queryText(query('aaaa')))
    put('bbbb', queryText(query('bbbb')))
    const fetch: typeof globalThis.fetch = (input, init) =>
      server.fetch(String(input).replace(encodeURI(sharedKey('aaaa')), sharedKey('bbbb')), init)
    tab = openTab({ ...server, fetch })
    await signIn(tab)
    expect(await readShared(tab.store, 'defaultdb', 'aaaa')).toMatchObject({
      why: 'The server answered with another key.',
    })
  })

  test('have no password', async () => {
    await save(query('aaaa', { text: "CREATE USER bob WITH PASSWORD 'hunter2' READ" }))
    expect(base64ToText(keysOf(database).get(sharedKey('aaaa'))?.[0]?.value ?? '')).not.toContain(
      'hunter2',
    )
  })
})

describe('a shared query that someone else changed', () => {
  test('is not overwritten: what is stored is shown, and is the next base', async () => {
    await save(query('aaaa'))
    put('aaaa', queryText(query('aaaa', { name: 'Theirs' })))
    expect(await save(query('aaaa', { name: 'Mine' }), '1')).toMatchObject({
      kind: 'conflict',
      stored: { name: 'Theirs', mark: '2' },
    })
    expect(keysOf(database).get(sharedKey('aaaa'))).toHaveLength(2)
    expect(await save(query('aaaa', { name: 'Mine' }), '2')).toMatchObject({ kind: 'committed' })
  })

  test('to something that cannot be read is never a base', async () => {
    await save(query('aaaa'))
    put('aaaa', '{"format":"webconsole query","version":3}')
    expect(await save(query('aaaa', { name: 'Mine' }), '1')).toMatchObject({
      kind: 'conflict',
      stored: { why: 'A newer version of this console wrote it.' },
    })
  })

  test('and deleted is a conflict', async () => {
    await save(query('aaaa'))
    storeKey(database, sharedKey('aaaa'), null)
    expect(await save(query('aaaa', { name: 'Mine' }), '1')).toMatchObject({
      kind: 'conflict',
      stored: null,
    })
  })

  test('is refused to someone who may only read', async () => {
    tab = openTab(server)
    await signIn(tab, 'eve', 'e')
    expect(await save(query('aaaa'))).toMatchObject({ kind: 'refused' })
    expect(keysOf(database).size).toBe(0)
  })
})

describe('F17: a save of a shared query without an answer', () => {
  test('is unknown, is not sent again, and the check finds it stored', async () => {
    expect(await save(query('fault_lost_1'))).toMatchObject({ kind: 'unknown', finding: null })
    const sets = () => server.log().filter((call) => call === 'POST /db/set').length
    expect(sets()).toBe(1)
    expect(await checkShared(tab.store, 'defaultdb', 'fault_lost_1')).toMatchObject({
      kind: 'committed',
      value: { tx: '1', text: expect.stringContaining('holds exactly this value') },
    })
    expect(sets()).toBe(1)
  })

  test('that was not stored can be sent again, and is stored once', async () => {
    expect(await save(query('fault_reset_1'))).toMatchObject({ kind: 'unknown' })
    await checkShared(tab.store, 'defaultdb', 'fault_reset_1')
    expect(stateOf('fault_reset_1')).toMatchObject({
      kind: 'unknown',
      finding: expect.stringContaining('Not stored so far.'),
    })
    expect(await save(query('fault_reset_1'))).toMatchObject({ kind: 'committed' })
    expect(keysOf(database).get(sharedKey('fault_reset_1'))).toHaveLength(1)
  })

  test('and changed by someone else since is a conflict that says what stored it', async () => {
    await save(query('fault_lost_1'))
    put('fault_lost_1', queryText(query('fault_lost_1', { name: 'Theirs' })))
    expect(await checkShared(tab.store, 'defaultdb', 'fault_lost_1')).toMatchObject({
      kind: 'conflict',
      stored: { name: 'Theirs' },
      seenIn: ['1'],
    })
    forgetSharedSave(tab.store, 'defaultdb', 'fault_lost_1')
    expect(stateOf('fault_lost_1')).toEqual({ kind: 'idle' })
  })

  test('F16: refused by what may be its own first delivery is unknown until that was read', async () => {
    tab = openTab(goesAwayAfter(server, '/db/set'))
    await signIn(tab)
    put('aaaa', queryText(query('aaaa')))
    expect(await save(query('aaaa'))).toMatchObject({
      kind: 'unknown',
      text: expect.stringContaining('has changed since'),
    })
    server.plug()
    expect(await checkShared(tab.store, 'defaultdb', 'aaaa')).toMatchObject({ kind: 'committed' })
  })
})
