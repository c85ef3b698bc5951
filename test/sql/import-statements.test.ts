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
  return { name, type: readType(type) ?? { name: 'VARCHAR', length: null }, from, isNullable }
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

test('rows are one statement, whose texts are parameters', () => {
  const made = insertSql(keyed, [
    row(1, { n: '1' }, { s: "'); DROP TABLE items; --" }, { s: '-0' }, { b: true }),
    row(2, { n: '-9223372036854775808' }, null, { f: 1e21 }, { b: false }),
    row(3, { n: '-3' }, { s: '1' }, { f: -0.5 }, { b: true }),
    row(4, { n: '4' }, { s: '1' }, { f: 'NaN' }, { b: true }),
  ])
  expect(made.sql).toBe(
    'INSERT INTO items (id, "select", f, ok) VALUES (1,@p0,CAST(@p1 AS FLOAT),TRUE),(@p2,NULL,@p3,FALSE),(-3,@p4,-0.5,TRUE),(4,@p4,@p5,TRUE);',
  )
  expect(made.params.map(({ value }) => value)).toEqual([
    { s: "'); DROP TABLE items; --" },
    { s: '-0' },
    { n: '-9223372036854775808' },
    { f: 1e21 },
    { s: '1' },
    { f: 'NaN' },
  ])
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
