import type { Browser, Response } from 'playwright-core'
import { type Api, api } from '../support/api'
import { visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { type ImmudbServer, startServer } from '../support/immudb'
import { longestTask } from '../support/tasks'
import { buildGoaudit, goaudit } from './audit'
import { type Figure, figure } from './figures'

const runs = 5

/** What the list of transactions costs from the link to its first rows. */
type ListFigures = {
  readonly transactions: number
  readonly requests: number
  readonly bytes: number
  readonly time: Figure
}

/** Requests until the drawer names the transaction of each revision of a row. */
type RevisionFigures = {
  readonly transactions: number
  readonly revisions: number
  readonly requests: number
}

export type HistoryFigures = {
  readonly lists: readonly ListFigures[]
  readonly revisions: readonly RevisionFigures[]
  /** Milliseconds of the longest task while a transaction of 1,024 entries is opened. */
  readonly longest: number
}

/** How the screens of the past grow with the history: databases of each of these sizes. */
export async function historyFigures(
  browser: Browser,
  counts: readonly number[],
): Promise<HistoryFigures> {
  buildGoaudit()
  const server = await startServer()
  try {
    const db = await api(server.url)
    const wide = await prepare(db)
    const lists: ListFigures[] = []
    const revisions: RevisionFigures[] = []
    for (const count of counts) {
      await writeRevision(db)
      goaudit(server, ['-fill', String(count)])
      lists.push(await listFigures(browser, server, count))
      revisions.push(await revisionFigures(browser, server, count, lists.length + 1))
    }
    return { lists, revisions, longest: await opening(browser, server, wide) }
  } finally {
    await server.dispose()
  }
}

/** A row, and a transaction of 1,024 keys; returns the number of that transaction. */
async function prepare(db: Api): Promise<string> {
  await db.exec('CREATE TABLE ledger (id INTEGER, note VARCHAR[64], PRIMARY KEY id);')
  await db.exec("INSERT INTO ledger (id, note) VALUES (1, 'first');")
  const entries = Array.from({ length: 1_024 }, (_, at) => ({
    key: base64(`wide:${String(at).padStart(4, '0')}`),
    value: base64(`{"number":${at},"text":"a value as values are"}`),
  }))
  const { id } = await db.call<{ id: string }>('/db/set', { KVs: entries })
  return id
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

let written = 0

async function writeRevision(db: Api): Promise<void> {
  written += 1
  await db.exec(`UPDATE ledger SET note = 'revision ${written}' WHERE id = 1;`)
}

async function listFigures(
  browser: Browser,
  server: ImmudbServer,
  transactions: number,
): Promise<ListFigures> {
  const times: number[] = []
  let [requests, bytes] = [0, 0]
  for (let run = 0; run < runs; run += 1) {
    const console = new ConsolePage(await visit(browser, server.url), server.url)
    await console.enter('/settings?db=defaultdb')
    await console.page.waitForLoadState('networkidle')
    const counted = countAnswers(console)
    const started = performance.now()
    await console.link('Transactions').press('Enter')
    const grid = console.page.getByRole('grid', { name: 'Transactions', exact: true })
    await grid
      .getByText(/^tx [\d,]+$/)
      .first()
      .waitFor()
    times.push(performance.now() - started)
    await console.page.waitForLoadState('networkidle')
    const found = await counted()
    requests = found.requests
    bytes = found.bytes
    await console.visit.end()
  }
  return { transactions, requests, bytes, time: figure(times) }
}

/** Counts answers about transactions from now on. */
function countAnswers(console: ConsolePage): () => Promise<{ requests: number; bytes: number }> {
  const answers: Promise<number>[] = []
  console.page.on('response', (response: Response) => {
    if (!/\/api\/db\/tx/.test(response.url())) return
    answers.push(response.body().then(({ length }) => length))
  })
  return async () => {
    const sizes = await Promise.all(answers)
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  }
}

async function revisionFigures(
  browser: Browser,
  server: ImmudbServer,
  transactions: number,
  revisions: number,
): Promise<RevisionFigures> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  let requests = 0
  console.page.on('request', (request) => {
    if (/\/api\/db\/(sqlquery|tx)/.test(request.url())) requests += 1
  })
  await console.enter('/query?db=defaultdb&table=ledger&row=n:1')
  const list = console.page
    .getByRole('dialog', { name: /^History of/ })
    .getByRole('list', { name: 'Revisions' })
  for (let at = 0; at < revisions; at += 1) {
    await list
      .getByRole('listitem')
      .nth(at)
      .getByText(/tx [\d,]+/)
      .waitFor()
  }
  await console.visit.end()
  return { transactions, revisions, requests }
}

async function opening(browser: Browser, server: ImmudbServer, id: string): Promise<number> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.enter('/tx?db=defaultdb')
  const { page } = console
  const longest = await longestTask(page, 0, async () => {
    await page.goto(`${server.url}/tx?db=defaultdb&id=${id}`)
    await page.getByText('wide:0000', { exact: true }).first().waitFor()
    await page.waitForLoadState('networkidle')
  })
  await console.visit.end()
  return longest
}

/** The figures as lines; growth as ratios to the smallest history. */
export function historyTable({ lists, revisions, longest }: HistoryFigures): string {
  const [first] = lists
  const ratio = (one: number, other: number) => `${(one / other).toFixed(2)}×`
  const ofLists = lists.map(({ transactions, requests, bytes, time }) =>
    [
      `list of ${transactions} transactions: ${requests} requests, ${bytes} bytes,`,
      `first rows after ${time.median.toFixed(0)} ms`,
      first ? `(${ratio(time.median, first.time.median)} of the first)` : '',
    ].join(' '),
  )
  const ofRevisions = revisions.map(
    ({ transactions, revisions: count, requests }) =>
      `history of a row with ${count} revisions in ${transactions} transactions: ${requests} requests, the limit is ${Math.ceil(2 * Math.log2(transactions)) * count}`,
  )
  return [
    ...ofLists,
    ...ofRevisions,
    `a transaction of 1,024 entries: longest task ${longest.toFixed(0)} ms`,
  ].join('\n')
}
