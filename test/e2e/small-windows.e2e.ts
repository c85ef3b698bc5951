import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'
import { setKeys } from '../support/keys-page'
import { unhurried } from '../support/looks'
import { paint } from '../support/paint'
import { expectInReach } from '../support/reach'
import { shot } from '../support/shots'

/** In CSS pixels. */
const sizes = [
  { what: '1280×800 at 200 %', viewport: { width: 640, height: 400 } },
  { what: 'a phone on its side', viewport: { width: 844, height: 390 } },
  { what: '1280×1024 at 400 %', viewport: { width: 320, height: 256 } },
]

const lowest = { what: '1280×800 at 400 %', viewport: { width: 320, height: 200 } }

/** An address, and what its screen is there for. */
type Screen = readonly [path: string, main: (page: Page) => Locator]

const grid = (page: Page) => page.getByRole('grid')

const heading = (name: string) => (page: Page) =>
  page.getByRole('main').filter({ has: page.getByRole('heading', { name, exact: true, level: 1 }) })

const screens: readonly Screen[] = [
  ['/', heading('Overview')],
  ['/query', (page) => page.getByRole('textbox', { name: 'SQL editor' })],
  ['/query?table=small', grid],
  ['/keys', (page) => page.getByRole('tree')],
  ['/keys?key=alpha', (page) => page.getByRole('main').filter({ hasText: 'rev 1' })],
  ['/documents', (page) => page.getByRole('main').filter({ hasText: 'notes' })],
  ['/tx', (page) => page.getByRole('grid', { name: 'Transactions' })],
  ['/compare?from=2&to=4', heading('Compare')],
  ['/verify', heading('Verify')],
  ['/databases', (page) => page.getByRole('main').filter({ hasText: '1 database' })],
  ['/users', (page) => page.getByRole('main').filter({ hasText: '1 user' })],
  ['/guide', heading('Guide')],
  ['/settings', heading('Settings')],
  ['/guide#runs', heading('Guide')],
  ['/nowhere', (page) => page.getByRole('main')],
]

/** A few lines, or all of a window that has less. */
const usable = 96

/** Runs in the page: how much of a box is in sight at once, after scrolling as a user can. */
function inSight(box: Element): { width: number; height: number } {
  box.scrollIntoView({ block: 'start' })
  let { left, top, right, bottom } = box.getBoundingClientRect()
  const cut = (by: { left: number; top: number; right: number; bottom: number }) => {
    left = Math.max(left, by.left)
    top = Math.max(top, by.top)
    right = Math.min(right, by.right)
    bottom = Math.min(bottom, by.bottom)
  }
  cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })
  for (let up = box.parentElement; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowY !== 'visible') cut(up.getBoundingClientRect())
  }
  return { width: right - left, height: bottom - top }
}

/** The screen has its main thing in a usable size, and all that can be pressed in reach. */
async function expectUsable(console: ConsolePage, [path, main]: Screen, what: string) {
  const { page } = console
  await console.goTo(path)
  await main(page).waitFor()
  await atRest(page)
  // For people to look at: colours change no size.
  for (const theme of process.env.SHOTS ? (['light', 'dark'] as const) : []) {
    await paint(page, theme)
    const { width } = page.viewportSize() ?? { width: 0 }
    await shot(page, `small-${width}-${path.replace(/\W+/g, '_')}-${theme}`)
  }
  const { width, height } = await main(page).evaluate(inSight)
  expect({ path, width, height }, what).toEqual({
    path,
    width: expect.toSatisfy((found) => found >= 200),
    height: expect.toSatisfy((found) => found >= usable),
  })
  await expectInReach(page, page.locator('body'), path)
}

async function atRest(page: Page) {
  await page.locator('.shimmer').first().waitFor({ state: 'detached' })
}

describe.for(sizes)('$what', unhurried, ({ what, viewport }) => {
  test('every screen has its main thing in a usable size, and all that can be pressed in reach', async ({
    server,
    smallTable,
    open,
  }) => {
    const db = await api(server.url)
    if ((await db.txId()) < 4) {
      await setKeys(db, [['alpha', 'one']])
      await makeCollection(db, 'notes', [['title', 'STRING']], [])
      // An only table would open instead of the editor.
      await db.exec('CREATE TABLE beside (id INTEGER, PRIMARY KEY id);')
    }
    const console = await open(server.url, { viewport })
    await console.enter('/settings')
    for (const [path, main] of screens) {
      await expectUsable(console, [path.replace('small', smallTable), main], what)
    }
  })
})

describe.for(sizes)('$what', unhurried, ({ what, viewport }) => {
  test('the audit log and the list of servers, too', async ({ serve, server, open }) => {
    const recording = await serve({ flags: ['--audit-log'] })
    const console = await open(recording.url, { viewport })
    await console.enter('/settings')
    await expectUsable(console, ['/audit', grid], what)
    const front = await serve({ servers: { eu: server.url, us: recording.url } })
    const several = await open(front.url, { viewport })
    await several.open('/servers')
    await several.page.getByRole('checkbox', { name: /Use the same name and password/ }).check()
    await several.submitLogin()
    await several.signedIn()
    await expectUsable(several, ['/servers', grid], what)
  })
})

describe.for([...sizes, lowest])('$what', unhurried, ({ viewport }) => {
  test('one logs in, runs a statement, opens the navigation and answers a dialog', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport })
    const { page } = console
    await console.open('/query')
    await expectInReach(page, console.splash, 'login')
    await console.submitLogin()
    await console.signedIn()
    await console.runSql('SELECT 400 AS works;')
    await console.cell(1, '400').waitFor()
    await page.getByRole('button', { name: 'Show navigation' }).click()
    const sheet = page.getByRole('dialog', { name: 'immudb webconsole' })
    await expectInReach(page, sheet, 'navigation')
    await console.link('Users').click()
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add user' })
    await expectInReach(page, dialog, 'dialog')
    expect(
      (await dialog.getByLabel('Username', { exact: true }).evaluate(inSight)).height,
    ).toBeGreaterThanOrEqual(24)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})
