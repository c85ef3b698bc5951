import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { describe, expect } from 'vitest'
import { visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { startServer } from '../support/immudb'

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
      // The browser tells of where a redirect leads; that nothing went there is checked below.
      console.visit.watch.expect(new RegExp(`request to another origin: ${url}/api$`))
      const mend = proxy.fault({ path: '/api/login', fault: away(307) })
      await console.open('/query')
      await console.submitLogin()
      await console.alerts.getByText(/wants you to log in at it again/).waitFor()
      mend()
      await console.submitLogin()
      await console.signedIn()
      proxy.fault({ path: '/db/sqlquery', body: /SELECT 14/, fault: away(302) })
      proxy.fault({ path: '/db/sqlexec', fault: away(308) })
      await console.runSql('SELECT 14;')
      await console
        .result(1)
        .getByRole('alert')
        .getByText(/wants you to log in at it again/)
        .waitFor()
      await console.runSql('CREATE TABLE f14 (id INTEGER, PRIMARY KEY id);')
      await console.result(2).getByText('Unknown', { exact: true }).waitFor()
      proxy.fault({ path: /\/api\//, fault: away(307) })
      // The poll, too.
      await console.page.getByText('Log in at the proxy, in a new tab').waitFor()
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

function framing(of: string): RequestListener {
  return (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(
      `<!doctype html><title>Prize</title><link rel="icon" href="data:,"><iframe src="${of}/" width="900" height="700"></iframe>`,
    )
  }
}
