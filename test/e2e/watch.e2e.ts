import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Visit, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { phone } from '../support/looks'
import { readStorage } from '../support/page-storage'

describe('the watch that every test relies on', () => {
  test(
    'A09, A10: what the policy forbids is blocked and reported',
    walk,
    async ({ server, browser }) => {
      const { page, watch, end } = await visit(browser, server.url)
      await page.goto(server.url)
      const outcome = await page.evaluate(async () => {
        const style = document.createElement('style')
        style.textContent = 'body { --injected: 1 }'
        document.body.append(style)
        const script = document.createElement('script')
        const setters = [
          () => {
            script.textContent = 'window.__pwn = 1'
          },
          () => {
            document.body.innerHTML = '<img src=x onerror="window.__pwn=1">'
          },
          () => document.body.setAttribute('onclick', 'window.__pwn=1'),
        ]
        const thrown = setters.map((set) => {
          try {
            set()
            return false
          } catch {
            return true
          }
        })
        document.body.append(script)
        document.body.click()
        const reached = await fetch('http://127.0.0.1:9/').then(
          () => true,
          () => false,
        )
        return { thrown, reached, pwned: '__pwn' in window }
      })
      expect(outcome.thrown.slice(0, 2)).toEqual([true, true])
      expect(outcome).toMatchObject({ reached: false, pwned: false })
      // The page tells of them a moment after it was stopped.
      for (const what of ['style-src-elem', 'require-trusted-types-for', 'connect-src']) {
        await expect.poll(() => watch.problems.join()).toContain(`policy violation: ${what}`)
      }
      watch.keepSecret('id="root"')
      const report = await end().catch(String)
      expect(report).toMatch(/policy violation: style-src-elem/)
      expect(report).toMatch(/policy violation: require-trusted-types-for/)
      expect(report).toMatch(/policy violation: connect-src/)
      expect(report).toMatch(/a secret \(id="root"…\) is in the document/)
    },
  )

  test('it sees markup that ran, uncaught errors, other origins and requests without end', async ({
    server,
    browser,
  }) => {
    const { page, context, end } = await visit(browser, server.url)
    await context.route('http://elsewhere.example/', (route) => route.fulfill({ body: 'x' }))
    await page.goto(server.url)
    const uncaught = page.waitForEvent('pageerror')
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('nobody caught me')
      })
    })
    await uncaught
    await page.goto('http://elsewhere.example/')
    await page.goto(server.url)
    await page.evaluate(() => Reflect.set(window, '__pwn', 1))
    await page.evaluate(async () => {
      for (let sent = 0; sent < 60; sent += 1) await fetch('/api/health')
    })
    const report = await end().catch(String)
    expect(report).toContain('nobody caught me')
    expect(report).toContain('request to another origin: http://elsewhere.example/')
    expect(report).toContain('window.__pwn is set')
    expect(report).toMatch(/the same request 60 times in \d+ ms: GET .*\/api\/health/)
  })

  test('an icon that a browser looks for of its own accord may be missing, nothing else', async ({
    server,
    browser,
  }) => {
    const { page, watch, end } = await visit(browser, server.url)
    await page.goto(server.url)
    const ask = async (path: string) => {
      const told = page.waitForEvent('console', (line) => line.location().url.endsWith(path))
      await page.evaluate((to) => fetch(to).catch(() => undefined), path)
      await told
    }
    await ask('/favicon.ico')
    expect(watch.problems).toEqual([])
    await ask('/assets/favicon.ico')
    expect(await end().catch(String)).toMatch(/404.*assets\/favicon\.ico/)
  })
})

describe('a profile that is used by one test after the other', () => {
  /** Whether the next visit gets the page of the one before; both must be the only ones. */
  async function isHandedOn(before: Visit, next: () => Promise<Visit>): Promise<boolean> {
    const { page } = before
    await before.end()
    const after = await next()
    await after.end()
    return after.page === page
  }

  const emptyPlaces = new Map([
    ['cookie', ''],
    ['history', 'null'],
  ])
  const namesAndSize = (page: Page) =>
    page.evaluate(() => [window.name, history.length, window.innerWidth])

  test('has nothing of the one before', async ({ server, browser }) => {
    const first = await visit(browser, server.url, phone)
    const console = new ConsolePage(first, server.url)
    await console.signIn('/query')
    await console.keepsSession()
    await first.context.addCookies([{ name: 'left', value: 'behind', url: server.url }])
    await first.page.evaluate(() => {
      localStorage.setItem('left', 'behind')
      sessionStorage.setItem('left', 'behind')
      window.name = 'left'
    })
    const other = await first.tab()
    await other.goto(server.url)
    await first.end()
    expect(other.isClosed()).toBe(true)

    const second = await visit(browser, server.url)
    expect(second.page).toBe(first.page)
    expect(await readStorage(second.page)).toEqual(emptyPlaces)
    expect(await namesAndSize(second.page)).toEqual(['', 1, 1280])
    expect(second.watch.secrets).toEqual([])
    expect(second.watch.requests).toEqual([])
    await new ConsolePage(second, server.url).open('/')
    await new ConsolePage(second, server.url).signedOut()
    await second.end()
  })

  test('has what was changed in it taken back', async ({ server, browser }) => {
    const first = await visit(browser, server.url)
    const { context, page } = first
    const seen: string[] = []
    page.on('request', (request) => seen.push(request.url()))
    context.on('request', (request) => seen.push(request.url()))
    page.once('load', () => seen.push('load'))
    await page.route('**/*', (route) => route.abort())
    await context.route('**/*', (route) => route.abort())
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setScriptExecutionDisabled', { value: true })
    await context.setOffline(true)
    await first.end()
    seen.length = 0

    const second = await visit(browser, server.url)
    expect(second.page).toBe(page)
    await new ConsolePage(second, server.url).signIn()
    expect(seen).toEqual([])
    await second.end()
  })

  test('is not handed on after a change that cannot be taken back', async ({
    server,
    serve,
    browser,
  }) => {
    const another = await serve()
    const open = () => visit(browser, server.url)
    const usual = await open()
    await usual.page.goto(server.url)
    expect(await isHandedOn(usual, open)).toBe(true)
    const changes: ((visit: Visit) => Promise<unknown>)[] = [
      ({ page }) => page.clock.install(),
      ({ page }) => page.addInitScript(() => {}),
      ({ page }) => page.emulateMedia({ colorScheme: 'light' }),
      ({ page }) => page.close(),
      async (visit) => visit.spoil(),
      async ({ page, watch }) => {
        watch.expect(/another origin/)
        await page.goto(another.url)
      },
    ]
    for (const change of changes) {
      const changed = await open()
      await change(changed)
      expect(await isHandedOn(changed, open), String(change)).toBe(false)
    }
  })
})
