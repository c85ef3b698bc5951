// @vitest-environment node
import { expect, test } from 'vitest'
import type { Holding } from '~/api/server-databases'
import { comparables, comparedName, firstOf } from '~/atoms/servers/histories'
import { replicaGroups } from '~/atoms/servers/replicas'
import type { Standing } from '~/atoms/servers/standing'
import { holdingOf, standingOf } from '../../support/standings'

function offered(...standings: readonly Standing[]) {
  const all = comparables(standings, replicaGroups(standings))
  const names = all.map(({ database, members }) => [
    database,
    members.map((member) => comparedName(member, database)),
  ])
  return { names: Object.fromEntries(names), first: firstOf(all)?.database }
}

const shop = holdingOf('shop')
const own = holdingOf('defaultdb')
const copy = (name: string, host = 'db1'): Holding =>
  holdingOf(name, { primary: { database: 'shop', host, port: 3322 } })

test('a database of one name on several servers is offered, one on a single server is not', () => {
  const [eu, us] = [standingOf('eu', [own, shop]), standingOf('us', [own, shop, copy('x', 'y')])]
  expect(offered(eu, us)).toEqual({
    names: { defaultdb: ['eu', 'us'], shop: ['eu', 'us'] },
    first: 'shop',
  })
  const unloaded = standingOf('us', [own, { ...shop, loaded: false }])
  expect(offered(eu, unloaded).names).toEqual({ defaultdb: ['eu', 'us'] })
})

test('a replica under another name stands beside its primary, as its settings say', () => {
  const eu = standingOf('eu', [own, shop], 'https://db1:8080')
  const us = standingOf('us', [own, copy('shop_copy')])
  expect(offered(eu, us)).toEqual({
    names: { defaultdb: ['eu', 'us'], shop: ['eu', 'us (shop_copy)'] },
    first: 'shop',
  })
})

test('replicas of a primary that is not listed are compared with each other', () => {
  const us = standingOf('us', [copy('a', 'elsewhere')])
  const asia = standingOf('asia', [copy('b', 'elsewhere')])
  expect(offered(us, asia).names).toEqual({ shop: ['us (a)', 'asia (b)'] })
  // Alone it has nothing to be compared with, not even with a database that has the name by chance.
  expect(offered(us, standingOf('eu', [shop])).names).toEqual({})
})

test('servers that do not answer stand last, so that they hold up no other', () => {
  const silent = { ...standingOf('eu', [shop]), kind: 'silent' } as const
  expect(offered(silent, standingOf('us', [shop]), standingOf('asia', [shop])).names).toEqual({
    shop: ['us', 'asia', 'eu'],
  })
})
