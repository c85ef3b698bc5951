import type { Page } from 'playwright-core'
import type { Api } from './api'
import { drawnText, replaceText } from './editor-text'

/** The Documents screen as an operator meets it. */
export class DocumentsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get list() {
    return this.page.getByRole('listbox', { name: 'Collections', exact: true })
  }

  grid(collection: string) {
    return this.page.getByRole('grid', { name: `Documents of ${collection}`, exact: true })
  }

  get document() {
    return this.page.getByRole('region', { name: 'Document', exact: true })
  }

  get text() {
    return this.page.getByRole('textbox', { name: 'Document as JSON', exact: true })
  }

  /** Replaces the text of the document, as a paste would. */
  async write(json: string): Promise<void> {
    await replaceText(this.text, json)
  }

  /** The text of the document, as far as it is in sight. */
  async written(): Promise<string> {
    return drawnText(this.text)
  }

  get session() {
    return this.page.getByRole('dialog', { name: 'Open document session', exact: true })
  }

  get dialog() {
    return this.page.getByRole('dialog')
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  }

  cell(collection: string, text: string) {
    return this.grid(collection).getByRole('gridcell', { name: text, exact: true })
  }

  /** Waits for the end of an import. */
  async imported(): Promise<void> {
    const end = this.page.getByRole('dialog', { name: 'Import complete', exact: true })
    await end.waitFor({ timeout: 60_000 })
  }

  async openSession(password = 'immudb'): Promise<void> {
    await this.session.getByLabel('Password', { exact: true }).fill(password)
    await this.session.getByRole('button', { name: 'Continue', exact: true }).click()
    await this.session.waitFor({ state: 'hidden' })
  }

  /** Picks one of a list by its label. */
  async pick(label: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: label, exact: true }).click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
  }

  /** Inserts a document; the form is left open where it is refused. */
  async insert(json: string): Promise<void> {
    await this.button('New document').click()
    await this.write(json)
    await this.button(/^Save( with these changes)?$/).click()
  }
}

/** Makes a collection through the server's API, as someone else would. */
export async function makeCollection(
  db: Api,
  name: string,
  fields: readonly (readonly [name: string, type: string])[] = [],
  indexes: readonly { fields: string[]; isUnique?: boolean }[] = [],
): Promise<void> {
  const named = fields.map(([field, type]) => ({ name: field, type }))
  await db.call(`/v2/collection/${name}`, { fields: named, indexes })
}
