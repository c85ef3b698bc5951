import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../e2e/shots/', import.meta.url))

/** Keeps a picture of the page in test/e2e/shots/, for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.png` })
}
