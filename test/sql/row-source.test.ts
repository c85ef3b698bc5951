// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { rowMap, rowSince, rowSource, upperBound } from '~/sql/row-source'

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
      why: 'A row is verified by its whole primary key, and b is not in this result.',
    })
  })

  it.each([
    'SELECT t.id FROM t JOIN u ON t.id = u.id',
    'SELECT id FROM t UNION SELECT id FROM u',
    'SELECT DISTINCT id FROM t',
    'SELECT id, COUNT(*) FROM t GROUP BY id',
    'SELECT id FROM (SELECT * FROM t)',
    'SELECT * FROM (HISTORY OF t)',
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

it.each([
  ['SELECT * FROM t', ''],
  ["SELECT * FROM t WHERE a = 'UNTIL TX 5' -- BEFORE", ''],
  ['SELECT * FROM t UNTIL TX 5 WHERE a = 1', 'UNTIL TX 5'],
  ['SELECT * FROM t SINCE TX 2 BEFORE TX 9', 'BEFORE TX 9'],
  [
    "SELECT * FROM t UNTIL CAST('2024-01-01' AS TIMESTAMP) WHERE a = 1",
    "UNTIL CAST('2024-01-01' AS TIMESTAMP)",
  ],
  ['SELECT * FROM t UNTIL NOW()', null],
])('the moment of %s', (sql, bound) => expect(upperBound(sql)).toBe(bound))

it('the row of a key is looked for from a transaction on', () => {
  const key = [
    { column: 'id', type: 'INTEGER', value: '7' },
    { column: 'order', type: 'VARCHAR', value: "it's" },
    { column: 'at', type: 'TIMESTAMP', value: '1704067200123456' },
  ]
  expect(rowSince('t', key, 5n, 'UNTIL TX 9')).toBe(
    `SELECT id, "order", at FROM t SINCE TX 5 UNTIL TX 9 WHERE id = 7 AND "order" = 'it''s' AND at = CAST('2024-01-01 00:00:00.123456' AS TIMESTAMP);`,
  )
})
