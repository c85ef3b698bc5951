// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { checkedRisks, type SecurityFacts } from '~/immudb/security'

const headers = new Headers({
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
})
const root = { user: 'immudb', permissions: [{ database: '*' }], sqlPrivileges: [] }
const safe: SecurityFacts = {
  hasDefaultPassword: false,
  page: { protocol: 'https:', hostname: 'db.example' },
  isMetricsPublic: false,
  headers,
  tokenLeft: 86_400_000,
  users: [root],
  isEveryUserListed: true,
  isSigned: true,
  unloaded: [],
  version: '1.11.1',
}
const find = (id: string, change: Partial<SecurityFacts>) =>
  checkedRisks({ ...safe, ...change }).find((risk) => risk.id === id)

describe('the security check-up', () => {
  test('finds nothing to do on a safe server', () => {
    const severities = new Set(checkedRisks(safe).map(({ severity }) => severity))
    expect(severities).toEqual(new Set(['unknown', 'passed']))
    expect(checkedRisks(safe).filter(({ severity }) => severity === 'unknown')).toHaveLength(1)
  })

  test.each([
    ['password', { hasDefaultPassword: true }, 'danger', 'IMMUDB_ADMIN_PASSWORD'],
    ['transport', { page: { protocol: 'http:', hostname: 'db.example' } }, 'danger', '--auto-cert'],
    ['transport', { page: { protocol: 'http:', hostname: '127.0.0.1' } }, 'advice', '--auto-cert'],
    ['metrics', { isMetricsPublic: true }, 'danger', '--metrics-server=false'],
    ['headers', { headers: new Headers() }, 'advice', 'webconsole --server URL'],
    ['framing', { headers: new Headers() }, 'advice', '--frame-ancestors'],
    ['token', { tokenLeft: 86_400_000 * 3 }, 'advice', '--token-expiry-time'],
    ['signature', { isSigned: false }, 'advice', '--signingKey'],
    ['unloaded', { unloaded: ['orders'] }, 'advice', 'immuadmin database load'],
    ['version', { version: '-' }, 'advice', 'release'],
    ['version', { version: '1.3.2' }, 'advice', 'immudb 1.11.1'],
    ['version', { version: '1.10.0' }, 'advice', 'immudb 1.11.1'],
  ] as const)('%s with %o is %s and names the cure', (id, change, severity, cure) => {
    const found = find(id, change)
    expect(found?.severity).toBe(severity)
    expect(found?.cure).toContain(cure)
  })

  test('a newer version than is known is not called in order', () => {
    expect(find('version', { version: '1.12.0' })).toMatchObject({
      severity: 'unknown',
      text: expect.stringMatching(/^immudb 1\.12 is newer than this console knows\./),
    })
  })

  test('users with systemdb and privileges without permission are named, many are counted', () => {
    const reader = {
      user: 'eve',
      permissions: [{ database: 'systemdb' }],
      sqlPrivileges: [{ database: 'orders' }],
    }
    expect(find('systemdb', { users: [root, reader] })).toMatchObject({
      severity: 'danger',
      text: expect.stringMatching(/^eve can read systemdb/),
    })
    expect(find('ghosts', { users: [root, reader] })?.text).toMatch(/^eve kept SQL privileges/)
    const many = Array.from({ length: 5 }, (_, index) => ({ ...reader, user: `u${index}` }))
    expect(find('ghosts', { users: many })?.text).toMatch(/^u0, u1, u2 and 2 others/)
    expect(
      find('ghosts', { users: [{ ...root, sqlPrivileges: [{ database: 'x' }] }] }),
    ).toMatchObject({ severity: 'passed' })
  })

  test('without the login of immudb nothing is said of its password', () => {
    expect(find('password', { hasDefaultPassword: false })?.title).toBe('No default password')
    const found = find('password', { hasDefaultPassword: null })
    expect(found).toMatchObject({ severity: 'unknown', title: 'Default password' })
    expect(found?.text).toMatch(/default password is not known/)
    expect(find('password', { hasDefaultPassword: null, isOpen: true })?.severity).toBe('danger')
  })

  test('users that are not shown are not called in order', () => {
    const some = { isEveryUserListed: false, users: [{ ...root, user: 'bob' }] }
    const reader = {
      user: 'eve',
      permissions: [{ database: 'systemdb' }],
      sqlPrivileges: [{ database: 'orders' }],
    }
    for (const id of ['systemdb', 'ghosts']) {
      expect(find(id, some)?.severity).toBe('unknown')
      expect(find(id, some)?.text).toMatch(/system admin/)
      expect(find(id, { ...some, users: [reader] })?.text).toMatch(/^eve /)
    }
    expect(find('systemdb', { ...some, users: [reader] })?.severity).toBe('danger')
    expect(find('ghosts', { ...some, users: [reader] })?.severity).toBe('advice')
  })

  test('the life of a login is told as what is left of it', () => {
    expect(find('token', {})).toMatchObject({
      severity: 'passed',
      title: 'Time left of this login',
    })
    expect(find('token', {})?.text).toMatch(/a day at most is left of this login/i)
    expect(find('token', {})?.text).not.toMatch(/lasts a day/)
    expect(find('token', { tokenLeft: 86_400_000 * 3 })?.text).toMatch(/3 days are left/)
  })

  test('what is not known is said, and is neither good nor bad', () => {
    const unknown: Partial<SecurityFacts> = {
      hasDefaultPassword: null,
      isMetricsPublic: null,
      headers: null,
      tokenLeft: null,
      users: null,
      isSigned: null,
      unloaded: null,
    }
    for (const id of [
      'password',
      'metrics',
      'headers',
      'framing',
      'token',
      'systemdb',
      'ghosts',
      'signature',
    ]) {
      expect(find(id, unknown)?.severity).toBe('unknown')
    }
  })

  test('the worst comes first', () => {
    const severities = checkedRisks({ ...safe, hasDefaultPassword: true, isSigned: false }).map(
      ({ severity }) => severity,
    )
    expect(severities.slice(0, 3)).toEqual(['danger', 'advice', 'unknown'])
  })
})
