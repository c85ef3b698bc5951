import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import {
  forbiddenIndexedDb,
  fullStorage,
  noIndexedDb,
  noStorage,
  openAnswersLate,
  openNeverAnswers,
} from '../support/broken-storage'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { readState } from '../support/page-storage'

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

  test('F59: without any storage one can sign in and work, and is told', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noStorage })
    await console.signIn('/query')
    await console.page.getByText(keepsNothing).waitFor()
    await console.runSql('SELECT 59 AS works;')
    await console.cell(1, '59').waitFor()
    await console.page.reload()
    await console.signedOut()
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
