import { seeksBehind } from '~/sql/keyset'
import { noFilter } from '~/sql/row-filter'
import { type RowPath, rowsSql, type Statement, typesOf } from '~/sql/table-rows'
import { type Api, api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { type ImmudbServer, startServer } from '../support/immudb'
import { importFigures, importTable } from './data-import'
import { keysTable } from './data-keys'
import { scriptTable } from './data-script'
import { type Comparison, comparisonTable, figure } from './figures'

export type DataOptions = { readonly browser: Browser; readonly rows: number }

/** What is measured of tables, keys and documents, each with the lines that tell it. */
export const dataParts: Readonly<Record<string, (options: DataOptions) => Promise<string>>> = {
  rows: rowsTable,
  import: async ({ browser, rows }) =>
    importTable(await importFigures(browser, Math.min(rows, mostImported))),
  keys: keysTable,
  script: scriptTable,
}

const runs = 30
/** Rows of the imported file. */
const mostImported = 100_000
const perPage = 100
/** Rows of one transaction, in a database that takes so many. */
const filledAtOnce = 10_000
const database = 'bench'

/** A table to be filled, with the key of each row by its number from 0. */
type Filled = {
  readonly table: string
  readonly create: string
  readonly key: readonly { readonly name: string; readonly type: string }[]
  readonly keyOf: (row: number, rows: number) => readonly number[]
}

const tables: readonly Filled[] = [
  {
    table: 'plain',
    create: 'CREATE TABLE plain (id INTEGER, name VARCHAR, amount INTEGER, PRIMARY KEY id);',
    key: [{ name: 'id', type: 'INTEGER' }],
    keyOf: (row) => [row + 1],
  },
  {
    // Ten values in the first column, so that each of them has a tenth of the rows.
    table: 'grouped',
    create:
      'CREATE TABLE grouped (part INTEGER, id INTEGER, name VARCHAR, amount INTEGER, PRIMARY KEY (part, id));',
    key: [
      { name: 'part', type: 'INTEGER' },
      { name: 'id', type: 'INTEGER' },
    ],
    keyOf: (row, rows) => [Math.floor((row * 10) / rows), row + 1],
  },
]

/**
 * What a late page of a table costs beside the first one: by the statements of the console on the
 * wire, and from the press to the rows on the page.
 */
async function rowsTable({ browser, rows }: DataOptions): Promise<string> {
  const server = await startServer()
  try {
    const started = performance.now()
    await fill(server, rows)
    const filled = `filled in ${((performance.now() - started) / 1_000).toFixed(0)} s`
    const db = await api(server.url, { database })
    const lines: Comparison[] = []
    for (const of of tables) lines.push(...(await onTheWire(db, of, rows)))
    for (const of of tables) lines.push(await inThePage(browser, server, of))
    const pages = Math.floor(rows / perPage)
    const head = `rows: ${rows} rows in pages of ${perPage}, page ${pages} beside page 1, ${filled}`
    return `${head}\n${comparisonTable(lines)}`
  } finally {
    await server.dispose()
  }
}

async function fill(server: ImmudbServer, rows: number): Promise<void> {
  const first = await api(server.url)
  const settings = { maxTxEntries: { value: filledAtOnce * 2 } }
  await first.call('/db/create/v2', { name: database, settings })
  const db = await api(server.url, { database })
  for (const { create, table, key, keyOf } of tables) {
    await db.exec(create)
    const names = [...key.map(({ name }) => name), 'name', 'amount'].join(', ')
    for (let from = 0; from < rows; from += filledAtOnce) {
      const count = Math.min(filledAtOnce, rows - from)
      const values = Array.from({ length: count }, (_, at) => {
        const row = from + at
        return `(${keyOf(row, rows).join(', ')}, 'name ${row % 1_000}', ${row * 7})`
      })
      await db.exec(`INSERT INTO ${table} (${names}) VALUES ${values.join(',')};`)
    }
  }
}

/** The first page, the last one forwards, and the last one backwards, in turn. */
async function onTheWire(db: Api, of: Filled, rows: number): Promise<Comparison[]> {
  const path: RowPath = { index: of.key.map(({ name }) => name), key: of.key, isDescending: false }
  const last = of.keyOf(rows - perPage - 1, rows).map(String)
  const edge = of.keyOf(Math.floor(rows / 2) - 1 - perPage / 2, rows).map(String)
  const pages = {
    first: () => readPage(db, of, path, null, false),
    last: () => readPage(db, of, path, last, false),
    back: () => readPage(db, of, path, null, true),
    // A page that begins in one group and ends in the next takes two statements.
    edge: () => readPage(db, of, path, edge, false),
  }
  const times = {
    first: [] as number[],
    last: [] as number[],
    back: [] as number[],
    edge: [] as number[],
  }
  for (let run = -3; run < runs; run += 1) {
    for (const name of ['first', 'last', 'back', 'edge'] as const) {
      const started = performance.now()
      const count = await pages[name]()
      if (count !== perPage) throw new Error(`${of.table}: ${count} rows on the ${name} page`)
      if (run >= 0) times[name].push(performance.now() - started)
    }
  }
  const floor = figure(times.first)
  const line = (name: string, samples: number[]) => ({
    name: `${of.table}: ${name}`,
    measured: figure(samples),
    floor,
  })
  const lines = [line('last page forwards', times.last), line('last page backwards', times.back)]
  return of.key.length > 1 ? [...lines, line('page over an edge', times.edge)] : lines
}

/** Asks as the console does: one seek after the other until there are enough rows. */
async function readPage(
  db: Api,
  { table, key }: Filled,
  path: RowPath,
  last: readonly string[] | null,
  isBackwards: boolean,
): Promise<number> {
  let count = 0
  for (const seek of last ? seeksBehind(key, last) : [null]) {
    const asked = { table, period: '', filter: noFilter, path, skip: 0, isBackwards }
    const { sql, params }: Statement = rowsSql(
      { ...asked, seek, limit: perPage - count },
      typesOf(key),
    )
    const answer = await db.call<{ rows?: unknown[] }>('/db/sqlquery', { sql, params })
    count += answer.rows?.length ?? 0
    if (count >= perPage) break
  }
  return count
}

/** From the press on “Last” or “First” to the rows on the page. */
async function inThePage(
  browser: Browser,
  server: ImmudbServer,
  { table }: Filled,
): Promise<Comparison> {
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.enter(`/query?db=${database}&table=${table}`)
  const { page } = console
  const grid = page.getByRole('grid', { name: `Rows of ${table}`, exact: true })
  await grid.getByRole('gridcell').first().waitFor()
  const times = { First: [] as number[], Last: [] as number[] }
  for (let run = 0; run < runs / 2; run += 1) {
    for (const name of ['Last', 'First'] as const) {
      const before = await grid.getByRole('gridcell').first().textContent()
      const id = table === 'plain' ? before : await grid.getByRole('gridcell').nth(1).textContent()
      const started = performance.now()
      await page.getByRole('button', { name: `${name} page`, exact: true }).click()
      await page.waitForFunction(
        ([label, old]) => {
          const found = document.querySelector(`[role=grid][aria-label="${label}"]`)
          const shown = [...(found?.querySelectorAll('[role=gridcell]') ?? [])].slice(0, 2)
          return shown.length > 0 && !shown.some(({ textContent }) => textContent === old)
        },
        [`Rows of ${table}`, id ?? ''] as const,
      )
      times[name].push(performance.now() - started)
    }
  }
  await console.visit.end()
  return {
    name: `${table}: shown in the page`,
    measured: figure(times.Last),
    floor: figure(times.First),
  }
}
