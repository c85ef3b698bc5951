import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { startServer } from '../support/immudb'
import { ScriptPage } from '../support/script-page'
import { collected, peakUntil } from './heap'

const size = 100 * 1_048_576
/** Milliseconds for which rows are sent. */
const sending = 20_000

/**
 * What a script of 100 MiB costs: half of it INSERTs of one row, half the data of COPY. Returns the
 * lines that tell it.
 */
export async function scriptTable({ browser }: { readonly browser: Browser }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'script-'))
  const server = await startServer()
  try {
    const file = join(folder, 'large.sql')
    const rows = await writeScript(file)
    const console = new ConsolePage(await visit(browser, server.url), server.url)
    const session = await console.page.context().newCDPSession(console.page)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    await console.page.evaluate(watchTasks)
    const before = await collected(session)
    const started = performance.now()
    await page.dialog.getByLabel('SQL script').setInputFiles(file)
    const judged = page.lines.waitFor({ timeout: 600_000 })
    const peak = await peakUntil(session, judged)
    const seconds = (performance.now() - started) / 1_000
    const task = await console.page.evaluate(longestTask)
    const after = await collected(session)
    await page.run()
    await new Promise((resolve) => setTimeout(resolve, sending))
    await page.button('Pause').click()
    await console.page.getByRole('dialog', { name: 'Import stopped' }).waitFor()
    const rate = await page.dialog.getByText(/rows and statements\/s$/).textContent()
    const mib = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
    await console.visit.end()
    return [
      `script of ${mib(size)} with ${rows} rows`,
      `judged in ${seconds.toFixed(1)} s: ${(rows / seconds).toFixed(0)} statements/s`,
      `longest task while it was read ${task.toFixed(0)} ms`,
      `heap before ${mib(before)}, judged ${mib(after)}, peak without collection ${mib(peak)}`,
      `sent: ${rate}`,
    ].join('\n')
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the script; how many rows it has. */
async function writeScript(file: string): Promise<number> {
  const head = `-- PostgreSQL database dump
CREATE TABLE one (id bigint PRIMARY KEY, label varchar(80), at timestamp, price numeric(12,2), note text);
CREATE TABLE two (id bigint PRIMARY KEY, label varchar(80), at timestamp, price numeric(12,2), note text);
`
  const note = (at: number) => `a note, as notes are, with it''s quotes about row ${at}`
  const inserts: string[] = []
  const copied: string[] = []
  let [bytes, at] = [0, 0]
  while (bytes < size / 2) {
    at += 1
    const line = `INSERT INTO one VALUES (${at}, 'label ${at}', '2024-05-06 07:08:09.123', ${at}.25, '${note(at)}');`
    inserts.push(line)
    bytes += line.length + 1
  }
  const first = at
  for (bytes = 0; bytes < size / 2; ) {
    at += 1
    const line = `${at}\tlabel ${at}\t2024-05-06 07:08:09.123\t${at}.25\t${note(at)}`
    copied.push(line)
    bytes += line.length + 1
  }
  const copy = 'COPY two (id, label, at, price, note) FROM stdin;'
  await writeFile(file, `${head}${inserts.join('\n')}\n${copy}\n${copied.join('\n')}\n\\.\n`)
  if (first === at) throw new Error('the script has no data')
  return at
}

/** Runs in the page. */
function watchTasks(): void {
  Reflect.set(window, '__longest', 0)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      Reflect.set(window, '__longest', Math.max(Reflect.get(window, '__longest'), duration))
  }).observe({ type: 'longtask' })
}

/** Runs in the page. Tasks below 50 ms are not told. */
function longestTask(): number {
  return Reflect.get(window, '__longest')
}
