import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/e2e'

/** Presses Tab until the focus is on an element of this role and name. */
async function tabTo(page: Page, role: 'link' | 'textbox' | 'button' | 'grid', name: string) {
  const target = page.getByRole(role, { name, exact: true }).first()
  for (let press = 0; press < 60; press++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches the ${role} ${name}`)
}

test('the keyboard alone leads from the login to a result and out again', async ({
  server,
  open,
}) => {
  const console = await open(server.url)
  const { keyboard } = console.page
  await console.open()
  await expect
    .poll(() => console.user.evaluate((field) => field === document.activeElement))
    .toBe(true)
  await keyboard.type('immudb')
  await keyboard.press('Tab')
  await keyboard.type('immudb')
  await keyboard.press('Enter')
  await console.signedIn()
  await tabTo(console.page, 'link', 'Query')
  await keyboard.press('Enter')
  await console.editor.waitFor()
  await tabTo(console.page, 'textbox', 'SQL editor')
  await keyboard.type('SELECT 1 AS one;')
  await keyboard.press('ControlOrMeta+Enter')
  await console.cell(1, '1').waitFor()
  await keyboard.press('Escape')
  const grid = console.grid(1)
  for (let press = 0; press < 40; press++) {
    if (await grid.evaluate((element) => element.contains(document.activeElement))) break
    await keyboard.press('Tab')
  }
  expect(await grid.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await tabTo(console.page, 'button', 'Account')
  await keyboard.press('Enter')
  // The last entry erases the drafts; it comes once the text that was typed is found.
  await console.page.getByRole('menuitem', { name: 'Log out and erase drafts…' }).waitFor()
  await keyboard.press('End')
  await keyboard.press('ArrowUp')
  await keyboard.press('Enter')
  await console.signedOut()
})
