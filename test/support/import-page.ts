import type { ConsolePage } from './console-page'

/** The import of a CSV file, as an operator meets it. */
export class ImportPage {
  readonly console: ConsolePage

  constructor(console: ConsolePage) {
    this.console = console
  }

  get dialog() {
    return this.console.dialog
  }

  button(name: string | RegExp) {
    return this.dialog.getByRole('button', { name, exact: typeof name === 'string' })
  }

  /** Opens the dialog from the tables of the Query screen. */
  async open(): Promise<void> {
    const tab = this.console.page.getByRole('tab', { name: 'Tables', exact: true })
    const button = this.console.page.getByRole('button', { name: 'Import CSV', exact: true })
    await button.or(tab).first().waitFor()
    if (await tab.isVisible()) await tab.click()
    await button.click()
    await this.dialog.waitFor()
  }

  async choose(text: string | Buffer, name = 'items.csv'): Promise<void> {
    const buffer = typeof text === 'string' ? Buffer.from(text) : text
    await this.dialog.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer })
  }

  async pick(label: string, option: string): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label, exact: true }).click()
    await this.console.page.getByRole('option', { name: option, exact: true }).click()
  }

  /** Checks the file; resolves when all rows fit. */
  async check(): Promise<void> {
    await this.button('Check the file').click()
    await this.dialog.getByText(/^Checked: /).waitFor()
  }

  /** Checks and imports, and waits for the end; `changed` values are written otherwise. */
  async run(changed = 0): Promise<void> {
    await this.check()
    if (changed > 0) await this.agree(changed)
    await this.button(/^Import [\d,]+ row/).click()
    await this.complete()
  }

  /** Agrees that so many values are written otherwise than they stand in the file. */
  async agree(changed: number): Promise<void> {
    const values = changed === 1 ? '1 value' : `${changed} values`
    await this.dialog
      .getByRole('checkbox', { name: `Write ${values} otherwise than in the file` })
      .check()
  }

  async complete(): Promise<void> {
    await this.console.page
      .getByRole('dialog', { name: 'Import complete' })
      .waitFor({ timeout: 60_000 })
  }
}
