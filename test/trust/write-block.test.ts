// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Work, workOnDatabase } from '~/atoms/databases/operations'
import { createDatabase } from '~/atoms/databases/settings'
import { deleteKey, deleteStateAtom } from '~/atoms/keys/key-write'
import { outputAtom } from '~/atoms/query/output'
import { runStatements } from '~/atoms/query/run'
import { changePermission, changePrivileges } from '~/atoms/users/permissions'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { changeActive, changePassword, createUser } from '~/atoms/users/writes'
import { databaseIdAtom, permissionsAtom, serverAtom } from '~/core/session/session'
import { trustStoreTimeout } from '~/lib/constants'
import { splitStatements } from '~/sql/statements'
import type { TrustStore } from '~/trust/store'
import { setTrust, type Trust, trustsAtom } from '~/trust/trust'
import type { Break, BreakKind } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { releaseWrites, writesHeldAtom } from '~/trust/write-block'
import { emptyDatabase, type FakeImmudb, fakeImmudb } from '../support/fake-immudb'
import { keptDoor } from '../support/proving-server'
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

afterEach(() => {
  vi.useRealTimers()
})

const breakOf = (kind: BreakKind, of: Partial<Break> = {}): Trust => {
  const words = { reason: '', step: '', part: '', expected: '', received: '', what: '' }
  const broken: Break = { kind, ...words, at: 1, verification: null, acknowledgedAt: null, ...of }
  return { kind: 'broken', record: null, broken }
}

const run = (sql: string) => runStatements(tab.store, sql, splitStatements(sql))
const lastOutput = () =>
  tab.store
    .get(outputAtom)
    .filter(({ kind }) => kind === 'entry')
    .at(-1)
const sent = () => server.log().filter((line) => !/GET|sqlquery|list/.test(line))

const held = /history of (defaultdb|shop) is broken.*Write anyway/

test('nothing is written to a database whose history is broken, and it is read as ever', async () => {
  const { store } = tab
  setTrust(store, 'defaultdb', breakOf('rolled-back'))
  setTrust(store, 'shop', breakOf('rewritten'))
  expect(store.get(writeRefusalAtom)).toMatch(held)
  await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
  expect(lastOutput()).toMatchObject({ status: 'failed', message: expect.stringMatching(held) })
  await deleteKey(store, 'YQ==')
  expect(store.get(deleteStateAtom)).toMatchObject({
    kind: 'refused',
    text: expect.stringMatching(held),
  })
  const refused = { kind: 'refused', text: expect.stringMatching(held) }
  const user = { user: 'erin', password: 'x', database: 'shop', permission: 1 }
  expect(await createUser(store, user)).toMatchObject(refused)
  const change = { action: 'REVOKE', user: 'bob', database: 'shop', permission: 2 } as const
  expect(await changePermission(store, change)).toMatchObject(refused)
  const edit = { user: 'bob', database: 'shop', grant: ['SELECT'], revoke: [] }
  expect(await changePrivileges(store, edit)).toMatchObject(refused)
  expect(sent()).toEqual([])
  await run('SELECT 1')
  expect(lastOutput()).toMatchObject({ status: 'done' })
})

test('who has typed the name of one database writes to that one', async () => {
  const { store } = tab
  setTrust(store, 'defaultdb', breakOf('rolled-back'))
  setTrust(store, 'shop', breakOf('rolled-back'))
  releaseWrites(store, 'defaultdb')
  expect(store.get(writeRefusalAtom)).toBeUndefined()
  expect(store.get(writesHeldAtom)('shop')).toMatch(held)
  await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
  expect(sent()).toEqual(['POST /db/sqlexec'])
})

test('a release ends with what it was given for', async () => {
  const { store } = tab
  setTrust(store, 'defaultdb', breakOf('rolled-back'))
  releaseWrites(store, 'defaultdb')
  // Acknowledged, it is still the same finding.
  setTrust(store, 'defaultdb', breakOf('rolled-back', { acknowledgedAt: 5 }))
  expect(store.get(writesHeldAtom)('defaultdb')).toBeUndefined()
  setTrust(store, 'defaultdb', breakOf('forked', { at: 2 }))
  expect(store.get(writesHeldAtom)('defaultdb')).toMatch(held)
  releaseWrites(store, 'defaultdb')
  const received = store.get(serverAtom) ?? ''
  setTrust(store, 'shop', breakOf('other-server', { received }))
  expect(store.get(writesHeldAtom)('defaultdb')).toMatch(held)
})

describe('what is not about one database alone', () => {
  const refused = { kind: 'refused', text: expect.stringMatching(held) }
  const change = { user: 'bob', oldPassword: '', newPassword: 'New-Pass-1!' }

  async function attempted() {
    const { store } = tab
    return [
      await changeActive(store, { user: 'bob', active: false }),
      await changePassword(store, change),
      await createDatabase(store, 'fresh', new Map()),
    ]
  }

  test.each([
    ['another server', 'other-server'],
    ['a broken history', 'rolled-back'],
  ] as const)('is held because of %s, until it is released', async (_, kind) => {
    const { store } = tab
    const received = store.get(serverAtom) ?? ''
    setTrust(store, 'defaultdb', breakOf(kind, { received }))
    expect(await attempted()).toMatchObject([refused, refused, refused])
    expect(sent()).toEqual([])
    releaseWrites(store, 'defaultdb')
    for (const outcome of await attempted()) expect(outcome).not.toMatchObject(refused)
    expect(sent().length).toBeGreaterThanOrEqual(3)
  })

  test('is not held because of the history of a database that is not open', async () => {
    setTrust(tab.store, 'shop', breakOf('rolled-back'))
    for (const outcome of await attempted()) expect(outcome).not.toMatchObject(refused)
  })
})

describe('work on a database', () => {
  const works: readonly Work[] = [
    { kind: 'unload' },
    { kind: 'delete' },
    { kind: 'compact' },
    { kind: 'flush', cleanup: '0', isSynced: true },
    { kind: 'truncate', days: 1 },
  ]

  test.each(works)('is held while its history is broken: $kind', async (work) => {
    setTrust(tab.store, 'shop', breakOf('rolled-back'))
    expect(await workOnDatabase(tab.store, 'shop', work)).toMatchObject({
      status: 'refused',
      text: expect.stringMatching(held),
    })
    expect(server.log()).not.toContainEqual(expect.stringMatching(/unload|delete|index|truncate/))
  })

  test('lets it be loaded, so that it can be opened and released', async () => {
    const { store } = tab
    server.databases.set('shop', { ...emptyDatabase(), isLoaded: false })
    setTrust(store, 'shop', breakOf('rolled-back'))
    expect(await workOnDatabase(store, 'shop', { kind: 'load' })).toMatchObject({ status: 'done' })
    const received = store.get(serverAtom) ?? ''
    setTrust(store, 'shop', breakOf('other-server', { received }))
    expect(await workOnDatabase(store, 'shop', { kind: 'load' })).toMatchObject({
      status: 'refused',
    })
  })
})

describe('what was found before the page was loaded', () => {
  async function recorded(server: string) {
    const { store } = tab
    const id = { ...store.get(databaseIdAtom)('defaultdb'), server }
    const points = new TrustedStates(() => Promise.resolve(keptDoor()))
    const point = { txId: '1', txHash: `${'A'.repeat(43)}=` }
    await points.acceptServer(id.origin, server)
    await points.move(id, null, point, 'first')
    const trust = breakOf('rolled-back')
    if (trust.kind === 'broken') await points.noteBreak(id, point, trust.broken)
    store.set(trustedStatesAtom, points)
  }

  test('holds the very first write, before anybody follows the history', async () => {
    const { store } = tab
    await recorded(store.get(serverAtom) ?? '')
    expect(store.get(trustsAtom).size).toBe(0)
    await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
    expect(lastOutput()).toMatchObject({ status: 'failed', message: expect.stringMatching(held) })
    expect(await deleteKey(store, 'YQ==')).toBe(false)
    expect(store.get(deleteStateAtom)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('F49 of a server at the same address holds writes to the one that answers now', async () => {
    await recorded('another one')
    await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
    expect(lastOutput()).toMatchObject({ status: 'failed', message: expect.stringMatching(held) })
    expect(sent()).toEqual([])
  })

  test.each([
    ['it was found there', ''],
    ['that has taken the place of a named one', 'another one'],
  ])('holds the first write to a server that says no name: %s', async (_, known) => {
    server.becomeAnother('')
    tab = openTab(server)
    await signIn(tab)
    expect(tab.store.get(serverAtom)).toBeNull()
    server.clear()
    await recorded(known)
    await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
    expect(lastOutput()).toMatchObject({ status: 'failed', message: expect.stringMatching(held) })
    expect(sent()).toEqual([])
  })

  test('is not waited for when storage does not answer', async () => {
    const { store } = tab
    const points = new TrustedStates(() => new Promise<TrustStore>(() => {}), 0)
    store.set(trustedStatesAtom, points)
    await run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
    expect(sent()).toEqual(['POST /db/sqlexec'])
  })

  test('is not waited for when storage opens and then does not answer', async () => {
    const { store } = tab
    const silent: TrustStore = { ...keptDoor(), read: () => new Promise(() => {}) }
    store.set(trustedStatesAtom, new TrustedStates(async () => silent))
    vi.useFakeTimers()
    const running = run('CREATE TABLE t (id INTEGER, PRIMARY KEY id)')
    await vi.advanceTimersByTimeAsync(trustStoreTimeout - 1)
    expect(sent()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent()).toEqual(['POST /db/sqlexec'])
    await running
  })

  test('leaves time for one deletion only', async () => {
    const { store } = tab
    const results = await Promise.all([deleteKey(store, 'YQ=='), deleteKey(store, 'YQ==')])
    expect(results[1]).toBe(false)
    expect(sent()).toHaveLength(1)
  })
})

test('F49 of another server nothing is known, so no database is written to', () => {
  const { store } = tab
  const received = store.get(serverAtom) ?? ''
  setTrust(store, 'defaultdb', breakOf('other-server', { received }))
  expect(store.get(writesHeldAtom)('shop')).toMatch(held)
  setTrust(store, 'defaultdb', { kind: 'unchecked', why: null })
  expect(store.get(writesHeldAtom)('shop')).toBeUndefined()
})
