// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { dangersOf, isWriting } from '~/sql/danger'
import { splitStatements } from '~/sql/statements'

const texts = (sql: string) =>
  splitStatements(sql).flatMap((statement) => dangersOf(statement).map(({ text }) => text))

describe('what destroys much', () => {
  test.each([
    ['DROP TABLE orders', 'The table orders is dropped, with everything in it.'],
    ['drop table if exists "Orders";', 'The table "Orders" is dropped, with everything in it.'],
    ['DROP INDEX ON t(a, b)', 'The index ON t(a, b) is dropped, with everything in it.'],
    ['DROP USER bob', 'The user bob is dropped, with everything in it.'],
    ['DROP DATABASE shop', 'The database shop is dropped, with everything in it.'],
    ['TRUNCATE TABLE orders', 'All rows of orders are removed.'],
    ['DELETE FROM orders', 'Every row of orders is deleted: no WHERE.'],
    ['/* a */ delete -- b\n from orders', 'Every row of orders is deleted: no WHERE.'],
    ['UPDATE orders SET n = n + 1', 'Every row of orders is changed: no WHERE.'],
    ['ALTER TABLE orders DROP COLUMN note', 'The column note of orders is dropped.'],
    ['ALTER TABLE orders DROP CONSTRAINT c1', 'The constraint c1 of orders is dropped.'],
  ])('%s', (sql, text) => {
    expect(texts(sql)).toEqual([text])
  })

  test('a WHERE inside of brackets is not one of the statement', () => {
    const sql = 'UPDATE a SET n = (SELECT max(n) FROM b WHERE b.id = 1)'
    expect(texts(sql)).toEqual(['Every row of a is changed: no WHERE.'])
  })

  test('each statement of a transaction counts', () => {
    const sql = 'BEGIN; DELETE FROM a; UPDATE b SET n = 1 WHERE id = 2; DROP TABLE c; COMMIT'
    expect(texts(sql)).toEqual([
      'Every row of a is deleted: no WHERE.',
      'The table c is dropped, with everything in it.',
    ])
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
    expect(texts(sql)).toEqual([])
  })

  test('a name that is a whole page long is shortened', () => {
    const [text = ''] = texts(`DROP TABLE "${'x'.repeat(5_000)}"`)
    expect(text.length).toBeLessThan(150)
  })
})

test('what writes is all that is not read', () => {
  const kinds = splitStatements('SELECT 1; DELETE FROM t WHERE a = 1; USE shop; GRANT x').map(
    isWriting,
  )
  expect(kinds).toEqual([false, true, false, true])
})
