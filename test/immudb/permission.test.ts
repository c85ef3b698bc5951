// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import { loginErrors } from '~/app/splash/LoginCard'
import { permissionNames, permissionOn, refusalFor } from '~/immudb/permission'
import { memoizeByNames } from '~/lib/memoize-by-names'

describe('the level on a database', () => {
  const wildcard = { database: '*', permission: 255 }
  const shop = { database: 'shop', permission: 2 }

  test('is that of its own entry or of the wildcard, whichever comes first', () => {
    expect(permissionOn([shop], 'shop')).toBe(2)
    expect(permissionOn([wildcard], 'shop')).toBe(255)
    expect(permissionOn([wildcard, shop], 'shop')).toBe(255)
    expect(permissionOn([shop, wildcard], 'shop')).toBe(2)
  })

  test('is 0 without permissions or for another name', () => {
    expect(permissionOn([], 'shop')).toBe(0)
    expect(permissionOn([shop], 'Shop')).toBe(0)
    expect(permissionOn([shop], '*')).toBe(0)
    expect(permissionOn([shop], '__proto__')).toBe(0)
  })

  test('has a name for each level of the server, and says who may write', () => {
    expect([...permissionNames.keys()]).toEqual([255, 254, 2, 1, 0])
    expect([0, 1, 2, 254, 255].map((level) => refusalFor(level, 'write') === undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    expect(refusalFor(2, 'change database')).toContain('Admin')
    expect(refusalFor(254, 'create database')).toContain('System admin')
  })
})

describe('a family', () => {
  test('gives the same thing for the same names and never makes it twice', () => {
    const make = vi.fn((...names: string[]) => ({ names }))
    const of = memoizeByNames(make)
    expect(of('a', 'b')).toBe(of('a', 'b'))
    expect(make).toHaveBeenCalledTimes(1)
  })

  test('tells names apart exactly, whatever is in them', () => {
    const of = memoizeByNames((...names: string[]) => names)
    const lists = [['__proto__'], ['constructor'], [''], [], ['a', 'b'], ['ab'], ['a,b'], ['a","b']]
    for (const names of lists) expect(of(...names)).toEqual(names)
    expect(new Set(lists.map((names) => of(...names))).size).toBe(lists.length)
  })
})

describe('the login form', () => {
  test.each([
    ['', '', ['user', 'password']],
    ['immudb', '', ['password']],
    ['', 'x', ['user']],
    ['immudb', ' ', []],
    [' ', ' ', []],
  ])('with %j and %j misses %j', (user, password, missing) => {
    const errors = loginErrors({ user, password })
    expect(Object.keys(errors)).toEqual(missing)
    for (const text of Object.values(errors)) expect(text).toBe('This field is required')
  })
})
