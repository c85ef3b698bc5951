import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { test } from '../support/e2e'

const sizes = [
  ['1440×900', { width: 1440, height: 900 }, 245],
  ['390×844', { width: 390, height: 844 }, 185],
] as const

/** Width and height of a picture as it is painted. */
async function box(page: Page, selector: string) {
  const found = await page.locator(selector).boundingBox()
  return found && { ...found, height: Math.round(found.height) }
}

describe.for(sizes)('at %s', ([, viewport, mascotHeight]) => {
  test('the splash has mascot, mark and provider’s mark in their sizes, and covers all', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport })
    await console.open()
    await console.signedOut()
    const { page } = console
    const dialog = page.getByRole('dialog', { name: 'immudb webconsole' })
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, ...viewport })
    const mascot = await box(page, '[role=dialog] svg[viewBox="-13 62 252 160"]')
    const mark = await box(page, '[role=dialog] svg[role=img]')
    const provider = await box(page, '[role=dialog] svg[viewBox="0 0 64 64"]')
    expect([mascot?.height, mark?.height, provider?.height]).toEqual([mascotHeight, 32, 64])
    const form = await page.locator('form').boundingBox()
    expect(mascot?.y ?? 0).toBeLessThan(mark?.y ?? 0)
    expect(mark?.y ?? 0).toBeLessThan(form?.y ?? 0)
    expect(form?.y ?? 0).toBeLessThan(provider?.y ?? 0)
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  })

  test('messages stand at the top right, below the bar', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    const closed = { name: 'webconsole_banner', value: 'closed', url: server.url }
    await console.visit.context.addCookies([closed])
    await console.signIn('/settings')
    const { page } = console
    await page.getByRole('button', { name: 'Decline all', exact: true }).click()
    const message = page.getByRole('region', { name: 'Notifications' }).getByRole('status')
    await message.waitFor()
    const at = await message.boundingBox()
    const [right, top] = [(at?.x ?? 0) + (at?.width ?? 0), at?.y ?? 0]
    expect(viewport.width - right).toBeLessThanOrEqual(16)
    expect(top).toBeGreaterThanOrEqual(48)
    // On a phone also below the title of the page.
    expect(top).toBeLessThanOrEqual(viewport.width < 600 ? 112 : 96)
  })
})

describe('a window that is made smaller', () => {
  test('becomes the phone’s layout below 600 px and the wide one again above', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.signIn('/query')
    const { page } = console
    const tabs = page.getByRole('tablist', { name: 'Query' })
    await page.setViewportSize({ width: 599, height: 800 })
    await tabs.waitFor()
    await console.navigation.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 600, height: 800 })
    await tabs.waitFor({ state: 'hidden' })
    await console.navigation.waitFor()
  })
})

describe('a call that takes its time', () => {
  test('shows the bar along the top until it is answered', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    await console.signIn('/databases')
    const bar = console.page.getByRole('progressbar', { name: 'Waiting for the server' })
    await bar.waitFor({ state: 'hidden' })
    const path = '/db/list/v2'
    const before = proxy.count({ path })
    const letGo = proxy.hold({ path })
    await console.page.getByRole('button', { name: 'Refresh the databases', exact: true }).click()
    await expect.poll(() => proxy.count({ path })).toBeGreaterThan(before)
    await bar.waitFor()
    letGo()
    await bar.waitFor({ state: 'hidden' })
  })
})
