// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSql } from '~/sql/send'
import { namesPeriod } from '~/sql/tables'
import { insertPeriods, type Moment, periodOf, txProblem, withPeriods } from '~/sql/time-travel'
import { sqlText } from './samples'

const tables = new Set(['orders', 'lines', '__proto__', 'select'])
const at5: Moment = { bound: 'UNTIL', at: { kind: 'tx', id: '5' } }
const sent = (text: string, moment = at5) => withPeriods(text, insertPeriods(text, moment, tables))

it.each([
  ['SELECT id FROM orders', false],
  ['SELECT before FROM orders', false],
  ["SELECT id FROM orders WHERE a = 'FROM t UNTIL TX 3'", false],
  ['SELECT id FROM orders UNTIL TX 3', true],
  ['SELECT id FROM orders AS o JOIN lines SINCE TX 2 AS l ON o.id = l.id', true],
  ['SELECT id FROM (HISTORY OF orders)', true],
  ['INSERT INTO orders(id) VALUES (1)', false],
])('whether %j names a period of its own', (text, isNamed) => {
  expect(namesPeriod(text)).toBe(isNamed)
})

describe('a statement at a moment (D18)', () => {
  it.each([
    ['SELECT * FROM orders', 'SELECT * FROM orders UNTIL TX 5'],
    ['SELECT * FROM orders;', 'SELECT * FROM orders UNTIL TX 5;'],
    [
      'SELECT o.id FROM orders AS o WHERE o.id > 1',
      'SELECT o.id FROM orders UNTIL TX 5 AS o WHERE o.id > 1',
    ],
    ['SELECT o.id FROM Orders o', 'SELECT o.id FROM Orders UNTIL TX 5 o'],
    ['SELECT 1 FROM orders USE INDEX ON id', 'SELECT 1 FROM orders UNTIL TX 5 USE INDEX ON id'],
    [
      'SELECT a.id FROM orders AS a LEFT JOIN lines AS b ON a.id = b.id',
      'SELECT a.id FROM orders UNTIL TX 5 AS a LEFT JOIN lines UNTIL TX 5 AS b ON a.id = b.id',
    ],
    ['SELECT 1 FROM orders a, lines b', 'SELECT 1 FROM orders UNTIL TX 5 a, lines UNTIL TX 5 b'],
    [
      'SELECT x FROM (SELECT x FROM orders) AS s',
      'SELECT x FROM (SELECT x FROM orders UNTIL TX 5) AS s',
    ],
    [
      'WITH w AS (SELECT id FROM orders) SELECT id FROM w',
      'WITH w AS (SELECT id FROM orders UNTIL TX 5) SELECT id FROM w',
    ],
    [
      'SELECT id FROM orders WHERE id IN (SELECT id FROM lines)',
      'SELECT id FROM orders UNTIL TX 5 WHERE id IN (SELECT id FROM lines UNTIL TX 5)',
    ],
    [
      'SELECT id FROM orders UNION SELECT id FROM lines',
      'SELECT id FROM orders UNTIL TX 5 UNION SELECT id FROM lines UNTIL TX 5',
    ],
    ['EXPLAIN SELECT id FROM orders', 'EXPLAIN SELECT id FROM orders UNTIL TX 5'],
    ['SELECT id FROM "__proto__"', 'SELECT id FROM "__proto__" UNTIL TX 5'],
    [
      "SELECT 'FROM orders' FROM orders -- FROM lines",
      "SELECT 'FROM orders' FROM orders UNTIL TX 5 -- FROM lines",
    ],
    [
      'SELECT EXTRACT(YEAR FROM d) FROM orders',
      'SELECT EXTRACT(YEAR FROM d) FROM orders UNTIL TX 5',
    ],
  ])('%s', (text, expected) => {
    expect(sent(text)).toBe(expected)
  })

  it.each([
    ['SELECT 1 FROM orders BEFORE TX 3', ['orders']],
    ['SELECT 1 FROM (HISTORY OF orders)', ['orders']],
    ['SELECT 1 FROM (DIFF OF orders) SINCE TX 2 UNTIL TX 4', ['orders']],
  ])('keeps what is written: %s', (text, own) => {
    expect(insertPeriods(text, at5, tables)).toMatchObject({ own, tables: [], timeless: [] })
    expect(sent(text)).toBe(text)
  })

  it('names what the server would show as it is now', () => {
    const found = insertPeriods(
      'SELECT 1 FROM a_view JOIN information_schema_tables ON 1 = 1',
      at5,
      tables,
    )
    expect(found.timeless).toEqual(['a_view', 'information_schema_tables'])
    expect(found.periods.size).toBe(0)
  })

  it.each(['SELECT 1', 'SHOW TABLES', 'SHOW TABLE orders', "SELECT * FROM COLUMNS('orders')"])(
    'leaves a statement that reads no table alone: %s',
    (text) => {
      expect(insertPeriods(text, at5, tables)).toMatchObject({ tables: [], own: [], timeless: [] })
    },
  )

  it.each([
    [{ bound: 'BEFORE', at: { kind: 'tx', id: '7' } }, 'BEFORE TX 7'],
    [
      { bound: 'SINCE', at: { kind: 'tx', id: '18446744073709551615' } },
      'SINCE TX 18446744073709551615',
    ],
    [
      { bound: 'AFTER', at: { kind: 'time', text: "2026-01-02 03:04:05'" } },
      "AFTER CAST('2026-01-02 03:04:05''' AS TIMESTAMP)",
    ],
  ] satisfies [Moment, string][])('writes %j as %s', (moment, period) => {
    expect(periodOf(moment)).toBe(period)
  })

  it('is sent with its semicolon and quotes, and leads back to what was typed', () => {
    const text = 'SELECT "id" FROM orders WHERE note = "x" -- why'
    const { periods } = insertPeriods(text, at5, tables)
    const prepared = prepareSql(text, { names: new Set(['id', 'orders']) }, 'automatic', periods)
    expect(prepared.sql).toBe(`SELECT "id" FROM orders UNTIL TX 5 WHERE note = 'x';`)
  })

  it('takes nothing away, whatever the text is', () => {
    fc.assert(
      fc.property(sqlText, (text) => {
        const found = insertPeriods(text, at5, tables)
        const periods = [...found.periods.values()].join('').length
        expect(withPeriods(text, found).length).toBe(text.length + periods)
      }),
    )
  })
})

describe('the number of a transaction', () => {
  it.each([
    ['1', undefined],
    ['9', undefined],
    ['0', /first transaction is 1/],
    ['10', /newest transaction is 9/],
    ['-1', /whole number/],
    ['1e1', /whole number/],
    ['', /whole number/],
  ])('%j', (id, problem) => {
    const found = txProblem(id, '9')
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
