import type { Page } from 'playwright-core'
import type { ConsolePage } from './console-page'

/** What the console shows of how far a history is known. */
export class TrustPage {
  readonly page: Page

  constructor({ page }: Pick<ConsolePage, 'page'>) {
    this.page = page
  }

  /** The chip in the header, whatever it says. */
  get chip() {
    return this.page.getByRole('button', { name: /^Trust: / })
  }

  chipSaying(words: string | RegExp) {
    const name = typeof words === 'string' ? `Trust: ${words}` : words
    return this.page.getByRole('button', {
      name,
      ...(typeof words === 'string' && { exact: true }),
    })
  }

  /** The bar over every screen when a history is broken. */
  get bar() {
    return this.page.getByRole('region', { name: 'Broken history', exact: true })
  }

  get drawer() {
    return this.page.getByRole('dialog', { name: /^Trusted history of / })
  }

  /** Opens the drawer, asks for a check and closes it. */
  async checkNow(): Promise<void> {
    await this.chip.click()
    const check = this.drawer.getByRole('button', { name: 'Check now', exact: true })
    await check.click()
    await this.page.locator('button[aria-busy="true"]', { hasText: 'Check now' }).waitFor({
      state: 'detached',
    })
    await this.page.keyboard.press('Escape')
    await this.drawer.waitFor({ state: 'detached' })
  }
}
