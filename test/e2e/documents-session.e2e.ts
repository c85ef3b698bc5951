import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'
import { readStorage } from '../support/page-storage'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'

const password = 'S3cret-of-documents'

/** The ids of the sessions in the requests of a page, in their order. */
function sessionsOf({ page }: ConsolePage): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    const id = request.headers().sessionid
    if (id !== undefined && !found.includes(id)) found.push(id)
  })
  return found
}

/** Whether the server has a session; asking keeps one that is there. */
async function isOpen(url: string, session: string | undefined): Promise<boolean> {
  const answer = await fetch(`${url}/api/v2/authorization/session/keepalive`, {
    method: 'POST',
    headers: { sessionid: session ?? '' },
    body: '{}',
  })
  return answer.status === 200
}

const isClosed = (url: string, session: string | undefined) =>
  until(
    () => isOpen(url, session),
    (has) => !has,
  )

const path = (collection: string, rest = '') =>
  `/documents?db=defaultdb&collection=${collection}${rest}`

async function collectionWith(db: Api, name: string): Promise<void> {
  await makeCollection(db, name, [['n', 'INTEGER']])
  await db.insertDocument(name, '{"n":1}')
}

describe('the session of documents', () => {
  test('is closed by a log-out, and the next user has none of it', async ({ server, open }) => {
    const db = await api(server.url)
    await collectionWith(db, 'left')
    await db.createUser('nextuser', password, 1, 'defaultdb')
    const console = await open(server.url)
    const sessions = sessionsOf(console)
    await console.enter(path('left'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await documents.cell('left', '1').waitFor()
    await console.logOut()
    await console.signedOut()
    await isClosed(server.url, sessions[0])
    await console.submitLogin('nextuser', password)
    await console.signedIn()
    // Documents are in sight, so the password that was just typed opens one of this user's own.
    await documents.list.getByRole('option', { name: /^left / }).click()
    await documents.cell('left', '1').waitFor()
    expect(sessions).toHaveLength(2)
    expect(sessions[1]).not.toBe(sessions[0])
    expect(await isOpen(server.url, sessions[1])).toBe(true)
    expect(await isOpen(server.url, sessions[0])).toBe(false)
  })

  test('is closed by the lock of an idle console, and its search is not lost', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await collectionWith(db, 'idle')
    const console = await open(server.url)
    const sessions = sessionsOf(console)
    await console.page.clock.install()
    await console.enter(`${path('idle')}&q=${encodeURIComponent('[[[["n","GE","1"]]],[],0]')}`)
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await documents.cell('idle', '1').waitFor()
    expect(await isOpen(server.url, sessions[0])).toBe(true)
    await console.page.clock.runFor(3_700_000)
    await isClosed(server.url, sessions[0])
    await console.submitLogin()
    await console.signedIn()
    await documents.cell('idle', '1').waitFor()
    await console.page.getByText('n ≥ 1', { exact: true }).waitFor()
  })

  test('is another one in each tab, and serves every database', async ({ server, open }) => {
    const db = await api(server.url)
    await collectionWith(db, 'tabs')
    await db.createDatabase('otherdocs')
    await collectionWith(await db.use('otherdocs'), 'others')
    const first = await open(server.url)
    await first.enter(path('tabs'))
    await first.keepsSession()
    const second = new ConsolePage(first.visit, server.url, await first.visit.tab())
    const [mine, others] = [sessionsOf(first), sessionsOf(second)]
    await second.open(path('tabs'))
    await second.signedIn()
    for (const { page } of [first, second]) {
      await page.bringToFront()
      await new DocumentsPage(page).openSession()
      await new DocumentsPage(page).cell('tabs', '1').waitFor()
    }
    expect(mine).toHaveLength(1)
    expect(others).toHaveLength(1)
    expect(mine[0]).not.toBe(others[0])
    await second.pickDatabase('otherdocs')
    const other = new DocumentsPage(second.page)
    await other.list.getByRole('option', { name: /^others / }).click()
    await other.cell('others', '1').waitFor()
    await second.pickDatabase('defaultdb')
    await other.list.getByRole('option', { name: /^tabs / }).click()
    await other.cell('tabs', '1').waitFor()
    expect(others).toHaveLength(1)
    expect(await isOpen(server.url, mine[0])).toBe(true)
    await second.page.close()
    await first.page.bringToFront()
    await new DocumentsPage(first.page).cell('tabs', '1').waitFor()
  })

  test('is opened again by the log-in after the server was restarted', async ({
    ownServer,
    open,
  }) => {
    await collectionWith(await api(ownServer.url), 'restarted')
    const console = await open(ownServer.url)
    const sessions = sessionsOf(console)
    await console.enter(path('restarted'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await documents.cell('restarted', '1').waitFor()
    // What the page fetches later is here.
    await new TrustPage(console).known()
    await ownServer.restart()
    await console.submitLogin()
    await console.signedIn()
    await documents.cell('restarted', '1').waitFor()
    await expect.poll(() => sessions.length).toBe(2)
    expect(await isOpen(ownServer.url, sessions[1])).toBe(true)
    expect(await documents.session.count()).toBe(0)
    await console.logOut()
    await isClosed(ownServer.url, sessions[1])
  })

  test('outlives a reload, other pages and a page elsewhere', async ({ server, open }) => {
    await collectionWith(await api(server.url), 'stays')
    const console = await open(server.url)
    const { page } = console
    const sessions = sessionsOf(console)
    await console.enter(path('stays'))
    const documents = new DocumentsPage(page)
    await documents.openSession()
    await documents.cell('stays', '1').waitFor()
    await console.keepsSession()
    for (const leave of [
      () => page.reload(),
      async () => {
        await console.link('Overview').click()
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
        await console.link('Documents').click()
        await documents.list.getByRole('option', { name: /^stays / }).click()
      },
      async () => {
        await page.goto('about:blank')
        await page.goBack()
      },
    ]) {
      await leave()
      await documents.cell('stays', '1').waitFor()
      expect(await documents.session.count()).toBe(0)
    }
    const text = [...(await readStorage(page)).values()].join()
    expect(text.includes(sessions[0] ?? '-')).toBe(false)
    expect(sessions).toHaveLength(1)
    await console.logOut()
    await isClosed(server.url, sessions[0])
  })

  test('comes with the log-in, whichever page that was for, and ends with a lock', async ({
    server,
    open,
  }) => {
    await collectionWith(await api(server.url), 'atonce')
    const console = await open(server.url)
    const { page } = console
    const sessions = sessionsOf(console)
    const opened = page.waitForResponse(/\/session\/open$/)
    await console.signIn('/?db=defaultdb')
    await opened
    await console.link('Documents').click()
    const documents = new DocumentsPage(page)
    await documents.list.getByRole('option', { name: /^atonce / }).click()
    await documents.cell('atonce', '1').waitFor()
    expect(await documents.session.count()).toBe(0)
    await console.account.click()
    await page.getByRole('menuitem', { name: 'Lock now' }).click()
    await console.logIn.waitFor()
    await isClosed(server.url, sessions[0])
    const again = page.waitForResponse(/\/session\/open$/)
    await console.submitLogin()
    await console.signedIn()
    await again
    await documents.button('Refresh the documents').click()
    await expect.poll(() => sessions.length).toBe(2)
    await documents.cell('atonce', '1').waitFor()
    expect(await documents.session.count()).toBe(0)
  })

  test.for(['a dialog', 'the log-in'])(
    'leaves no password in the memory of the page, opened by %s',
    async (way, { server, open }) => {
      const db = await api(server.url)
      const user = way === 'a dialog' ? 'memoryuser' : 'memorylogin'
      await collectionWith(db, user)
      await db.createUser(user, password, 1, 'defaultdb')
      const console = await open(server.url, { isNew: true })
      const documents = new DocumentsPage(console.page)
      if (way === 'a dialog') {
        await console.enter(path(user), user, password)
        await documents.openSession(password)
      } else await console.signIn(path(user), user, password)
      await documents.cell(user, '1').waitFor()
      const cdp = await console.visit.context.newCDPSession(console.page)
      let text = ''
      cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
        text += chunk
      })
      await cdp.send('HeapProfiler.collectGarbage')
      await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
      expect(text.includes(`Documents of ${user}`)).toBe(true)
      expect(text.includes(password)).toBe(false)
    },
  )

  test('of a user without permission is refused in words, and asks no other login', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await collectionWith(db, 'denied')
    await db.createUser('revoked', password, 1, 'defaultdb')
    const console = await open(server.url)
    await console.enter(path('denied'), 'revoked', password)
    const documents = new DocumentsPage(console.page)
    await documents.session.waitFor()
    await console.page.route('**/session/open', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: '{"error":"Logged in user do not have permission on this database","code":7,"message":"Logged in user do not have permission on this database"}',
      }),
    )
    await documents.session.getByLabel('Password', { exact: true }).fill(password)
    await documents.session.getByRole('button', { name: 'Continue' }).click()
    await documents.session.getByText(/do not have permission on this database/).waitFor()
    expect(await console.logIn.count()).toBe(0)
  })
})
