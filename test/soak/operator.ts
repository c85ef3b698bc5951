import type { Locator } from 'playwright-core'
import type { ConsolePage } from '../support/console-page'
import { KeysPage } from '../support/keys-page'
import { keepShot } from '../support/shots'
import { UsersPage } from '../support/users-page'
import { type Database, type Intent, keyOf, statementOf, userOf } from './intent'

type Found = NonNullable<Intent['found']>

const tick = 100
/** No answer of the console takes longer: its own timer is 30 s, and repeats of a read come on top. */
const patience = 150_000

/** What the operator noticed that must not be. */
export type Complaints = {
  lostDrafts: string[]
  stuck: string[]
  /** Loads of the page that showed nothing at all until it was loaded again. */
  blankPages: number
  reloads: number
  logins: number
}

/**
 * A person at the console who never gives up: signs in whenever asked, presses “Try again”, loads
 * the page again when there is nothing left to press, and reads what is said.
 */
export class Operator {
  readonly complaints: Complaints = {
    lostDrafts: [],
    stuck: [],
    blankPages: 0,
    reloads: 0,
    logins: 0,
  }
  readonly #console: ConsolePage
  readonly #keys: KeysPage
  readonly #users: UsersPage
  /** The text that the editor must hold; null when that is not known. */
  readonly #drafts = new Map<Database, string | null>()
  /** How often the page was loaded, by whomever. */
  #loads = 0
  database: Database = 'defaultdb'

  constructor(console: ConsolePage) {
    this.#console = console
    console.page.on('load', () => {
      this.#loads += 1
    })
    // Asked whether to leave what is not saved: anyone who loads the page again means to.
    console.page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    this.#keys = new KeysPage(console.page)
    this.#users = new UsersPage(console.page)
  }

  async begin(): Promise<void> {
    await this.#load(() => this.#console.open('/query'))
    await this.settle()
  }

  /** Does what it takes until the console can be used. */
  async settle(): Promise<void> {
    const started = performance.now()
    let sinceReload = started
    while (performance.now() - started < patience) {
      if (await this.#isUsable()) return
      if (await this.#signInIfAsked()) continue
      for (const name of ['Try now', 'Try again']) await this.#pressIfThere(name)
      if (performance.now() - sinceReload > 45_000) {
        if ((await this.#rootText()) === '') this.complaints.blankPages += 1
        await this.reload()
        sinceReload = performance.now()
      }
      await this.#pause()
    }
    this.#stuck('the console could not be used again')
    await this.reload()
  }

  /** Whether something that failed can be asked for again. */
  async isOfferedAgain(): Promise<boolean> {
    const button = this.#console.page.getByRole('button', { name: /^Try (again|now)$/ })
    return (await button.count()) > 0
  }

  async reload(): Promise<void> {
    this.complaints.reloads += 1
    await this.#load(() => this.#console.page.reload())
  }

  async logOut(): Promise<void> {
    await this.#console.logOut()
    await this.#console.signedOut()
    // Whether a draft was kept by then is not looked at.
    this.#drafts.clear()
  }

  async visit(screen: string): Promise<void> {
    const { page } = this.#console
    await this.settle()
    // A click that hit a page on its way out leads nowhere, and is made again.
    const isThere = await this.#tended(async () => {
      await this.#console.link(screen).click({ timeout: 5_000 })
      return this.#holds(async () => (await page.title()).startsWith(`${screen} ·`), 10_000)
    })
    if (!isThere) throw new Error(`${screen} could not be opened`)
    await this.#shown(page.locator('main h1, main [role=region], main section'))
  }

  /** The database that the next write goes to: after a log-out it is that of before. */
  async presentDatabase(): Promise<Database> {
    await this.#readDatabase()
    return this.database
  }

  async pickDatabase(name: Database): Promise<void> {
    await this.settle()
    const { readDatabases } = this.#console
    await this.#tended(async () => {
      if ((await readDatabases.count()) === 0) return true
      await readDatabases.click({ timeout: 2_000 })
      return false
    })
    await this.#console.pickDatabase(name)
    const isThere = await this.#holds(
      async () => (await this.#console.database.textContent())?.includes(name) === true,
      20_000,
    )
    if (isThere) this.database = name
    else await this.#readDatabase()
  }

  /** Which database the console shows, after something may have changed it. */
  async #readDatabase(): Promise<void> {
    await this.settle()
    const shown = await this.#console.database.textContent()
    this.database = shown?.includes('harbour') ? 'harbour' : 'defaultdb'
  }

  async openQuery(): Promise<void> {
    await this.visit('Query')
    await this.#shown(this.#console.editor)
    await this.checkDraft()
  }

  /** Types a draft and leaves it. */
  async type(text: string): Promise<void> {
    await this.openQuery()
    await this.#write(text)
    // The console promises to have it after one second.
    await this.#console.page.waitForTimeout(1_000)
  }

  /** Compares the editor with what was typed last. */
  async checkDraft(): Promise<void> {
    const expected = this.#drafts.get(this.database) ?? null
    if (expected === null) return
    const isKept = await this.#holds(async () => (await this.#typed()) === expected, 15_000)
    if (isKept) return
    const found = await this.#typed()
    await keepShot(this.#console.page, `soak-lost-draft-${this.complaints.lostDrafts.length + 1}`)
    this.complaints.lostDrafts.push(`expected ${expected}, found ${found}`)
    this.#drafts.set(this.database, found)
  }

  /** Runs a read; true when its value came, false when the console said that it failed. */
  async read(value: number): Promise<boolean> {
    await this.openQuery()
    const sql = `SELECT ${value} AS answer;`
    const result = await this.#run(sql)
    const cell = result.getByRole('gridcell', { name: String(value), exact: true })
    await this.#shown(cell.or(result.getByRole('alert')).first())
    return (await cell.count()) > 0
  }

  /** Runs a read that shows one number, or null when it failed. */
  async readNumber(sql: string): Promise<number | null> {
    await this.openQuery()
    const result = await this.#run(sql)
    const cell = result.getByRole('gridcell').first()
    await cell.waitFor({ timeout: 5_000 }).catch(() => {})
    return (await cell.count()) > 0 ? Number(await cell.textContent()) : null
  }

  async clearOutput(): Promise<void> {
    await this.openQuery()
    const clear = this.#console.page.getByRole('button', { name: 'Clear the output' })
    if (await clear.isEnabled()) await clear.click()
  }

  async execute(intent: Intent, isSuspect: () => boolean): Promise<void> {
    await this.openQuery()
    await this.#readDatabase()
    const result = await this.#run(statementOf(intent))
    intent.said = await saidBy(result)
    if (intent.said === 'committed' && isSuspect()) {
      const warning = result.getByText(/This may be stored|may have repeated this request/)
      intent.isWarned = await this.#holds(async () => (await warning.count()) > 0, 20_000)
    }
    if (intent.said !== 'unknown') return
    const rows = result.getByRole('grid')
    intent.found = await this.#check(result, async (text) => {
      if (/Not stored so far|but no row of/.test(text)) return 'not-stored'
      const shown = (await rows.count()) > 0 ? await rows.textContent() : ''
      return shown?.includes(`intent-${intent.number}.`) ? 'stored' : 'open'
    })
  }

  async setKey(intent: Intent): Promise<void> {
    await this.visit('Keys')
    await this.#readDatabase()
    const { entry } = this.#keys
    const form = this.#keys.page.getByLabel('Key', { exact: true })
    // The part with the form may have to be fetched by a reload, which closes it again.
    await this.#tended(async () => {
      await this.#pressIfThere('Try again')
      if (!(await form.isVisible())) await this.#keys.button('Set a key').click({ timeout: 2_000 })
      return form.waitFor({ timeout: 5_000 }).then(() => true)
    })
    await this.#keys.page.getByLabel('Key', { exact: true }).fill(keyOf(intent))
    await this.#keys.value.fill(`value of ${intent.number}`)
    await this.#keys.button('Save').click()
    const stored = entry.getByText(/^Stored in tx|^It is stored/)
    const unknown = entry.getByText(/It is not known whether this was stored/)
    await this.#shown(stored.or(unknown).or(this.#keys.alert).first())
    if ((await stored.count()) > 0) intent.said = 'committed'
    else intent.said = (await unknown.count()) > 0 ? 'unknown' : 'refused'
    if (intent.said === 'unknown') {
      const said = await this.#check(entry, (text) => {
        if (/It is stored/.test(text)) return 'stored'
        return /Not stored so far/.test(text) ? 'not-stored' : 'open'
      })
      intent.found = (await stored.count()) > 0 ? 'stored' : said
    }
    await this.#pressIfThere('Discard')
    await this.#pressIfThere('Cancel')
  }

  async getKey(key: string): Promise<void> {
    await this.visit('Keys')
    await this.#shown(this.#keys.button('Get'))
    await this.#keys.get(key)
    await this.#shown(this.#keys.entry.getByRole('heading').or(this.#keys.alert).first())
  }

  async addUser(intent: Intent): Promise<void> {
    await this.visit('Users')
    const { page } = this.#console
    await this.#shown(this.#users.list)
    await this.#users.fillNew({ name: userOf(intent), password: 'C0rrect-horse' })
    await this.#users.send('Add user')
    const done = page.getByText(`${userOf(intent)} was added`).first()
    const alert = this.#users.alert.first()
    await this.#shown(done.or(alert).first())
    if ((await this.#users.dialog.count()) === 0) {
      intent.said = 'committed'
      return
    }
    const text = (await this.#users.dialog.textContent()) ?? ''
    intent.said = /It is not known whether this was done/.test(text) ? 'unknown' : 'refused'
    if (intent.said === 'unknown') {
      intent.found = await this.#check(this.#users.dialog, (found) => {
        if (/exists now/.test(found)) return 'stored'
        return /There is no user/.test(found) ? 'not-stored' : 'open'
      })
    }
    await this.#users.send('Cancel')
  }

  /** Closes whatever an interrupted step left open. */
  async tidy(): Promise<void> {
    if ((await this.#console.dialog.count()) === 0) return
    await this.#pressIfThere('Cancel')
    await this.#console.page.keyboard.press('Escape')
  }

  /** A step that found something else than it waited for. */
  #stuck(text: string) {
    this.complaints.stuck.push(text)
  }

  /**
   * Writes into the editor and looks whether it is there: when the session ends at that moment, the
   * keys go to the form that was laid over it, and the text is typed again after signing in.
   */
  async #write(text: string): Promise<void> {
    this.#drafts.set(this.database, null)
    for (let time = 0; time < 3; time++) {
      await this.settle()
      await this.#console.write(text)
      if ((await this.#typed()) === text) {
        this.#drafts.set(this.database, text)
        return
      }
    }
    throw new Error(`not written: ${text}`)
  }

  /** Runs a text and waits until the console says what came of it. */
  async #run(sql: string): Promise<Locator> {
    await this.#write(sql)
    const [before, loads] = [await this.#results(), this.#loads]
    await this.#console.run.click()
    const isThere = await this.#tended(async () => (await this.#results()) > before)
    // The console loads itself again when a part of it does not arrive; what was read went with it.
    if (!isThere && this.#loads > loads && sql.startsWith('SELECT')) return this.#run(sql)
    if (!isThere) throw new Error(`nothing became of ${sql}`)
    const result = this.#console.result(await this.#results())
    const running = result.getByText('Running', { exact: true })
    const isOver = await this.#tended(async () => (await running.count()) === 0)
    if (!isOver) throw new Error(`it is running for ever: ${sql}`)
    return result
  }

  /** The highest number of a result. */
  async #results(): Promise<number> {
    const names = await this.#console.page
      .locator('section[aria-label^="Result "]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
    return Math.max(0, ...names.map((name) => Number(name.slice('Result '.length))))
  }

  /** Presses “Check now” until it finds something out. */
  async #check(within: Locator, judge: (text: string) => Found | Promise<Found>): Promise<Found> {
    const button = within.getByRole('button', { name: 'Check now' })
    for (let time = 0; time < 5; time++) {
      if ((await button.count()) === 0) break
      await button.click()
      await this.#tended(
        async () => (await button.and(within.locator('[aria-busy=true]')).count()) === 0,
      )
      await this.#pause()
      const text = (await within.textContent()) ?? ''
      const found = await judge(text)
      if (found !== 'open' && !/The check itself failed/.test(text)) return found
    }
    return judge((await within.textContent()) ?? '')
  }

  async #isUsable(): Promise<boolean> {
    const { account, logIn, page } = this.#console
    if (await logIn.isVisible()) return false
    if (!(await account.isVisible())) return false
    return (await page.getByText(/could not be shown/).count()) === 0
  }

  async #signInIfAsked(): Promise<boolean> {
    const { logIn, account, alerts } = this.#console
    if (!(await logIn.isVisible())) return false
    this.complaints.logins += 1
    try {
      await this.#console.submitLogin()
      await this.#holds(
        async () =>
          !(await logIn.isVisible()) ||
          ((await alerts.count()) > 0 && !(await logIn.getAttribute('aria-busy'))),
        40_000,
      )
      await account.waitFor({ timeout: 3_000 })
    } catch {
      // The next round sees what there is.
    }
    return true
  }

  /** Waits for something to be seen while signing in when asked; throws when it never comes. */
  async #shown(what: Locator): Promise<void> {
    const isThere = await this.#tended(async () => {
      await this.#pressIfThere('Try again')
      return what.first().isVisible()
    })
    if (!isThere) throw new Error(`never seen: ${what}`)
  }

  async #tended(isSo: () => Promise<boolean>): Promise<boolean> {
    return this.#holds(async () => {
      await this.#signInIfAsked()
      return isSo()
    }, patience)
  }

  async #holds(isSo: () => Promise<boolean>, limit: number): Promise<boolean> {
    const deadline = performance.now() + limit
    for (;;) {
      if (await isSo().catch(() => false)) return true
      if (performance.now() > deadline) return false
      await this.#pause()
    }
  }

  async #pressIfThere(name: string): Promise<void> {
    const button = this.#console.page.getByRole('button', { name, exact: true }).first()
    if (!(await button.isVisible())) return
    await button.click({ timeout: 2_000 }).catch(() => {})
  }

  /** Loads a page, as often as it takes. */
  async #load(go: () => Promise<unknown>): Promise<void> {
    for (let time = 0; time < 10; time++) {
      const isLoaded = await go().then(
        () => true,
        () => false,
      )
      if (isLoaded && (await this.#isOurs())) return
      await this.#pause()
    }
    this.#stuck('the page could not be loaded')
  }

  /** What was loaded may be an error page of something in between. */
  async #isOurs(): Promise<boolean> {
    return (await this.#console.page.locator('#root').count()) > 0
  }

  async #rootText(): Promise<string> {
    return this.#console.page
      .locator('#root')
      .textContent()
      .then((text) => text ?? '')
      .catch(() => '')
  }

  async #typed(): Promise<string> {
    return this.#console.editorText().catch(() => '')
  }

  #pause(): Promise<void> {
    return this.#console.page.waitForTimeout(tick)
  }
}

/** The outcome of a write as the output shows it. */
async function saidBy(result: Locator): Promise<NonNullable<Intent['said']>> {
  if ((await result.getByText('Unknown', { exact: true }).count()) > 0) return 'unknown'
  if ((await result.getByText(/^Committed/).count()) > 0) return 'committed'
  return 'refused'
}
