import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { startServer } from '../support/immudb'
import { setKeys } from '../support/keys-page'

/** Another person's server, and every request that reached it. */
async function withStranger(
  answer: RequestListener,
  work: (url: string, seen: readonly IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const seen: IncomingMessage[] = []
  const server = createServer((req, res) => {
    seen.push(req)
    answer(req, res)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the stranger has no port')
  try {
    await work(`http://127.0.0.1:${address.port}`, seen)
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

describe('F14: a redirect to another origin', () => {
  test('F14: is an error for reads, writes and the login, and nothing goes there', async ({
    proxy,
    open,
  }) => {
    const welcome: RequestListener = (_req, res) => {
      res.writeHead(200, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      })
      res.end('{"token":"stolen"}')
    }
    await withStranger(welcome, async (url, seen) => {
      const away = (status: number) =>
        ({ kind: 'answer', status, headers: { location: `${url}/api` } }) as const
      const console = await open(proxy.url)
      console.visit.watch.expect(/net::ERR_FAILED/)
      const mend = proxy.fault({ path: '/api/login', fault: away(307) })
      await console.open('/query')
      await console.submitLogin()
      await console.alerts.getByText(/cannot be reached/).waitFor()
      mend()
      await console.submitLogin()
      await console.signedIn()
      proxy.fault({ path: '/db/sqlquery', body: /SELECT 14/, fault: away(302) })
      proxy.fault({ path: '/db/sqlexec', fault: away(308) })
      await console.runSql('SELECT 14;')
      await console
        .result(1)
        .getByRole('alert')
        .getByText(/cannot be reached/)
        .waitFor()
      await console.runSql('CREATE TABLE f14 (id INTEGER, PRIMARY KEY id);')
      await console.result(2).getByText('Unknown', { exact: true }).waitFor()
      proxy.fault({ path: /\/api\//, fault: away(307) })
      // The poll, too.
      await console.page.getByText(/cannot be reached.*The console keeps trying/).waitFor()
      expect(await console.logIn.count()).toBe(0)
      expect(seen).toEqual([])
    })
  })
})

describe('F72: the server does not trust its own certificate', () => {
  test('F72: every call is 503; the login and an open console explain the certificate', async ({
    proxy,
    open,
  }) => {
    // As immudb 1.11.1 answers with --certificate of another name than --address.
    const error =
      'connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn\'t contain any IP SANs"'
    const body = JSON.stringify({ error, code: 14, message: error })
    const headers = { 'content-type': 'application/json' }
    const fault = { kind: 'answer', status: 503, headers, body } as const
    const mend = proxy.fault({ path: /\/api\//, fault })
    const console = await open(proxy.url)
    await console.open('/query')
    await console.submitLogin()
    const words = /does not trust its own certificate.*--address.*--auto-cert/
    await console.alerts.getByText(words).waitFor()
    mend()
    await console.submitLogin()
    await console.signedIn()
    await console.editor.waitFor()
    proxy.fault({ path: /\/api\//, fault })
    await console.runSql('SELECT 72;')
    await console.result(1).getByRole('alert').getByText(words).waitFor()
    await console.keepsSession()
    await console.page.reload()
    await console.alerts.getByText(words).waitFor()
    await console.page.getByText('You are still logged in.').waitFor()
  })
})

describe('A05: the console inside a page of someone else', () => {
  test('A05: the handler forbids it', async ({ server, browser }) => {
    await withStranger(framing(server.url), async (url) => {
      const framed = await visit(browser, url)
      framed.watch.expect(/request to another origin/, /frame-ancestors/)
      const blocked = framed.page.waitForEvent('console', (message) =>
        message.text().includes('frame-ancestors'),
      )
      await framed.page.goto(url)
      await blocked
      const frame = framed.page.frameLocator('iframe')
      expect(await frame.getByLabel('Password').count()).toBe(0)
      expect(await frame.locator('#root').count()).toBe(0)
      await framed.end()
    })
  })

  test('A05: without headers it shows a notice and no login form', async ({ browser }) => {
    const plain = await startServer({ kind: 'drop-in' })
    try {
      await withStranger(framing(plain.url), async (url) => {
        const framed = await visit(browser, url)
        framed.watch.expect(/request to another origin/)
        await framed.page.goto(url)
        const frame = framed.page.frameLocator('iframe')
        await frame.getByText(/does not run inside another page/).waitFor()
        expect(await frame.getByRole('textbox').count()).toBe(0)
        expect(framed.watch.requests.filter((address) => address.includes('/api/'))).toEqual([])
        await framed.end()
      })
      const console = new ConsolePage(await visit(browser, plain.url), plain.url)
      await console.open('/')
      await console.logIn.waitFor()
      await console.visit.end()
    } finally {
      await plain.dispose()
    }
  })
})

/** A row, a key and transactions that changed them; what each link to them must show. */
async function linksInto(url: string) {
  const db = await api(url)
  await db.createDatabase('linked')
  await db.use('linked')
  await db.exec('CREATE TABLE t (id INTEGER, v VARCHAR, PRIMARY KEY id);')
  await db.exec("INSERT INTO t (id, v) VALUES (1, 'one');")
  const from = await db.txId()
  await db.exec("UPDATE t SET v = 'two' WHERE id = 1;")
  const to = await db.txId()
  await setKeys(db, [['a/key', 'old']])
  const then = await db.txId()
  await setKeys(db, [['a/key', 'new']])
  const last = await db.txId()
  const there = [
    [`/tx?db=linked&id=${to}`, `Transaction ${to}`],
    ['/query?db=linked&table=t&row=n:1&rev=2', 'History of row id = 1 of t'],
    [`/keys?db=linked&key=a%2Fkey&at=tx:${then}`, 'old'],
    [`/compare?db=linked&table=t&from=tx:${from}&to=tx:${to}`, '1 changed'],
    ['/tables?db=linked&table=t&row=n:1&rev=2', 'History of row id = 1 of t'],
  ] as const
  const missing = [
    ['/tx?db=linked&id=99', `No transaction 99; the newest is ${last}.`],
    ['/tx?db=linked&id=-1', /^“-1” is not the number of a transaction/],
    ['/query?db=linked&table=t&row=n:7&rev=2', 'No such row: t never had one with id = 7.'],
    ['/query?db=linked&table=t&row=n:1&rev=9', 'There is no revision 9; the newest is 2.'],
    ['/query?db=linked&table=gone&row=n:1', /^Table does not exist/],
    [`/keys?db=linked&key=none&at=tx:${then}`, /no such key and no revision/],
    ['/keys?db=linked&key=a%2Fkey&at=tx:99', /^There is no transaction 99\./],
    [`/compare?db=linked&table=gone&from=tx:${from}&to=tx:${to}`, 'There is no table gone now'],
    [`/compare?db=linked&table=t&from=tx:99&to=tx:${to}`, /^There is no transaction 99\./],
    ['/tables?db=linked&table=t&row=n:7', 'No such row: t never had one with id = 7.'],
  ] as const
  return { there, missing }
}

/** Each link opens signed out in a new profile, and after the login shows what it names. */
async function opensCold(url: string, open: (url: string) => Promise<ConsolePage>, isAll: boolean) {
  const { there, missing } = await linksInto(url)
  const shows = ({ page }: ConsolePage, what: string | RegExp) =>
    page.getByText(what, { exact: true }).first().waitFor()
  for (const [link, what] of there) {
    const console = await open(url)
    await console.signIn(link)
    await shows(console, what)
    await console.page.close()
  }
  const console = await open(url)
  await console.signIn(missing[0][0])
  // What one host says of a page, the other says too; that it opens at all is the host's part.
  const pages = new Map(missing.map(([link, what]) => [link.split('?')[0], [link, what] as const]))
  for (const [link, what] of isAll ? missing : pages.values()) {
    await console.open(link)
    await shows(console, what)
  }
  await console.open('/tables')
  await console.page.getByRole('heading', { name: 'Query', exact: true }).waitFor()
}

describe('a link into the past', () => {
  test('opens cold behind our handler, and says what does not exist', async ({ server, open }) => {
    await opensCold(server.url, open, true)
  })

  test('opens cold on plain immudb, and says what does not exist', async ({ serve, open }) => {
    const plain = await serve({ kind: 'drop-in' })
    await opensCold(plain.url, open, false)
  })
})

function framing(of: string): RequestListener {
  return (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(
      `<!doctype html><title>Prize</title><link rel="icon" href="data:,"><iframe src="${of}/" width="900" height="700"></iframe>`,
    )
  }
}
