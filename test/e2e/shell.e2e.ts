import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { phone } from '../support/looks'
import { readState } from '../support/page-storage'

const pages = [
  ['/', 'Overview'],
  ['/query', 'Query'],
  ['/keys', 'Keys'],
  ['/verify', 'Verify'],
  ['/databases', 'Databases'],
  ['/users', 'Users'],
  ['/guide', 'Guide'],
  ['/settings', 'Settings'],
  ['/comingsoon', 'Coming soon'],
] as const

const linked = [
  'Overview',
  'Query',
  'Keys',
  'Verify',
  'Databases',
  'Users',
  'Guide',
  'Settings',
] as const

describe('addresses', () => {
  test('every page opens cold, with and without a slash at the end', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter()
    await console.keepsSession()
    for (const [path, title] of pages) {
      for (const address of new Set([path, `${path.replace(/\/$/, '')}/`])) {
        const answer = await console.page.goto(server.url + address)
        expect(answer?.status(), address).toBe(200)
        await console.signedIn()
        await expect.poll(() => console.page.title()).toBe(`${title} · webconsole`)
        await expect.poll(() => new URL(console.page.url()).pathname).toBe(path)
      }
    }
  })

  test(
    'the links of the navigation lead to every page and mark where one is',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.enter('/settings')
      for (const name of linked) {
        await console.link(name).click()
        await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
        await expect.poll(() => console.link(name).getAttribute('aria-current')).toBe('page')
        await expect.poll(() => console.navigation.locator('[aria-current=page]').count()).toBe(1)
      }
    },
  )

  test('an unknown address: status 404, the specified text and a way home', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    console.visit.watch.expect(/status of 404/)
    await console.enter()
    await console.keepsSession()
    for (const path of ['/nothing', '/query/nothing/deeper']) {
      const answer = await console.page.goto(server.url + path)
      expect(answer?.status()).toBe(404)
      await console.page.getByRole('heading', { name: 'This page could not be found' }).waitFor()
    }
    await console.page.getByRole('link', { name: 'Back to the home page' }).click()
    await expect.poll(() => console.page.title()).toBe('Overview · webconsole')
  })

  test('a missing file is a plain 404 and not the console', async ({ server }) => {
    for (const path of ['/assets/main-00000000.js', '/logo-that-is-not.svg']) {
      const answer = await fetch(server.url + path)
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toContain('<html')
    }
  })

  test('the document says its language and its own name before the app starts', async ({
    server,
  }) => {
    const html = await (await fetch(server.url)).text()
    expect(html).toContain('<title>immudb webconsole</title>')
    expect(html).toMatch(/<html[^>]* lang="en-GB"/)
  })
})

describe('theme', () => {
  test('the chosen theme is there before any of the app’s code runs', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter()
    const theme = () => console.page.evaluate(() => document.documentElement.dataset.theme)
    await expect.poll(theme).toBe('dark')
    await chooseTheme(console.page, 'Light')
    await expect.poll(theme).toBe('light')
    await expect
      .poll(() => readState(console.page))
      .toMatchObject({ view: { theme: 'light', system: false } })
    await console.keepsSession()
    console.visit.watch.expect(/chunk-[^/]*\.js/)
    await console.page.route(/\/assets\/chunk-[^/]*\.js$/, (route) => route.abort())
    await console.page.reload()
    expect(await theme()).toBe('light')
    await console.page.unroute(/\/assets\/chunk-[^/]*\.js$/)
    await console.page.reload()
    await console.signedIn()
    expect(await theme()).toBe('light')
  })
})

/** Waits until the drawer's state is stored, so that a reload cannot outrun it. */
function remembered({ page }: ConsolePage, sidebar: object): Promise<void> {
  return expect.poll(() => readState(page)).toMatchObject({ view: { sidebar } })
}

describe('drawer', () => {
  test('full, mini and collapsed, remembered over a reload', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter()
    const width = async () => (await console.navigation.boundingBox())?.width ?? 0
    const button = (name: string) => console.page.getByRole('button', { name, exact: true })
    const full = await width()
    await button('Show only icons in the navigation').click()
    await expect.poll(width).toBeLessThan(full / 2)
    expect(await console.link('Settings').getAttribute('href')).toContain('settings')
    await remembered(console, { mini: true })
    await console.keepsSession()
    await console.page.reload()
    await console.signedIn()
    await expect.poll(width).toBeLessThan(full / 2)
    await button('Hide navigation').click()
    await console.navigation.waitFor({ state: 'hidden' })
    await remembered(console, { collapsed: true })
    await console.page.reload()
    await console.signedIn()
    await button('Show navigation').waitFor()
    expect(await console.navigation.count()).toBe(0)
    await button('Show navigation').click()
    await button('Show names in the navigation').click()
    await expect.poll(width).toBe(full)
  })

  test('on a phone the navigation is a sheet that closes by itself', async ({ server, open }) => {
    const console = await open(server.url, phone)
    await console.enter()
    const show = console.page.getByRole('button', { name: 'Show navigation', exact: true })
    await show.waitFor()
    expect(await console.navigation.count()).toBe(0)
    await show.click()
    await console.link('Settings').click()
    await expect.poll(() => console.page.title()).toBe('Settings · webconsole')
    await console.navigation.waitFor({ state: 'hidden' })
    await show.click()
    await console.navigation.waitFor()
    // What hears the key is there as soon as the sheet has the focus.
    await console.page.locator('[role=dialog]:focus-within').waitFor()
    await console.page.keyboard.press('Escape')
    await console.navigation.waitFor({ state: 'hidden' })
    const overflow = await console.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  })
})

async function chooseTheme(page: Page, name: 'Dark' | 'Light') {
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitemradio', { name, exact: true }).click()
}
