import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import type { ImmudbServer } from '../support/immudb'
import { figure } from './figures'
import { goaudit, startFilledServer } from './goaudit'

const repeats = 3
const binary = fileURLToPath(new URL('../../.cache/webconsole', import.meta.url))

/** One audit of the same transactions by the console, by `webconsole audit` and by immudb's own Go packages. */
export type AuditFigures = {
  readonly transactions: number
  readonly withValues: boolean
  /** Transactions per second, medians of some runs. */
  readonly browser: number
  readonly standing: number
  readonly go: number
  /** Bytes the worker holds after its garbage is gone: at its first tenth, and the most after. */
  readonly heapStart: number
  readonly heapPeak: number
  /** Characters of what is kept so that the audit can be resumed. */
  readonly saved: number
}

/** Audits databases of each of these counts of transactions. */
export async function auditFigures(
  browser: Browser,
  counts: readonly number[],
): Promise<AuditFigures[]> {
  const found: AuditFigures[] = []
  for (const transactions of counts) {
    const server = await startFilledServer({ transactions })
    try {
      for (const withValues of [true, false]) {
        const times = transactions > 200_000 ? 1 : repeats
        found.push(await compared(browser, server, withValues, times))
      }
    } finally {
      await server.dispose()
    }
  }
  return found
}

/** Several times in turns, so that what else the machine does meets both alike. */
async function compared(
  browser: Browser,
  server: ImmudbServer,
  withValues: boolean,
  times: number,
): Promise<AuditFigures> {
  const own: number[] = []
  const go: number[] = []
  const standing: number[] = []
  let transactions = 0
  for (let time = 0; time < times; time += 1) {
    own.push((await inBrowser(browser, server, withValues)).rate)
    const found = JSON.parse(goaudit(server, [`-values=${withValues}`])) as GoFigures
    transactions = found.transactions
    go.push(transactions / found.seconds)
    standing.push(transactions / (await secondsOfAuditor(server, withValues)))
  }
  // To look at the heap stops the worker for as long as its garbage takes, so it is not timed.
  const { heapStart, heapPeak, saved } = await inBrowser(browser, server, withValues, true)
  return {
    transactions,
    withValues,
    browser: figure(own).median,
    standing: figure(standing).median,
    go: figure(go).median,
    heapStart,
    heapPeak,
    saved,
  }
}

/** From the start of `webconsole audit --once` on an empty folder to its end. */
async function secondsOfAuditor(server: ImmudbServer, withValues: boolean): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'auditor-'))
  try {
    const password = join(folder, 'password')
    await writeFile(password, 'immudb', { mode: 0o600 })
    const args = ['audit', '--once', '--server', server.url, '--user', 'immudb']
    const files = ['--password-file', password, '--dir', join(folder, 'kept')]
    const begin = performance.now()
    const values = withValues ? ['--values'] : []
    const { status, stdout, stderr } = spawnSync(binary, [...args, ...files, ...values], {
      encoding: 'utf8',
    })
    // A first contact is in part.
    if (status !== 2) throw new Error(`webconsole audit ended with ${status}: ${stdout}${stderr}`)
    return (performance.now() - begin) / 1_000
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type GoFigures = { transactions: number; seconds: number }

type Own = Pick<AuditFigures, 'heapStart' | 'heapPeak' | 'saved'> & { rate: number }

async function inBrowser(
  browser: Browser,
  server: ImmudbServer,
  withValues: boolean,
  isLookedAt = false,
): Promise<Own> {
  const opened = await visit(browser, server.url)
  try {
    const console = new ConsolePage(opened, server.url)
    await console.signIn('/verify?tab=audit')
    const { page } = console
    const start = page.getByRole('button', { name: 'Start the audit' })
    await start.waitFor()
    if (!withValues) await page.getByLabel('Read the values, too').uncheck()
    const heap = isLookedAt ? await WorkerHeap.of(page) : null
    await start.click()
    const ended = page.getByRole('heading', { name: /^Report/ })
    const samples: number[] = []
    let saved = 0
    const failed = page.getByRole('main').getByRole('alert')
    while (!(await ended.isVisible())) {
      if (await failed.isVisible()) throw new Error((await failed.textContent()) ?? '')
      if (heap) {
        samples.push(await heap.used())
        saved = Math.max(saved, await page.evaluate(keptAudit))
      }
      await page.waitForTimeout(heap ? 100 : 1_000)
    }
    const work = await page.locator('dt', { hasText: 'Work' }).locator('+ dd').textContent()
    const rate = /([\d,]+) transactions\/s/.exec(work ?? '')?.[1]?.replaceAll(',', '')
    const [first = 0] = samples.filter((bytes) => bytes > 0)
    return {
      rate: Number(rate),
      heapStart: first,
      heapPeak: Math.max(0, ...samples),
      saved: Math.max(saved, await page.evaluate(keptAudit)),
    }
  } finally {
    await opened.end()
  }
}

/** What the worker of a page holds, asked by the protocol of its browser. */
class WorkerHeap {
  readonly #session: CDPSession
  #worker = ''
  #number = 0
  readonly #open = new Map<number, (used: number) => void>()

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<WorkerHeap> {
    const session = await page.context().newCDPSession(page)
    const heap = new WorkerHeap(session)
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (/audit/.test(targetInfo.url)) heap.#worker = sessionId
    })
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message) as { id: number; result?: { usedSize?: number } }
      heap.#open.get(id)?.(result?.usedSize ?? 0)
    })
    await session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: false,
    })
    return heap
  }

  /** Bytes in use once the garbage is gone; 0 while there is no worker. */
  async used(): Promise<number> {
    if (this.#worker === '') return 0
    await this.#ask('HeapProfiler.collectGarbage')
    return this.#ask('Runtime.getHeapUsage')
  }

  #ask(method: string): Promise<number> {
    this.#number += 1
    const id = this.#number
    const answer = new Promise<number>((resolve) => {
      this.#open.set(id, resolve)
      // A worker that ended answers nothing.
      setTimeout(() => resolve(0), 2_000)
    })
    const message = JSON.stringify({ id, method })
    void this.#session
      .send('Target.sendMessageToTarget', { message, sessionId: this.#worker })
      .catch(() => this.#open.get(id)?.(0))
    return answer
  }
}

/** Runs in the page: the size of the largest audit that is kept, as JSON. */
function keptAudit(): Promise<number> {
  return new Promise((resolve) => {
    const request = indexedDB.open('webconsole-trust')
    request.onerror = () => resolve(0)
    request.onsuccess = () => {
      const database = request.result
      const all = database.transaction('audits').objectStore('audits').getAll()
      all.onsuccess = () => {
        database.close()
        resolve(Math.max(0, ...all.result.map((one: unknown) => JSON.stringify(one).length)))
      }
    }
  })
}

export function auditTable(figures: readonly AuditFigures[]): string {
  const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
  return figures
    .map(({ transactions, withValues, browser, standing, go, heapStart, heapPeak, saved }) =>
      [
        `audit of ${transactions} transactions ${withValues ? 'with values' : 'by digests '}:`,
        `${Math.round(browser)}/s in the browser, ${Math.round(standing)}/s by webconsole audit,`,
        `${Math.round(go)}/s by immudb’s Go packages; the browser`,
        `${(browser / go).toFixed(2)}× of it;`,
        `heap ${kib(heapStart)} → at most ${kib(heapPeak)}; kept ${saved} characters`,
      ].join(' '),
    )
    .join('\n')
}
