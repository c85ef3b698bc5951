import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { plainPage } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { Seen } from '../support/fault-proxy'
import { readStorage, stateAt } from '../support/page-storage'
import { noteNews, watching } from '../support/tab-news'

const [hour, day, year] = [3_600_000, 86_400_000, 31_536_000_000]

describe('idle lock', () => {
  test('A17 after 30 minutes data is off the page and the token gone; the draft comes back', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.clock.install()
    await console.signIn('/query')
    await watching(console.page)
    await console.keepsSession()
    await console.runSql("SELECT 'canary-17' AS note;")
    await console.cell(1, 'canary-17').waitFor()
    await console.write('SELECT 17 -- half a thought')
    await console.page.clock.fastForward('28:50')
    await console.page.clock.runFor(10_000)
    expect(await console.logIn.count()).toBe(0)
    await console.page.clock.fastForward('02:00')
    await console.signedOut()
    await console.page.getByText(/Locked after 30 minutes without use/).waitFor()
    const markup = await console.page.content()
    for (const text of ['canary-17', 'half a thought']) expect(markup).not.toContain(text)
    await expect.poll(() => storedSecrets(console)).toEqual([])
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('SELECT 17 -- half a thought')
    await console.cell(1, 'canary-17').waitFor()
  })

  test('A17 use in another tab keeps this one open', async ({ server, open }) => {
    const first = await open(server.url, { before: noteNews })
    // One clock for both tabs.
    await first.page.clock.install()
    await first.signIn('/settings')
    await first.keepsSession()
    const second = new ConsolePage(first.visit, server.url, await first.visit.tab())
    await second.open('/settings')
    await second.signedIn()
    for (const { page } of [first, second]) await watching(page)
    await first.page.clock.fastForward('20:00')
    // Listening before the key is pressed: what was said earlier is not heard.
    const heard = await first.page.evaluateHandle(() => {
      const channel = new BroadcastChannel('webconsole.activity')
      return { message: new Promise((resolve) => channel.addEventListener('message', resolve)) }
    })
    await second.page.keyboard.press('Shift')
    await heard.evaluate(({ message }) => message.then(() => true))
    await first.page.clock.fastForward('20:00')
    await first.page.clock.runFor(6_000)
    expect([await first.logIn.count(), await second.logIn.count()]).toEqual([0, 0])
    await first.page.clock.fastForward('11:00')
    await first.signedOut()
    await second.signedOut()
  })

  test('F47 a sleep of eight hours: locked at the first sight, the draft is kept', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.clock.install()
    await console.signIn('/query')
    await watching(console.page)
    await console.write('SELECT 47 -- before the night')
    await console.page.clock.fastForward('08:00:00')
    await console.signedOut()
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('SELECT 47 -- before the night')
  })
})

/** Runs in the page: `setClock` moves the day, and time that only goes on stays as it is. */
function clocks() {
  const real = Date
  let off = 0
  const now = () => real.now() + off
  const shifted = new Proxy(real, {
    construct: (of, args) => (args.length === 0 ? new of(now()) : Reflect.construct(of, args)),
    get: (of, name) => (name === 'now' ? now : Reflect.get(of, name)),
  })
  const setClock = (ms: number) => {
    off += ms
  }
  Object.assign(window, { Date: shifted, setClock })
}

const setClock = (console: ConsolePage, ms: number) =>
  console.page.evaluate((by) => Reflect.get(window, 'setClock')(by), ms)

describe('clocks that are set while the page is open', () => {
  test('C21 +1 h, +2 days, +10 years, −1 h, −10 years: stays logged in, without an alarm', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.addInitScript(clocks)
    await console.signIn('/query')
    await watching(console.page)
    await console.write('SELECT 21 -- while clocks jump')
    const { page } = console
    for (const ms of [hour, -hour, 2 * day, -2 * day, 10 * year, -10 * year, -hour, -10 * year]) {
      await setClock(console, ms)
      // A look decides at once; the covered page is back with the answer.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.waitForFunction(() => document.documentElement.style.visibility === '')
      expect(await console.logIn.count()).toBe(0)
      await console.holds('SELECT 21 -- while clocks jump')
    }
    // The focus is where it was.
    await page.keyboard.type('!')
    await console.holds('SELECT 21 -- while clocks jump!')
    await console.runSql('SELECT 21 AS answer;')
    await console.cell(1, '21').waitFor()
    expect(await page.getByText(/Your session (ends|has ended)/).count()).toBe(0)
    expect(await page.getByText(/Broken/).count()).toBe(0)
    const extended = console.visit.watch.requests.filter((url) => url.includes('/db/use/'))
    expect(extended.length).toBeLessThan(3)
  })

  test('C21 a sleep that only the day counts locks, by the clock of the server', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.addInitScript(clocks)
    const { page } = console
    let slept = 0
    await page.route('**/api/health', async (route) => {
      const answer = await route.fetch()
      const date = new Date(Date.now() + slept).toUTCString()
      await route.fulfill({ response: answer, headers: { ...answer.headers(), date } })
    })
    await console.signIn('/query')
    await watching(console.page)
    await console.write('SELECT 22 -- before the night')
    slept = 8 * hour
    await setClock(console, slept)
    const sent = console.visit.watch.requests.length
    // It would run the statement.
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.keyboard.press('ControlOrMeta+Enter')
    await console.signedOut()
    const asked = console.visit.watch.requests.slice(sent)
    expect(asked.filter((url) => url.includes('/sql'))).toEqual([])
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('SELECT 22 -- before the night')
  })

  test('C21 a sleep that the server counts later locks then, whoever used the page', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.addInitScript(clocks)
    const { page } = console
    let slept = 0
    await page.route('**/api/**', async (route) => {
      const answer = await route.fetch()
      const date = new Date(Date.now() + slept).toUTCString()
      await route.fulfill({ response: answer, headers: { ...answer.headers(), date } })
    })
    await console.signIn('/query')
    await watching(console.page)
    await console.write('SELECT 24 -- in a virtual machine')
    await setClock(console, 8 * hour)
    await page.keyboard.press('Shift')
    await page.waitForFunction(() => document.documentElement.style.visibility === '')
    await page.keyboard.type('!')
    await console.holds('SELECT 24 -- in a virtual machine!')
    slept = 8 * hour
    await console.run.click()
    await console.signedOut()
  })

  test('C21 locks when the server gives no answer, and keeps what was typed', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.page.addInitScript(clocks)
    const { page } = console
    await console.signIn('/query')
    await watching(console.page)
    await console.write('SELECT 23 -- offline')
    await page.route('**/api/health', () => undefined)
    await setClock(console, hour)
    await page.keyboard.press('Shift')
    await console.signedOut()
    await page.unrouteAll()
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('SELECT 23 -- offline')
  })
})

describe('the end of the session', () => {
  test('F29 warned, asked over the screen, the draft kept, the write not sent by itself', async ({
    browser: _browser,
    serve,
    open,
  }) => {
    const server = await serve({ flags: ['--token-expiry-time=1'] })
    const db = await api(server.url)
    await db.exec('CREATE TABLE t29 (id INTEGER, PRIMARY KEY id);')
    const console = await open(server.url)
    await console.signIn('/query')
    await console.page.getByText(/Your session ends in less than a minute/).waitFor()
    await console.write('INSERT INTO t29 (id) VALUES (29);')
    await console.logIn.waitFor({ timeout: 90_000 })
    await console.page.getByText(/your work is kept/).waitFor()
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('INSERT INTO t29 (id) VALUES (29);')
    const writes = () => console.visit.watch.requests.filter((url) => url.endsWith('/sqlexec'))
    expect(writes()).toHaveLength(0)
    await console.run.click()
    await console
      .result(1)
      .getByText(/Committed/)
      .waitFor()
    expect(writes()).toHaveLength(1)
    await console
      .result(1)
      .getByRole('button', { name: /is in the history\./ })
      .waitFor()
  }, 150_000)

  test('F29 the session can be extended before it ends', async ({ serve, open }) => {
    const server = await serve({ flags: ['--token-expiry-time=5'] })
    const console = await open(server.url)
    await console.signIn('/settings')
    const warning = console.page.getByText(/Your session ends in less than ten minutes/)
    await warning.waitFor()
    // The last line to come; what is above it moves then.
    await console.page.getByRole('link', { name: 'Change it now' }).waitFor()
    const ends = () => console.page.getByText(/Session ends/).textContent()
    const before = await ends()
    const renewed = console.page.waitForResponse((answer) => answer.url().includes('/db/use/'))
    await console.page.getByRole('button', { name: 'Stay signed in' }).click()
    expect((await renewed).status()).toBe(200)
    await expect.poll(ends).not.toBe(before)
  })

  test.for([-day, day])(
    'F48 a clock that is %s ms off: no false end, a notice, times are right',
    async (offset, { server, open }) => {
      const db = await api(server.url)
      const table = `t48_${offset > 0 ? 'ahead' : 'behind'}`
      await db.exec(`CREATE TABLE ${table} (id INTEGER, at TIMESTAMP, PRIMARY KEY id);`)
      await db.exec(
        `INSERT INTO ${table} (id, at) VALUES (1, CAST('2024-05-06 07:08:09' AS TIMESTAMP));`,
      )
      const console = await open(server.url)
      await console.page.clock.install({ time: Date.now() + offset })
      await console.seed({ view: { timezone: 'utc' } })
      await console.signIn('/query')
      const way = offset > 0 ? 'ahead of' : 'behind'
      const notice = console.page.getByText(`1 day ${way} the server’s`)
      await notice.waitFor()
      await console.runSql(`SELECT at FROM ${table};`)
      await console.cell(1, '2024-05-06 07:08:09.000000 UTC').waitFor()
      const end = console.page.getByText(/Your session (ends|has ended)/)
      expect(await end.count()).toBe(0)
      await console.keepsSession()
      await console.page.reload()
      await console.signedIn()
      await notice.waitFor()
      expect([await console.logIn.count(), await end.count()]).toEqual([0, 0])
    },
  )
})

describe('the tab', () => {
  test('F46 hidden for ten minutes: one refresh when it is seen again, not a burst', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    const { page } = console
    await page.clock.install()
    await console.signIn('/settings')
    // The last part to come, which may ask for the state itself.
    await page.locator('[data-trust=first], [data-trust=consistent]').waitFor()
    await showTab(console, 'hidden')
    // From here on time passes only as told.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 600_000)
    const state = { path: /\/api\/db\/state/ }
    const isOfState = (url: string) => state.path.test(url)
    const asked = () => console.visit.watch.requests.filter(isOfState).length
    const before = asked()
    await page.clock.runFor(30_000)
    expect(asked()).toBe(before)
    await showTab(console, 'visible')
    await expect.poll(asked).toBe(before + 1)
    const isOver = ({ endedAt }: Seen) => endedAt !== undefined
    await expect.poll(() => proxy.seen(state).filter(isOver).length).toBe(before + 1)
    await page.clock.runFor(5_000)
    expect(asked()).toBe(before + 1)
  })

  test('F56 a tab with another build: told, not forced', async ({ server, open }) => {
    const console = await open(server.url, { before: noteNews })
    await console.signIn('/query')
    await watching(console.page)
    await console.keepsSession()
    await console.write('SELECT 56 -- open')
    const other = await console.visit.tab()
    await other.goto(server.url + plainPage())
    await other.evaluate(() => {
      const channel = new BroadcastChannel('webconsole.activity')
      channel.postMessage({ kind: 'opened', build: 'another' })
      channel.close()
    })
    await other.close()
    await console.page.bringToFront()
    await console.page.getByText(/There is a new version of the console/).waitFor()
    expect(await console.editorText()).toBe('SELECT 56 -- open')
    const loaded = console.page.waitForEvent('load')
    await console.page.getByRole('button', { name: 'Reload', exact: true }).click()
    await loaded
    await console.signedIn()
    await console.holds('SELECT 56 -- open')
    await watching(console.page)
    expect(await console.page.getByText(/There is a new version/).count()).toBe(0)
  })

  test('F64 “back” to a page of before the log-out shows no data', async ({ server, open }) => {
    const console = await open(server.url)
    await console.signIn('/query')
    await console.runSql("SELECT 'canary-64' AS note;")
    await console.cell(1, 'canary-64').waitFor()
    await console.keepsSession()
    await console.page.goto(server.url + plainPage())
    const other = new ConsolePage(console.visit, server.url, await console.visit.tab())
    await other.open('/settings')
    await other.signedIn()
    await other.logOut()
    await other.signedOut()
    await expect.poll(() => storedSecrets(other)).toEqual([])
    await console.page.bringToFront()
    await console.page.goBack()
    await console.signedOut()
    expect(await console.page.content()).not.toContain('canary-64')
  })

  test('A19 a service worker of another product is removed at the start', async ({
    proxy,
    open,
  }) => {
    proxy.fault({
      path: /\/sw\.js$/,
      fault: {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/javascript' },
        body: "addEventListener('fetch', () => {})",
      },
    })
    // The policy of our own pages would not let them register one.
    const blank = { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' } } as const
    proxy.fault({ path: '/other-product', fault: blank })
    const console = await open(proxy.url)
    await console.page.goto(`${proxy.url}/other-product`)
    await console.page.evaluate(async () => {
      await navigator.serviceWorker.register('/sw.js', { scope: '/' })
      await navigator.serviceWorker.ready
    })
    await console.open()
    await console.signedOut()
    const left = () =>
      console.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(left).toBe(0)
  })
})

describe('login', () => {
  test('A16 fifty wrong passwords: the pause grows to 30 s, the keyboard always gets there', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { clock } = console.page
    await clock.install()
    await console.open()
    await console.user.fill('immudb')
    // The first pause is only a second long: it must not be over before it is seen.
    await clock.pauseAt(Date.now() + 600_000)
    const sent = () =>
      console.visit.watch.requests.filter((url) => url.endsWith('/api/login')).length
    for (let times = 1; times <= 50; times += 1) {
      await console.password.fill(`wrong ${times}`)
      await console.page.keyboard.press('Enter')
      await expect.poll(sent).toBe(times)
      const said = times < 3 ? /./ : /Wait \d+ s before the next try/
      await console.alerts.getByText(said).waitFor()
      if (times < 3) continue
      if (times === 50) break
      await clock.fastForward(30_000)
      await expect.poll(() => console.logIn.getAttribute('aria-disabled')).toBeNull()
    }
    await console.alerts.getByText('Wait 30 s before the next try').waitFor()
    await console.password.fill('immudb')
    await console.page.keyboard.press('Enter')
    await console.password.focus()
    const reached = () => console.logIn.evaluate((button) => button === document.activeElement)
    for (let tabs = 0; tabs < 5 && !(await reached()); tabs += 1) {
      await console.page.keyboard.press('Tab')
    }
    expect(await reached()).toBe(true)
    expect(sent()).toBe(50)
    await clock.fastForward(30_000)
    await expect.poll(() => console.logIn.getAttribute('aria-disabled')).toBeNull()
    await clock.resume()
    await console.page.keyboard.press('Enter')
    await console.signedIn()
    expect(sent()).toBe(51)
  })

  test('A18 attributes for password managers, and pasting works', async ({ server, open }) => {
    const console = await open(server.url)
    await console.open()
    const attributes = (name: 'user' | 'password') =>
      console[name].evaluate((field) => {
        const input = field as HTMLInputElement
        const { type, autocomplete, autocapitalize, spellcheck, readOnly, maxLength } = input
        return { type, autocomplete, autocapitalize, spellcheck, readOnly, maxLength }
      })
    const common = { autocapitalize: 'none', spellcheck: false, readOnly: false, maxLength: -1 }
    await console.user.waitFor()
    expect(await attributes('user')).toEqual({ ...common, type: 'text', autocomplete: 'username' })
    expect(await attributes('password')).toEqual({
      ...common,
      type: 'password',
      autocomplete: 'current-password',
    })
    await console.password.focus()
    await console.page.keyboard.insertText(' pasted with blanks ')
    expect(await console.password.inputValue()).toBe(' pasted with blanks ')
    expect(await console.password.getAttribute('value')).not.toBe(' pasted with blanks ')
  })
})

type Ending = {
  readonly what: string
  /** Everything but the last press. */
  begin(console: ConsolePage): Promise<void>
  readonly last: (console: ConsolePage) => Locator
  readonly erases?: boolean
}

const typed = 'SELECT 1 -- typed'

const inMenu = (name: string) => ({
  begin: ({ account }: ConsolePage) => account.click(),
  last: ({ page }: ConsolePage) => page.getByRole('menuitem', { name, exact: true }),
})

const endings: readonly Ending[] = [
  { what: 'a log-out', ...inMenu('Log out') },
  {
    what: 'a log-out that erases drafts',
    begin: async (console) => {
      await console.account.click()
      await console.page.getByRole('menuitem', { name: 'Log out and erase drafts…' }).click()
    },
    last: ({ dialog }) => dialog.getByRole('button', { name: 'Log out and erase', exact: true }),
    erases: true,
  },
  { what: 'a lock', ...inMenu('Lock now') },
  {
    what: 'no longer staying signed in',
    begin: (console) => console.link('Settings').click(),
    last: ({ page }) => page.getByRole('switch', { name: /Stay signed in/ }),
  },
]

/** Keeps the console's storage busy, so that it answers no one before the function that is returned. */
async function holdStorage(tab: Page): Promise<() => Promise<void>> {
  await tab.evaluate(async ({ name, storeName }) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const store = opening.result.transaction(storeName, 'readwrite').objectStore(storeName)
    Object.assign(window, { isHeld: true })
    const again = () => {
      if ('isHeld' in window) store.get('any').onsuccess = again
      else opening.result.close()
    }
    again()
  }, stateAt)
  return () => tab.evaluate(() => void Reflect.deleteProperty(window, 'isHeld'))
}

describe('a page that goes away before storage has answered', () => {
  test.for(endings)('leaves no session after $what', async (ending, { server, open }) => {
    // With another login of the same user, the server goes on taking the token.
    await api(server.url)
    const console = await open(server.url)
    const holder = await console.visit.tab()
    await holder.goto(server.url + plainPage())
    const inTab = async () => new ConsolePage(console.visit, server.url, await console.visit.tab())
    for (const way of ['reload', 'another tab']) {
      const left = await inTab()
      await left.signIn('/query')
      await left.write(typed)
      await left.keeps(typed)
      await left.keepsSession()
      await ending.begin(left)
      const press = ending.last(left)
      await press.waitFor()
      const letGo = await holdStorage(holder)
      await press.click()
      if (way === 'reload') await left.page.reload()
      else await left.page.close()
      const next = way === 'reload' ? left : await inTab()
      if (next !== left) await next.open('/query')
      await letGo()
      await next.signedOut()
      await expect.poll(() => storedSecrets(next)).toEqual([])
      const isTyped = async () =>
        [...(await readStorage(next.page)).values()].join().includes(typed)
      await expect.poll(isTyped).toBe(!ending.erases)
      await next.page.close()
    }
  })
})

/** Tokens of this visit that its storage holds. */
async function storedSecrets({ page, visit }: ConsolePage): Promise<readonly string[]> {
  const kept = [...(await readStorage(page)).values()].join('\n')
  return visit.watch.secrets.filter((token) => kept.includes(token))
}

/** Browsers without a window show every tab; what a hidden one does is asked of this property. */
async function showTab(console: ConsolePage, state: 'hidden' | 'visible'): Promise<void> {
  await console.page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}
