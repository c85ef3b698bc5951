import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { startServer } from '../support/immudb'
import { ImportPage } from '../support/import-page'
import { buildGoaudit, goaudit } from './goaudit'
import { collected, peakUntil } from './heap'

/** As the console takes for a table without an index. */
const rowsEach = 1_024

/** Both ways take turns and the best of each counts, because others use the machine as well. */
const rounds = 3

export type ImportFigures = {
  readonly rows: number
  /** Rows per second of the console, from the click to the end, its new table included. */
  readonly console: number
  /** The same of a Go program over gRPC, with the same rows in the same transactions. */
  readonly go: number
  /**
   * The same over REST, which is all that the console has: the server's gateway reads JSON and calls
   * gRPC in turn.
   */
  readonly rest: number
  /** Bytes of the page's heap after a collection, before and after the import, and its peak. */
  readonly heap: { readonly before: number; readonly after: number; readonly peak: number }
}

/** How quick a file of so many rows is imported; each way has a server of its own. */
export async function importFigures(browser: Browser, rows: number): Promise<ImportFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  try {
    const file = join(folder, 'loaded.csv')
    await writeFile(file, csvOf(rows))
    const go: number[] = []
    const rest: number[] = []
    const found: Awaited<ReturnType<typeof withConsole>>[] = []
    for (let round = 0; round < rounds; round += 1) {
      go.push(await withGo(file, rows))
      rest.push(await withGo(file, rows, 'over REST'))
      found.push(await withConsole(browser, file, rows))
    }
    const heap = (part: keyof ImportFigures['heap']) =>
      Math.max(...found.map((one) => one.heap[part]))
    return {
      rows,
      go: Math.max(...go),
      rest: Math.max(...rest),
      console: Math.max(...found.map((one) => one.console)),
      heap: { before: heap('before'), after: heap('after'), peak: heap('peak') },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function csvOf(rows: number): string {
  const started = Date.UTC(2024, 0, 1)
  const lines = Array.from({ length: rows }, (_, at) =>
    [
      at + 1,
      `label of ${at + 1}`,
      ((at * 7_919) % 100_000) / 100,
      new Date(started + at * 61_007).toISOString(),
      at % 3 === 0,
      `"a note, as notes are, about row ${at + 1}"`,
    ].join(','),
  )
  return `id,label,price,made,sold,note\n${lines.join('\n')}\n`
}

async function withGo(file: string, rows: number, how?: 'over REST'): Promise<number> {
  buildGoaudit()
  const server = await startServer()
  try {
    const { base, token } = await api(server.url)
    const rest = how ? ['-rest', `${base}/api`, '-token', token] : []
    const args = ['-load', file, '-each', String(rowsEach), ...rest]
    const found = JSON.parse(goaudit(server, args))
    if (found.rows !== rows) throw new Error('the Go loader did not insert all rows')
    return rows / found.seconds
  } finally {
    await server.dispose()
  }
}

async function withConsole(browser: Browser, file: string, rows: number) {
  const server = await startServer()
  try {
    const page = new ConsolePage(await visit(browser, server.url), server.url)
    const session = await page.visit.context.newCDPSession(page.page)
    await page.enter('/query')
    const dialog = new ImportPage(page)
    await dialog.open()
    await dialog.dialog.getByLabel('CSV file').setInputFiles(file)
    await dialog.check()
    const before = await collected(session)
    const started = performance.now()
    await dialog.button(/^Import [\d,]+ rows$/).click()
    const peak = await peakUntil(session, completed(page.page))
    const seconds = (performance.now() - started) / 1_000
    const after = await collected(session)
    const db = await api(server.url)
    const [[count] = []] = await db.query('SELECT COUNT(*) FROM loaded;')
    if (count?.n !== String(rows)) throw new Error('the console did not import all rows')
    await page.visit.end()
    return { console: rows / seconds, heap: { before, after, peak } }
  } finally {
    await server.dispose()
  }
}

/** Waits for the end without asking for it time and again, which would take time from the import. */
function completed(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          const titles = [...document.querySelectorAll('[role=dialog] h2')]
          if (!titles.some(({ textContent }) => textContent === 'Import complete')) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
  )
}

/** The figures as lines. */
export function importTable({ rows, console, go, rest, heap }: ImportFigures): string {
  const mib = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`
  return [
    `import of ${rows} rows, ${rowsEach} in a transaction, the best of ${rounds} turns`,
    `console ${console.toFixed(0)} rows/s, Go loader ${go.toFixed(0)} rows/s: ${(console / go).toFixed(2)}`,
    `Go loader over REST, as the console, ${rest.toFixed(0)} rows/s: ${(console / rest).toFixed(2)}`,
    `heap before ${mib(heap.before)}, after ${mib(heap.after)}, peak without collection ${mib(heap.peak)}`,
  ].join('\n')
}
