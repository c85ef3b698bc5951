// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Holding } from '~/api/holdings'
import {
  lagOf,
  type Measured,
  memberKey,
  replicaGroups,
  roleOf,
  worstLag,
} from '~/atoms/servers/replicas'
import type { Standing } from '~/atoms/servers/standings'
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
  expect(worstLag(demoted, groups, new Map())).toBe(3n)
})

describe('lag', () => {
  const eu = standing('eu', 'http://db1:1', holding({ txId: '12' }))
  const us = standing('us', 'http://db2:1', replicaFrom('db1', { txId: '9' }))

  test('comes from both ends', () => {
    const groups = replicaGroups([eu, us])
    expect(worstLag(us, groups, new Map())).toBe(3n)
    expect(worstLag(eu, groups, new Map())).toBeNull()
    expect([roleOf(eu, groups), roleOf(us, groups)]).toEqual(['primary', 'replica'])
  })

  test('is negative on a replica that is ahead, where immudb reports none', () => {
    const ahead = standing('us', 'http://db2:1', replicaFrom('db1', { txId: '20' }))
    expect(worstLag(ahead, replicaGroups([eu, ahead]), new Map())).toBe(-8n)
  })

  test('is not known while a count is absent or an end does not answer', () => {
    const absent = standing('us', 'http://db2:1', replicaFrom('db1', { txId: null }))
    expect(worstLag(absent, replicaGroups([eu, absent]), new Map())).toBeNull()
    const silent: Standing = { ...eu, kind: 'silent' }
    expect(worstLag(us, replicaGroups([silent, us]), new Map())).toBeNull()
  })

  test('uses states and header times once they were read', () => {
    const [group] = replicaGroups([eu, us])
    const [replica] = group?.replicas ?? []
    if (!group?.primary || !replica) throw new Error('no group was found')
    const read = (committed: string, time: number): Measured => ({
      kind: 'read',
      committed,
      precommitted: committed,
      time,
    })
    const measured = new Map([
      [memberKey(group.primary), read('100', 90_000)],
      [memberKey(replica), read('98', 60_000)],
    ])
    expect(lagOf(group.primary, replica, measured)).toEqual({
      transactions: 2n,
      isInOrder: true,
      time: 30_000,
    })
  })
})
