import { test as base } from 'vitest'
import { api } from './api'
import { type Browser, openBrowser, type VisitOptions, visit } from './browser'
import { ConsolePage } from './console-page'
import { type FaultProxy, startFaultProxy } from './fault-proxy'
import { type ImmudbServer, type ServerOptions, startServer } from './immudb'
import { keepShot } from './shots'
import { createSmallTable } from './sql-samples'

/** Opens a page of a server at a browser profile of its own. */
export type Open = (url: string, options?: VisitOptions) => Promise<ConsolePage>

/** Starts a further server for one test; it lives longer than the pages the test opens. */
export type Serve = (options?: ServerOptions) => Promise<ImmudbServer>

type Fixtures = {
  /** One browser for all files of a worker: Chromium's engine alone, which suits most tests. */
  browser: Browser
  /** One console with its own database for the whole file. */
  server: ImmudbServer
  /** The name of a small table in it, for tests that run at once: of two made so immudb refuses one. */
  smallTable: string
  /** A server for this test alone, to be killed and frozen. */
  ownServer: ImmudbServer
  /** Starts further servers for this test alone. */
  serve: Serve
  /** A fault proxy in front of the file's server, for this test alone. */
  proxy: FaultProxy
  /** Opens a browser profile; each is checked for what must never happen when the test ends. */
  open: Open
}

/** One browser of a kind for all files of a worker; each test opens profiles of its own in it. */
function browserOf(kind: 'whole' | 'shell') {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
  const fixture = async ({}, use: (browser: Browser) => Promise<void>) => {
    const browser = await openBrowser(kind)
    await use(browser)
    await browser.close()
  }
  return [fixture, { scope: 'worker' }] as [typeof fixture, { scope: 'worker' }]
}

/**
 * Vitest's `test` with everything an end-to-end test needs; fixtures start when they are named and
 * end in the opposite order of this list: pages before the servers they still ask.
 */
export const test = base.extend<Fixtures>({
  browser: browserOf('shell'),
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
    async ({}, use) => {
      const server = await startServer()
      // Of two first logins at the same moment immudb forgets one.
      await api(server.url)
      await use(server)
      await server.dispose()
    },
    { scope: 'file' },
  ],
  smallTable: [
    async ({ server }, use) => {
      await createSmallTable(await api(server.url), 'small')
      await use('small')
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
  ownServer: async ({}, use) => {
    const server = await startServer()
    await use(server)
    await server.dispose()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
  serve: async ({}, use) => {
    const started: ImmudbServer[] = []
    await use(async (options) => {
      const server = await startServer(options)
      started.unshift(server)
      return server
    })
    for (const server of started) await server.dispose()
  },
  proxy: async ({ server }, use) => {
    const proxy = await startFaultProxy(server.url, 'mirrored')
    await use(proxy)
    await proxy.close()
  },
  open: async ({ browser, task }, use) => {
    const opened: ConsolePage[] = []
    await use(async (url, options) => {
      const console = new ConsolePage(await visit(browser, url, options), url)
      opened.push(console)
      return console
    })
    const hasFailed = task.result?.state === 'fail'
    for (const { page, visit: one } of opened) {
      if (hasFailed) {
        one.spoil()
        if (!page.isClosed()) await keepShot(page, fileName(task.name))
      }
      await one.end()
    }
  },
})

/** The same in the whole browser, which opens connections ahead and keeps more than the engine. */
export const wholeBrowserTest = test.extend<Pick<Fixtures, 'browser'>>({
  browser: browserOf('whole'),
})

/**
 * Marks a test that runs in Firefox and in WebKit too. Together they pass through every screen, every
 * kind of write, and whatever engines do each in their own way.
 */
export const walk = { tags: ['walk'] }

function fileName(testName: string): string {
  return `failed-${testName.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}`
}
