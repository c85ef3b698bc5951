import type { Page, Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { ceilings, loginRequests } from '../../embed/pipeline/budgets'
import { api } from '../support/api'
import { test, walk } from '../support/e2e'
import { TrustPage } from '../support/trust-page'
import { isRefusedUnrun } from '../support/watch'

const isApi = (url: string) => new URL(url).pathname.includes('/api/')

describe('signing in', () => {
  test('good password: the shell opens where it was asked for', async ({ server, open }) => {
    const console = await open(server.url)
    await console.open('/query')
    await expect
      .poll(() => console.user.evaluate((field) => field === document.activeElement))
      .toBe(true)
    await console.submitLogin()
    await console.signedIn()
    await expect.poll(() => console.page.title()).toBe('Query · webconsole')
    expect(new URL(console.page.url()).pathname).toBe('/query')
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')
  })

  test('wrong password: said in the form, once, and nothing is kept', async ({ server, open }) => {
    const console = await open(server.url)
    await console.open()
    await console.submitLogin('immudb', 'not it')
    await console.alerts.getByText('Invalid user name or password.').waitFor()
    expect(await console.page.getByText('Invalid user name or password.').count()).toBe(1)
    expect(await console.user.inputValue()).toBe('immudb')
    await console.page.reload()
    await console.signedOut()
  })

  test('required fields are named after 300 ms, focus clears, nothing is sent', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.page.clock.install()
    await console.open()
    await console.logIn.waitFor()
    const required = console.page.getByText('This field is required')
    await console.user.fill('x')
    await console.page.clock.pauseAt(Date.now() + 3_600_000)
    await console.user.fill('')
    await console.page.clock.runFor(290)
    expect(await required.count()).toBe(0)
    await console.page.clock.runFor(20)
    await expect.poll(() => required.count()).toBe(1)
    await console.page.clock.resume()
    await console.logIn.click()
    await expect.poll(() => required.count()).toBe(2)
    await console.password.focus()
    await expect.poll(() => required.count()).toBe(1)
    expect(console.visit.watch.requests.filter((url) => url.endsWith('/login'))).toEqual([])
  })

  test('the default password brings a banner that outlives a reload until it is closed', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.signIn()
    await console.keepsSession()
    const banner = console.page.getByRole('complementary', { name: 'Warning of the server' })
    await banner.waitFor()
    await console.page.reload()
    await console.signedIn()
    // A shift must not make a user press something else.
    const place = await console.link('Guide').boundingBox()
    await banner.waitFor()
    expect(await console.link('Guide').boundingBox()).toEqual(place)
    await console.page.getByRole('button', { name: /close the warning/i }).click()
    await banner.waitFor({ state: 'hidden' })
    await expect.poll(() => console.visit.context.cookies()).toHaveLength(1)
    const [cookie] = await console.visit.context.cookies()
    expect(((cookie?.expires ?? 0) - Date.now() / 1000) / 3600).toBeCloseTo(1, 1)
  })

  test('a user without defaultdb lands in a database of their own', async ({ server, open }) => {
    const admin = await api(server.url)
    await admin.createDatabase('shop')
    await admin.createUser('clerk', 'Sup3r-secret', 2, 'shop')
    const console = await open(server.url)
    await console.signIn('/', 'clerk', 'Sup3r-secret')
    await expect.poll(() => console.database.textContent()).toContain('shop')
  })
})

describe('staying signed in', () => {
  test('a reload keeps the session and the page', async ({ server, open }) => {
    const console = await open(server.url)
    await console.signIn('/settings')
    await console.keepsSession()
    await console.page.reload()
    await console.signedIn()
    await expect.poll(() => console.page.title()).toBe('Settings · webconsole')
  })

  test('this tab only: a reload asks again', async ({ server, open }) => {
    const console = await open(server.url)
    await console.open()
    await console.page.getByRole('checkbox', { name: /stay signed in/i }).uncheck()
    await console.submitLogin()
    await console.signedIn()
    // What is kept of a login is written before the history is looked at.
    await new TrustPage(console).known()
    await console.page.reload()
    await console.signedOut()
  })
})

describe('logging out', () => {
  test(
    'tells the server, forgets everything, also for the back button',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.signIn('/query')
      await console.runSql("SELECT 'for my eyes only' AS note;")
      await console.cell(1, 'for my eyes only').waitFor()
      await console.link('Settings').click()
      const told = console.page.waitForRequest((request) => request.url().endsWith('/api/logout'))
      await console.logOut()
      await told
      await console.signedOut()
      await console.page.goBack()
      await console.signedOut()
      expect(await console.page.content()).not.toContain('for my eyes only')
      await console.page.reload()
      await console.signedOut()
    },
  )
})

describe('what it costs', () => {
  test('signed out and cold: requests and bytes stay in budget', async ({ server, open }) => {
    const console = await open(server.url, { isNew: true })
    const requests = recordRequests(console.page)
    await console.open()
    await console.logIn.waitFor()
    await console.user.fill('immudb')
    await console.page.waitForLoadState('networkidle')
    const own = requests.filter((one) => !isApi(one.url()) && !/favicon|\.ico$/.test(one.url()))
    expect(own.length).toBeLessThanOrEqual(loginRequests)
    const scripts = await bytesSent(own.filter((one) => one.url().endsWith('.js')))
    expect(scripts).toBeGreaterThan(50_000)
    expect(scripts).toBeLessThanOrEqual(ceilings.login)
  })

  test('a second visit asks for at most 3 files', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    await console.open()
    await console.logIn.waitFor()
    await console.page.waitForLoadState('networkidle')
    const before = proxy.count({})
    await console.open()
    await console.logIn.waitFor()
    await console.page.waitForLoadState('networkidle')
    const asked = proxy
      .seen()
      .slice(before)
      .map((one) => one.path)
    expect(asked.length, asked.join()).toBeLessThanOrEqual(3)
  })

  test('the page names every script of a complete Overview, so that none waits for another', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.open()
    await console.logIn.waitFor()
    const meta = console.page.locator('meta[name="behind-login"]')
    const named = new Set((await meta.getAttribute('content'))?.split(' '))
    expect(named.size).toBeGreaterThan(2)
    const scripts = () =>
      proxy
        .seen()
        .map(({ path }) => path.replace(/^.*\//, ''))
        .filter((name) => name.endsWith('.js'))
    const login = scripts().length
    await console.submitLogin()
    await console.signedIn()
    await console.page.getByText('Size per database').first().waitFor()
    await new TrustPage(console).known()
    await console.page.waitForLoadState('networkidle')
    const behind = scripts().slice(login)
    expect(new Set(behind.slice(0, named.size))).toEqual(named)
    // What comes later was not asked for by the screen.
    const later = behind.slice(named.size).filter((name) => /Console|Overview|Plot/.test(name))
    expect(later).toEqual([])
    expect(new Set(behind).size, 'none is fetched twice').toBe(behind.length)
  })

  test.for(['/settings', '/settings?db=linked'])(
    'a login takes at most 8 API calls: %s',
    async (address, { server, open, expect }) => {
      await createLinked(server.url)
      const console = await open(server.url)
      await console.open(address)
      await console.logIn.waitFor()
      const requests = recordRequests(console.page)
      await console.submitLogin()
      await console.signedIn()
      await new TrustPage(console).known()
      await console.page.waitForLoadState('networkidle')
      const answers = await Promise.all(requests.map((one) => one.response()))
      const ran = answers.filter((one) => one !== null && !isRefusedUnrun(one))
      const calls = ran.map((one) => one?.url() ?? '').filter(isApi)
      expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(8)
    },
  )
})

/** A second database, which a link may name. */
async function createLinked(url: string): Promise<void> {
  const db = await api(url)
  await db.call('/db/create/v2', { name: 'linked', ifNotExists: true })
}

function recordRequests(page: Page): readonly Request[] {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}

/** Bytes of the bodies as they were sent and as they are used. */
async function bytesSent(requests: readonly Request[]): Promise<number> {
  let sent = 0
  for (const request of requests) sent += (await request.sizes()).responseBodySize
  return sent
}
