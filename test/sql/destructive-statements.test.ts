// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { dangersOf } from '~/sql/destructive-statements'
import { splitStatements } from '~/sql/statements'

const dangers = (sql: string) => splitStatements(sql).flatMap(dangersOf)
const actions = (sql: string) => dangers(sql).map(({ action }) => action)
const textOf = (sql: string) => dangers(sql).map(({ text }) => text)[0]

describe('what destroys much', () => {
  test.each([
    ['DROP TABLE orders', 'Drop table orders'],
    ['drop table if exists "Orders";', 'Drop table "Orders"'],
    ['DROP INDEX ON t(a, b)', 'Drop index ON t(a, b)'],
    ['DROP USER bob', 'Drop user bob'],
    ['DROP VIEW v', 'Drop view v'],
    ['DROP SEQUENCE s', 'Drop sequence s'],
    ['DROP DATABASE shop', 'Drop database shop'],
    ['TRUNCATE TABLE orders', 'Truncate table orders'],
    ['DELETE FROM orders', 'Delete all rows of orders'],
    ['/* a */ delete -- b\n from orders', 'Delete all rows of orders'],
    ['DELETE FROM orders LIMIT 5', 'Delete rows of orders up to a limit'],
    ['UPDATE orders SET n = n + 1', 'Update all rows of orders'],
    ['UPDATE orders SET n = (SELECT 1 FROM b LIMIT 1)', 'Update all rows of orders'],
    ['ALTER TABLE orders DROP COLUMN note', 'Drop column note of orders'],
    ['ALTER TABLE orders DROP CONSTRAINT c1', 'Drop constraint c1 of orders'],
  ])('%s is told as %s', (sql, action) => {
    expect(actions(sql)).toEqual([action])
  })

  test('the history stays readable after DELETE and UPDATE, and after them alone', () => {
    const stays = /Earlier revisions .* can still be read with HISTORY OF, .* since version 1\.9\./
    const gone = /SQL can no longer read .*, not even as of an earlier transaction/
    for (const sql of ['DELETE FROM t', 'UPDATE t SET a = 1']) {
      expect(textOf(sql)).toMatch(stays)
      expect(textOf(sql)).not.toMatch(gone)
    }
    for (const sql of ['DROP TABLE t', 'TRUNCATE TABLE t', 'ALTER TABLE t DROP COLUMN a']) {
      expect(textOf(sql)).toMatch(gone)
      expect(textOf(sql)).not.toMatch(stays)
    }
  })

  test('each kind has words of its own', () => {
    const kinds = ['TABLE', 'INDEX', 'VIEW', 'SEQUENCE', 'USER'].map((kind) => `DROP ${kind} x`)
    const others = ['TRUNCATE TABLE x', 'DELETE FROM x', 'UPDATE x SET a = 1']
    const altering = ['ALTER TABLE x DROP COLUMN a', 'ALTER TABLE x DROP CONSTRAINT a']
    const told = [...kinds, ...others, ...altering].map(textOf)
    expect(new Set(told).size).toBe(told.length)
  })

  test('not every row is meant where LIMIT leaves some alone', () => {
    expect(textOf('DELETE FROM t')).toMatch(/^Every row is deleted/)
    expect(textOf('DELETE FROM t LIMIT 5')).toMatch(/^LIMIT alone decides which rows are deleted/)
  })

  test('a WHERE inside of brackets is not one of the statement', () => {
    const sql = 'UPDATE a SET n = (SELECT max(n) FROM b WHERE b.id = 1)'
    expect(actions(sql)).toEqual(['Update all rows of a'])
  })

  test('each statement of a transaction counts', () => {
    const sql = 'BEGIN; DELETE FROM a; UPDATE b SET n = 1 WHERE id = 2; DROP TABLE c; COMMIT'
    expect(actions(sql)).toEqual(['Delete all rows of a', 'Drop table c'])
  })

  test('the keyword is named', () => {
    expect(dangersOf({ text: 'ALTER TABLE t DROP COLUMN a' }).map(({ verb }) => verb)).toEqual([
      'DROP',
    ])
  })
})

describe('what does not', () => {
  test.each([
    'DELETE FROM orders WHERE id = 1',
    'UPDATE orders SET n = 1 WHERE id = 1',
    'SELECT * FROM orders',
    "INSERT INTO t(a) VALUES ('DROP TABLE orders; DELETE FROM orders')",
    '-- DROP TABLE orders\nSELECT 1',
    'SELECT "drop" FROM "delete"',
    'CREATE TABLE dropped(id INTEGER, PRIMARY KEY id)',
    'ALTER TABLE t ADD COLUMN a INTEGER',
    '',
  ])('%s', (sql) => {
    expect(dangers(sql)).toEqual([])
  })

  test.each(['DROP TABLE', 'TRUNCATE TABLE', 'DELETE FROM', 'UPDATE'])(
    'a name of a whole page is shortened behind %s',
    (start) => {
      const [action = ''] = actions(`${start} "${'x'.repeat(5_000)}"`)
      expect(action).toContain('xxx')
      expect(action.length).toBeLessThan(150)
    },
  )
})
