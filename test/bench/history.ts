import type { Page, Response } from 'playwright-core'
import { api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import type { ImmudbServer } from '../support/immudb'
import { longestTask } from '../support/tasks'
import { type Comparison, comparisonTable, type Figure, figure } from './figures'
import { startFilledServer } from './goaudit'

const runs = 5
/** Revisions of the row, the key and the document in histories of any length. */
const fewRevisions = 8
/** Transaction 1 has so many entries, the most that a database takes by default. */
const wide = 1_024
const [manyRevisions, transactionsOfMany] = [10_000, 40_000]
/** Milliseconds: the server takes long for the oldest of many revisions of a row. */
const patience = 180_000
/** Rows of the list that are scrolled through, down and up again, and how often. */
const [scrolledRows, rounds] = [5_000, 2]

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
  readonly requests: number
}

/** What the drawer costs that shows every revision. */
type DrawerFigures = {
  readonly of: Subject
  /** From the click on History to the newest revision, with many and with few of them. */
  readonly many: Figure
  readonly few: Figure
  /** Requests until the newest revisions are shown, and from there until the oldest are. */
  readonly requests: { readonly newest: number; readonly oldest: number }
  /** Milliseconds of the longest task from opening the drawer until the oldest is shown. */
  readonly longest: number
  /** The same while all lines are scrolled through. */
  readonly longestOfScrolling: number
  readonly requestsOfScrolling: number
  readonly heap: Growth
}

/** Bytes of the page in use once its garbage is gone. */
type Growth = { readonly before: number; readonly after: number }

type ScrollFigures = {
  /** Rows that were seen, and those that arrived meanwhile. */
  readonly seen: number
  readonly arrived: number
  /** After the first time down and up, and after the last. */
  readonly heap: Growth
}

type Filled = { readonly server: ImmudbServer; readonly transactions: number }

/** Takes a line as soon as it is measured. */
type Print = (line: string) => void

/**
 * How the screens of the past grow with the history: databases of each of these sizes. Times are
 * printed as ratios to those of the same run that should be the same.
 */
export async function historyFigures(
  browser: Browser,
  counts: readonly number[],
  print: Print,
): Promise<void> {
  const servers: Filled[] = []
  try {
    for (const transactions of counts) {
      const history = { transactions, revisions: fewRevisions, wide }
      servers.push({ transactions, server: await startFilledServer(history) })
    }
    const [smallest, largest] = [servers[0], servers.at(-1)]
    if (!smallest || !largest) throw new Error('no size was given')
    printLists(await listFigures(browser, servers), print)
    for (const filled of servers) print(lineOfRevisions(await revisionFigures(browser, filled)))
    print(await openingTable(browser, smallest))
    print(lineOfScroll(await scrollFigures(browser, largest)))
    await printDrawers(browser, smallest, print)
  } finally {
    for (const { server } of servers) await server.dispose()
  }
}

/** In turns, so that what else the machine does meets all alike. */
async function listFigures(browser: Browser, servers: readonly Filled[]): Promise<ListFigures[]> {
  const all = servers.map(() => [] as Awaited<ReturnType<typeof firstRows>>[])
  for (let run = 0; run < runs; run += 1) {
    for (const [at, { server }] of servers.entries()) {
      all[at]?.push(await firstRows(browser, server))
    }
  }
  return servers.map(({ transactions }, at) => {
    const found = all[at] ?? []
    return {
      transactions,
      requests: Math.max(...found.map(({ requests }) => requests)),
      bytes: Math.max(...found.map(({ bytes }) => bytes)),
      time: figure(found.map(({ time }) => time)),
    }
  })
}

async function firstRows(browser: Browser, server: ImmudbServer) {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.enter('/settings?db=defaultdb')
  await console.page.waitForLoadState('networkidle')
  const counted = countAnswers(console)
  const started = performance.now()
  await console.link('Transactions').press('Enter')
  await grid(console.page)
    .getByText(/^tx [\d,]+$/)
    .first()
    .waitFor()
  const time = performance.now() - started
  await console.page.waitForLoadState('networkidle')
  const found = await counted()
  await console.visit.end()
  return { ...found, time }
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Transactions', exact: true })

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

/** Counts requests to the server from now on, without those that poll. */
function countRequests(page: Page): () => number {
  let requests = 0
  page.on('request', (request) => {
    if (/\/api\/(v2\/|db\/(sqlquery|tx|history|get))/.test(request.url())) requests += 1
  })
  return () => requests
}

const revisionList = (page: Page) =>
  page.getByRole('dialog', { name: /^History of/ }).getByRole('list', { name: 'Revisions' })

async function revisionFigures(
  browser: Browser,
  { server, transactions }: Filled,
): Promise<RevisionFigures> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  const requests = countRequests(console.page)
  await console.enter('/query?db=defaultdb&table=ledger&row=n:1')
  for (let at = 0; at < fewRevisions; at += 1) {
    await revisionList(console.page)
      .getByRole('listitem')
      .nth(at)
      .getByText(/tx [\d,]+/)
      .waitFor()
  }
  const found = requests()
  await console.visit.end()
  return { transactions, requests: found }
}

/** The longest task while a transaction of 1,024 entries, or of one, is opened. */
async function openingTable(browser: Browser, { server, transactions }: Filled): Promise<string> {
  const measured = figure([await openingOf(browser, server, 1)])
  const floor = figure([await openingOf(browser, server, transactions)])
  const name = `longest task, opening ${count(wide)} entries / one entry`
  return comparisonTable([{ name, measured, floor }])
}

async function openingOf(browser: Browser, server: ImmudbServer, id: number): Promise<number> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.enter('/tx?db=defaultdb')
  const { page } = console
  const longest = await longestTask(page, 0, async () => {
    await page.goto(`${server.url}/tx?db=defaultdb&id=${id}`)
    await page.getByRole('article', { name: 'Entry 1', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
  })
  await console.visit.end()
  return longest
}

/** Scrolls through rows while other clients write. */
async function scrollFigures(
  browser: Browser,
  { server, transactions }: Filled,
): Promise<ScrollFigures> {
  const db = await api(server.url)
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.enter('/tx?db=defaultdb')
  const { page } = console
  await grid(page).getByText(/^tx/).first().waitFor()
  const heap = await heapOf(page)
  const used: number[] = []
  const seen = new Set<number>()
  for (let round = 0; round < rounds; round += 1) {
    for (const direction of [1, -1]) {
      const key = Buffer.from('arriving').toString('base64')
      for (let at = 0; at < 10; at += 1) await db.call('/db/set', { KVs: [{ key, value: key }] })
      const screens = await page.evaluate(scrollThrough, { rows: scrolledRows, direction })
      screens.forEach(assertInOrder)
      for (const id of screens.flat()) seen.add(id)
    }
    used.push(await heap())
  }
  await console.visit.end()
  const [first = 0, last = 0] = [Math.min(...seen), Math.max(...seen)]
  if (seen.size !== last - first + 1) throw new Error('some transactions were left out')
  return {
    seen: seen.size,
    arrived: Math.max(0, last - transactions),
    heap: { before: used[0] ?? 0, after: used.at(-1) ?? 0 },
  }
}

/** Tells the bytes in use once the garbage is gone. */
async function heapOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  return async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return usedSize
  }
}

/**
 * Runs in the page: scrolls most of a screen at a time and waits until what is in sight was read.
 * Returns the numbers of the transactions on each screen, from the top.
 */
async function scrollThrough(of: { rows: number; direction: number }): Promise<number[][]> {
  const box = document.querySelector('[role=grid][aria-label=Transactions]')
  if (!box) throw new Error('there is no list')
  const screens: number[][] = []
  const step = box.clientHeight * 0.9
  for (let done = 0; done < of.rows * 36; done += step) {
    box.scrollTop += of.direction * step
    const started = performance.now()
    do {
      await new Promise(requestAnimationFrame)
      if (performance.now() - started > 10_000) throw new Error('rows are not read')
    } while (box.textContent?.includes('Reading…'))
    const links = [...box.querySelectorAll('[role=row] a')]
      .map((link) => ({ text: link.textContent ?? '', top: link.getBoundingClientRect().top }))
      .filter(({ text }) => /^tx [\d,]+$/.test(text))
      .sort((one, other) => one.top - other.top)
    screens.push(links.map(({ text }) => Number(text.replace(/\D/g, ''))))
  }
  return screens
}

/** Fails when rows of a screen do not follow each other, one transaction a row. */
function assertInOrder(screen: readonly number[]): void {
  for (const [at, id] of screen.entries()) {
    const above = screen[at - 1]
    if (above !== undefined && above !== id + 1) throw new Error(`tx ${above} is above tx ${id}`)
  }
}

const subjects = ['row', 'key', 'document'] as const
type Subject = (typeof subjects)[number]

async function printDrawers(browser: Browser, few: Filled, print: Print): Promise<void> {
  const history = { transactions: transactionsOfMany, revisions: manyRevisions }
  const many = { server: await startFilledServer(history), transactions: transactionsOfMany }
  try {
    print(await middleOf(browser, many))
    for (const of of subjects) print(tableOfDrawer(await drawerOf(browser, { of, many, few })))
  } finally {
    await many.server.dispose()
  }
}

/** What it costs to find the transaction of a revision far from the newest and the oldest. */
async function middleOf(browser: Browser, { server, transactions }: Filled): Promise<string> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  const { page } = console
  const middle = count(manyRevisions / 2)
  await console.enter('/query?db=defaultdb')
  await page.waitForLoadState('networkidle')
  const requests = countRequests(page)
  const started = performance.now()
  await page.goto(`${server.url}/query?db=defaultdb&table=ledger&row=n:1&rev=${manyRevisions / 2}`)
  const line = revisionList(page).getByRole('button', { name: `rev ${middle}` })
  const found = line.getByText(/tx [\d,]+/)
  const lookUp = page.getByRole('button', { name: `Look up revision ${middle}` })
  await found.or(lookUp).first().waitFor({ timeout: patience })
  // Where it takes long the console waits for a press.
  if (await lookUp.isVisible()) await lookUp.click()
  await found.waitFor({ timeout: patience })
  const time = ((performance.now() - started) / 1_000).toFixed(1)
  await page.waitForLoadState('networkidle')
  const asked = requests()
  await console.visit.end()
  const of = `revision ${middle} of ${count(manyRevisions)} of a row in ${count(transactions)}`
  return `${of} transactions: ${asked} requests, ${time} s from the link`
}

type Drawers = { of: Subject; many: Filled; few: Filled }

async function drawerOf(browser: Browser, { of, many, few }: Drawers): Promise<DrawerFigures> {
  const times = { many: [] as number[], few: [] as number[] }
  for (let run = 0; run < runs; run += 1) {
    times.many.push(await newestShown(browser, many, of, manyRevisions))
    times.few.push(await newestShown(browser, few, of, fewRevisions))
  }
  const console = new ConsolePage(await visit(browser, many.server.url), many.server.url)
  const { page } = console
  await atWrite(console, many, of)
  const heap = await heapOf(page)
  const before = await heap()
  const asked = countRequests(page)
  await openDrawer(page, of, manyRevisions)
  await page.waitForLoadState('networkidle')
  const newest = asked()
  await toOldest(page)
  await page.waitForLoadState('networkidle')
  const oldest = asked() - newest
  const longest = await longestTask(page, 0, async () => {
    await page.goto(await addressOf(many, of))
    await openDrawer(page, of, manyRevisions)
    await toOldest(page)
  })
  const start = asked()
  const longestOfScrolling = await longestTask(page, 0, () =>
    revisionList(page).evaluate(scrollLines),
  )
  await page.waitForLoadState('networkidle')
  const requestsOfScrolling = asked() - start
  const after = await heap()
  await console.visit.end()
  return {
    of,
    many: figure(times.many),
    few: figure(times.few),
    requests: { newest, oldest },
    longest,
    longestOfScrolling,
    requestsOfScrolling,
    heap: { before, after },
  }
}

/** Milliseconds from the click on History to the newest revision. */
async function newestShown(
  browser: Browser,
  filled: Filled,
  of: Subject,
  revisions: number,
): Promise<number> {
  const console = new ConsolePage(await visit(browser, filled.server.url), filled.server.url)
  await atWrite(console, filled, of)
  const started = performance.now()
  await openDrawer(console.page, of, revisions)
  const time = performance.now() - started
  await console.visit.end()
  return time
}

async function atWrite(console: ConsolePage, filled: Filled, of: Subject): Promise<void> {
  await console.enter((await addressOf(filled, of)).slice(filled.server.url.length))
  await history(console.page, of).waitFor()
  await console.page.waitForLoadState('networkidle')
}

const history = (page: Page, of: Subject) =>
  page.getByRole(of === 'row' ? 'link' : 'button', { name: 'History', exact: true })

/** The newest transaction that wrote it. */
async function addressOf({ server }: Filled, of: Subject): Promise<string> {
  const id = await (of === 'key' ? newestOfKey(server) : newestOfOther(server, of))
  return `${server.url}/tx?db=defaultdb&id=${id}`
}

async function newestOfKey(server: ImmudbServer): Promise<string> {
  const db = await api(server.url)
  const key = encodeURIComponent(Buffer.from('many').toString('base64'))
  return (await db.call<{ tx: string }>(`/db/get/${key}`)).tx
}

type Entries = { entries: { key: string }[] }

/** The row is written right before the key, the document right after it. */
async function newestOfOther(server: ImmudbServer, of: Subject): Promise<string> {
  const tx = Number(await newestOfKey(server)) + (of === 'row' ? -1 : 1)
  const db = await api(server.url)
  const { entries } = await db.call<Entries>(`/db/tx/${tx}`)
  const prefix = Buffer.from(entries[0]?.key ?? '', 'base64')[0]
  if (prefix !== (of === 'row' ? 2 : 3)) throw new Error(`transaction ${tx} wrote no ${of}`)
  return String(tx)
}

async function openDrawer(page: Page, of: Subject, revisions: number): Promise<void> {
  await history(page, of).click()
  const name = `rev ${revisions.toLocaleString('en')}`
  await revisionList(page)
    .getByRole('button', { name })
    .getByText(/tx [\d,]+/)
    .waitFor({ timeout: patience })
}

async function toOldest(page: Page): Promise<void> {
  await revisionList(page).locator('[aria-current]').press('End')
  await revisionList(page).getByText('Inserted', { exact: true }).waitFor({ timeout: patience })
  await page.getByText('rev 1', { exact: true }).first().waitFor()
}

/** Runs in the page: scrolls through all lines, up to the newest, a screen a frame. */
async function scrollLines(list: Element): Promise<void> {
  const box = list.parentElement
  if (!box) throw new Error('the list is in no box')
  box.scrollTop = box.scrollHeight
  while (box.scrollTop > 0) {
    box.scrollTop -= box.clientHeight
    await new Promise(requestAnimationFrame)
  }
}

const count = (number: number) => number.toLocaleString('en')

function printLists(lists: readonly ListFigures[], print: Print): void {
  for (const { transactions, requests, bytes } of lists) {
    print(`list of ${count(transactions)} transactions: ${requests} requests, ${bytes} bytes`)
  }
  const [first, ...others] = lists
  if (!first || others.length === 0) return
  const compared = others.map(({ transactions, time }): Comparison => {
    const name = `first rows of ${count(transactions)} transactions / of ${count(first.transactions)}`
    return { name, measured: time, floor: first.time }
  })
  print(comparisonTable(compared))
}

function lineOfRevisions({ transactions, requests }: RevisionFigures): string {
  const limit = Math.ceil(2 * Math.log2(transactions)) * fewRevisions
  return `history of a row with ${fewRevisions} revisions in ${count(transactions)} transactions: ${requests} requests, the limit is ${limit}`
}

function tableOfDrawer(figures: DrawerFigures): string {
  const { of, many, few, requests, longest, longestOfScrolling, requestsOfScrolling } = figures
  const line = [
    `${count(manyRevisions)} revisions of a ${of}: ${requests.newest} requests for the newest,`,
    `${requests.oldest} more for the oldest; longest task ${longest.toFixed(0)} ms;`,
    `scrolling through all three times ${requestsOfScrolling} requests,`,
    `longest task ${longestOfScrolling.toFixed(0)} ms; heap ${grown(figures.heap)}`,
  ].join(' ')
  const name = `newest of ${count(manyRevisions)} revisions of a ${of} / of ${fewRevisions}`
  return `${line}\n${comparisonTable([{ name, measured: many, floor: few }])}`
}

function lineOfScroll(scroll: ScrollFigures): string {
  return [
    `${count(scroll.seen)} transactions scrolled down and up ${rounds} times while`,
    `${scroll.arrived} arrived: none left out, none shown twice; heap ${grown(scroll.heap)}`,
  ].join(' ')
}

function grown({ before, after }: Growth): string {
  const mib = (bytes: number) => (bytes / 1_048_576).toFixed(1)
  return `${mib(before)} → ${mib(after)} MiB (${(after / before).toFixed(2)}×)`
}
