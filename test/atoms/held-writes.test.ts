import { beforeEach, expect, test } from 'vitest'
import { deleteKeyAtom, deleteStateAtom } from '~/atoms/key-write'
import { outputAtom } from '~/atoms/output'
import { changePermissionAtom, changePrivilegesAtom } from '~/atoms/permissions'
import { runAtom } from '~/atoms/run'
import { permissionsAtom } from '~/atoms/session'
import { releaseWritesAtom, setTrustAtom, type Trust, writesHeldAtom } from '~/atoms/trust'
import type { Break, BreakKind } from '~/atoms/trust-record'
import { createUserAtom } from '~/atoms/user-writes'
import { writeRefusalAtom } from '~/atoms/write-refusal'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn, type Tab } from '../support/store'

let server: FakeImmudb
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb({
    databases: ['defaultdb', 'shop'],
    users: { bob: { password: 'x', permissions: { shop: 2 } } },
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.set(permissionsAtom, [{ database: '*', permission: 255 }])
  server.clear()
})

const breakOf = (kind: BreakKind): Trust => {
  const words = { reason: '', step: '', part: '', expected: '', received: '', what: '' }
  const broken: Break = { kind, ...words, at: 1, verification: null, acknowledgedAt: null }
  return { kind: 'broken', record: null, broken }
}

const run = (sql: string) => tab.store.set(runAtom, sql, splitStatements(sql))
const lastOutput = () =>
  tab.store
    .get(outputAtom)
    .filter(({ kind }) => kind === 'entry')
    .at(-1)
const sent = () => server.log().filter((line) => !/GET|sqlquery|list/.test(line))

const held = /history of (defaultdb|shop) is broken.*Write anyway/

test('nothing is written to a database whose history is broken, and it is read as ever', async () => {
  const { store } = tab
  store.set(setTrustAtom, 'defaultdb', breakOf('rolled-back'))
  store.set(setTrustAtom, 'shop', breakOf('rewritten'))
  expect(store.get(writeRefusalAtom)).toMatch(held)
  await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
  expect(lastOutput()).toMatchObject({ status: 'failed', message: expect.stringMatching(held) })
  await store.set(deleteKeyAtom, 'YQ==')
  expect(store.get(deleteStateAtom)).toMatchObject({
    kind: 'refused',
    text: expect.stringMatching(held),
  })
  const refused = { kind: 'refused', text: expect.stringMatching(held) }
  const user = { user: 'erin', password: 'x', database: 'shop', permission: 1 }
  expect(await store.set(createUserAtom, user)).toMatchObject(refused)
  const change = { action: 'REVOKE', user: 'bob', database: 'shop', permission: 2 } as const
  expect(await store.set(changePermissionAtom, change)).toMatchObject(refused)
  const edit = { user: 'bob', database: 'shop', grant: ['SELECT'], revoke: [] }
  expect(await store.set(changePrivilegesAtom, edit)).toMatchObject(refused)
  expect(sent()).toEqual([])
  await run('SELECT 1')
  expect(lastOutput()).toMatchObject({ status: 'done' })
})

test('who has typed the name of one database writes to that one', async () => {
  const { store } = tab
  store.set(setTrustAtom, 'defaultdb', breakOf('rolled-back'))
  store.set(setTrustAtom, 'shop', breakOf('rolled-back'))
  store.set(releaseWritesAtom, 'defaultdb')
  expect(store.get(writeRefusalAtom)).toBeUndefined()
  expect(store.get(writesHeldAtom)('shop')).toMatch(held)
  await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
  expect(sent()).toEqual(['POST /db/sqlexec'])
})

test('F49 of another server nothing is known, so no database is written to', () => {
  const { store } = tab
  store.set(setTrustAtom, 'defaultdb', breakOf('other-server'))
  expect(store.get(writesHeldAtom)('shop')).toMatch(held)
  store.set(setTrustAtom, 'defaultdb', { kind: 'unchecked', why: null })
  expect(store.get(writesHeldAtom)('shop')).toBeUndefined()
})
