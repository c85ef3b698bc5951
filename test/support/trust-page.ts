import type { Page } from 'playwright-core'
import type { ConsolePage } from './console-page'
import { readStorage } from './page-storage'
import { until } from './until'

/** The parts of the console that show trust in a history. */
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

  /** From the next load of the page on, remembers what the chip says: some of it passes at once. */
  async listen(): Promise<void> {
    await this.page.addInitScript(rememberChip)
  }

  /** Waits until the chip says or has said this since the page was loaded. */
  async said(words: string): Promise<void> {
    await until(
      () => this.page.evaluate((): string[] => Reflect.get(window, '__said') ?? []),
      (said) => said.includes(`Trust: ${words}`),
    )
  }

  /** How each point that this browser keeps came to be there. */
  async kept(): Promise<string[]> {
    const all = [...(await readStorage(this.page))]
    const points = all.filter(([name]) => name.startsWith('webconsole-trust/points/'))
    return points.map(([, record]) => JSON.parse(record).how)
  }

  /** Waits until the open database has a trusted state, after which writes wait for nothing. */
  async known(): Promise<void> {
    await this.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
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

  /** Decides about a broken history, with the name of the database typed. */
  async decide(choice: string, action: string, database = 'defaultdb'): Promise<void> {
    await this.bar.getByRole('button', { name: 'Resolve…', exact: true }).click()
    const dialog = this.page.getByRole('dialog', { name: /^The history of .* is broken$/ })
    await dialog.getByRole('radio', { name: choice }).check()
    await dialog.getByLabel('Reason').fill('looked into it')
    await dialog.getByLabel('Name of the database').fill(database)
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
}

/** Runs in the page. */
function rememberChip() {
  const said = new Set<string>()
  new MutationObserver(() => {
    const chip = document.querySelector('[data-trust]')
    if (chip) said.add(chip.getAttribute('aria-label') ?? '')
    Reflect.set(window, '__said', [...said])
  }).observe(document, { attributes: true, childList: true, subtree: true })
}
