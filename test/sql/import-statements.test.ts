// @vitest-environment node
import { expect, test } from 'vitest'
import {
  createTableSql,
  hasValues,
  type ImportColumn,
  type ImportRow,
  type ImportTarget,
  insertSql,
  presentKeysSql,
  rowsPerTransaction,
} from '~/sql/import-statements'
import { readType } from '~/sql/import-types'

function column(name: string, type: string, from = 0, isNullable = true): ImportColumn {
  const known = readType(type) ?? { name: 'VARCHAR', length: null }
  return { name, type: known, from, isNullable, rule: null }
}

const columns = [
  column('id', 'INTEGER', 0, false),
  column('select', 'VARCHAR(64)', 1),
  column('f', 'FLOAT', 2),
  column('ok', 'BOOLEAN', 3, false),
]
const keyed: ImportTarget = { table: 'items', columns, key: ['id'], autoKey: null }

const row = (number: number, ...values: ImportRow['values']): ImportRow => ({
  number,
  line: number + 1,
  values,
})

test('a new table has its columns, lengths and key', () => {
  expect(createTableSql(keyed)).toBe(`CREATE TABLE items (
  id INTEGER,
  "select" VARCHAR[64],
  f FLOAT,
  ok BOOLEAN NOT NULL,
  PRIMARY KEY id
);`)
  expect(createTableSql({ ...keyed, columns: [], key: ['id'], autoKey: 'id' })).toBe(
    'CREATE TABLE items (\n  id INTEGER AUTO_INCREMENT,\n  PRIMARY KEY id\n);',
  )
  expect(createTableSql({ ...keyed, key: ['id', 'select'] })).toContain(
    'PRIMARY KEY (id, "select")',
  )
})

test('rows are one statement, and a text that could end its quotes is a parameter', () => {
  const made = insertSql(keyed, [
    row(1, { n: '1' }, { s: "'); DROP TABLE items; --" }, { s: '-0' }, { b: true }),
    row(2, { n: '-9223372036854775808' }, null, { f: 1e21 }, { b: false }),
    row(3, { n: '-3' }, { s: '1' }, { f: -0.5 }, { b: true }),
    row(4, { n: '4' }, { s: '1' }, { f: 'NaN' }, { b: true }),
    row(5, { n: '5' }, { s: '1' }, { f: 7 }, { b: true }),
  ])
  expect(made.sql).toBe(
    `INSERT INTO items (id, "select", f, ok) VALUES (1,@p0,CAST(@p1 AS FLOAT),TRUE),(@p2,NULL,@p3,FALSE),(-3,'1',-0.5,TRUE),(4,'1',@p4,TRUE),(5,'1',7.0,TRUE);`,
  )
  expect(made.params).toEqual([
    { name: 'p0', value: { s: "'); DROP TABLE items; --" } },
    { name: 'p1', value: { s: '-0' } },
    { name: 'p2', value: { n: '-9223372036854775808' } },
    { name: 'p3', value: { f: 1e21 } },
    { name: 'p4', value: { f: 'NaN' } },
  ])
})

test.each([
  "it's",
  'a"b',
  'a\\',
  'a\nb',
  'a\rb',
  'a\u0000',
  'é',
  '’',
  '\uff07',
  'a`b',
  '{a}',
  'x'.repeat(257),
])('the text %j is a parameter, and equal ones share it', (s) => {
  const made = insertSql({ table: 't', columns: [column('s', 'VARCHAR')] }, [
    row(1, { s }),
    row(2, { s }),
  ])
  expect(made).toEqual({
    sql: 'INSERT INTO t (s) VALUES (@p0),(@p0);',
    params: [{ name: 'p0', value: { s } }],
  })
})

test.each(['', ' ', '1', 'a -- b', '/* a */', 'a;b', '@p0', '?', 'x'.repeat(256)])(
  'the text %j is written out',
  (s) => {
    const made = insertSql({ table: 't', columns: [column('s', 'VARCHAR')] }, [row(1, { s })])
    expect(made).toEqual({ sql: `INSERT INTO t (s) VALUES ('${s}');`, params: [] })
  },
)

test('a text of another type is a parameter', () => {
  const made = insertSql({ table: 't', columns: [column('j', 'JSON'), column('u', 'UUID')] }, [
    row(1, { s: '1' }, { s: '0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f01' }),
  ])
  expect(made.sql).toBe('INSERT INTO t (j, u) VALUES (@p0,@p1);')
})

test.each([
  ['0', 'CAST(0 AS TIMESTAMP)'],
  ['1714979228000000', 'CAST(1714979228 AS TIMESTAMP)'],
  ['-1000000', "CAST('1969-12-31 23:59:59 UTC' AS TIMESTAMP)"],
  ['-600000000', "CAST('1969-12-31 23:50:00 UTC' AS TIMESTAMP)"],
  ['1714979228120000', "CAST('2024-05-06 07:07:08.12 UTC' AS TIMESTAMP)"],
  ['-1', "CAST('1969-12-31 23:59:59.999999 UTC' AS TIMESTAMP)"],
  ['1714979228123456', "CAST('2024-05-06 07:07:08.123456 UTC' AS TIMESTAMP)"],
  ['-9007199254740991', "CAST('1684-07-28 00:12:25.259009 UTC' AS TIMESTAMP)"],
  ['9007199254740991', "CAST('2255-06-05 23:47:34.740991 UTC' AS TIMESTAMP)"],
  ['9007199254740993', '@p0'],
  ['253402300800000000', '@p0'],
])('%j microseconds are written as %s', (ts, text) => {
  const { sql } = insertSql({ table: 't', columns: [column('at', 'TIMESTAMP')] }, [row(1, { ts })])
  expect(sql).toBe(`INSERT INTO t (at) VALUES (${text});`)
})

test('keys are looked up one by one, now or as of a transaction', () => {
  const target = { ...keyed, key: ['id', 'f'] }
  const rows = [
    row(7, { n: '1' }, null, { s: '-0' }, null),
    row(8, { n: '2' }, null, { f: 1 }, null),
  ]
  expect(presentKeysSql(target, rows, '5').sql).toBe(
    'SELECT 7 FROM items UNTIL TX 5 WHERE id = @p0 AND f = CAST(@p1 AS FLOAT) UNION ALL SELECT 8 FROM items UNTIL TX 5 WHERE id = @p2 AND f = @p3;',
  )
})

test('a transaction has room for the entries of the indexes', () => {
  expect(rowsPerTransaction(0)).toBe(1_024)
  expect(rowsPerTransaction(2)).toBe(341)
  expect(rowsPerTransaction(0, 100)).toBe(100)
  expect(rowsPerTransaction(3_000)).toBe(1)
})

test('a stored row has the values of a row of the file', () => {
  const sent = row(1, { n: '1' }, { s: 'a' }, { f: 1.5 }, { b: true })
  expect(hasValues(columns, sent, ['1', 'a', '1.5', 'true'])).toBe(true)
  expect(hasValues(columns, sent, ['1', 'b', '1.5', 'true'])).toBe(false)
  expect(hasValues(columns, sent, ['1', null, '1.5', 'true'])).toBe(false)
  const zero = row(1, { n: '1' }, { s: 'a' }, { s: '-0' }, { b: true })
  expect(hasValues(columns, zero, ['1', 'a', '0', 'true'])).toBe(false)
})
