import type { Response } from 'playwright-core'
import { expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { createSmallTable } from '../support/sql-samples'

const screens = [
  '/',
  '/query/',
  '/keys/',
  '/documents/',
  '/transactions/',
  '/compare/',
  '/verify/',
  '/databases/',
  '/users/',
] as const

test('another database is chosen on each screen: nothing is refused, nothing asks for transaction 0', async ({
  server,
  open,
}) => {
  const db = await api(server.url)
  for (const name of ['fuller', 'blank']) await db.createDatabase(name)
  await createSmallTable(await (await api(server.url)).use('fuller'), 'moved')
  const console = await open(server.url)
  await console.enter('/')
  const { page } = console
  await page.clock.install()
  const refused: string[] = []
  let states = 0
  const see = (response: Response) => {
    const request = response.request()
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('/db/state')) states += 1
    if (response.status() >= 400) refused.push(`${response.status()} ${pathname}`)
    const { initialTx } = Object(request.postDataJSON?.() ?? {})
    if (initialTx === '0') refused.push(`${pathname} from transaction 0`)
  }
  page.on('response', see)
  for (const path of screens) {
    await console.goTo(path)
    for (const name of ['fuller', 'blank', 'defaultdb']) {
      await console.database.click()
      await page.getByRole('option', { name, exact: true }).click()
      await expect.poll(() => console.database.textContent()).toBe(name)
      const before = states
      // Two polls of the state; what depends on them follows at once.
      await page.clock.runFor(21_000)
      await expect.poll(() => states).toBeGreaterThan(before)
    }
  }
  expect(refused).toEqual([])
})
