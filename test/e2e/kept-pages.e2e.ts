import { describe, expect } from 'vitest'
import { plainPage } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { wholeBrowserTest as test, walk } from '../support/e2e'

const wrap = ({ page }: ConsolePage) => page.getByRole('switch', { name: 'Wrap long lines' })

/** From now on the page changes a setting, which it writes to storage, until it is left. */
function keepChanging(console: ConsolePage): Promise<void> {
  return wrap(console).evaluate((box: HTMLElement) => {
    setInterval(() => box.click(), 1)
  })
}

describe('a page that is left in the middle of writing and kept for “back”', () => {
  test('leaves the storage to the next page and to a reload', walk, async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/settings')
    await console.keepsSession()
    const onwards = async (again: () => Promise<unknown>) => {
      await wrap(console).waitFor()
      await keepChanging(console)
      await again()
      // Without its storage it would ask for the password.
      await console.signedIn()
      await console.keepsSession()
    }
    for (let times = 0; times < 4; times += 1) await onwards(() => console.open('/settings'))
    await onwards(() => page.reload())
    await wrap(console).waitFor()
    const chosen = !(await wrap(console).isChecked())
    await wrap(console).setChecked(chosen)
    expect(await page.getByText(/storage of this browser|has no room|keeps nothing/).count()).toBe(
      0,
    )
    await page.reload()
    await expect.poll(() => wrap(console).isChecked()).toBe(chosen)
  })
})

/** Leaves a page, does something in another tab, and comes back to the page, which did not run. */
async function leaveAndReturn(
  console: ConsolePage,
  meanwhile?: (other: ConsolePage) => Promise<void>,
): Promise<void> {
  const { page, visit, base } = console
  await page.goto(base + plainPage())
  if (meanwhile) {
    const other = new ConsolePage(visit, base, await visit.tab())
    await meanwhile(other)
    await page.bringToFront()
  }
  // Playwright would wait for a load.
  await page.evaluate(() => void setTimeout(() => history.back()))
}

describe('a page that comes back as it was left', () => {
  test(
    'goes on: results, statements, storage, and what other tabs say',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      const { page } = console
      await console.signIn('/query')
      await console.keepsSession()
      await console.runSql("SELECT 'as it was' AS note;")
      await console.cell(1, 'as it was').waitFor()
      // Firefox keeps no page that still writes.
      await console.keeps("SELECT 'as it was' AS note;")
      await console.remembers("SELECT 'as it was' AS note")
      await leaveAndReturn(console)
      await console.cell(1, 'as it was').waitFor()
      await console.runSql("SELECT 'and on' AS note;")
      await console.cell(2, 'and on').waitFor()
      await console.write('SELECT 3 -- kept')
      await console.keeps('SELECT 3 -- kept')
      const other = new ConsolePage(console.visit, server.url, await console.visit.tab())
      await other.open('/settings')
      await other.signedIn()
      await other.logOut()
      await console.signedOut()
      await page.bringToFront()
      await console.submitLogin()
      await console.signedIn()
      await console.holds('SELECT 3 -- kept')
    },
  )

  test(
    'shows nothing of a session that was ended in another tab',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.signIn('/query')
      await console.keepsSession()
      await console.runSql("SELECT 'for my eyes only' AS note;")
      await console.cell(1, 'for my eyes only').waitFor()
      await console.write('SELECT 4 -- kept')
      await console.keeps('SELECT 4 -- kept')
      await leaveAndReturn(console, async (other) => {
        await other.open('/settings')
        await other.signedIn()
        await other.logOut()
        await other.signedOut()
      })
      await console.signedOut()
      expect(await console.page.content()).not.toContain('for my eyes only')
      await console.submitLogin()
      await console.signedIn()
      await console.holds('SELECT 4 -- kept')
    },
  )

  test(
    'keeps a session of this tab alone, until its user logs out in another one',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.open('/query')
      await console.page.getByLabel('Stay signed in').uncheck()
      await console.submitLogin()
      await console.signedIn()
      await console.runSql("SELECT 'of this tab' AS note;")
      await console.cell(1, 'of this tab').waitFor()
      await console.keeps("SELECT 'of this tab' AS note;")
      await console.remembers("SELECT 'of this tab' AS note")
      await leaveAndReturn(console)
      await console.cell(1, 'of this tab').waitFor()
      await leaveAndReturn(console, async (other) => {
        await other.signIn('/settings')
        await other.logOut()
        await other.signedOut()
      })
      await console.signedOut()
    },
  )
})
