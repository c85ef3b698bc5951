import { describe, expect } from 'vitest'
import { type PageName, pages } from '~/lib/paths'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { setKeys } from '../support/keys-page'

/** What a screen says where it is empty: its title, and what can be done, or why nothing can. */
type Empty = {
  readonly title: string
  /** The first button or link of the empty place, or the one of the bar of the past. */
  readonly action?: string
  /** Why there is no action or it cannot be used now; to be read, not only in a tooltip. */
  readonly why?: string | RegExp
}

/** Null for a screen that is not empty even then. */
type Screens = Partial<Record<PageName, Empty | null>>

/** Screens without anything of a database. */
const always: Screens = {
  verify: null,
  servers: { title: 'This console shows one server', action: 'by text or file' },
  databases: null,
  users: null,
  guide: null,
  settings: null,
  comingsoon: null,
}
const noTransactions: Empty = { title: 'No transactions', action: 'Open Query' }
const noWrites = 'This needs the permission “Read & write” on the database.'

/** Of a database to which nothing was ever written. */
const ofEmpty: Screens = {
  ...always,
  overview: noTransactions,
  query: { title: 'No tables', action: 'Create a table' },
  keys: { title: 'No keys', action: 'Set the first key' },
  documents: { title: 'No collections', action: 'New collection' },
  transactions: noTransactions,
  compare: noTransactions,
  audit: { title: 'No audit log', action: 'Look again' },
}

/** The same for someone who may only read. */
const ofReader: Screens = {
  ...ofEmpty,
  query: { title: 'No tables', action: 'Create a table', why: noWrites },
  keys: { title: 'No keys', action: 'Set the first key', why: noWrites },
  documents: { title: 'No collections', action: 'New collection', why: noWrites },
  audit: { title: 'You may not read the audit log', why: /You need a permission on systemdb/ },
}

const back = 'Back to now'

/** Of a database as of its first transaction, which made a collection. */
const ofPast: Screens = {
  ...always,
  overview: null,
  query: { title: 'No tables', action: back, why: 'There were none at this moment.' },
  keys: { title: 'No keys', action: back, why: 'No key was live at tx 1.' },
  documents: { title: 'No documents as of tx 1', action: back, why: /had no document then/ },
  transactions: null,
  compare: { title: 'No row differs', why: /only as steps/ },
  audit: { title: 'No audit log', action: 'Look again' },
}

/** Opens each page and compares what is empty on it. */
async function walkEmpty(console: ConsolePage, query: string, screens: Screens) {
  // The redirect of the old addresses is Query.
  for (const { name, path, title } of pages.filter((one) => one.name !== 'tables')) {
    await console.goTo(`${path}?${query}`)
    await expect.poll(() => console.page.title()).toContain(title)
    const of = screens[name]
    expect(of, `${name} is in the list`).not.toBeUndefined()
    const places = console.page.locator('main [data-empty]:visible')
    if (of === null || of === undefined) {
      await console.page.locator('main').getByRole('heading', { level: 1 }).first().waitFor()
      expect(await places.count(), name).toBe(0)
      continue
    }
    const place = places.filter({ hasText: of.title }).first()
    await place.waitFor()
    const own = place.getByRole('button').or(place.getByRole('link'))
    if (of.action === back) {
      await console.page.getByRole('button', { name: back, exact: true }).waitFor()
      expect(await own.count(), name).toBe(0)
    } else if (of.action === undefined) expect(await own.count(), name).toBe(0)
    else {
      const first = own.first()
      expect(await first.textContent(), name).toContain(of.action)
      expect(await first.getAttribute('aria-disabled'), name).toBe(of.why ? 'true' : null)
      const colours = await own.evaluateAll((all) =>
        all.map((one) => getComputedStyle(one).backgroundColor),
      )
      // What stands beside it is quieter.
      if (!of.why) expect(colours.lastIndexOf(colours[0] ?? ''), name).toBe(0)
    }
    if (of.why !== undefined) await place.locator('p').filter({ hasText: of.why }).first().waitFor()
    // Nothing is to be chosen from a list that is empty.
    expect(await places.filter({ hasText: 'from the list' }).count(), name).toBe(0)
  }
}

describe('where nothing is, one thing can be done first, or it is said why there is none', () => {
  test('in a database to which nothing was ever written', walk, async ({ server, open }) => {
    await (await api(server.url)).createDatabase('void')
    const console = await open(server.url)
    await console.enter('/?db=void')
    await walkEmpty(console, 'db=void', ofEmpty)
  })

  test('on a phone, which shows the list alone', async ({ server, open }) => {
    await (await api(server.url)).createDatabase('void').catch(() => {})
    const console = await open(server.url, { viewport: { width: 390, height: 844 } })
    await console.enter('/?db=void')
    for (const [path, action] of [
      ['/keys', 'Set the first key'],
      ['/documents', 'New collection'],
    ] as const) {
      await console.goTo(`${path}?db=void`)
      const place = console.page.locator('main [data-empty]:visible')
      await place.getByRole('button', { name: action, exact: true }).waitFor()
      expect(await place.count()).toBe(1)
    }
  })

  test('for someone who may only read', walk, async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('bare')
    await db.createUser('watcher', 'Watcher-pass-1', 1, 'bare')
    const console = await open(server.url)
    await console.enter('/?db=bare', 'watcher', 'Watcher-pass-1')
    await walkEmpty(console, 'db=bare', ofReader)
  })

  test('as of a moment before there was anything', walk, async ({ server, open }) => {
    await (await api(server.url)).createDatabase('later')
    const db = await (await api(server.url)).use('later')
    await db.call('/v2/collection/notes', {
      name: 'notes',
      fields: [{ name: 'n', type: 'STRING' }],
    })
    await db.exec('CREATE TABLE t (id INTEGER, PRIMARY KEY id);')
    await setKeys(db, [['a', 'b']])
    const console = await open(server.url)
    await console.enter('/?db=later')
    await walkEmpty(console, 'db=later&at=tx:1', ofPast)
  })

  test(
    'in a table without rows and a collection without documents',
    walk,
    async ({ server, open }) => {
      await (await api(server.url)).createDatabase('hollow')
      const db = await (await api(server.url)).use('hollow')
      await db.exec('CREATE TABLE t (id INTEGER, PRIMARY KEY id);')
      await db.call('/v2/collection/notes', {
        name: 'notes',
        fields: [{ name: 'n', type: 'STRING' }],
      })
      const console = await open(server.url)
      // A login opens the session that documents need.
      await console.signIn('/query?db=hollow&table=t')
      const place = console.page.locator('main [data-empty]:visible')
      await place.getByRole('button', { name: 'Add the first row', exact: true }).waitFor()
      await console.goTo('/documents?db=hollow&collection=notes')
      await place.getByRole('button', { name: 'Write the first document', exact: true }).waitFor()
      expect(await place.count()).toBe(1)
      await (await api(server.url)).createUser('looker', 'Looker-pass-1', 1, 'hollow')
      const reader = await open(server.url)
      const said = reader.page
        .locator('main [data-empty]:visible')
        .locator('p')
        .filter({ hasText: noWrites })
      await reader.signIn('/query?db=hollow&table=t', 'looker', 'Looker-pass-1')
      await said.waitFor()
      await reader.goTo('/documents?db=hollow&collection=notes')
      await said.waitFor()
    },
  )
})
