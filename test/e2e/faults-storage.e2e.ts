import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import {
  answersWritesLate,
  forbiddenIndexedDb,
  fullForNow,
  fullStorage,
  noIndexedDb,
  noStorage,
  openAnswersLate,
  openNeverAnswers,
  storageBreaks,
  storageNames,
  throwing,
} from '../support/broken-storage'
import { plainPage } from '../support/browser'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { readState, stateAt } from '../support/page-storage'

type CorpusCase = { category: string; id: string; name: string; text: string }
const corpus = new URL('../fixtures/corpus.json', import.meta.url)
const { cases }: { cases: CorpusCase[] } = JSON.parse(readFileSync(corpus, 'utf8'))
const storageCases = cases.filter((one) => one.category === 'storage')

const keepsNothing = /keeps nothing/i
const noRoom = /no room/i

/** Others use the machine as well; the calmest of so many loads tells the most. */
const loads = 3

/** Milliseconds from the start of a load without a cache until the login form can be typed in. */
async function timeToLogin(console: ConsolePage): Promise<number> {
  let calmest = Number.POSITIVE_INFINITY
  for (let load = 0; load < loads; load++) {
    await console.forgetFiles()
    await console.open()
    await console.user.waitFor()
    calmest = Math.min(calmest, await console.page.evaluate(() => performance.now()))
  }
  return calmest
}

describe('storage that fails', () => {
  test('F57: an open that never answers costs less than a second and is told once', async ({
    server,
    open,
  }) => {
    const healthy = await timeToLogin(await open(server.url))
    const console = await open(server.url, { before: openNeverAnswers })
    expect((await timeToLogin(console)) - healthy).toBeLessThanOrEqual(1_000)
    await console.submitLogin()
    await console.signedIn()
    await console.page.getByText(keepsNothing).waitFor()
    await console.link('Query').click()
    await console.runSql('SELECT 57 AS works;')
    await console.cell(1, '57').waitFor()
    expect(await console.page.getByText(keepsNothing).count()).toBe(1)
  })

  test('F57: storage that is only slow takes over, with the session in it', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.signIn('/settings')
    await console.keepsSession()
    await console.page.addInitScript(openAnswersLate)
    await console.page.reload()
    await console.user.waitFor()
    await console.page.evaluate(() => (window as { answerOpen?: () => void }).answerOpen?.())
    await console.signedIn()
    expect(await console.page.getByText(keepsNothing).count()).toBe(0)
  })

  test.for([
    ['is missing', noIndexedDb],
    ['is forbidden', forbiddenIndexedDb],
  ] as const)(
    'F58: IndexedDB %s: the session is kept elsewhere',
    async ([, before], { server, open }) => {
      const console = await open(server.url, { before })
      await console.signIn('/settings')
      await console.keepsSession(() =>
        console.page.evaluate(() => Object.values(localStorage).join('\n')),
      )
      await console.page.reload()
      await console.signedIn()
    },
  )

  test(
    'F59: without any storage one can sign in and work, and is told',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url, { before: noStorage })
      await console.signIn('/query')
      await console.page.getByText(keepsNothing).waitFor()
      await console.runSql('SELECT 59 AS works;')
      await console.cell(1, '59').waitFor()
      await console.page.reload()
      await console.signedOut()
    },
  )

  // Firefox and Safari forbid them one by one, according to what the user has blocked.
  test.for(storageNames)(
    'F59: %s alone throws: the console starts',
    async (name, { server, open }) => {
      for (const when of storageBreaks) {
        const console = await open(server.url)
        await console.page.addInitScript(throwing, { names: [name], when })
        await console.signIn('/settings')
      }
    },
  )

  test.for(storageBreaks)(
    'F59: all storages and channels throw at %s: one can sign in, work and log out, and is told',
    async (when, { server, open }) => {
      const console = await open(server.url)
      await console.page.addInitScript(throwing, { names: [...storageNames], when })
      await console.signIn('/query')
      await console.page.getByText(keepsNothing).waitFor()
      await console.runSql('SELECT 59 AS works;')
      await console.cell(1, '59').waitFor()
      await console.link('Verify').click()
      await console.page.getByRole('heading', { name: 'Verify', exact: true }).waitFor()
      await console.logOut()
    },
  )

  test('F60: storage that was only slow is said to be that, and no longer once it has answered', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/query')
    await page.evaluate(answersWritesLate)
    await console.write('SELECT 60 -- kept late')
    const notice = page.getByText(/The storage of this browser fails to answer/)
    await notice.waitFor()
    expect(await page.getByText(noRoom).count()).toBe(0)
    await page.evaluate(() => (window as { answerWrites?: () => void }).answerWrites?.())
    await notice.waitFor({ state: 'detached' })
    await console.keeps('SELECT 60 -- kept late')
  })

  test('F60: once there is room again what is typed is kept and the notice goes', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/query')
    await page.evaluate(fullForNow)
    await console.write('SELECT 60 -- kept after all')
    await page.getByText(noRoom).waitFor()
    await page.evaluate(() => (window as { makeRoom?: () => void }).makeRoom?.())
    await page.getByText(noRoom).waitFor({ state: 'detached' })
    await console.keeps('SELECT 60 -- kept after all')
  })

  test('F60: without room nothing breaks, the draft stays and leaving warns', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: fullStorage })
    await console.signIn('/query')
    await console.write('SELECT 60; -- typed')
    await console.page.getByText(noRoom).waitFor()
    await console.run.click()
    await console.cell(1, '60').waitFor()
    await console.link('Settings').click()
    await console.page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await console.link('Query').click()
    await console.holds('SELECT 60; -- typed')
    const asked = console.page.waitForEvent('dialog')
    const closed = console.page.waitForEvent('close')
    await console.page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await closed
  })
})

/** As another tab or “clear site data” does it; resolves once it is gone. */
const deleteStored = (console: ConsolePage) =>
  console.visit.tab().then(async (other) => {
    await other.goto(console.base + plainPage())
    await other.evaluate(
      (name) =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.deleteDatabase(name)
          request.onsuccess = () => resolve()
          request.onerror = () => reject(request.error)
        }),
      stateAt.name,
    )
    await other.close()
  })

describe('C20 what is stored is deleted under an open page', () => {
  test('the console connects once more: what is typed goes on being kept', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.signIn('/query')
    await console.write('SELECT 20 -- before')
    await console.keeps('SELECT 20 -- before')
    for (const text of ['SELECT 21 -- deleted once', 'SELECT 22 -- and again']) {
      await deleteStored(console)
      await console.holds(
        text === 'SELECT 22 -- and again' ? 'SELECT 21 -- deleted once' : 'SELECT 20 -- before',
      )
      await console.write(text)
      await console.keeps(text)
    }
    await console.link('Keys').click()
    await console.link('Query').click()
    await console.holds('SELECT 22 -- and again')
    expect(await console.page.getByText(/storage of this browser/).count()).toBe(0)
    await console.page.reload()
    await console.user.fill('immudb')
    await console.password.fill('immudb')
    await console.logIn.click()
    await console.signedIn()
    await console.holds('SELECT 22 -- and again')
  })

  test('where it cannot, that is said once and nothing typed is lost', async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/query')
    await console.write('SELECT 20 -- before')
    await console.keeps('SELECT 20 -- before')
    await page.evaluate((name) => {
      const real = indexedDB.open.bind(indexedDB)
      // As Safari does now and then: the request is never answered.
      const silent = () => Object.assign(new EventTarget(), { readyState: 'pending' })
      IDBFactory.prototype.open = (wanted: string, version?: number) =>
        wanted === name ? (silent() as IDBOpenDBRequest) : real(wanted, version)
    }, stateAt.name)
    await deleteStored(console)
    await console.write('SELECT 23 -- kept by the page alone')
    await page.getByText(/The storage of this browser fails/).waitFor()
    await console.link('Keys').click()
    await console.link('Query').click()
    await console.holds('SELECT 23 -- kept by the page alone')
    await console.runSql('SELECT 24 AS works;')
    await console.cell(1, '24').waitFor()
    expect(await page.getByText(/The storage of this browser fails/).count()).toBe(1)
  })
})

describe('persisted state that makes no sense', () => {
  test.for(storageCases)('F61: $id $name', async ({ text }, { server, open }) => {
    const generated = /^generate:(.)\*(\d+)$/.exec(text)
    const value = generated ? (generated[1] ?? '').repeat(Number(generated[2])) : text
    for (const seed of [value, parsed(value)]) {
      if (seed === undefined) continue
      const console = await open(server.url)
      await console.seed(seed)
      await console.open('/settings')
      await console.submitLogin()
      await console.signedIn()
      await expect
        .poll(() => readState(console.page))
        .toMatchObject({
          view: { paneSizes: { tables: 25, examples: 75, query: 33, output: 67 } },
        })
      await expect.poll(() => themeOf(console)).toBe('dark')
      await console.keepsSession()
      await console.page.reload()
      await console.signedIn()
    }
  })

  test('F61: good parts of a partly bad state are kept', async ({ server, open }) => {
    const console = await open(server.url)
    await console.seed({
      view: { theme: 'light', sidebar: 7, paneSizes: { tables: 'x', query: 40 } },
      auth: { token: 'v2.public.bm90IGEgdG9rZW4', user: 'immudb' },
      database: { active: 'defaultdb' },
    })
    await console.open('/settings')
    await console.signedOut()
    await expect.poll(() => themeOf(console)).toBe('light')
    await console.submitLogin()
    await console.signedIn()
    await expect
      .poll(() => readState(console.page))
      .toMatchObject({
        view: { theme: 'light', paneSizes: { tables: 25, query: 40 } },
      })
  })
})

function themeOf({ page }: ConsolePage): Promise<string | undefined> {
  return page.evaluate(() => document.documentElement.dataset.theme)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
