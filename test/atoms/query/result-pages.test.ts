// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { outputAtom } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { resultExport } from '~/atoms/query/result-export'
import { fetchResultPages, stopPages } from '~/atoms/query/result-pages'
import { runStatements } from '~/atoms/query/run'
import { newestExportAtom, startExport, stopExport } from '~/core/files/exports'
import { stateAtom } from '~/core/history/newest-state'
import type { ExportFormat } from '~/sql/result-text'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(at + 1), tx: 3 }))

beforeEach(async () => {
  server = fakeImmudb()
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 3,
    tables: new Map([
      ['long', rows(2_501)],
      ['brimful', rows(2_500)],
      ['fault_hang_2', rows(3_000)],
    ]),
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('3'))
  server.clear()
})

async function run(text: string): Promise<OutputEntry> {
  await runStatements(tab.store, text, splitStatements(text))
  return entry()
}

function entry(): OutputEntry {
  const found = tab.store.get(outputAtom).findLast((item) => item.kind === 'entry')
  if (found?.kind !== 'entry') throw new Error('no entry')
  return found
}

const sent = () => server.calls.flatMap(({ body }) => (body.sql === undefined ? [] : [body.sql]))
const ids = ({ result }: OutputEntry) => result?.columns[0]?.values ?? []

describe('F66: more rows than one answer may hold', () => {
  test('2,500 rows come at once', async () => {
    expect(await run('SELECT id FROM brimful')).toMatchObject({
      message: '2,500 rows',
      paging: null,
    })
    expect(sent()).toEqual(['SELECT id FROM brimful;'])
  })

  test('of 2,501 the first 1,000 come, and it is said that more exist', async () => {
    const found = await run('SELECT id FROM long')
    expect(found.message).toBe('The first 1,000 rows, all as of tx 3; more exist.')
    expect(found.sent).toBe('SELECT id FROM long UNTIL TX 3 ORDER BY id ASC LIMIT 1000;')
    expect(ids(found)).toHaveLength(1_000)
  })

  test('the next pages follow the key, and show what was there at the first', async () => {
    const { number } = await run('SELECT id FROM long')
    server.databases.get('defaultdb')?.tables.get('long')?.push({ id: '9000', tx: 4 })
    await fetchResultPages(tab.store, number, 'next')
    expect(sent().at(-1)).toMatch(/WHERE id > 1000 ORDER BY id ASC LIMIT 1001;$/)
    expect(entry().message).toMatch(/^The first 2,000 rows/)
    await fetchResultPages(tab.store, number, 'all')
    expect(entry()).toMatchObject({ message: '2,501 rows, fetched in pages, all as of tx 3.' })
    expect(ids(entry())).toEqual(rows(2_501).map(({ id }) => id))
    server.clear()
    await fetchResultPages(tab.store, number, 'all')
    expect(sent()).toEqual([])
  })

  test('a page that fails leaves the rows that are here, and can be asked for again', async () => {
    const { number } = await run('SELECT id FROM long')
    server.databases.get('defaultdb')?.tables.delete('long')
    await fetchResultPages(tab.store, number, 'all')
    expect(entry().paging?.problem).toMatch(/does not exist/)
    expect(ids(entry())).toHaveLength(1_000)
    server.databases.get('defaultdb')?.tables.set('long', rows(2_501))
    await fetchResultPages(tab.store, number, 'all')
    expect(ids(entry())).toHaveLength(2_501)
  })

  test('fetching can be stopped, and is not started twice', async () => {
    const { number } = await run('SELECT id FROM long')
    const first = fetchResultPages(tab.store, number, 'all')
    await fetchResultPages(tab.store, number, 'all')
    stopPages(tab.store, number)
    await first
    expect(entry().paging).toMatchObject({ isFetching: false, isComplete: false, problem: null })
  })
})

describe('an export', () => {
  const save = (entry: OutputEntry, format: ExportFormat) => {
    if (!entry.result) throw new Error('It has no rows.')
    return startExport(tab.store, resultExport(entry, entry.result), format)
  }

  test('of a whole result says that it is complete', async () => {
    const file = await save(await run('SELECT id FROM brimful LIMIT 2'), 'csv')
    expect(file?.parts.join('')).toBe('id\r\n1\r\n2\r\n')
    expect(file?.name).toBe('defaultdb-brimful-result-1-2-rows.csv')
    expect(tab.store.get(newestExportAtom)('result 1')?.text).toMatch(/^Complete: 2 rows/)
  })

  test.each(['csv', 'exact-csv', 'json'] as const)(
    'as %s fetches the rows that are not here',
    async (format) => {
      const file = await save(await run('SELECT id FROM long'), format)
      const text = file?.parts.join('') ?? ''
      expect(text.match(/\d+/g)?.filter((digits) => digits !== '1').length).toBe(2_500)
      if (format === 'json') expect(JSON.parse(text)).toHaveLength(2_501)
      expect(file?.name).toMatch(format === 'exact-csv' ? /-exact-2501-rows\.csv$/ : /-2501-rows\./)
      expect(ids(entry())).toHaveLength(1_000)
    },
  )

  test('that fails or is stopped half way says so, also in its name', async () => {
    const found = await run('SELECT id FROM long')
    server.databases.get('defaultdb')?.tables.delete('long')
    const file = await save(found, 'csv')
    expect(file?.name).toMatch(/1000-rows-incomplete\.csv$/)
    expect(tab.store.get(newestExportAtom)('result 1')).toMatchObject({ state: 'failed' })
    expect(tab.store.get(newestExportAtom)('result 1')?.text).toMatch(
      /^Not complete: only the first 1,000 rows/,
    )
    server.databases.get('defaultdb')?.tables.set('long', rows(2_501))
    const stopped = save(found, 'csv')
    stopExport(tab.store, `result ${found.number}`)
    expect((await stopped)?.name).toMatch(/incomplete/)
    expect(tab.store.get(newestExportAtom)('result 1')?.state).toBe('stopped')
  })
})
