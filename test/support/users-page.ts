import type { Locator, Page } from 'playwright-core'

type NewUser = {
  readonly name: string
  readonly password: string
  readonly database?: string
  readonly permission?: string
}

/** The Users screen as an operator meets it. */
export class UsersPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get list(): Locator {
    return this.page.getByRole('table', { name: 'Users', exact: true })
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  get alert(): Locator {
    return this.dialog.getByRole('alert')
  }

  get hideInactive(): Locator {
    return this.page.getByRole('switch', { name: 'Hide inactive users' })
  }

  get filter(): Locator {
    return this.page.getByRole('searchbox', { name: 'Filter by name' })
  }

  row(name: string): Locator {
    return this.list
      .getByRole('row')
      .filter({ has: this.page.getByRole('button', { name, exact: true }) })
  }

  /** The details of a user. */
  panel(name: string): Locator {
    return this.page.getByRole('region', { name: new RegExp(`^${name}\\b`) })
  }

  /** What the console says came of a change. */
  report(name: string): Locator {
    return this.page.getByRole('region', { name: `What happened to ${name}`, exact: true })
  }

  button(name: string, within: Locator | Page = this.page): Locator {
    return within.getByRole('button', { name, exact: true })
  }

  async select(name: string): Promise<Locator> {
    await this.button(name, this.list).click()
    return this.panel(name)
  }

  async pick(label: string, option: string, within: Locator = this.dialog): Promise<void> {
    await within.getByRole('combobox', { name: label, exact: true }).click()
    await this.page.getByRole('option', { name: new RegExp(`^${option}`) }).click()
  }

  /** Opens the dialog and fills it, without sending. */
  async fillNew({ name, password, database, permission }: NewUser): Promise<void> {
    await this.button('Add user').click()
    await this.dialog.getByLabel('Username', { exact: true }).fill(name)
    await this.dialog.getByLabel('Password', { exact: true }).fill(password)
    if (database) await this.pick('Permission database', database)
    if (permission) await this.pick('Permission', permission)
  }

  /** Presses the dialog's button, the one named last in it. */
  async send(action: string): Promise<void> {
    await this.button(action, this.dialog).click()
  }

  /** Fills both fields for a new password. */
  async fillPassword(password: string): Promise<void> {
    await this.dialog.getByLabel('New password', { exact: true }).fill(password)
    await this.dialog.getByLabel('Repeat the new password', { exact: true }).fill(password)
  }
}
