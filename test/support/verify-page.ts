import type { Download, Locator, Page } from 'playwright-core'
import type { ConsolePage } from './console-page'

/** What the console shows of proofs. */
export class VerifyPage {
  readonly page: Page
  readonly #console: ConsolePage

  constructor(console: ConsolePage) {
    this.page = console.page
    this.#console = console
  }

  /** The drawer with a proof; `of` is what it is about. */
  drawer(of?: string): Locator {
    const name = of === undefined ? /^Proof of / : `Proof of ${of}`
    return this.page.getByRole('dialog', { name, exact: of !== undefined })
  }

  /** The button below a result that verifies rows. */
  verify(result: number): Locator {
    const name = new RegExp(`^Verify .*of result ${result}$`)
    return this.#console.result(result).getByRole('button', { name })
  }

  /** What came of verifying rows. */
  summary(result: number): Locator {
    return this.#console.result(result).locator('[aria-live=polite]')
  }

  /** Marks beside the numbers of rows that say this. */
  marks(result: number, words: RegExp): Locator {
    return this.#console.grid(result).getByRole('button', { name: words })
  }

  /** Goes to a cell and presses `v`, which opens the proof of its row. */
  async pressV(result: number, cell: string): Promise<void> {
    await this.#console.cell(result, cell).first().click()
    await this.page.keyboard.press('Alt+v')
  }

  /** Waits until the drawer says that this browser verified it. */
  async verified(of?: string): Promise<Locator> {
    const drawer = this.drawer(of)
    await drawer.getByText('Verified in this browser', { exact: true }).first().waitFor()
    return drawer
  }

  /** Waits until the drawer says that all but the description of the table is proven. */
  async inPart(of?: string): Promise<Locator> {
    const drawer = this.drawer(of)
    await drawer.getByText('Verified in part', { exact: true }).waitFor()
    await drawer.getByText(/the server’s word/).waitFor()
    return drawer
  }

  /** Audits the database with its values, so that its history describes its tables. */
  async audit(database: string): Promise<void> {
    await this.#console.goTo(`/verify?tab=audit&db=${database}`)
    await this.page.getByRole('button', { name: 'Start the audit', exact: true }).click()
    const report = this.page.getByRole('article', { name: `Report: ${database}`, exact: true })
    await report.waitFor()
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.drawer().waitFor({ state: 'detached' })
  }

  async saveEvidence(): Promise<Download> {
    const download = this.page.waitForEvent('download')
    await this.drawer().getByRole('button', { name: 'Save evidence', exact: true }).click()
    return download
  }
}
