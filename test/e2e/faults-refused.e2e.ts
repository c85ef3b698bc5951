import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import { setKeys } from '../support/keys-page'

/** What the screens ask for, without what a login takes. */
const calls: readonly RegExp[] = [
  /\/db\/table\/list$/,
  /\/db\/tables$/,
  /\/db\/sqlquery$/,
  /\/db\/tx$/,
  /\/db\/tx\//,
  /\/db\/scan$/,
  /\/db\/get\//,
  /\/db\/history$/,
  /\/db\/settings$/,
  /\/db\/verifiable\//,
  /\/v2\/collections/,
  /\/v2\/(collection|document)\//,
  /\/user\/list$/,
  /\/db\/list\/v2$/,
  /\/serverinfo$/,
]

const bits = [1, 2, 4, 8, 16, 32] as const

/** All ways to choose three of six rounds. */
const choices = Array.from({ length: 64 }, (_, choice) => choice).filter(
  (choice) => bits.filter((bit) => choice & bit).length === 3,
)

/** Each call is refused in another three: of any two there is a round that refuses only the first. */
const rounds: readonly (readonly RegExp[])[] = bits.map((bit) =>
  calls.filter((_, at) => (choices[at] ?? 0) & bit),
)

/** Screens with something open in each. */
const places: readonly string[] = [
  '/tx?db=refused',
  '/tx?db=refused&id=3',
  '/query?db=refused&table=t&row=n:1',
  '/keys?db=refused&key=greeting',
  '/documents?db=refused&collection=orders',
  '/compare?db=refused&table=t&from=tx:2&to=tx:4',
  '/overview?db=refused',
  '/databases?db=refused',
  '/users?db=refused',
  '/verify?db=refused',
  '/tx?db=short',
  '/query?db=short&table=t&row=n:1',
]

/** A transaction of each kind, in a database of their own. */
async function writeKinds(db: Api, database: string): Promise<void> {
  await db.createDatabase(database)
  await db.use(database)
  await db.exec('CREATE TABLE t (id INTEGER, name VARCHAR, PRIMARY KEY id);')
  await db.exec("INSERT INTO t (id, name) VALUES (1, 'before');")
  await db.exec("UPDATE t SET name = 'after' WHERE id = 1;")
  await db.call('/v2/collection/orders', { name: 'orders', fields: [] })
  await db.insertDocument('orders', '{"customer":"a"}')
}

/** More transactions than are read without being asked for, and one of each kind on both ends. */
async function writeLong(db: Api): Promise<void> {
  await writeKinds(db, 'refused')
  for (let written = 0; written < 520; written += 20) {
    const keys = Array.from({ length: 20 }, (_, at) => `key ${written + at}`)
    await Promise.all(keys.map((key) => setKeys(db, [[key, 'x']])))
  }
  await setKeys(db, [['greeting', 'hello']])
  await db.exec("UPDATE t SET name = 'again' WHERE id = 1;")
}

const refusal = {
  kind: 'answer',
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"not today","code":2,"message":"not today"}',
} as const

/** Opens a place and returns what was asked there more than three times, with how often. */
async function askedMost(
  console: ConsolePage,
  proxy: FaultProxy,
  place: string,
): Promise<[string, number][]> {
  const { page } = console
  const before = proxy.seen().length
  await console.goTo(place)
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  // What goes round is asked many times in so many frames.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 12; frame += 1) await new Promise(requestAnimationFrame)
  })
  const counts = new Map<string, number>()
  for (const { method, path, body } of proxy.seen().slice(before)) {
    const name = `${method} ${path} ${body}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 3)
}

describe('a server that refuses some of what it is asked', () => {
  test('is not asked again and again, on any screen', { timeout: 300_000 }, async ({
    server,
    proxy,
    open,
  }) => {
    await writeKinds(await api(server.url), 'short')
    await writeLong(await api(server.url))
    const console = await open(proxy.url)
    await console.enter('/settings')
    await console.keepsSession()
    for (const refused of rounds) {
      proxy.clearFaults()
      for (const path of refused) proxy.fault({ path, fault: refusal })
      await console.open('/settings?db=refused')
      await console.signedIn()
      for (const place of places) {
        const what = `${place}, refused: ${refused.join(' ')}`
        expect(await askedMost(console, proxy, place), what).toEqual([])
      }
    }
  })
})
