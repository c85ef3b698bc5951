import { describe, expect } from 'vitest'
import { test } from '../support/e2e'

describe('a file of the build is gone after an upgrade', () => {
  test('F51: drafts are saved, the page loads again once, the screen opens', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    await console.signIn('/query')
    await console.write('SELECT 51; -- draft')
    await console.page.goto(`${proxy.url}/settings`)
    await console.signedIn()
    let loads = 0
    console.page.on('load', () => {
      loads += 1
    })
    const upgraded = proxy.fault({
      path: /\/assets\/.*\.js$/,
      fault: { kind: 'answer', status: 404 },
    })
    console.page.on('request', (request) => {
      if (request.isNavigationRequest()) upgraded()
    })
    await console.link('Query').click()
    await console.holds('SELECT 51; -- draft')
    expect(await console.page.title()).toBe('Query · webconsole')
    expect(loads).toBe(1)
  })

  test('F52: gone for good: a message and no loop of reloads', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    await console.signIn('/settings')
    const known = new Set(proxy.seen({ path: /\/assets\// }).map((one) => one.path))
    let loads = 0
    console.page.on('load', () => {
      loads += 1
    })
    const unseen = new RegExp(`^(?!${[...known].map(escaped).join('|')}).*/assets/.*\\.js$`)
    proxy.fault({ path: unseen, fault: { kind: 'answer', status: 404 } })
    await console.link('Query').click()
    await console.alerts.first().waitFor()
    expect(loads).toBeLessThanOrEqual(1)
  })
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
