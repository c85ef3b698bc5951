import type { Request } from 'playwright-core'
import { type Api, api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { startServer } from '../support/immudb'
import { setKeys } from '../support/keys-page'
import { type Figure, figure } from './figures'

const database = 'bench'
const runs = 5
/** Prefixes of the first level: fewer than one load reads, and more. */
const prefixCounts = [40, 120] as const
/** Keys in one transaction, in a database that takes so many. */
const atOnce = 10_000

type TreeFigures = {
  readonly prefixes: number
  /** Requests of the first load, and until the whole level is shown. */
  readonly first: number
  readonly all: number
  /** Bytes of the answers to the first load. */
  readonly bytes: number
  /** Milliseconds from the link to the first load. */
  readonly time: Figure
}

/**
 * What the first level of the tree of keys costs: `rows` keys in few and in many prefixes.
 * @returns lines for the console
 */
export async function keysTable({
  browser,
  rows,
}: {
  browser: Browser
  rows: number
}): Promise<string> {
  const lines: string[] = []
  for (const prefixes of prefixCounts) {
    const server = await startServer()
    try {
      const db = await api(server.url)
      const settings = { maxTxEntries: { value: atOnce } }
      await db.call('/db/create/v2', { name: database, settings })
      await fill(await api(server.url, { database }), rows, prefixes)
      lines.push(lineOf(await treeFigures(browser, server.url, prefixes)))
    } finally {
      await server.dispose()
    }
  }
  return [
    `keys: first level of ${rows} keys, at most prefixes + 10 requests, 50 a load`,
    ...lines,
  ].join('\n')
}

async function fill(db: Api, rows: number, prefixes: number): Promise<void> {
  for (let from = 0; from < rows; from += atOnce) {
    const count = Math.min(atOnce, rows - from)
    const entries = Array.from({ length: count }, (_, at) => {
      const row = from + at
      return [`tenant${row % prefixes}:item:${row}`, `value of ${row}`] as const
    })
    await setKeys(db, entries)
  }
  // A read waits until all is in the index.
  await db.call('/db/scan', { limit: '1' })
}

async function treeFigures(browser: Browser, url: string, prefixes: number): Promise<TreeFigures> {
  const times: number[] = []
  let counts = { first: 0, all: 0, bytes: 0 }
  for (let run = 0; run < runs; run += 1) {
    const console = new ConsolePage(await visit(browser, url), url)
    const { page } = console
    const scans: Request[] = []
    page.on('request', (request) => {
      if (isOfTree(request)) scans.push(request)
    })
    await console.enter('/settings')
    const started = performance.now()
    await console.open(`/keys?${new URLSearchParams({ db: database, prefix: 'none' })}`)
    await page.getByText(/^\d+ prefixes(, more exist)?$/).waitFor()
    times.push(performance.now() - started)
    const first = scans.length
    const sizes = await Promise.all(
      scans.map(async (request) => (await (await request.response())?.body())?.length ?? 0),
    )
    const more = page.getByRole('button', { name: 'Show more', exact: true })
    const whole = page.getByText(`${prefixes} prefixes`, { exact: true })
    while (!(await whole.isVisible())) {
      if (await more.isVisible()) await more.click().catch(() => {})
      await page.getByText(/^\d+ prefixes/).waitFor()
    }
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    counts = { first, all: scans.length, bytes }
    await console.visit.end()
  }
  return { prefixes, ...counts, time: figure(times) }
}

/** The scans of the first level name no prefix; the list beside it does. */
function isOfTree(request: Request): boolean {
  if (!request.url().endsWith('/db/scan')) return false
  return !JSON.parse(request.postData() ?? '{}').prefix
}

function lineOf({ prefixes, first, all, bytes, time }: TreeFigures): string {
  const verdict = all <= prefixes + 10 && first <= 50 ? 'within' : 'OVER'
  return `${prefixes} prefixes: ${first} requests and ${Math.round(bytes / 1_000)} kB to the first load in ${time.median.toFixed(0)} ms, ${all} requests for all (${verdict})`
}
