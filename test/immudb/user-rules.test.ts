// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readGoTime } from '~/immudb/go-time'
import { permissionNames } from '~/immudb/permission'
import {
  listedGrants,
  missingFrom,
  privilegeNames,
  privilegeSummary,
  privilegesOn,
  splitByRepair,
  wipedBy,
} from '~/immudb/privileges'
import {
  administeredDatabases,
  isSystemAdmin,
  refusalToAdd,
  refusalToChangePassword,
  refusalToChangePermission,
  refusalToChangePrivileges,
  refusalToChangeStatus,
  type Subject,
  userNameProblem,
  userNameRules,
  type Viewer,
} from '~/immudb/user-rules'
import { visibleText } from '~/lib/visible-text'
import { corpus } from '../support/recorded'

const root: Viewer = { name: 'immudb', permissions: [{ database: '*', permission: 255 }] }
const alice: Viewer = { name: 'alice', permissions: [{ database: 'shop', permission: 254 }] }
const bob: Viewer = { name: 'bob', permissions: [{ database: 'shop', permission: 2 }] }
const carol: Viewer = { name: 'carol', permissions: [{ database: 'shop', permission: 1 }] }

function subject(user: string, more: Partial<Subject> = {}): Subject {
  const permissions = [{ database: 'shop', permission: 2 }]
  return { user, active: true, createdby: 'immudb', permissions, ...more }
}

const all = [root, alice, bob, carol]
const may = (refusal: (viewer: Viewer) => string | undefined) =>
  all.filter((viewer) => refusal(viewer) === undefined).map(({ name }) => name)

describe('names', () => {
  test('A02: the corpus is taken or refused as the recorded server did', () => {
    const cases = [...corpus('name'), ...corpus('homoglyph')].filter(
      ({ immudb }) => immudb?.userName,
    )
    expect(cases.length).toBeGreaterThan(20)
    for (const { name, text = '', immudb } of cases) {
      const isTaken = userNameProblem(text, new Set()) === undefined
      expect(isTaken, name).toBe(immudb?.userName === 'ok')
    }
  })

  test('A13: a name of JavaScript is a name; a taken or an empty one is not', () => {
    expect(userNameProblem('__proto__', new Set(['constructor']))).toBeUndefined()
    expect(userNameProblem('__proto__', new Set(['__proto__']))).toMatch(/already/)
    expect(userNameProblem('', new Set())).toBe('This field is required')
    expect(userNameProblem('a'.repeat(63), new Set())).toBeUndefined()
    expect(userNameRules('a'.repeat(64)).map(({ isMet }) => isMet)).toEqual([false, true])
    expect(userNameRules('a b').map(({ isMet }) => isMet)).toEqual([true, false])
  })

  test('A12: hidden characters are written out where only plain text can stand', () => {
    expect(visibleText('ad\u202enim')).toBe('ad⟨U+202E⟩nim')
    expect(visibleText('plain')).toBe('plain')
  })
})

describe('who may do what (matrix recorded from 1.11.1)', () => {
  test('add users: admins of any database, in theirs', () => {
    expect(may(refusalToAdd)).toEqual(['immudb', 'alice'])
    expect(administeredDatabases(root, ['shop', 'ledger'])).toEqual(['shop', 'ledger'])
    expect(administeredDatabases(alice, ['shop', 'ledger'])).toEqual(['shop'])
    expect(administeredDatabases(bob, ['shop', 'ledger'])).toEqual([])
    expect(all.map(isSystemAdmin)).toEqual([true, false, false, false])
  })

  test('a password: the system admin, and the admin who changed the user last', () => {
    expect(may((viewer) => refusalToChangePassword(viewer, subject('dave')))).toEqual(['immudb'])
    const hers = subject('dave', { createdby: 'alice' })
    expect(may((viewer) => refusalToChangePassword(viewer, hers))).toEqual(['immudb', 'alice'])
    // Not even a creator with no admin permission left.
    const his = subject('dave', { createdby: 'bob' })
    expect(may((viewer) => refusalToChangePassword(viewer, his))).toEqual(['immudb'])
  })

  test('the own password: only the system admin', () => {
    for (const viewer of all) {
      const refusal = refusalToChangePassword(viewer, subject(viewer.name))
      expect(refusal === undefined, viewer.name).toBe(viewer === root)
    }
  })

  test('the status: as the password, but never the own', () => {
    expect(may((viewer) => refusalToChangeStatus(viewer, subject('dave')))).toEqual(['immudb'])
    for (const viewer of all) {
      expect(refusalToChangeStatus(viewer, subject(viewer.name))).toBe(
        'You cannot change your own status.',
      )
    }
    expect(refusalToChangeStatus(alice, subject('immudb', { createdby: '' }))).toMatch(
      /the server itself/,
    )
  })

  test('a permission: admins of that database; not the own, not immudb, not of the inactive', () => {
    const on = (database: string, more = {}) =>
      may((viewer) => refusalToChangePermission(viewer, subject('dave', more), database))
    expect(on('shop')).toEqual(['immudb', 'alice'])
    expect(on('ledger')).toEqual(['immudb'])
    expect(on('shop', { active: false })).toEqual([])
    expect(may((viewer) => refusalToChangePermission(viewer, subject('immudb'), 'shop'))).toEqual(
      [],
    )
    expect(refusalToChangePermission(alice, subject('alice'), 'shop')).toMatch(/your own/)
  })

  test('SQL privileges: as a permission, where there is one', () => {
    const on = (database: string) =>
      may((viewer) => refusalToChangePrivileges(viewer, subject('dave'), database))
    expect(on('shop')).toEqual(['immudb', 'alice'])
    expect(on('ledger')).toEqual([])
    expect(on('systemdb')).toEqual([])
  })

  test('every level has a name (D21)', () => {
    expect([...permissionNames.values()]).toEqual([
      'System admin',
      'Admin',
      'Read & write',
      'Read',
      'None',
    ])
  })
})

describe('SQL privileges (D22)', () => {
  const each = (database: string, names: readonly string[]) =>
    names.map((privilege) => ({ database, privilege }))
  const holder = {
    permissions: [
      { database: 'shop', permission: 2 },
      { database: '__proto__', permission: 1 },
      { database: 'systemdb', permission: 1 },
    ],
    sqlPrivileges: [
      ...each('shop', ['DROP', 'SELECT']),
      ...each('__proto__', ['SELECT']),
      ...each('ghost', ['SELECT']),
      ...each('systemdb', ['SELECT']),
    ],
  }

  test('are listed in one order, and summed up', () => {
    expect(privilegesOn(holder, 'shop')).toEqual(['SELECT', 'DROP'])
    expect(privilegeSummary([])).toBe('None')
    expect(privilegeSummary(privilegeNames)).toBe('All')
    expect(privilegeSummary(['SELECT', 'DROP'])).toBe('SELECT, DROP')
    expect(
      privilegesOn({ sqlPrivileges: each('a', ['NEW', 'DROP']), permissions: [] }, 'a'),
    ).toEqual(['DROP', 'NEW'])
  })

  test('of all other databases with a permission go when one permission changes', () => {
    expect(wipedBy(holder, 'ledger')).toEqual([
      { database: 'shop', privileges: ['SELECT', 'DROP'] },
      { database: '__proto__', privileges: ['SELECT'] },
    ])
    expect(wipedBy(holder, 'shop')).toEqual([{ database: '__proto__', privileges: ['SELECT'] }])
  })

  test('come back where the viewer is admin; what is missing is told', () => {
    const wiped = wipedBy(holder, 'ledger')
    expect(splitByRepair(alice, wiped).own.map(({ database }) => database)).toEqual(['shop'])
    expect(splitByRepair(alice, wiped).foreign.map(({ database }) => database)).toEqual([
      '__proto__',
    ])
    expect(splitByRepair(root, wiped).foreign).toEqual([])
    const after = { permissions: holder.permissions, sqlPrivileges: each('shop', ['SELECT']) }
    const lost = missingFrom(after, wiped)
    expect(listedGrants(lost)).toBe('shop (DROP) and __proto__ (SELECT)')
    expect(missingFrom(holder, wiped)).toEqual([])
  })
})

test.each([
  ['2026-11-21 09:26:27.598985329 +0000 UTC', '2026-11-21T09:26:27.598Z'],
  ['2026-11-21 09:26:27 +0000 UTC', '2026-11-21T09:26:27.000Z'],
  ['2026-11-21 09:26:27.5 +0530 IST m=+0.1', '2026-11-21T03:56:27.500Z'],
  ['0001-01-01 00:00:00 +0000 UTC', null],
  ['', null],
  ['yesterday', null],
])('the time %s', (text, expected) => {
  const ms = readGoTime(text)
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(expected)
})
