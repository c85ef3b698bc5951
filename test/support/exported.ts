import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Presses `Export` and gives the saved file of JSON lines. */
export async function exportedLines(page: Page): Promise<{ name: string; lines: unknown[] }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const file = await download
  const text = await readFile(await file.path(), 'utf8')
  const lines = text.trimEnd().split('\n')
  return { name: file.suggestedFilename(), lines: lines.map((line): unknown => JSON.parse(line)) }
}
