import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../e2e/shots/', import.meta.url))

/** If SHOTS=1 is set, keeps a picture of the page in test/e2e/shots/, for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await keepShot(page, name)
}

/** The same always, such as of a page whose test has failed. */
export async function keepShot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Hiding the caret takes a style that the policy of the page forbids.
  await page.screenshot({ path: `${folder}${name}.png`, caret: 'initial' })
}
