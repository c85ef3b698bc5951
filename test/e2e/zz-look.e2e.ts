import { test } from '../support/e2e'
import { shot } from '../support/shots'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
for (const [size, viewport] of Object.entries(sizes))
  for (const theme of ['dark', 'light'] as const)
    test(`${size} ${theme}`, async ({ server, open }) => {
      const console = await open(server.url, { viewport })
      await console.seed({ view: { theme } })
      await console.signIn('/guide')
      const { page } = console
      await page.getByRole('heading', { name: 'Guide', exact: true }).waitFor()
      await shot(page, `g-top-${size}-${theme}`)
      for (const id of [
        'sql-types',
        'sql-write',
        'time-until',
        'users-levels',
        'operate-forget',
        'keyboard-grid',
        'glossary',
      ]) {
        await page.goto(`${server.url}/guide#${id}`)
        await page.locator(`#${id}`).waitFor()
        await page.waitForTimeout(1500)
        await shot(page, `g-${id}-${size}-${theme}`)
      }
      await page.getByRole('textbox', { name: 'Search the guide' }).fill('double quotes')
      await page.waitForTimeout(500)
      await shot(page, `g-search-${size}-${theme}`)
      await page.getByRole('textbox', { name: 'Search the guide' }).fill('zebra')
      await page.waitForTimeout(500)
      await shot(page, `g-none-${size}-${theme}`)
      if (size === 'phone') {
        await page.goto(`${server.url}/guide`)
        await page.getByRole('button', { name: 'Contents' }).click()
        await page.waitForTimeout(300)
        await shot(page, `g-contents-${size}-${theme}`)
      } else {
        await page.goto(`${server.url}/guide`)
        await page.waitForTimeout(800)
        await page.pdf({ path: `/tmp/gdraft/print-${theme}.pdf` }).catch((e) => {
          throw e
        })
      }
    })
