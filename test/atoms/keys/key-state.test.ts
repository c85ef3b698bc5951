// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { readPastKeyState } from '~/atoms/keys/key-state'
import { clientAtom } from '~/core/session/client'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { openTab, signIn, type Tab } from '../../support/store'

const b = (text: string) => btoa(text)
const huge = 'A'.repeat(6_000_000)

let server: FakeImmudb
let database: FakeDatabase
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb()
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  tab = openTab(server)
  await signIn(tab)
})

const at = (tx: number, key = 'k') =>
  readPastKeyState(tab.store.get(clientAtom), {
    database: 'defaultdb',
    key: b(key),
    tx: String(tx),
  })

test('a key is the largest revision up to a transaction', async () => {
  storeKey(database, b('other'), b('x'))
  storeKey(database, b('k'), b('one'))
  storeKey(database, b('k'), b('two'))
  storeKey(database, b('k'), null)
  storeKey(database, b('k'), b('three'))
  expect(await at(1)).toEqual({ kind: 'not-yet', first: '2' })
  expect(await at(2)).toMatchObject({ kind: 'live', entry: { value: b('one'), revision: '1' } })
  expect(await at(3)).toMatchObject({ kind: 'live', entry: { value: b('two'), tx: '3' } })
  expect(await at(4)).toMatchObject({ kind: 'deleted', entry: { tx: '4' } })
  expect(await at(5)).toMatchObject({ kind: 'live', entry: { value: b('three') } })
  expect(await at(99)).toMatchObject({ kind: 'live', entry: { value: b('three') } })
  expect(await at(5, 'none')).toEqual({ kind: 'absent' })
})

test('of 10,000 revisions it asks for few', async () => {
  for (let count = 0; count < 10_000; count += 1) storeKey(database, b('k'), b(String(count)))
  for (const tx of [1, 2, 4_999, 9_999, 10_000]) {
    server.clear()
    expect(await at(tx)).toMatchObject({ kind: 'live', entry: { value: b(String(tx - 1)) } })
    expect(server.calls.length).toBeLessThanOrEqual(16)
  }
}, 60_000)

test('a revision that comes meanwhile changes nothing', async () => {
  for (let count = 0; count < 9; count += 1) storeKey(database, b('k'), b(String(count)))
  const answers = [at(1), at(5), at(8)]
  storeKey(database, b('k'), b('later'))
  const found = await Promise.all(answers)
  expect(found.map((one) => 'entry' in one && one.entry.value)).toEqual([b('0'), b('4'), b('7')])
})

test('an expired value is told as such', async () => {
  storeKey(database, b('k'), b('one'), { expiresAt: '5', isExpired: true })
  storeKey(database, b('k'), b('two'))
  expect(await at(1)).toMatchObject({ kind: 'expired', entry: { expiresAt: '5' } })
})

describe('a reference', () => {
  test('brings the value that its target had then', async () => {
    storeKey(database, b('t'), b('one'))
    storeKey(database, b('k'), 'AAAA', { target: b('t') })
    storeKey(database, b('t'), b('two'))
    const target = (tx: string) => ({ key: b('t'), tx, isBound: false })
    expect(await at(2)).toMatchObject({ entry: { value: b('one'), tx: '2', target: target('1') } })
    expect(await at(3)).toMatchObject({ entry: { value: b('two'), tx: '2', target: target('3') } })
  })

  test('to what is gone today still brings it', async () => {
    storeKey(database, b('t'), b('one'))
    // As the history has a reference: a transaction, the mark of a key, and its name.
    storeKey(database, b('k'), b('\0\0\0\0\0\0\0\0\0t'), { target: b('t') })
    storeKey(database, b('t'), null)
    expect(await at(2)).toMatchObject({ kind: 'live', entry: { value: b('one') } })
    expect(await at(3)).toMatchObject({ kind: 'unresolved', target: { kind: 'deleted' } })
  })
})

describe('a revision larger than an answer', () => {
  test('is said where it is the one', async () => {
    storeKey(database, b('k'), b('one'))
    storeKey(database, b('k'), huge)
    storeKey(database, b('k'), b('three'))
    expect(await at(3)).toMatchObject({ kind: 'live', entry: { value: b('three') } })
    // Whether it was written by then is not told.
    expect(await at(2)).toEqual({ kind: 'hidden' })
    expect(await at(1)).toEqual({ kind: 'hidden' })
  })

  test('hides nothing elsewhere', async () => {
    storeKey(database, b('k'), b('one'))
    storeKey(database, b('k'), b('two'))
    storeKey(database, b('k'), huge)
    storeKey(database, b('k'), b('four'))
    storeKey(database, b('k'), huge)
    expect(await at(1)).toMatchObject({ kind: 'live', entry: { value: b('one') } })
    expect(await at(4)).toEqual({ kind: 'hidden' })
  })
})
