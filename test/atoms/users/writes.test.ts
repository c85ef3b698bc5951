// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import {
  changePermission,
  changePrivileges,
  checkPermission,
  giveBackPrivileges,
} from '~/atoms/users/permissions'
import { usersAtom } from '~/atoms/users/user-list'
import { viewerAtom } from '~/atoms/users/viewer'
import {
  changeActive,
  changePassword,
  checkUser,
  createUser,
  dismissUserReport,
  userReportsAtom,
} from '~/atoms/users/writes'
import { hideNotActiveAtom, setHideNotActive } from '~/core/page-view'
import { loginNoticeAtom, sessionLossAtom } from '~/core/session/session'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, stored, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb({
    databases: ['defaultdb', 'shop', 'ledger', '__proto__'],
    users: {
      bob: { password: 'x', permissions: { shop: 2 } },
      two: { password: 'x', permissions: { shop: 2, ledger: 1 } },
      chief: { password: 'x', permissions: { shop: 254 } },
      fault_lost_1: { password: 'x', permissions: { shop: 2, ledger: 2 } },
    },
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(usersAtom, () => {})
  await soon(() => expect(tab.store.get(usersAtom).data).toBeTruthy())
  server.clear()
})

const reports = () => tab.store.get(userReportsAtom)
const privileges = (name: string, database: string) =>
  server.users.get(name)?.privileges?.get(database) ?? []
const writes = () => server.log().filter((line) => line.startsWith('POST /user'))

const erin = { user: 'erin', password: ' päss ', database: 'shop', permission: 1 }

describe('adding', () => {
  test('sends name and password as they are and asks for the list again', async () => {
    const outcome = await createUser(tab.store, erin)
    expect(outcome).toEqual({
      kind: 'committed',
      value: 'erin was added with the permission “Read” on shop.',
    })
    expect(server.users.get('erin')).toMatchObject({ password: ' päss ', permissions: { shop: 1 } })
    await soon(() =>
      expect(tab.store.get(usersAtom).data?.map(({ user }) => user)).toContain('erin'),
    )
  })

  test('F35: of two at once only the first is sent', async () => {
    const [first, second] = await Promise.all([
      createUser(tab.store, erin),
      createUser(tab.store, erin),
    ])
    expect(first.kind).toBe('committed')
    expect(second).toMatchObject({ kind: 'refused', details: 'one at a time' })
    expect(writes()).toEqual(['POST /user'])
  })

  test('F16: of a name that was free, “exists” may be the answer to a second delivery', async () => {
    const bob = server.users.get('bob')
    if (bob) server.users.set('erin', bob)
    const outcome = await createUser(tab.store, erin)
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(outcome).toHaveProperty('advice', expect.stringMatching(/sent it more than once/))
  })

  test('a refusal is the sentence of the server', async () => {
    const outcome = await createUser(tab.store, { ...erin, user: 'bob' })
    expect(outcome).toMatchObject({ kind: 'refused', text: 'User already exists.' })
  })

  test('without an answer nobody knows, and the check says what the list says', async () => {
    const outcome = await createUser(tab.store, { ...erin, user: 'new_fault_lost_1' })
    expect(outcome.kind).toBe('unknown')
    expect(writes()).toHaveLength(1)
    const found = await checkUser(tab.store, 'new_fault_lost_1', (user) =>
      user ? 'there' : 'not there',
    )
    expect(found).toBe('there')
    server.unplug()
    const failed = await checkUser(tab.store, 'x', () => 'no')
    expect(failed).toMatch(/^The check itself failed\..*Nothing more is known\.$/)
  })
})

describe('F31: rights that are gone', () => {
  test('are the answer to the write, and the session goes on', async () => {
    const other = openTab(server)
    await signIn(other, 'chief', 'x')
    other.store.sub(usersAtom, () => {})
    await soon(() => expect(other.store.get(viewerAtom).permissions).toHaveLength(1))
    server.users.set('chief', { password: 'x', permissions: { shop: 1 } })
    const outcome = await createUser(other.store, erin)
    expect(outcome).toMatchObject({
      kind: 'refused',
      text: 'You do not have permission on this database.',
    })
    expect(other.store.get(sessionLossAtom)).toBeNull()
  })
})

describe('the status', () => {
  test('D23: deactivating is reported with the way to end sessions; the password settles it', async () => {
    await changeActive(tab.store, { user: 'bob', active: false })
    expect(server.users.get('bob')?.isActive).toBe(false)
    expect(reports()).toMatchObject([{ user: 'bob', isWarning: true, offersPassword: true }])
    const change = { user: 'bob', oldPassword: '', newPassword: 'y' }
    const outcome = await changePassword(tab.store, change)
    expect(outcome).toMatchObject({ kind: 'committed', value: expect.stringContaining('bob') })
    expect(reports()).toEqual([])
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })

  test('activating says so and leaves no report', async () => {
    await changeActive(tab.store, { user: 'bob', active: false })
    const report = reports()[0]
    if (report) dismissUserReport(tab.store, report.id)
    const outcome = await changeActive(tab.store, { user: 'bob', active: true })
    expect(outcome).toEqual({ kind: 'committed', value: 'bob is active and can log in again.' })
    expect(reports()).toEqual([])
  })
})

describe('the own password', () => {
  const change = { user: 'immudb', oldPassword: 'immudb', newPassword: ' n€w ' }

  test('ends the session with a clear sentence; the new one opens it again', async () => {
    await changePassword(tab.store, change)
    expect(tab.store.get(sessionLossAtom)).not.toBeNull()
    expect(tab.store.get(loginNoticeAtom)?.text).toMatch(/^Your password was changed\./)
    expect(await stored(tab)).toMatchObject({ auth: { token: null, user: 'immudb' } })
    await signIn(tab, 'immudb', ' n€w ')
    expect(tab.store.get(sessionLossAtom)).toBeNull()
    expect(tab.store.get(loginNoticeAtom)).toBeNull()
  })

  test('with a wrong old one nothing happens to the session', async () => {
    const outcome = await changePassword(tab.store, { ...change, oldPassword: 'no' })
    expect(outcome).toMatchObject({ kind: 'refused', text: 'Old password is incorrect.' })
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })
})

describe('permissions (D22)', () => {
  const grant = { action: 'GRANT' as const, user: 'bob', database: 'ledger', permission: 1 }

  test('privileges elsewhere are read, given back and reported', async () => {
    server.users.set('bob', {
      password: 'x',
      permissions: { shop: 2, __proto__: 1 },
      privileges: new Map([['shop', ['SELECT', 'INSERT']]]),
    })
    const outcome = await changePermission(tab.store, grant)
    expect(outcome).toEqual({ kind: 'committed', value: null })
    expect(writes()).toEqual(['POST /user/changepermission', 'POST /user/changesqlprivileges'])
    expect(privileges('bob', 'shop')).toEqual(['SELECT', 'INSERT'])
    expect(reports()).toMatchObject([
      {
        isWarning: false,
        offersPassword: false,
        lost: [],
        lines: [expect.stringMatching(/restored/)],
      },
    ])
  })

  test('a first permission needs no repair and no report', async () => {
    server.users.set('bob', { password: 'x', permissions: {} })
    const outcome = await changePermission(tab.store, grant)
    expect(outcome).toEqual({
      kind: 'committed',
      value: 'bob now has the permission “Read” on ledger.',
    })
    expect(writes()).toEqual(['POST /user/changepermission'])
    expect(reports()).toEqual([])
  })

  test('removing sends the present level and warns of live sessions', async () => {
    const revoke = { action: 'REVOKE' as const, user: 'two', database: 'ledger', permission: 1 }
    await changePermission(tab.store, revoke)
    expect(server.users.get('two')?.permissions).toEqual({ shop: 2 })
    expect(privileges('two', 'shop')).toHaveLength(7)
    expect(reports()).toMatchObject([{ isWarning: true, offersPassword: true, lost: [] }])
  })

  test('what the viewer may not give back is reported as lost', async () => {
    const other = openTab(server)
    await signIn(other, 'chief', 'x')
    other.store.sub(usersAtom, () => {})
    await soon(() => expect(other.store.get(viewerAtom).permissions).toHaveLength(1))
    await openDatabase(other.store, 'shop')
    server.clear()
    const change = { ...grant, user: 'two', database: 'shop', permission: 254 }
    await changePermission(other.store, change)
    expect(writes()).toEqual(['POST /user/changepermission'])
    expect(other.store.get(userReportsAtom)).toMatchObject([
      { isWarning: true, lost: [{ database: 'ledger', privileges: ['SELECT'] }] },
    ])
    const [report] = other.store.get(userReportsAtom)
    const again = report && (await giveBackPrivileges(other.store, report))
    expect(again).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^Still missing: ledger/),
    })
  })

  test('a lost answer is unknown; the check finds the change and what it took', async () => {
    const change = { ...grant, user: 'fault_lost_1', database: '__proto__' }
    const wiped = [{ database: 'shop', privileges: ['SELECT'] }]
    const outcome = await changePermission(tab.store, change)
    expect(outcome.kind).toBe('unknown')
    const found = await checkPermission(tab.store, change, wiped)
    expect(found).toBe('fault_lost_1 now has the permission “Read” on __proto__.')
    const [report] = reports()
    expect(report?.lost).toEqual(wiped)
    if (report) await giveBackPrivileges(tab.store, report)
    expect(privileges('fault_lost_1', 'shop')).toEqual(['SELECT'])
    expect(reports()).toEqual([])
    const undone = await checkPermission(tab.store, { ...change, permission: 254 }, wiped)
    expect(undone).toMatch(/^Not changed so far/)
  })

  test('nothing is changed when the user cannot be read first', async () => {
    server.unplug()
    const outcome = await changePermission(tab.store, grant)
    expect(outcome).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^Nothing was changed/),
    })
    server.plug()
    expect(writes()).toEqual([])
  })

  test('SQL privileges: only what differs is sent, and less is warned of', async () => {
    const edit = { user: 'bob', database: 'shop' }
    await changePrivileges(tab.store, { ...edit, grant: [], revoke: ['DROP'] })
    expect(privileges('bob', 'shop')).not.toContain('DROP')
    expect(reports()).toMatchObject([{ offersPassword: true }])
    const outcome = await changePrivileges(tab.store, {
      ...edit,
      grant: ['DROP'],
      revoke: [],
    })
    expect(outcome).toMatchObject({ kind: 'committed', value: expect.stringContaining('shop') })
    expect(writes()).toHaveLength(2)
  })
})

test('hiding inactive users is kept with the view', async () => {
  setHideNotActive(tab.store, true)
  expect(tab.store.get(hideNotActiveAtom)).toBe(true)
  expect(await stored(tab)).toMatchObject({ view: { hideNotActive: true } })
})
