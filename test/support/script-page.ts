import type { ConsolePage } from './console-page'

/** The import of a script, as an operator meets it. */
export class ScriptPage {
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

  get statement() {
    return this.dialog.getByRole('region', { name: 'Statement', exact: true })
  }

  get lines() {
    return this.dialog.getByRole('listbox', { name: 'Statements of the script' })
  }

  /** Opens the dialog from the bar of the editor. */
  async open(): Promise<void> {
    await this.console.page
      .getByRole('button', { name: 'Bring a script', exact: true })
      .first()
      .click()
    await this.dialog.waitFor()
  }

  /** Chooses a file; resolves once it is judged or was brought before. */
  async choose(text: string | Buffer, name = 'script.sql'): Promise<void> {
    const buffer = typeof text === 'string' ? Buffer.from(text) : text
    const file = { name, mimeType: 'application/sql', buffer }
    await this.dialog.getByLabel('SQL script').setInputFiles(file)
    await this.lines.waitFor()
  }

  /** What is said of all statements. */
  summary(text: string | RegExp) {
    return this.dialog.getByText(text)
  }

  async pick(label: string, option: string | RegExp): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label, exact: true }).click()
    await this.console.page.getByRole('option', { name: option }).click()
  }

  async run(): Promise<void> {
    await this.button(/^Run /).click()
  }

  async complete(): Promise<void> {
    await this.console.page.getByRole('dialog', { name: 'Import complete' }).waitFor()
  }
}
