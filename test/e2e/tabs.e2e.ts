import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { hostNames } from '../support/engine'

/** What the left tab asks; the right one leaves its end out, so that their drafts differ. */
const sql = 'SELECT name FROM side;'

/** Waits until a tab is in a database, which its server may take a while to open. */
function opened({ database }: ConsolePage, name: string): Promise<void> {
  return expect.poll(() => database.textContent()).toContain(name)
}

describe('two tabs of one operator', () => {
  test('F39: each keeps its own database, token and data', walk, async ({ server, open }) => {
    const db = await api(server.url)
    for (const name of ['left', 'right']) {
      await db.use('defaultdb')
      await db.createDatabase(name)
      await db.use(name)
      await db.exec('CREATE TABLE side (name VARCHAR[10], PRIMARY KEY name);')
      await db.exec(`INSERT INTO side (name) VALUES ('${name}');`)
    }
    const left = await open(server.url)
    await left.signIn('/query')
    await left.pickDatabase('left')
    await opened(left, 'left')
    await left.keepsSession()
    const right = new ConsolePage(left.visit, server.url, await left.visit.tab())
    await right.open('/query')
    await right.signedIn()
    await right.pickDatabase('right')
    await opened(right, 'right')
    await right.runSql('SELECT name FROM side')
    await right.cell(1, 'right').waitFor()
    await left.page.bringToFront()
    await left.runSql(sql)
    await left.cell(1, 'left').waitFor()
    await right.page.bringToFront()
    await right.run.click()
    await right.cell(2, 'right').waitFor()
    await left.page.bringToFront()
    await left.keeps(sql)
    await left.page.reload()
    await left.signedIn()
    await opened(left, 'left')
    await left.holds(sql)
    await left.run.click()
    await left.cell(1, 'left').waitFor()
  })

  test.for(hostNames)(
    'F40: logging out in one tab ends the other within a second, at %s',
    walk,
    async (host, { serve, open, expect }) => {
      const server = await serve({ flags: ['--allow-host', 'console.test'] })
      const url = server.url.replace('127.0.0.1', host)
      const first = await open(url)
      // Chromium tells that it takes this header over https only.
      first.visit.watch.expect(/Cross-Origin-Opener-Policy header has been ignored/)
      await first.signIn('/query')
      expect(await first.page.evaluate(() => window.isSecureContext)).toBe(host === '127.0.0.1')
      await first.keepsSession()
      const second = new ConsolePage(first.visit, url, await first.visit.tab())
      await second.open('/query')
      await second.signedIn()
      await second.runSql("SELECT 'seen in the second tab' AS x;")
      await second.cell(1, 'seen in the second tab').waitFor()
      await second.write('SELECT 40; -- unsaved')
      await second.keeps('SELECT 40; -- unsaved')
      await first.page.bringToFront()
      await first.logOut()
      await first.signedOut()
      await second.logIn.waitFor({ timeout: 1_500 })
      await expect.poll(() => second.page.content()).not.toContain('seen in the second tab')
      await second.page
        .getByText(
          'You were logged out in another tab. Your drafts are kept: log in again to continue.',
        )
        .waitFor()
      await second.page.bringToFront()
      await second.submitLogin()
      await second.signedIn()
      await second.link('Query').click()
      await second.holds('SELECT 40; -- unsaved')
    },
  )
})
