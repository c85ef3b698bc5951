import type { Page } from 'playwright-core'
import type { Theme } from './browser'

/** Paints a theme and waits until what moves has come to rest. */
export async function paint(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(async (name) => {
    document.documentElement.dataset.theme = name
    document.documentElement.style.colorScheme = name
    await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().map((one) => one.finished.catch(() => {}))
    await Promise.race([Promise.all(moving), new Promise((resolve) => setTimeout(resolve, 2_000))])
  }, theme)
}
