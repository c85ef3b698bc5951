// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Holding } from '~/api/server-databases'
import { replicaGroups, roleOf } from '~/atoms/servers/replicas'
import { holdingOf, standingOf } from '../../support/standings'

const holding = (more: Partial<Holding> = {}) => holdingOf('shop', more)

function replicaFrom(host: string, more: Partial<Holding> = {}): Holding {
  return holding({ primary: { database: 'shop', host, port: 3322 }, ...more })
}

const standing = (name: string, address: string, ...holdings: Holding[]) =>
  standingOf(name, holdings, address)

describe('the primary of a replica', () => {
  test('is the server at the host of its settings that has the database itself', () => {
    const eu = standing('eu', 'https://db1:8080', holding())
    const other = standing('other', 'https://db9:8080', holding())
    const us = standing('us', 'https://db2:8080', replicaFrom('DB1'))
    const [group] = replicaGroups([eu, other, us])
    expect(group?.primary?.server.name).toBe('eu')
    expect(group?.replicas.map(({ server }) => server.name)).toEqual(['us'])
  })

  test('at one host is the one that is no replica', () => {
    const a = standing('a', 'http://127.0.0.1:1', holding())
    const b = standing('b', 'http://127.0.0.1:2', replicaFrom('localhost'))
    const c = standing('c', 'http://localhost:3', replicaFrom('127.0.0.1'))
    const groups = replicaGroups([a, b, c])
    expect(groups).toHaveLength(1)
    expect(groups[0]?.primary?.server.name).toBe('a')
    expect(groups[0]?.replicas).toHaveLength(2)
  })

  test('is left open where settings fit several servers, or none', () => {
    const a = standing('a', 'http://127.0.0.1:1', holding())
    const b = standing('b', 'http://127.0.0.1:2', holding())
    const c = standing('c', 'http://db3:3', replicaFrom('127.0.0.1'))
    const d = standing('d', 'http://db4:3', replicaFrom('elsewhere'))
    const groups = replicaGroups([a, b, c, d])
    expect(groups.map(({ primary, candidates }) => [primary, candidates])).toEqual([
      [null, ['a', 'b']],
      [null, []],
    ])
  })

  test('may itself be a replica of another', () => {
    const a = standing('a', 'http://db1:1', holding())
    const b = standing('b', 'http://db2:1', replicaFrom('db1'))
    const c = standing('c', 'http://db3:1', replicaFrom('db2'))
    const groups = replicaGroups([a, b, c])
    expect(groups.map(({ primary }) => primary?.server.name)).toEqual(['a', 'b'])
    expect(roleOf(b, groups)).toBe('primary and replica')
  })
})

test('a replica that was made primary is one as soon as its settings say so', () => {
  const a = standing('a', 'http://db1:1', holding({ txId: '9' }))
  const b = standing('b', 'http://db2:1', replicaFrom('db1'))
  const c = standing('c', 'http://db3:1', replicaFrom('db1'))
  expect(replicaGroups([a, b, c])[0]?.replicas).toHaveLength(2)
  const promoted = standing('b', 'http://db2:1', holding({ txId: '12' }))
  const [old] = replicaGroups([a, promoted, c])
  expect([old?.primary?.server.name, old?.replicas.length]).toEqual(['a', 1])
  const follows = standing('c', 'http://db3:1', replicaFrom('db2'))
  const demoted = standing('a', 'http://db1:1', replicaFrom('db2', { txId: '9' }))
  const groups = replicaGroups([demoted, promoted, follows])
  expect(groups.map(({ primary, replicas }) => [primary?.server.name, replicas.length])).toEqual([
    ['b', 2],
  ])
  expect(roleOf(promoted, groups)).toBe('primary')
})
