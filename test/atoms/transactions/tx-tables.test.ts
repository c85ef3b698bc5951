// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { readCatalogueHistory, readingAtom } from '~/atoms/tables/catalogue-history'
import { collectionNameAtom, tableViewAtom } from '~/atoms/transactions/tx-tables'
import { stateAtom } from '~/core/history/newest-state'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom } from '~/core/session/session'
import { PastServer, type PastTx, pastTxs } from '../../support/past-server'
import { until } from '../../support/until'

let server: PastServer
let store: Store

function open(txs: readonly PastTx[] = pastTxs) {
  server.txs = txs
  connect(store, '/api', async (input, init) => {
    const path = String(input).replace('/api', '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    return today(path, body) ?? server.answer(input, init)
  })
  openQueryCache(store)
  store.set(databaseAtom, 'odd')
  store.sub(stateAtom, () => {})
}

beforeEach(() => {
  server = new PastServer()
  store = createStore()
})

/** Tables of today: 1 flour, 4 oats (without rows), 7 rye; the numbers between were dropped. */
const numbers: Readonly<Record<string, number>> = { flour: 1, oats: 4, rye: 7 }

type Body = { sql?: string; tableName?: string; sqlGetRequest?: { table: string } }

function today(path: string, { sql = '', sqlGetRequest }: Body): Response | undefined {
  const cell = (s: string) => ({ s })
  if (path === '/db/table/list') {
    const rows = Object.keys(numbers).map((name) => ({ values: [cell(name)] }))
    return Response.json({ columns: [{ name: 'TABLE', type: 'VARCHAR' }], rows })
  }
  if (path === '/db/tables') {
    const row = [
      cell('id'),
      cell('INTEGER'),
      { b: true },
      cell('PRIMARY KEY'),
      { b: false },
      { b: false },
    ]
    return Response.json({
      columns: [{ name: 'COLUMN', type: 'VARCHAR' }],
      rows: [{ values: row }],
    })
  }
  if (path === '/db/sqlquery' && sql.includes('INDEXES')) {
    return Response.json({ columns: [{ name: 'x', type: 'VARCHAR' }] })
  }
  if (path === '/db/sqlquery') {
    const rows = sql.includes('oats') ? [] : [{ values: [{ n: '1' }] }]
    return Response.json({ columns: [{ name: '(t.id)', type: 'INTEGER' }], rows })
  }
  if (path !== '/db/verifiable/sqlget' || !sqlGetRequest) return undefined
  const { table } = sqlGetRequest
  return Response.json({
    DatabaseId: 1,
    TableId: numbers[table],
    PKIDs: [1],
    ColNamesById: { 1: 'id' },
    ColIdsByName: { [`(${table}.id)`]: 1 },
    ColTypesById: { 1: 'INTEGER' },
    ColLenById: { 1: 8 },
    MaxColId: 1,
  })
}

async function view(tx: string, tableId: number) {
  const atom = store.get(tableViewAtom)('odd', tx, String(tableId))
  store.sub(atom, () => {})
  return until(
    () => store.get(atom),
    (found) => found !== undefined,
  )
}

/** A history that is too long to be read without being asked for. */
const long = () =>
  Array.from({ length: 600 }, (_, at): PastTx => {
    const { header, entries = [] } = pastTxs[at] ?? { header: { ts: '1' } as PastTx['header'] }
    return { header: { ...header, id: String(at + 1), prevAlh: '' }, entries }
  })

describe('a short history', () => {
  test('tells the tables as they were, without being asked', async () => {
    open()
    await until(
      () => store.get(stateAtom),
      ({ data }) => data !== undefined,
    )
    const found = await view('12', 1)
    expect(found?.isFromHistory).toBe(true)
    expect(found?.written.cols.map(({ name }) => name)).toContain('grade')
    expect(found?.today?.cols.map(({ name }) => name)).toContain('kind')
    expect((await view('21', 3))?.written.table).toBe('gone')
    expect((await view('21', 3))?.today).toBeNull()
    expect((await view('13', 2))?.today?.table).toBe('pieces')
    expect(await view('13', 9)).toBeNull()
  })

  test('tells the names of collections by their digests', async () => {
    open()
    const [named, unnamed] = ['1', '2'].map((id) => store.get(collectionNameAtom)('odd', '28', id))
    if (!named || !unnamed) throw new Error('no atom')
    for (const one of [named, unnamed]) store.sub(one, () => {})
    expect(
      await until(
        () => store.get(named),
        (name) => name !== null,
      ),
    ).toBe('orders')
    expect(store.get(unnamed)).toBeNull()
  })
})

describe('a long history', () => {
  beforeEach(async () => {
    open(long())
    await until(
      () => store.get(stateAtom),
      ({ data }) => data !== undefined,
    )
  })

  test.each([
    [1, 'flour'],
    [7, 'rye'],
  ])('has table %i by the proof of one of its rows', async (id, name) => {
    const found = await view('599', id)
    expect([found?.written.table, found?.isFromHistory]).toEqual([name, false])
  })

  test.each([4, 5, 99])('has no table %i, without rows or of today', async (id) => {
    expect(await view('599', id)).toBeNull()
  })

  test('does not ask again and again for tables that are refused', async () => {
    let asked = 0
    connect(store, '/api', async (input, init) => {
      if (String(input).endsWith('/db/table/list')) asked += 1
      return server.answer(input, init)
    })
    const views = [1, 4, 7].map((id) => store.get(tableViewAtom)('odd', '599', String(id)))
    for (const one of views) store.sub(one, () => {})
    for (const one of views) {
      await until(
        () => store.get(one),
        (found) => found === null,
      )
    }
    const before = asked
    for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setTimeout(done, 0))
    expect(asked).toBe(before)
    expect(before).toBeLessThanOrEqual(views.length)
  })

  test('is read when asked for', async () => {
    await readCatalogueHistory(store, 'odd')
    expect(store.get(readingAtom)('odd')?.kind).toBe('done')
    expect((await view('21', 3))?.written.table).toBe('gone')
  })

  test('can be stopped, and says why it failed', async () => {
    store.sub(readingAtom, () => {})
    const reading = readCatalogueHistory(store, 'odd')
    const busy = store.get(readingAtom)('odd')
    if (busy?.kind === 'busy') busy.stop.abort()
    await reading
    expect(store.get(readingAtom)('odd')).toBeUndefined()
    connect(store, '/api', async () => new Response('', { status: 404 }))
    await readCatalogueHistory(store, 'odd')
    expect(store.get(readingAtom)('odd')?.kind).toBe('failed')
  })
})
