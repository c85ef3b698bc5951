import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'

/** The part of the build that holds the Query screen; esbuild names parts after their module. */
const screen = /\/assets\/QueryScreen-[^/]*\.js$/
const gone = { kind: 'answer', status: 404, body: 'not found' } as const

describe('a file of the build is gone after an upgrade', () => {
  test('F51: drafts are saved, the page loads again once, the screen opens', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    await console.signIn('/query')
    await console.write('SELECT 51; -- draft')
    await console.keeps('SELECT 51; -- draft')
    await console.forgetFiles()
    const upgraded = proxy.fault({ path: screen, fault: gone })
    await console.page.goto(`${proxy.url}/settings`)
    await console.signedIn()
    const loads = countLoads(console)
    console.page.on('request', (request) => {
      if (request.isNavigationRequest()) upgraded()
    })
    await console.link('Query').click()
    await console.holds('SELECT 51; -- draft')
    expect(await console.page.title()).toBe('Query · webconsole')
    expect(loads()).toBe(1)
  })

  test('F52: gone for good: a message and no loop of reloads', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    proxy.fault({ path: screen, fault: gone })
    await console.signIn('/settings')
    const loads = countLoads(console)
    await console.link('Query').click()
    await console.page.getByText(/could not be shown/).waitFor()
    expect(loads()).toBe(1)
    await console.link('Settings').click()
    await expect.poll(() => console.page.title()).toBe('Settings · webconsole')
  })

  test('a server that is away is no upgrade: the page stays', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    console.visit.watch.expectAway()
    const hidden = proxy.fault({ path: screen, fault: gone })
    console.visit.watch.expect(/status of 404/)
    await console.signIn('/settings')
    hidden()
    await proxy.down()
    await console.link('Query').click()
    await console.page
      .getByText(/could not be shown|cannot be reached/)
      .first()
      .waitFor()
    expect(await console.account.isVisible()).toBe(true)
    await proxy.up()
    const page = console.page.getByRole('main')
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await console.editor.waitFor()
  })
})

function countLoads({ page }: ConsolePage): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}
