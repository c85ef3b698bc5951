import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Presses the button and gives the saved file of JSON lines. */
export async function exportedLines(
  page: Page,
  button = 'Export',
): Promise<{ name: string; lines: unknown[] }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  const file = await download
  const text = await readFile(await file.path(), 'utf8')
  const lines = text.trimEnd().split('\n')
  return { name: file.suggestedFilename(), lines: lines.map((line): unknown => JSON.parse(line)) }
}
