// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  inOne,
  newestRevision,
  revisionsOf,
  rowAsOf,
  rowMap,
  rowProbe,
  rowSource,
} from '~/sql/row-source'
import { rowPeriod } from '~/sql/time-travel'
import { keyOfCells } from '../support/whole-key'

const details = { primaryKey: ['id'] }
const named = (...names: string[]) => names.map((name) => ({ name }))

function map(sql: string, shown: string[], of = details) {
  const source = rowSource(sql)
  return 'why' in source ? source : rowMap(source, named(...shown), of)
}

/** The result's columns that belong to the table, as the server of 1.11.1 names them. */
describe('the rows of one table', () => {
  it.each([
    ['SELECT * FROM t', ['(t.id)', '(t.name)', '(t.j)'], ['id', 'name', 'j']],
    ['SELECT id, name FROM t LIMIT 5', ['(t.id)', '(t.name)'], ['id', 'name']],
    ['SELECT name, ID FROM T;', ['(t.name)', '(t.id)'], ['name', 'id']],
    ['SELECT z.id, z.name n FROM t AS z', ['(z.id)', '(z.n)'], ['id', 'name']],
    ['SELECT id FROM t UNTIL TX 5 z WHERE z.id = 1', ['(z.id)'], ['id']],
    ['SELECT id, id FROM t', ['(t.id)', '(t.id)'], ['id', 'id']],
  ])('%s', (sql, shown, columns) => {
    const found = map(sql, shown)
    expect(found).toMatchObject({
      table: 't',
      cells: columns.map((column, at) => ({ at, column })),
    })
  })

  it('a name is not taken for the column that bears it', () => {
    const found = map('SELECT id AS x, name AS id FROM t', ['(t.x)', '(t.id)'])
    expect(found).toMatchObject({ keys: [{ at: 0, column: 'id' }] })
    expect(map('SELECT name AS id FROM t', ['(t.id)'])).toHaveProperty('why')
    const swapped = map('SELECT id AS name, name AS id FROM t', ['(t.name)', '(t.id)'])
    expect(swapped).toMatchObject({
      cells: [
        { at: 0, column: 'id' },
        { at: 1, column: 'name' },
      ],
    })
  })

  it('a column that the table is not said to have is compared all the same', () => {
    const unknown = { at: 1, column: 'hidden' }
    for (const sql of ['SELECT id, hidden FROM t', 'SELECT * FROM t']) {
      const found = map(sql, ['(t.id)', '(t.hidden)'])
      expect(found).toMatchObject({ cells: [{ at: 0, column: 'id' }, unknown], uncovered: [] })
    }
  })

  it('computed columns are named as not covered, whatever they are called', () => {
    const sql =
      "SELECT id, CASE WHEN id = 1 THEN 'x' END AS name, id + 1, j->'a', UPPER(name) FROM t"
    const shown = ['(t.id)', '(t.name)', '(t.col2)', "(t.j->'a')", '(t.col4)']
    expect(map(sql, shown)).toMatchObject({
      cells: [{ at: 0, column: 'id' }],
      uncovered: ["CASE WHEN id = 1 THEN 'x' END AS name", 'id + 1', "j->'a'", 'UPPER(name)'],
    })
    expect(map('SELECT * FROM t', ['(t.id)', 'else'])).toMatchObject({ uncovered: ['else'] })
  })

  it('a key of several columns is in the order of the key, and must be whole', () => {
    const of = { primaryKey: ['b', 'a'] }
    const found = map('SELECT a, v, b FROM c', ['(c.a)', '(c.v)', '(c.b)'], of)
    expect(found).toMatchObject({
      keys: [
        { at: 2, column: 'b' },
        { at: 0, column: 'a' },
      ],
    })
    expect(map('SELECT a, v FROM c', ['(c.a)', '(c.v)'], of)).toEqual({
      why: 'A row is verified by its whole primary key. This result lacks b.',
    })
  })

  it.each([
    'SELECT t.id FROM t JOIN u ON t.id = u.id',
    'SELECT id FROM t UNION SELECT id FROM u',
    'SELECT DISTINCT id FROM t',
    'SELECT id, COUNT(*) FROM t GROUP BY id',
    'SELECT id FROM (SELECT * FROM t)',
    'SELECT * FROM (SELECT * FROM (HISTORY OF t))',
    'SELECT id FROM (HISTORY OF t) JOIN u ON id = x',
    'SELECT _rev, COUNT(*) FROM (HISTORY OF t) GROUP BY _rev',
    'SELECT * FROM (DIFF OF t) AFTER TX 2 UNTIL TX 5',
    'WITH t AS (SELECT 1) SELECT * FROM t',
    'SELECT * FROM t, u',
    'SHOW TABLES',
    'SELECT 1',
  ])('not: %s', (sql) => {
    expect(rowSource(sql)).toHaveProperty('why')
  })

  it('nothing is taken for a column that the answer calls otherwise', () => {
    expect(map('SELECT id FROM t', ['(u.id)'])).toHaveProperty('why')
    expect(map('SELECT * FROM t', ['(u.id)', 'id'])).toHaveProperty('why')
    expect(map('SELECT id FROM t', ['(t.id)', '(t.name)'])).toHaveProperty('why')
  })
})

describe('the versions of the rows of one table', () => {
  it.each([
    ['SELECT * FROM (HISTORY OF t)', ['(t._rev)', '(t.id)', '(t.name)'], 0],
    [
      'SELECT id, h._rev, h.name FROM ( history /* x */ OF T ) AS h WHERE id = 1',
      ['(h.id)', '(h._rev)', '(h.name)'],
      1,
    ],
    [
      'SELECT id, name, _rev AS no FROM (HISTORY OF t) ORDER BY id LIMIT 3',
      ['(t.id)', '(t.name)', '(t.no)'],
      2,
    ],
  ])('%s', (sql, shown, revision) => {
    const found = map(sql, shown)
    const columns = shown.map((name) => name.slice(3, -1))
    const cells = columns.flatMap((column, at) => (at === revision ? [] : [{ at, column }]))
    const uncovered = [expect.stringMatching(/^(h\.)?_rev( AS no)?$/)]
    const isAll = sql.startsWith('SELECT *')
    expect(found).toEqual({ table: 't', keys: [cells[0]], cells, revision, uncovered, isAll })
  })

  it('are told apart by their number, which must be there', () => {
    expect(map('SELECT id, name FROM (HISTORY OF t)', ['(t.id)', '(t.name)'])).toEqual({
      why: 'A revision of a row is verified by its primary key and revision number. This result has no column _rev.',
    })
  })

  it('what the server adds to a row is no column of the table', () => {
    const found = map('SELECT id, _tx_metadata FROM t', ['(t.id)', '(t._tx_metadata)'])
    expect(found).toMatchObject({ cells: [{ at: 0, column: 'id' }], revision: null })
    expect(found).toMatchObject({ uncovered: ['_tx_metadata'] })
  })
})

/** Transactions 4 to 9, committed one a second from 1970-01-01 00:00:04 on, that are read. */
const read = (sql: string) => {
  const { from, until } = rowPeriod(sql)
  const all = [4n, 5n, 6n, 7n, 8n, 9n]
  const isIn = (tx: bigint) =>
    [from, until].map((end) => (end ? (end.admits?.(tx, tx) ?? null) : true))
  if (all.some((tx) => isIn(tx).includes(null))) return 'unknown'
  return all.filter((tx) => !isIn(tx).includes(false)).join(' ')
}

it.each([
  ['SELECT * FROM t', '4 5 6 7 8 9', undefined],
  ["SELECT * FROM t WHERE a = 'UNTIL TX 5' -- BEFORE", '4 5 6 7 8 9', undefined],
  ['SELECT * FROM t UNTIL TX 5 WHERE a = 1', '4 5', 'UNTIL TX 5'],
  ['SELECT * FROM t SINCE TX 5 before TX 9', '5 6 7 8', 'before TX 9'],
  ['SELECT * FROM t AFTER TX 5', '6 7 8 9', undefined],
  [
    "SELECT * FROM t UNTIL CAST('1970-01-01 00:00:05.9' AS TIMESTAMP) WHERE a = 1",
    '4 5',
    "UNTIL CAST('1970-01-01 00:00:05.9' AS TIMESTAMP)",
  ],
  ["SELECT * FROM t AFTER CAST('1970-01-01 00:00:05' AS TIMESTAMP)", '6 7 8 9', undefined],
  [
    "SELECT * FROM t BEFORE CAST('1970-01-01' AS TIMESTAMP)",
    '',
    "BEFORE CAST('1970-01-01' AS TIMESTAMP)",
  ],
  [
    "SELECT * FROM t UNTIL CAST('tomorrow' AS TIMESTAMP)",
    'unknown',
    "UNTIL CAST('tomorrow' AS TIMESTAMP)",
  ],
  ['SELECT * FROM t UNTIL NOW()', 'unknown', null],
])('the period of %s', (sql, transactions, until) => {
  expect(read(sql)).toBe(transactions)
  expect(rowPeriod(sql).until?.sql).toBe(until)
})

it('a row is looked for in many periods at once', () => {
  const key = keyOfCells([
    { column: 'id', type: 'INTEGER', value: '7' },
    { column: 'order', type: 'VARCHAR', value: "it's" },
    { column: 'at', type: 'TIMESTAMP', value: '1704067200123456' },
  ])
  const condition = `id = 7 AND "order" = 'it''s' AND at = CAST('2024-01-01 00:00:00.123456' AS TIMESTAMP)`
  const probes = [
    rowProbe('t', key, 5n, 'SINCE TX 5 UNTIL TX 9'),
    rowProbe('t', key, 6n, 'UNTIL TX 6'),
  ]
  expect(inOne(probes)).toBe(
    `SELECT 5 FROM t SINCE TX 5 UNTIL TX 9 WHERE ${condition} UNION ALL SELECT 6 FROM t UNTIL TX 6 WHERE ${condition};`,
  )
})

it('the revisions of a row are read backwards by its whole key', () => {
  const key = keyOfCells([
    { column: 'id', type: 'INTEGER', value: '-5' },
    { column: 'table', type: 'VARCHAR', value: "it's" },
  ])
  const condition = `id = -5 AND "table" = 'it''s'`
  const back = `WHERE ${condition} ORDER BY id DESC, "table" DESC`
  expect(newestRevision('t', key)).toBe(`SELECT _rev FROM (HISTORY OF t) ${back} LIMIT 1;`)
  expect(revisionsOf('t', key, 20, 40)).toBe(
    `SELECT * FROM (HISTORY OF t) ${back} LIMIT 20 OFFSET 40;`,
  )
  expect(rowAsOf('t', key, '7')).toBe(`SELECT * FROM t UNTIL TX 7 WHERE ${condition};`)
})
