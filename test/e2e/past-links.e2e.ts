import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Serve, test } from '../support/e2e'
import type { ServerOptions } from '../support/immudb'
import { setKeys } from '../support/keys-page'
import { lookInBoth, resize, unhurried } from '../support/looks'

const hosts: readonly (readonly [string, ServerOptions])[] = [
  ['our handler', {}],
  ['immudb’s own file server', { kind: 'drop-in' }],
]

/** A table, a key and their transactions in a database of their own. */
async function writePast(db: Api) {
  await db.createDatabase('past')
  await db.use('past')
  const at = async (work: Promise<unknown>) => {
    await work
    return db.txId()
  }
  await db.exec('CREATE TABLE t (id INTEGER, name VARCHAR, PRIMARY KEY id);')
  const inserted = await at(db.exec("INSERT INTO t (id, name) VALUES (1, 'before');"))
  const changed = await at(db.exec("UPDATE t SET name = 'after' WHERE id = 1;"))
  const key = await at(setKeys(db, [['greeting', 'hello']]))
  const newest = await at(setKeys(db, [['greeting', 'goodbye']]))
  return { inserted, changed, key, newest }
}

type Past = Awaited<ReturnType<typeof writePast>>

/** A link as it is written, and what its page has to show. */
type Case = readonly [link: string, shows: (console: ConsolePage) => Promise<unknown>]

const waitFor = (text: string | RegExp) => (console: ConsolePage) =>
  console.page
    .getByText(text, typeof text === 'string' ? { exact: true } : {})
    .first()
    .waitFor()

const heading = (name: string) => (console: ConsolePage) =>
  console.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

async function historyOfRow({ page }: ConsolePage): Promise<void> {
  const list = page
    .getByRole('dialog', { name: /^History of/ })
    .getByRole('list', { name: 'Revisions' })
  await list.locator('[aria-current=true]').getByText('rev 2').waitFor()
}

const link = (path: string, search: string): string => `${path}?db=past${search}`

const noTx = (id: string) =>
  waitFor(`“${id}” is not the number of a transaction. They are numbered from 1.`)

const noRow = waitFor('No such row: t never had one with id = 7.')

function linksOf(past: Past): readonly Case[] {
  const overlong = '9'.repeat(400)
  return [
    [
      link('/tx', ''),
      async ({ page }) => {
        const rows = page.getByRole('grid', { name: 'Transactions', exact: true }).getByRole('row')
        await rows.filter({ hasText: `tx ${past.changed}` }).waitFor()
      },
    ],
    [
      link('/tx', `&id=${past.changed}`),
      async (console) => {
        await heading(`Transaction ${past.changed}`)(console)
        await waitFor('before')(console)
        await waitFor('after')(console)
        for (const name of ['Previous transaction', 'Next transaction', 'Verify'])
          await console.page.getByRole('button', { name, exact: true }).waitFor()
      },
    ],
    [link('/query', '&table=t&row=n:1&rev=2'), historyOfRow],
    ['/tables?db=past&table=t&row=n:1&rev=2', historyOfRow],
    [
      link('/query', `&at=tx:${past.inserted}`),
      async ({ page }) => {
        const name = `As of tx ${past.inserted}`
        await page.getByRole('button', { name, exact: true }).waitFor()
      },
    ],
    [link('/keys', `&key=greeting&at=tx:${past.key}`), waitFor('hello')],
    [
      link('/compare', `&table=t&from=tx:${past.inserted}&to=tx:${past.changed}`),
      async ({ page }) => {
        for (const text of ['0 added', '1 changed', '0 deleted'])
          await page.getByRole('status').getByText(text, { exact: true }).waitFor()
        await page.getByRole('grid', { name: 'Differences', exact: true }).waitFor()
      },
    ],
    [link('/tx', '&id=99'), waitFor(`No transaction 99; the newest is ${past.newest}.`)],
    [link('/tx', '&id=-3'), noTx('-3')],
    [link('/tx', '&id=0x10'), noTx('0x10')],
    [link('/tx', '&id='), noTx('')],
    [link('/tx', '&id=1.5'), noTx('1.5')],
    [link('/tx', '&id=18446744073709551616'), noTx('18446744073709551616')],
    [link('/tx', `&id=${overlong}`), waitFor(/^“9+…?” is not the number of a transaction\./)],
    [link('/query', '&table=t&row=n:7&rev=2'), noRow],
    ['/tables?db=past&table=t&row=n:7', noRow],
    [link('/query', '&table=t&row=n:1&rev=9'), waitFor('There is no revision 9; the newest is 2.')],
    [link('/query', '&table=gone&row=n:1'), waitFor(/^Table does not exist/)],
    [link('/keys', `&key=none&at=tx:${past.key}`), waitFor(/no such key and no revision/)],
    [link('/keys', '&key=greeting&at=tx:99'), waitFor(/^There is no transaction 99\./)],
    [
      link('/compare', `&table=gone&from=tx:${past.inserted}&to=tx:${past.changed}`),
      waitFor('There is no table gone now'),
    ],
    [
      link('/compare', `&table=t&from=tx:99&to=tx:${past.changed}`),
      waitFor(/^There is no transaction 99\./),
    ],
    ['/tx?db=nosuch&id=3', heading('No database nosuch on this server')],
    ['/compare?db=nosuch&table=t&from=tx:1', heading('No database nosuch on this server')],
    ['/query?db=nosuch&table=t', heading('No database nosuch on this server')],
    ['/keys?db=nosuch', heading('No database nosuch on this server')],
  ]
}

/** One of each page: what a host says of it, it says of all; the rest is the console's part. */
function onePerPage(links: readonly Case[]): readonly Case[] {
  return [...new Map(links.map((one) => [one[0].split('?')[0], one])).values()]
}

describe.for(hosts)('the links of the past on %s', unhurried, ([, options]) => {
  const start = async (serve: Serve) => {
    const server = await serve(options)
    const links = linksOf(await writePast(await api(server.url)))
    return { server, links: options.kind === 'drop-in' ? onePerPage(links) : links }
  }

  test('open cold, signed in, with the address as it was', async ({ serve, open }) => {
    const { server, links } = await start(serve)
    const console = await open(server.url)
    await console.enter('/settings')
    await console.keepsSession()
    for (const [path, shows] of links) {
      await console.open(path)
      await console.signedIn()
      await shows(console)
      expect(addressOf(console)).toEqual(expected(path))
    }
  })

  test('open cold, signed out, after the login', async ({ serve, open }) => {
    const { server, links } = await start(serve)
    for (const [path, shows] of links) {
      const console = await open(server.url)
      await console.signIn(path)
      await shows(console)
      expect(addressOf(console)).toEqual(expected(path))
      await console.visit.end()
    }
  })
})

function addressOf({ page }: ConsolePage) {
  const { pathname, searchParams } = new URL(page.url())
  return { pathname, search: Object.fromEntries(searchParams) }
}

/** The redirected page of tables has no address of its own. */
function expected(path: string) {
  const { pathname, searchParams } = new URL(path, 'http://host')
  const search = Object.fromEntries(searchParams)
  return { pathname: pathname === '/tables' ? '/query' : pathname, search }
}

describe('a database that is not there', () => {
  test(
    'is answered in the page, and the open one is a press away',
    unhurried,
    async ({ server, open }) => {
      await api(server.url)
      const console = await open(server.url)
      const { page } = console
      await console.enter('/tx?db=nosuch&id=3')
      await heading('No database nosuch on this server')(console)
      expect(await console.alerts.count()).toBe(0)
      const before = page.viewportSize()
      await lookInBoth(console, 'database-unopened')
      if (before) await resize(page, before)
      await page.getByRole('button', { name: 'Open defaultdb', exact: true }).press('Enter')
      await page.getByRole('heading', { name: 'Transactions', exact: true }).first().waitFor()
      expect(new URL(page.url()).search).toBe('?db=defaultdb')
      await page.goBack()
      await heading('No database nosuch on this server')(console)
      await (await api(server.url)).createDatabase('nosuch')
      await page.getByRole('button', { name: 'Try again', exact: true }).click()
      await page.getByText('The database has no transactions yet.').waitFor()
      expect(new URL(page.url()).search).toBe('?db=nosuch&id=3')
    },
  )

  test('and one without permission or unloaded are told apart', async ({ server, open }) => {
    const password = 'C0rrect-horse'
    const admin = await api(server.url)
    for (const name of ['own', 'foreign', 'asleep']) await admin.createDatabase(name)
    await admin.createUser('narrow', password, 2, 'own')
    await admin.call('/db/unload', { database: 'asleep' })
    const console = await open(server.url)
    await console.enter('/tx?db=foreign&id=3', 'narrow', password)
    await heading('You have no permission on foreign')(console)
    await console.open('/tx?db=nowhere&id=3')
    await console.signedIn()
    await console.page.getByRole('button', { name: 'Open own', exact: true }).waitFor()
    const other = await open(server.url)
    await other.enter('/tx?db=asleep&id=3')
    await heading('The database asleep is unloaded')(other)
    await other.page.getByRole('link', { name: 'Show the databases' }).click()
    await other.page.getByRole('button', { name: 'Load and use asleep' }).first().waitFor()
  })
})
