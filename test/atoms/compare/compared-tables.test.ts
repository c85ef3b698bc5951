// @vitest-environment node
import { createStore } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  countAllTables,
  countingProgressAtom,
  readDiffPage,
  readSteps,
  rowKeyOf,
  stopCounting,
} from '~/atoms/compare/compared-tables'
import { comparisonExport } from '~/atoms/compare/comparison-export'
import { newestExportAtom, startExport, stopExport } from '~/core/files/exports'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { firstPlace } from '~/sql/comparison'

let store: Store
let sent: string[]
/** Rows that one answer has room for. */
let room: number
/** Called before each answer. */
let onAnswer: (sql: string) => void

/** Rows 1 to this many were changed from `old` to `new` in transaction 9, which touched a table. */
const count = 1_200

const cell = (value: string | null) => (value === null ? { null: null } : { s: value })
const table = (names: string[], rows: (string | null)[][]) =>
  Response.json({
    columns: names.map((name) => ({
      name: `(t.${name})`,
      type: name === 'id' || name === 'col1' ? 'INTEGER' : 'VARCHAR',
    })),
    rows: rows.map((values) => ({
      values: values.map((value, at) =>
        names[at] === 'id' || names[at] === 'col1' ? { n: value } : cell(value),
      ),
    })),
  })

/** immudb with one table of which all rows were changed in one transaction. */
async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = String(input)
  const body = JSON.parse(String(init?.body ?? '{}'))
  if (url.endsWith('/db/tables')) {
    const rows = [
      ['id', 'INTEGER', 'PRIMARY KEY'],
      ['v', 'VARCHAR', 'NO'],
    ].map((column) => ({
      values: [{ s: column[0] }, { s: column[1] }, { b: true }, { s: column[2] }, {}, {}],
    }))
    return Response.json({ columns: [{}], rows })
  }
  if (url.endsWith('/db/tx')) return transactions(body)
  const sql: string = body.sql
  sent.push(sql)
  onAnswer(sql)
  if (/INDEXES/.test(sql)) return Response.json({ columns: [{}], rows: [] })
  if (/GROUP BY/.test(sql)) return table(['_diff_action', 'col1'], [['UPDATE', String(count)]])
  const ids = [...sql.matchAll(/WHERE id = (\d+)/g)].map(([, id = '']) => id)
  const limit = Number(/LIMIT (\d+)/.exec(sql)?.[1] ?? ids.length)
  if (limit > room) return tooLarge()
  if (ids.length > 0)
    return table(
      ['id', 'v'],
      ids.map((id) => [id, 'old']),
    )
  if (/^SELECT \* FROM t UNTIL TX/.test(sql)) return table(['id', 'v'], [['1', 'new']])
  const [, from = '0', to = '0'] = /AFTER TX (\d+) UNTIL TX (\d+)/.exec(sql) ?? []
  const after = Number(/id > (\d+)/.exec(sql)?.[1] ?? 0)
  const size = Number(from) < 9 && Number(to) >= 9 ? Math.min(limit, count - after) : 0
  return table(
    ['_diff_action', 'id', 'v'],
    Array.from({ length: size }, (_, at) => ['UPDATE', String(after + at + 1), 'new']),
  )
}

function tooLarge() {
  const message = 'grpc: received message larger than max (5000000 vs. 4194304)'
  return Response.json({ error: message, code: 8, message }, { status: 429 })
}

/** Only transaction 9 wrote a row; the others wrote keys. */
function transactions({ initialTx, limit }: { initialTx: string; limit: number }) {
  const row = btoa('\x02R.\0\0\0\x01\0\0\0\x01\0\0\0\0\x80\0\0\0\0\0\0\0\x01')
  const txs = Array.from({ length: Math.min(limit, 21 - Number(initialTx)) }, (_, at) => {
    const id = Number(initialTx) + at
    const key = id === 9 ? row : btoa('\0key')
    return { header: { id: String(id), ts: '1' }, entries: [{ key, hValue: 'AA==', vLen: 1 }] }
  })
  return Response.json({ txs })
}

beforeEach(() => {
  sent = []
  room = 2_500
  onAnswer = () => {}
  store = createStore()
  connect(store, '/api', answer)
  openQueryCache(store)
})

const of = { database: 'd', table: 't', from: '3', to: '20' }
const io = () => ({ get: store.get })
const { signal } = new AbortController()
const page = (place = firstPlace) => readDiffPage(io(), of, { action: null, place, signal })
const asked = (pattern: RegExp) => sent.filter((sql) => pattern.test(sql))

describe('the rows that differ', () => {
  test('come in pages along the key, each row once, with their old values', async () => {
    const ids: (string | null | undefined)[] = []
    for (let place: typeof firstPlace | null = firstPlace; place; ) {
      const { rows, next } = await page(place)
      expect(rows.every(({ before, after }) => before?.[1] === 'old' && after?.[1] === 'new')).toBe(
        true,
      )
      ids.push(...rows.map(({ after }) => after?.[0]))
      place = next
    }
    expect(ids).toEqual(Array.from({ length: count }, (_, at) => String(at + 1)))
    expect(asked(/DIFF OF/)).toHaveLength(3)
    // A hundred old rows in one request.
    expect(asked(/WHERE id =/)).toHaveLength(12)
  })

  test('come in smaller pages where an answer would be too large', async () => {
    room = 60
    const { rows, next } = await page()
    expect(rows).toHaveLength(7)
    expect(rows.every(({ before }) => before?.[1] === 'old')).toBe(true)
    expect(next).toEqual({ done: 7, last: ['7'] })
  })

  test('are all added since the empty database, so that no other kind is there', async () => {
    const since = (action: 'added' | 'changed' | 'deleted') =>
      readDiffPage(io(), { ...of, from: '0' }, { action, place: firstPlace, signal })
    expect((await since('added')).rows).toMatchObject([{ action: 'added', after: ['1', 'new'] }])
    for (const action of ['changed', 'deleted'] as const) {
      const { columns, rows, next } = await since(action)
      expect(columns.map(({ name }) => name)).toEqual(['id', 'v'])
      expect([rows, next]).toEqual([[], null])
    }
  })

  test('have an address by their primary key', async () => {
    const found = await page()
    const [row] = found.rows
    expect(row && rowKeyOf(found, row)).toEqual([{ n: '1' }])
  })
})

describe('every step', () => {
  test('asks only about transactions that wrote rows', async () => {
    const found = await readSteps(io(), of, { first: '4', action: null, signal })
    expect(found.steps.map(({ tx, rows }) => [tx, rows.length])).toEqual([['9', 500]])
    expect(asked(/DIFF OF/)).toEqual(['SELECT * FROM (DIFF OF t) AFTER TX 8 UNTIL TX 9 LIMIT 501;'])
    expect(found).toMatchObject({ upTo: '20', next: null })
  })
})

describe('counting all tables', () => {
  const names = ['a', 'b', 'c']

  test('asks once for each and remembers it', async () => {
    await countAllTables(store, of, names)
    await countAllTables(store, of, names)
    expect(asked(/COUNT/)).toHaveLength(3)
    expect(store.get(countingProgressAtom)).toMatchObject({ state: 'done', done: 3 })
    const cache = store.get(queryClientAtom)
    expect(cache.getQueryData(['compare', 'd', '3', '20', 'counts', 'b'])).toEqual({
      added: 0n,
      changed: 1_200n,
      deleted: 0n,
    })
  })

  test('can be stopped and says how far it came', async () => {
    onAnswer = (sql) => {
      if (/DIFF OF b\)/.test(sql)) stopCounting(store)
    }
    await countAllTables(store, of, names)
    expect(store.get(countingProgressAtom)).toMatchObject({ state: 'stopped', done: 2, all: 3 })
    expect(asked(/DIFF OF c\)/)).toEqual([])
  })
})

describe('an export', () => {
  test('holds all pages and says that it is complete', async () => {
    const file = await startExport(store, comparisonExport(of, 'net'), 'csv')
    const lines = file?.parts.join('').trimEnd().split('\r\n') ?? []
    expect(lines[0]).toBe('_change,id (old),id (new),v (old),v (new)')
    expect(lines).toHaveLength(1_201)
    expect(file?.name).toBe('d-t-tx3-tx20-1200-rows.csv')
    expect(store.get(newestExportAtom)('comparison')).toMatchObject({
      state: 'complete',
      text: 'Complete: 1,200 rows in d-t-tx3-tx20-1200-rows.csv.',
    })
  })

  test('of steps names the transaction of each row and is JSON', async () => {
    const file = await startExport(store, comparisonExport(of, 'steps'), 'json')
    const rows = JSON.parse(file?.parts.join('') ?? '')
    expect(rows).toHaveLength(count)
    expect(rows[0]).toEqual({
      _tx: 9,
      _change: 'changed',
      'id (old)': 1,
      'id (new)': 1,
      'v (old)': 'old',
      'v (new)': 'new',
    })
  })

  test('that is stopped keeps what was read and says that it is not complete', async () => {
    onAnswer = (sql) => {
      if (/id > 500/.test(sql)) stopExport(store, 'comparison')
    }
    const file = await startExport(store, comparisonExport(of, 'net'), 'csv')
    expect(file?.name).toBe('d-t-tx3-tx20-500-rows-incomplete.csv')
    expect(store.get(newestExportAtom)('comparison')).toMatchObject({
      state: 'stopped',
      text: 'Not complete: only the first 500 rows are in d-t-tx3-tx20-500-rows-incomplete.csv. It was stopped.',
    })
  })
})
