import type { Page } from 'playwright-core'
import { Logins } from './api'
import { plainPage, type Visit } from './browser'
import { drawnText, replaceText } from './editor-text'
import { readStorage, seedNewState, seedState, stateAt } from './page-storage'
import { until } from './until'

/** Of pages that stayed signed in. */
const logins = new Logins()

/** The console as an operator meets it, by the names that acceptance uses. */
export class ConsolePage {
  readonly page: Page
  readonly visit: Visit
  readonly base: string

  constructor(visit: Visit, base: string, page: Page = visit.page) {
    this.visit = visit
    this.base = base
    this.page = page
  }

  /** The splash that covers everything until login; a screen below it may have the same fields. */
  get splash() {
    return this.page.getByRole('dialog', { name: 'immudb webconsole', exact: true })
  }

  get user() {
    return this.splash.getByLabel('User', { exact: true })
  }

  get password() {
    return this.splash.getByLabel('Password', { exact: true })
  }

  get logIn() {
    return this.page.getByRole('button', { name: 'Log in', exact: true })
  }

  get navigation() {
    return this.page.getByRole('navigation', { name: 'Main', exact: true })
  }

  get database() {
    return this.page.getByRole('combobox', { name: 'Database', exact: true })
  }

  get account() {
    return this.page.getByRole('button', { name: 'Account', exact: true })
  }

  get editor() {
    return this.page.getByRole('textbox', { name: 'SQL editor', exact: true })
  }

  get run() {
    return this.page.getByRole('button', { name: 'Run', exact: true })
  }

  get runAll() {
    return this.page.getByRole('button', { name: 'Run all', exact: true })
  }

  get tables() {
    return this.page.getByRole('tree', { name: 'Tables', exact: true })
  }

  get alerts() {
    return this.page.getByRole('alert')
  }

  link(name: string) {
    return this.navigation.getByRole('link', { name, exact: true })
  }

  result(number: number) {
    return this.page.getByRole('region', { name: `Result ${number}`, exact: true })
  }

  grid(number: number) {
    return this.result(number).getByRole('grid')
  }

  /** Cells of a result that show exactly this. */
  cell(number: number, text: string) {
    return this.grid(number).getByRole('gridcell', { name: text, exact: true })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.base}${path}`)
  }

  /** Goes to an address as a link inside the console does, without another load of the page. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, '', to), path)
  }

  /** Fills the login form and sends it, without waiting for the result. */
  async submitLogin(user = 'immudb', password = 'immudb'): Promise<void> {
    await this.user.fill(user)
    await this.password.fill(password)
    await this.logIn.click()
  }

  /** Opens an address logged out, logs in and waits for the shell. */
  async signIn(path = '/', user = 'immudb', password = 'immudb'): Promise<void> {
    await this.open(path)
    await this.submitLogin(user, password)
    await this.signedIn()
  }

  /**
   * Opens an address as someone who has stayed signed in and waits for the shell, for tests that
   * are about something else: a typed login loads more and waits longer. There is no warning about
   * the password then, and the default database is opened, not the fullest.
   */
  async enter(path = '/', user = 'immudb', password = 'immudb'): Promise<void> {
    const { token, server } = await logins.of(this.base, { user, password })
    this.visit.watch.keepSecret(token)
    const value = { auth: { user, token, server, permission: null } }
    const seed = await this.page.addInitScript(seedNewState, { ...stateAt, value })
    await this.open(path)
    await seed.dispose()
    await this.signedIn()
  }

  /** Waits until the splash is gone and the shell can be used. */
  async signedIn(): Promise<void> {
    await this.account.waitFor()
    await this.logIn.waitFor({ state: 'hidden' })
  }

  async signedOut(): Promise<void> {
    await this.logIn.waitFor()
  }

  async logOut(): Promise<void> {
    logins.forget()
    await this.account.click()
    await this.page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  }

  /** Stands beside the select while the list could not be read. */
  get readDatabases() {
    return this.page.getByRole('button', { name: /list of databases could not be read/ })
  }

  async pickDatabase(name: string): Promise<void> {
    await this.database.click()
    await this.page.getByRole('option', { name, exact: true }).click()
  }

  /** Replaces the text of the editor, as a paste would. */
  async write(sql: string): Promise<void> {
    await this.showEditor()
    await replaceText(this.editor, sql)
  }

  /** Replaces the text of the editor by what a clipboard holds, every line end as it is. */
  async paste(text: string): Promise<void> {
    await this.showEditor()
    await this.editor.click()
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.press('Delete')
    await this.editor.evaluate((box, given) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', given)
      const options = { clipboardData, bubbles: true, cancelable: true }
      box.dispatchEvent(new ClipboardEvent('paste', options))
    }, text)
  }

  /** On a phone the editor is one of three tabs; anywhere it may be behind a table. */
  async showEditor(): Promise<void> {
    const tab = this.page.getByRole('tab', { name: 'Editor', exact: true })
    await this.editor.or(tab).first().waitFor()
    // From the first key on no only table opens by itself; one that is on its way is in the address.
    await this.page.keyboard.press('Shift')
    const isCovered = new URL(this.page.url()).searchParams.has('table')
    if (!isCovered && (await this.editor.isVisible())) return
    if (await tab.isVisible()) await tab.click()
  }

  /** Writes a statement and runs it; the result is what the caller waits for. */
  async runSql(sql: string): Promise<void> {
    await this.write(sql)
    await this.run.click()
  }

  get dialog() {
    return this.page.getByRole('dialog')
  }

  /** Confirms the question before a destructive statement. */
  async confirmRun(): Promise<void> {
    const named = /^(Run|Drop|Truncate|Delete|Update) /
    await this.dialog.getByRole('button', { name: named }).click()
  }

  /** The control of the moment that all data screens show. */
  get asOf() {
    return this.page.getByRole('button', { name: /^As of / })
  }

  /** Opens the choice of moments. */
  async openAsOf(): Promise<void> {
    await this.asOf.click()
    await this.page.getByRole('dialog', { name: 'As of', exact: true }).waitFor()
  }

  /** Looks at the database as of a transaction. */
  async travelTo(tx: string): Promise<void> {
    await this.openAsOf()
    await this.dialog.getByRole('textbox', { name: 'Transaction' }).fill(tx)
    await this.dialog.getByRole('button', { name: 'Apply' }).click()
    await this.page.getByRole('button', { name: 'Back to now' }).waitFor()
  }

  async editorText(): Promise<string> {
    return drawnText(this.editor)
  }

  /** Waits until the editor holds this text, through a reload if one comes. */
  async holds(sql: string): Promise<void> {
    await until(
      () => this.editorText().catch(() => ''),
      (text) => text === sql,
    )
  }

  /** Waits until storage holds this draft, so that the page may go away. */
  async keeps(sql: string): Promise<void> {
    // The tab's own copy is written first and serves no other tab.
    const isDraft = ([place, value]: [string, string]) =>
      !place.startsWith('sessionStorage/') && value.includes(JSON.stringify(sql))
    await until(
      () => readStorage(this.page),
      (kept) => [...kept].some(isDraft),
    )
  }

  /** Waits until storage holds a statement that was run, which is the last that a run writes. */
  async remembers(statement: string): Promise<void> {
    const isHistory = ([place, value]: [string, string]) =>
      place.endsWith('webconsole.history') && value.includes(statement)
    await until(
      () => readStorage(this.page),
      (kept) => [...kept].some(isHistory),
    )
  }

  /** Waits until the session is kept, after which a reload asks for no password. */
  async keepsSession(kept: () => Promise<string> = () => this.#everythingKept()): Promise<void> {
    const { watch } = this.visit
    await until(kept, (text) => watch.secrets.some((token) => text.includes(token)))
  }

  async #everythingKept(): Promise<string> {
    return [...(await readStorage(this.page)).values()].join('\n')
  }

  /** Empties the browser's cache, as on a first visit: ports, and so addresses, come back. */
  async forgetFiles(): Promise<void> {
    const session = await this.visit.context.newCDPSession(this.page)
    await session.send('Network.clearBrowserCache')
    await session.detach()
  }

  /** Opens this origin signed out with a persisted state that the console did not write. */
  async seed(state: unknown): Promise<void> {
    await this.page.goto(this.base + plainPage())
    await seedState(this.page, state)
  }
}
