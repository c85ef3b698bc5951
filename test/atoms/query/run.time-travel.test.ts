// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import { outputAtom } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { countRows, rowCountsAtom } from '~/atoms/query/row-counts'
import { runStatements } from '~/atoms/query/run'
import { asOfTxAtom, chosenTxAtom, momentAtom } from '~/core/history/as-of'
import {
  addressedMomentsAtom,
  noteAddressedMoment,
  refreshState,
  stateAtom,
} from '~/core/history/newest-state'
import { splitStatements } from '~/sql/statements'
import type { Moment } from '~/sql/time-travel'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

const until = (id: string): Moment => ({ bound: 'UNTIL', at: { kind: 'tx', id } })

beforeEach(async () => {
  server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
  const rows = [
    { id: '1', tx: 2 },
    { id: '2', tx: 3 },
  ]
  server.databases.set('defaultdb', { isLoaded: true, txId: 3, tables: new Map([['t', rows]]) })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('3'))
  server.clear()
})

async function run(text: string): Promise<OutputEntry[]> {
  await runStatements(tab.store, text, splitStatements(text))
  return tab.store.get(outputAtom).filter((item) => item.kind === 'entry')
}

/** As the address of the open database does. */
function look(at: string | undefined, database = 'defaultdb') {
  noteAddressedMoment(tab.store, database, at)
}

const sent = () => server.calls.flatMap(({ body }) => (body.sql === undefined ? [] : [body.sql]))

describe('the chosen moment', () => {
  test('is the present one until another is chosen, and each database has its own', async () => {
    const { get } = tab.store
    const read = () => [get(momentAtom), get(asOfTxAtom), get(chosenTxAtom)]
    expect(read()).toEqual([null, null, '3'])
    look('tx:2')
    expect(read()).toEqual([until('2'), '2', '2'])
    await openDatabase(tab.store, 'shop')
    expect(read()).toEqual([null, null, '1'])
    await openDatabase(tab.store, 'defaultdb')
    expect(tab.store.get(momentAtom)).toEqual(until('2'))
    look(undefined)
    expect(tab.store.get(momentAtom)).toBeNull()
    expect(tab.store.get(addressedMomentsAtom).size).toBe(0)
  })

  test('flags an entry when it differs from the present one, and the sent text is shown', async () => {
    look('tx:2')
    const [past] = await run('SELECT id FROM t')
    expect(past).toMatchObject({
      timeTravel: true,
      sent: 'SELECT id FROM t UNTIL TX 2;',
      message: '1 row',
      notes: ['t read UNTIL TX 2.'],
    })
    look(undefined)
    expect((await run('SELECT id FROM t')).at(-1)).toMatchObject({ timeTravel: false, sent: null })
  })

  test('that is the newest one is sent, without the flag, and takes no writes', async () => {
    look('tx:3')
    const [select, insert] = await run('SELECT id FROM t; INSERT INTO t(id) VALUES (3)')
    expect(select).toMatchObject({ timeTravel: false, sent: 'SELECT id FROM t UNTIL TX 3;' })
    expect(insert?.failure?.text).toMatch(/past, which cannot be changed/)
    look(undefined)
    await run('INSERT INTO t(id) VALUES (3)')
    await refreshState(tab.store)
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('4'))
    look('tx:3')
    expect((await run('SELECT id FROM t')).at(-1)).toMatchObject({
      timeTravel: true,
      message: '2 rows',
    })
  })

  test.each([
    ['tx:99', /^The statement was not sent\. There is no transaction 99\. The newest is 3\.$/],
    ['tx:0', /moment that this console cannot read/],
    ['2999-01-01T00:00:00Z', /has not come yet/],
  ])('%s is answered in words, and nothing is sent', async (at, words) => {
    look(at)
    const [read] = await run('SELECT id FROM t')
    expect(sent()).toEqual([])
    expect(read?.failure?.text).toMatch(words)
    expect(tab.store.get(asOfTxAtom)).toBeNull()
  })

  test.each([
    ['before:tx:3', 'SELECT id FROM t BEFORE TX 3;'],
    ['since:tx:2', 'SELECT id FROM t SINCE TX 2;'],
    [
      'after:2026-11-21T09:00:00Z',
      "SELECT id FROM t AFTER CAST('2026-11-21 09:00:00' AS TIMESTAMP);",
    ],
  ])('may be a period that only queries read: %s', async (at, sql) => {
    look(at)
    await run('SELECT id FROM t')
    expect(sent()).toEqual([sql])
    expect(tab.store.get(asOfTxAtom)).toBeNull()
  })
})

describe('what an entry was run at', () => {
  test('is the present with the newest transaction known, for reads and for writes', async () => {
    const [read, write, after] = await run(
      'SELECT id FROM t; INSERT INTO t(id) VALUES (3); SELECT id FROM t',
    )
    expect(read).toMatchObject({ at: { kind: 'present' }, txBefore: '3', tx: null })
    expect(write).toMatchObject({ at: { kind: 'present' }, tx: '4' })
    expect(after).toMatchObject({ at: { kind: 'present' }, txBefore: '4' })
  })

  test('is the chosen moment, where the statement has no period of its own', async () => {
    look('tx:2')
    expect((await run('SELECT id FROM t')).at(-1)?.at).toEqual({
      kind: 'past',
      moment: until('2'),
    })
    expect((await run('SELECT id FROM t BEFORE TX 2')).at(-1)?.at).toEqual({ kind: 'own' })
    expect((await run('SELECT 7')).at(-1)?.at).toEqual({ kind: 'present' })
    look(undefined)
    expect((await run('SELECT id FROM t UNTIL TX 2')).at(-1)?.at).toEqual({ kind: 'own' })
  })

  test('is nothing for what was not sent', async () => {
    look('tx:2')
    const found = await run('INSERT INTO t(id) VALUES (9); SELECT id FROM t')
    expect(found.map(({ at }) => at)).toEqual([null, null])
  })
})

describe('while the past is chosen', () => {
  beforeEach(() => look('tx:2'))

  test('nothing that writes is sent', async () => {
    const found = await run('INSERT INTO t(id) VALUES (9); SELECT id FROM t')
    expect(sent()).toEqual([])
    expect(found).toMatchObject([{ status: 'failed', timeTravel: false }, { status: 'not-run' }])
    expect(found[0]?.failure?.text).toMatch(/past, which cannot be changed/)
  })

  test('a view, which the server would show as it is now, is not sent', async () => {
    const [found] = await run('SELECT id FROM some_view')
    expect(sent()).toEqual([])
    expect(found?.failure?.text).toMatch(
      /^The statement was not sent: some_view cannot be read as of/,
    )
  })

  test('a statement that reads no table is sent as it is, and says so', async () => {
    const [found] = await run('SELECT 7')
    expect(sent()).toEqual(['SELECT 7;'])
    expect(found).toMatchObject({ timeTravel: false, notes: [expect.stringMatching(/present/)] })
  })

  test('USE goes to the moment of the other database', async () => {
    server.databases.set('shop', { isLoaded: true, txId: 1, tables: new Map([['s', []]]) })
    await run('USE shop; SELECT id FROM s')
    expect(sent()).toEqual(['SELECT id FROM s;'])
  })

  test('without the list of tables nothing is sent that might show the present', async () => {
    server.unplug()
    const [found] = await run('SELECT id FROM t')
    expect(found?.failure?.text).toMatch(/^The statement was not sent\./)
    server.plug()
  })

  test('rows are counted there', async () => {
    await countRows(tab.store, 't')
    expect(tab.store.get(rowCountsAtom).get('t')).toBe('1')
  })
})

test('a count of rows is forgotten once something was written', async () => {
  await countRows(tab.store, 't')
  expect(tab.store.get(rowCountsAtom).get('t')).toBe('2')
  await run('INSERT INTO t(id) VALUES (3)')
  await soon(() => expect(tab.store.get(rowCountsAtom).size).toBe(0))
})
