// npm run bench: how long a big result takes to appear and to scroll, what proofs take, how quick an
// audit is, and how the screens of the past grow with the history, against a floor measured in the
// same run. Figures of one machine mean little alone, so the ratios are what counts.
// `-- --txs 10000,1000000` sets the sizes of the audits, `-- --histories 1000,1000000` those of the
// screens of the past, `-- --rows 1000000` that of tables, `-- --only audit` (or data, finder,
// history, load, proofs, results, servers, verifying; of data also rows, import, keys, script) runs one part.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { api } from '../support/api'
import { openBrowser, visit } from '../support/browser'
import { ensureChromium } from '../support/chromium'
import { ConsolePage } from '../support/console-page'
import { type ImmudbServer, startServer } from '../support/immudb'
import { createWideTable } from '../support/sql-samples'
import { auditFigures, auditTable } from './audit'
import { dataParts } from './data'
import { type Comparison, comparisonTable, figure } from './figures'
import { finderFigures } from './finder'
import { historyFigures } from './history'
import { loadFigures, loadTable } from './load'
import { proofFigures, proofTable } from './proofs'
import { serverFigures } from './servers'
import { verifyingFigures, verifyingTable } from './verifying'

const runs = 20
const rows = 2_500
const columns = 20
const sql = 'SELECT * FROM bench;'

const { values: options } = parseArgs({
  options: {
    txs: { type: 'string', default: '10000,100000' },
    histories: { type: 'string', default: '1000,1000000' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
  },
})
const isWanted = (part: string) => options.only === undefined || options.only === part

ensureChromium()
const browser = await openBrowser()
try {
  console.log(`CPU: ${cpus()[0]?.model} (${cpus().length} cores), ${runs} runs`)
  if (isWanted('load')) console.log(loadTable(await loadFigures(browser)))
  if (isWanted('results')) console.log(`${comparisonTable(await compare())}`)
  if (isWanted('proofs')) console.log(proofTable(await proofFigures()))
  if (isWanted('verifying')) console.log(verifyingTable(await verifyingFigures(browser)))
  if (isWanted('finder')) console.log(await finderFigures(browser))
  if (isWanted('servers')) console.log(comparisonTable(await serverFigures(browser)))
  if (isWanted('history')) {
    const counts = options.histories.split(',').map(Number)
    await historyFigures(browser, counts, (line) => console.log(line))
  }
  for (const [name, part] of Object.entries(dataParts)) {
    const rows = Number(options.rows)
    if (isWanted('data') || options.only === name) console.log(await part({ browser, rows }))
  }
  if (isWanted('audit')) {
    const counts = options.txs.split(',').map(Number)
    console.log(auditTable(await auditFigures(browser, counts)))
  }
} finally {
  await browser.close()
}

async function compare(): Promise<Comparison[]> {
  const server = await startServer()
  try {
    return await compareOn(server)
  } finally {
    await server.dispose()
  }
}

async function compareOn(server: ImmudbServer): Promise<Comparison[]> {
  const db = await api(server.url)
  await createWideTable(db, 'bench', rows, columns)
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.signIn('/query')
  await console.write(sql)
  const shown: number[] = []
  const answered: number[] = []
  const frames: number[] = []
  const idle: number[] = []
  for (let run = 1; run <= runs; run++) {
    answered.push(await console.page.evaluate(fetchAndParse, { token: db.token, sql }))
    await markRun(console)
    shown.push(await console.page.evaluate(untilRowsOf, run))
    idle.push(await console.page.evaluate(longestFrame, { run, isScrolling: false }))
    frames.push(await console.page.evaluate(longestFrame, { run, isScrolling: true }))
    await console.page.getByRole('button', { name: 'Clear the output', exact: true }).click()
  }
  return [
    {
      name: `${rows} × ${columns}: Run to first visible rows / server + JSON.parse`,
      measured: figure(shown),
      floor: figure(answered),
    },
    {
      name: 'longest frame, scrolling top to bottom / standing still',
      measured: figure(frames),
      floor: figure(idle),
    },
  ]
}

/** Has the next click on Run noted by the page itself, so that the driver's own time is left out. */
async function markRun({ run }: ConsolePage): Promise<void> {
  await run.evaluate((button) => {
    button.addEventListener('click', () => Reflect.set(window, '__benchStart', performance.now()), {
      capture: true,
      once: true,
    })
  })
  await run.click()
}

/** Runs in the page: the time of the request the console makes, and of parsing its answer. */
async function fetchAndParse({ token, sql }: { token: string; sql: string }): Promise<number> {
  const started = performance.now()
  const answer = await fetch('/api/db/sqlquery', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ sql }),
  })
  const parsed: { rows: unknown[] } = JSON.parse(await answer.text())
  if (parsed.rows.length < 2) throw new Error('the floor measured an empty answer')
  return performance.now() - started
}

/** Runs in the page: from the click to the frame that shows rows of the newest result. */
async function untilRowsOf(number: number): Promise<number> {
  for (;;) {
    const region = document.querySelector(`[aria-label="Result ${number}"]`)
    if (region?.querySelector('[role=gridcell]')) break
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const started: number = Reflect.get(window, '__benchStart')
  Reflect.deleteProperty(window, '__benchStart')
  return performance.now() - started
}

/** Runs in the page: the longest of 120 frames while a result is scrolled through, or is not. */
async function longestFrame({ run, isScrolling }: { run: number; isScrolling: boolean }) {
  const region = document.querySelector(`[aria-label="Result ${run}"]`)
  const scroller = [...(region?.querySelectorAll('*') ?? [])].find(
    (element) => element.scrollHeight > element.clientHeight + 100,
  )
  if (!scroller) throw new Error('the result does not scroll')
  let last = await new Promise<number>(requestAnimationFrame)
  let longest = 0
  for (let step = 1; step <= 120; step++) {
    if (isScrolling) scroller.scrollTop = (scroller.scrollHeight * step) / 120
    const now = await new Promise<number>(requestAnimationFrame)
    longest = Math.max(longest, now - last)
    last = now
  }
  return longest
}
