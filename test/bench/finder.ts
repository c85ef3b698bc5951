import type { Page } from 'playwright-core'
import { api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { startServer } from '../support/immudb'
import { setKeys } from '../support/keys-page'
import { createSmallTable } from '../support/sql-samples'
import { type Comparison, comparisonTable, figure } from './figures'

const runs = 20
const tables = 300
const text = 'bench_t'

/**
 * How long the finder takes to its first results, which it has without a request, against a plain
 * lookup of a key over the same connection; and how many requests one search sends.
 */
export async function finderFigures(browser: Browser): Promise<string> {
  const server = await startServer()
  try {
    const db = await api(server.url)
    for (let at = 0; at < tables; at += 1) await createSmallTable(db, `${text}${at}`)
    await setKeys(db, [['bench_key', 'value']])
    const console = new ConsolePage(await visit(browser, server.url), server.url)
    const { page } = console
    await console.signIn('/keys')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.includes('/api/') && !/\/(state|health)$/.test(pathname)) sent.push(pathname)
    })
    const requests = async (typed: string) => {
      await open(page)
      sent.length = 0
      await field(page).fill(typed)
      await page.getByText('asking…').waitFor({ state: 'hidden' })
      await page.waitForTimeout(1_000)
      await page.keyboard.press('Escape')
      return sent.length
    }
    const first = await requests(text)
    const later = await requests('bench_key')
    const [found, looked]: [number[], number[]] = [[], []]
    for (let run = 0; run < runs; run += 1) {
      await open(page)
      found.push(await page.evaluate(typeAndWait, `${text}${run}`))
      looked.push(await page.evaluate(plainLookup, db.token))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    const compared: Comparison = {
      name: `first results, ${tables} tables`,
      measured: figure(found),
      floor: figure(looked),
    }
    const counts = `requests of the first search: ${first}, of a later one: ${later}`
    return `${comparisonTable([compared])}\n${counts}`
  } finally {
    await server.dispose()
  }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything', exact: true })

async function open(page: Page) {
  await page.keyboard.press('ControlOrMeta+K')
  await field(page).waitFor()
}

/** Runs in the page: milliseconds from a key press to the drawn result. */
async function typeAndWait(wanted: string): Promise<number> {
  const box = document.querySelector<HTMLInputElement>('input[role=combobox]')
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  if (!box || !set) throw new Error('the finder is not open')
  const begun = performance.now()
  set.call(box, wanted)
  box.dispatchEvent(new Event('input', { bubbles: true }))
  while (!document.querySelector('[role=option]')?.textContent?.includes(wanted)) {
    await new Promise(requestAnimationFrame)
  }
  return performance.now() - begun
}

/** Runs in the page: milliseconds of one request for a key. */
async function plainLookup(token: string): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(`/api/db/get/${btoa('bench_key')}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await answer.text()
  return performance.now() - begun
}
