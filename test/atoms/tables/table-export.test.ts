// @vitest-environment node
import { beforeEach, expect, test } from 'vitest'
import { tableExport } from '~/atoms/tables/table-export'
import { newestExportAtom, startExport, stopExport } from '~/core/files/exports'
import { noFilter } from '~/sql/row-filter'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import type { RowModel } from '../../support/row-model'
import { openTab, signIn, type Tab } from '../../support/store'

const columns = [
  { name: 'id', type: 'INTEGER' },
  { name: 'name', type: 'VARCHAR' },
]
const model: RowModel = {
  table: 'people',
  columns,
  key: ['id'],
  rows: Array.from({ length: 6_000 }, (_, at) => [String(at + 1), `=person ${at + 1}`]),
}
const of = {
  database: 'defaultdb',
  table: 'people',
  period: '',
  columns,
  filter: noFilter,
  path: { index: ['id'], key: [{ name: 'id', type: 'INTEGER' }], isDescending: false },
}

let server: FakeImmudb
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb()
  const models = new Map([['people', model]])
  server.databases.set('defaultdb', { isLoaded: true, txId: 3, tables: new Map(), models })
  tab = openTab(server)
  await signIn(tab)
})

test('a file has every row once, whatever page is shown, and says that it is complete', async () => {
  const file = await startExport(tab.store, tableExport(of), 'exact-csv')
  const lines = file?.parts.join('').trimEnd().split('\r\n')
  expect(lines?.slice(0, 2)).toEqual(['id,name', '1,=person 1'])
  expect(lines).toHaveLength(6_001)
  expect(new Set(lines).size).toBe(6_001)
  expect(file?.name).toBe('defaultdb-people-exact-6000-rows.csv')
  expect(tab.store.get(newestExportAtom)('table')).toMatchObject({
    state: 'complete',
    text: 'Complete: 6,000 rows in defaultdb-people-exact-6000-rows.csv.',
  })
})

const statements = () =>
  server.calls.filter(({ path }) => path === '/db/sqlquery').map(({ body }) => String(body.sql))

test('a file is read in as few pages as the server gives, the next while one is written', async () => {
  await startExport(tab.store, tableExport(of), 'csv')
  expect(statements()).toHaveLength(3)
  expect(statements().every((sql) => sql.endsWith('LIMIT 2500;'))).toBe(true)
})

/** The order by the name, which no index has. */
const byName = {
  index: ['name', 'id'],
  key: [
    { name: 'name', type: 'VARCHAR' },
    { name: 'id', type: 'INTEGER' },
  ],
  isDescending: true,
  isSorted: true,
} as const

test('a file of few rows has the order that is shown', async () => {
  const file = await startExport(
    tab.store,
    tableExport({ ...of, path: byName }, of.path),
    'exact-csv',
  )
  const lines = file?.parts.join('').trimEnd().split('\r\n') ?? []
  expect(lines[1]).toBe('999,=person 999')
  expect(new Set(lines).size).toBe(6_001)
  expect(tab.store.get(newestExportAtom)('table')?.text).toBe(
    'Complete: 6,000 rows in defaultdb-people-exact-6000-rows.csv.',
  )
})

test('a file of many rows has the order of the key where the server would sort all for each page', async () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => [String(at + 1), `person ${at + 1}`])
  server.databases.get('defaultdb')?.models?.set('people', { ...model, rows })
  const file = await startExport(
    tab.store,
    tableExport({ ...of, path: byName }, of.path),
    'exact-csv',
  )
  const lines = file?.parts.join('').trimEnd().split('\r\n') ?? []
  expect(lines.slice(1)).toEqual(rows.map(([id, name]) => `${id},${name}`))
  expect(statements().filter((sql) => /ORDER BY "?name/.test(sql))).toEqual([])
  expect(tab.store.get(newestExportAtom)('table')?.text).toBe(
    'Complete: 10,001 rows in defaultdb-people-exact-10001-rows.csv. The rows are in the order of the primary key, because no index has the order that is shown.',
  )
})

test('a file for spreadsheets says how many cells have an apostrophe', async () => {
  await startExport(tab.store, tableExport(of), 'semicolon-csv')
  expect(tab.store.get(newestExportAtom)('table')?.text).toBe(
    'Complete: 6,000 rows in defaultdb-people-excel-semicolons-6000-rows.csv. 6,000 cells have an apostrophe, so that no spreadsheet reads a formula.',
  )
})

test('a filter and a moment stand in the name of the file', async () => {
  const filter = {
    isAny: false,
    conditions: [{ column: 'id', operator: '<=', values: ['2'] }],
  } as const
  const file = await startExport(
    tab.store,
    tableExport({ ...of, filter, period: 'UNTIL TX 2' }),
    'json',
  )
  expect(file?.name).toBe('defaultdb-people-tx2-filtered-2-rows.json')
  expect(JSON.parse(file?.parts.join('') ?? '')).toEqual([
    { id: 1, name: '=person 1' },
    { id: 2, name: '=person 2' },
  ])
})

test.each([
  [model.rows.length, 'defaultdb-people-times-may-be-missing-6000-rows.csv'],
  [5, 'defaultdb-people-5-rows.csv'],
])(
  'of %i rows in the order of times, the name says so where a further page was read',
  async (rows, name) => {
    server.databases.get('defaultdb')?.models?.set('people', {
      ...model,
      rows: model.rows.slice(0, rows),
    })
    const timed = columns.map((column) => ({ ...column, type: 'TIMESTAMP' }))
    const path = { ...of.path, key: [{ name: 'id', type: 'TIMESTAMP' }] }
    const file = await startExport(tab.store, tableExport({ ...of, columns: timed, path }), 'csv')
    expect(file?.name).toBe(name)
  },
)

test('one that is stopped says that it is not complete', async () => {
  const stop = tab.store.sub(newestExportAtom, () => {
    if (/so far/.test(tab.store.get(newestExportAtom)('table')?.text ?? ''))
      stopExport(tab.store, 'table')
  })
  const file = await startExport(tab.store, tableExport(of), 'csv')
  stop()
  expect(file?.name).toBe('defaultdb-people-2499-rows-incomplete.csv')
  expect(tab.store.get(newestExportAtom)('table')).toMatchObject({ state: 'stopped' })
})

test('nothing is written when the table cannot be read', async () => {
  const file = await startExport(tab.store, tableExport({ ...of, table: 'gone' }), 'csv')
  expect(file).toBeNull()
  expect(tab.store.get(newestExportAtom)('table')?.text).toMatch(/^No file was written\. /)
})
