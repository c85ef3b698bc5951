import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'

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
