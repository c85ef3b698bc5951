import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'

/** The part of the build that holds the Query screen; esbuild names parts after their module. */
const screen = /\/assets\/QueryScreen-[^/]*\.js$/
const gone = { kind: 'answer', status: 404, body: 'not found' } as const

/** The address of a page, which is asked for when one is loaded. */
const aPage = /^\/(query|settings)(\?|$)/

describe('a file of the build is gone after an upgrade', () => {
  test('F51: drafts are saved, the page loads again once, the screen opens', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    await console.enter('/query')
    await console.write('SELECT 51; -- draft')
    await console.keeps('SELECT 51; -- draft')
    await console.keepsSession()
    await console.forgetFiles()
    const upgraded = proxy.fault({ path: screen, fault: gone })
    await console.page.goto(`${proxy.url}/settings`)
    await console.signedIn()
    const loads = countLoads(console)
    proxy.weather(({ path }) => {
      if (aPage.test(path)) upgraded()
      return undefined
    })
    await console.link('Query').click()
    await console.holds('SELECT 51; -- draft')
    await expect.poll(() => console.page.title()).toBe('Query · webconsole')
    await expect.poll(loads).toBe(1)
  })

  test('F52: gone for good: a message and no loop of reloads', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    proxy.fault({ path: screen, fault: gone })
    await console.enter('/settings')
    await console.keepsSession()
    const loads = countLoads(console)
    await console.link('Query').click()
    await console.page.getByText(/could not be shown/).waitFor()
    await expect.poll(loads).toBe(1)
    await console.link('Settings').click()
    await expect.poll(() => console.page.title()).toBe('Settings · webconsole')
  })

  test('a server that is away is no upgrade: the page stays', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    console.visit.watch.expectAway()
    const hidden = proxy.fault({ path: screen, fault: gone })
    console.visit.watch.expect(/status of 404/)
    await console.enter('/settings')
    hidden()
    await proxy.down()
    await console.link('Query').click()
    // By then the console has asked in vain whether it is the build or the server that is gone.
    const main = console.page.getByRole('main')
    const again = main.getByRole('button', { name: 'Try again', exact: true })
    await again.waitFor()
    expect(await console.account.isVisible()).toBe(true)
    await proxy.up()
    await again.click()
    await console.editor.waitFor()
  })

  test(
    'a page that is left while a part is on its way goes where it is sent, and says nothing',
    walk,
    async ({ proxy, open }) => {
      const console = await open(proxy.url)
      proxy.fault({ path: screen, fault: { kind: 'hang' } })
      await console.enter('/settings')
      await console.keepsSession()
      // Firefox gives up the part at once, long before there is another page.
      proxy.fault({ path: /^\/users(\?|$)/, fault: { kind: 'delay', ms: 1_500 } })
      await console.link('Query').click()
      await expect.poll(() => proxy.count({ path: screen })).toBe(1)
      const loads = countLoads(console)
      await console.open('/users')
      await console.signedIn()
      await expect.poll(() => console.page.title()).toBe('Users · webconsole')
      expect(loads()).toBe(1)
    },
  )
})

function countLoads({ page }: ConsolePage): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}
