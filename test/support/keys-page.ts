import type { Page } from 'playwright-core'
import type { Api } from './api'

/** The Keys screen as an operator meets it. */
export class KeysPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get list() {
    return this.page.getByRole('listbox', { name: 'Keys', exact: true })
  }

  get entry() {
    return this.page.getByRole('region', { name: 'The open key', exact: true })
  }

  get value() {
    return this.page.getByRole('textbox', { name: 'Value', exact: true })
  }

  get alert() {
    return this.entry.getByRole('alert')
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  }

  option(name: string) {
    return this.list.getByRole('option').filter({ hasText: name })
  }

  heading(name: string) {
    return this.entry.getByRole('heading', { name, exact: true })
  }

  format(of: string, name: string) {
    return this.page
      .getByRole('group', { name: of, exact: true })
      .getByRole('button', { name, exact: true })
  }

  async find(text: string): Promise<void> {
    await this.page.getByLabel('Key or its beginning').fill(text)
  }

  async get(text: string): Promise<void> {
    await this.find(text)
    await this.button('Get').click()
  }

  /** Sets a new key by its bytes, in hex; the value as a text or in hex as well. */
  async set(key: Buffer, value: Buffer, isText: boolean): Promise<void> {
    await this.button('Set a key').click()
    await this.format('Format of the new key', 'Hex').click()
    await this.page.getByLabel('Key', { exact: true }).fill(key.toString('hex'))
    await this.format('Format of the new value', isText ? 'Text' : 'Hex').click()
    await this.value.fill(isText ? value.toString() : value.toString('hex'))
    await this.button('Save').click()
  }

  async change(text: string): Promise<void> {
    await this.button('Change the value').click()
    await this.value.fill(text)
  }
}

/** Stores keys through the server's API, as someone else would. */
export async function setKeys(
  db: Api,
  entries: readonly (readonly [Buffer | string, Buffer | string])[],
): Promise<void> {
  const KVs = entries.map(([key, value]) => ({ key: base64(key), value: base64(value) }))
  await db.call('/db/set', { KVs })
}

/** The stored bytes of a key. */
export async function getValue(db: Pick<Api, 'call'>, key: Buffer | string): Promise<Buffer> {
  const path = base64(key).replaceAll('+', '-').replaceAll('/', '_')
  const { value = '' } = await db.call<{ value?: string }>(`/db/get/${path}`)
  return Buffer.from(value, 'base64')
}

export function base64(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString('base64')
}
