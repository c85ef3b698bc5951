import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { readStorage } from '../support/page-storage'

const screens = ['Overview', 'Databases', 'Users', 'Guide', 'Settings', 'Query'] as const
const password = 'C4nary-in-the-mine'
const allowedPlace = 'localforage/keyvaluepairs/webconsole'

describe('secrets', () => {
  test('A08: token and password are found only where they may be, after logout nowhere', async ({
    server,
    open,
  }) => {
    await (await api(server.url)).createUser('canary', password, 2, 'defaultdb')
    const console = await open(server.url)
    const { watch } = console.visit
    for (const secret of [password, Buffer.from(password).toString('base64')]) {
      watch.keepSecret(secret)
    }
    await console.enter('/', 'canary', password)
    for (const name of screens) {
      await console.link(name).click()
      await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
      await watch.assertClean()
    }
    await console.runSql('SELECT broken FROM nowhere;')
    await console.result(1).getByRole('alert').waitFor()
    await console.keepsSession()
    expect(watch.secrets.length).toBeGreaterThanOrEqual(3)
    const kept = await readStorage(console.page)
    for (const [place, value] of kept) {
      for (const secret of watch.secrets) {
        if (place === allowedPlace && secret.startsWith('v2.public.')) continue
        expect(value.includes(secret), `a secret is kept in ${place}`).toBe(false)
      }
    }
    await console.logOut()
    await console.signedOut()
    await expect
      .poll(async () => [...(await readStorage(console.page)).values()].join())
      .not.toMatch(/v2\.public|canary/)
    await watch.assertClean()
  })
})

describe('a server behind ours', () => {
  test('its page at /api is no page of the console: no script, no storage, no frame', async ({
    proxy,
    serve,
    open,
  }) => {
    const body = '<title>theirs</title><script>window.__pwn = 1; document.title = "ran"</script>'
    const headers = { 'content-type': 'text/html', 'set-cookie': 'theirs=1' }
    const page = { kind: 'answer', status: 200, headers, body } as const
    proxy.fault({ path: '/api/page', fault: page })
    proxy.fault({ path: '/metrics', fault: page })
    const away = {
      kind: 'answer',
      status: 302,
      headers: { location: 'http://evil.example/' },
    } as const
    proxy.fault({ path: '/api/away', fault: away })
    const server = await serve({ inFrontOf: { url: proxy.url, metricsUrl: proxy.url } })
    const console = await open(server.url)
    const { watch } = console.visit
    watch.expect(/Blocked script execution/)
    await console.enter('/')
    const other = await console.visit.tab()
    for (const path of ['/api/page', '/metrics']) {
      await other.goto(server.url + path)
      expect(await other.title()).toBe('theirs')
      const reach = await other.evaluate(() => {
        const refused = (read: () => unknown) => {
          try {
            return void read()
          } catch (error) {
            return error instanceof DOMException ? error.name : String(error)
          }
        }
        return [self.origin, refused(() => localStorage), refused(() => document.cookie)]
      })
      expect(reach).toEqual(['null', 'SecurityError', 'SecurityError'])
    }
    const redirected = await other.goto(`${server.url}/api/away`)
    expect(redirected?.status()).toBe(502)
    expect(await redirected?.text()).toContain('it sent a redirect, which is not followed')
    await other.close()
    await console.keepsSession()
    expect(await console.page.evaluate(() => document.cookie)).toBe('')
  })
})

describe('names from the server', () => {
  const names = [
    '__proto__',
    'constructor',
    'tostring',
    'hasownproperty',
    'length',
    'ref',
    'undefined',
  ]

  test('A13: property names of JavaScript are ordinary names', async ({ server, open }) => {
    const admin = await api(server.url)
    await admin.createDatabase('__proto__')
    await admin.createUser('__proto__', 'Pr0totype!', 2, '__proto__')
    const db = await api(server.url, {
      user: '__proto__',
      password: 'Pr0totype!',
      database: '__proto__',
    })
    for (const name of names) {
      await db.exec(
        `CREATE TABLE ${name} (__proto__ INTEGER, ${names
          .slice(1)
          .map((column) => `${column} VARCHAR[20]`)
          .join(', ')}, PRIMARY KEY __proto__);`,
      )
      await db.exec(
        `INSERT INTO ${name} (__proto__, constructor, length) VALUES (7, 'a constructor', '3');`,
      )
    }
    const console = await open(server.url)
    await console.enter('/query', '__proto__', 'Pr0totype!')
    await expect.poll(() => console.database.textContent()).toContain('__proto__')
    for (const name of names) {
      await console.tables
        .getByRole('treeitem', { name: new RegExp(name) })
        .first()
        .waitFor()
    }
    await console.runSql('SELECT * FROM __proto__;')
    await console.cell(1, 'a constructor').waitFor()
    await console.cell(1, '7').waitFor()
    await console
      .grid(1)
      .getByRole('columnheader', { name: /__proto__/ })
      .waitFor()
    await console.keepsSession()
    await console.page.reload()
    await console.signedIn()
    await expect.poll(() => console.database.textContent()).toContain('__proto__')
    await console.account.click()
    await console.page.getByText('__proto__', { exact: true }).last().waitFor()
    const prototypeNames = () => Object.getOwnPropertyNames(Object.prototype).sort()
    const blank = await console.visit.tab()
    expect(await console.page.evaluate(prototypeNames)).toEqual(
      await blank.evaluate(prototypeNames),
    )
  })

  test('A01: stored markup is text, in cells, errors and columns', async ({ server, open }) => {
    const markup = '<img src=x onerror="window.__pwn=1"><script>window.__pwn=1</script>'
    const db = await api(server.url)
    await db.exec('CREATE TABLE markup (id INTEGER, body VARCHAR, PRIMARY KEY id);')
    await db.exec(`INSERT INTO markup (id, body) VALUES (1, '${markup}');`)
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT body FROM markup;')
    await console.cell(1, markup).waitFor()
    await console.runSql(`SELECT "${markup}" FROM "<b>nothing</b>";`)
    await console.result(2).getByRole('alert').waitFor()
    expect(await console.page.locator('img[src=x]').count()).toBe(0)
  })
})
