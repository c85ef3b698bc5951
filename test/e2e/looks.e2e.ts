import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { pages } from '../../src/lib/paths'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { createSmallTable } from '../support/sql-samples'

async function openPage(console: ConsolePage, path: string, title: string) {
  await console.goTo(path)
  await expect.poll(() => console.page.title()).toBe(`${title} · webconsole`)
  await console.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
}

/** An unloaded database, so that choosing it is refused with a message. */
async function asleep(admin: Api, name: string) {
  await admin.createDatabase(name)
  await admin.call('/db/unload', { database: name })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.for(sizes)('looks, $size', unhurried, ({ size, viewport }) => {
  test('every page as it opens, the frame around it and pages that are none', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await createSmallTable(admin, `opened_${size}`)
    await asleep(admin, `asleep_${size}`)
    const console = await open(server.url, { viewport })
    const { page } = console
    await console.signIn('/settings')
    await page.getByRole('link', { name: 'Change it now' }).waitFor()
    await look(console, 'frame-banner')
    for (const { path, title, name } of pages) {
      await openPage(console, path, title)
      // Long as it is, the guide is looked at where its own tests have opened it.
      if (name !== 'guide') await look(console, name)
    }
    await console.account.click()
    await page.getByRole('menu').waitFor()
    await look(console, 'frame-account')
    await page.keyboard.press('Escape')
    await console.database.click()
    await page.getByRole('option', { name: 'defaultdb' }).waitFor()
    await look(console, 'frame-database')
    await page.getByRole('option', { name: `asleep_${size}` }).click()
    // Time stands still under the pointer.
    await button(page, 'Load it…').hover()
    await look(console, 'frame-toasts')
    await button(page, 'Dismiss').click()
    if (size === 'phone') {
      await button(page, 'Show navigation').click()
      await console.navigation.waitFor()
      await look(console, 'frame-navigation')
      await page.keyboard.press('Escape')
      await console.navigation.waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Change it now' }).click()
    await console.dialog.waitFor()
    await look(console, 'users-own-password')
    await button(page, 'Cancel').click()
    await console.goTo('/nothing')
    await page.getByRole('heading', { name: 'This page could not be found' }).waitFor()
    await look(console, 'not-found')
  })

  test('the page that comes instead of a screen that cannot be fetched', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport })
    const { page } = console
    console.visit.watch.expect(/KeysScreen/, /dynamically imported module/)
    await console.enter('/settings')
    // The page is loaded once more before it says that the screen is missing.
    await console.keepsSession()
    await page.route(/\/KeysScreen-[^/]*\.js$/, (route) =>
      route.fulfill({ status: 404, contentType: 'text/plain', body: '404 page not found' }),
    )
    await console.goTo('/keys')
    await page.getByText(/could not be shown/).waitFor()
    await look(console, 'error-page')
  })
})

/** Runs in the page: what has the focus, unless it, or what stands for it, is ringed. */
function unringed(): string {
  const at = document.activeElement
  if (!at || at === document.body) return ''
  const box = at.getBoundingClientRect()
  const near = [at, at.parentElement, at.parentElement?.parentElement]
  const within = at.querySelectorAll('[data-active=true], [aria-selected=true], .cm-cursorLayer')
  const isRinged =
    box.width === 0 ||
    at.matches('.cm-content, [data-separator]') ||
    [...near, ...within].some((one) => one && getComputedStyle(one).outlineStyle !== 'none')
  return isRinged ? '' : at.outerHTML.slice(0, 200)
}

test('the focus is seen wherever Tab leads to, on every page', async ({ server, open }) => {
  await createSmallTable(await api(server.url), 'focused')
  const console = await open(server.url)
  const { page } = console
  await console.enter('/settings')
  for (const { path, title } of pages) {
    await openPage(console, path, title)
    await page.locator('.shimmer').first().waitFor({ state: 'detached' })
    await console.account.focus()
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(unringed), { message: title }).toBe('')
    }
    await page.keyboard.press('Escape')
  }
})
