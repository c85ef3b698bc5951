import { describe, expect } from 'vitest'
import { visit } from '../support/browser'
import { test } from '../support/e2e'

describe('the watch that every test relies on', () => {
  test('A09, A10: what the policy forbids is blocked and reported', async ({ server, browser }) => {
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
  })

  test('it sees markup that ran, uncaught errors and other origins', async ({
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
    const report = await end().catch(String)
    expect(report).toContain('nobody caught me')
    expect(report).toContain('request to another origin: http://elsewhere.example/')
    expect(report).toContain('window.__pwn is set')
  })
})
