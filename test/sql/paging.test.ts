// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { firstRows, joinResults, type PagePlace, pageSql, planOf, shapeOf } from '~/sql/paging'
import { readResult } from '~/sql/result'

const id = [{ name: 'id', type: 'INTEGER' }]

function page(sql: string, place: PagePlace, keys = id, size = 10): string {
  const shape = shapeOf(sql)
  if (!shape) throw new Error('cannot be cut into pages')
  return pageSql(shape, planOf(sql, shape, keys), place, size)
}

const first: PagePlace = { done: 0, last: null }
const next: PagePlace = { done: 10, last: '42' }

describe('pages along the key (D20)', () => {
  it.each([
    ['SELECT * FROM t', 'SELECT * FROM t ORDER BY id ASC LIMIT 10;'],
    ['SELECT id, n FROM t;', 'SELECT id, n FROM t ORDER BY id ASC LIMIT 10;'],
    ['SELECT t.id FROM t ORDER BY t.id DESC', 'SELECT t.id FROM t ORDER BY id DESC LIMIT 10;'],
    ['SELECT x.id FROM t AS x', 'SELECT x.id FROM t AS x ORDER BY id ASC LIMIT 10;'],
    ['SELECT * FROM t UNTIL TX 5', 'SELECT * FROM t UNTIL TX 5 ORDER BY id ASC LIMIT 10;'],
  ])('begin: %s', (sql, sent) => {
    expect(page(sql, first)).toBe(sent)
  })

  it.each([
    ['SELECT * FROM t', 'SELECT * FROM t\nWHERE id > 42 ORDER BY id ASC LIMIT 10;'],
    [
      'SELECT * FROM t WHERE a = 1 OR b = 2 -- why',
      'SELECT * FROM t WHERE (a = 1 OR b = 2\n) AND id > 42 ORDER BY id ASC LIMIT 10;',
    ],
    [
      'SELECT * FROM t WHERE a = 1 ORDER BY id DESC',
      'SELECT * FROM t WHERE (a = 1\n) AND id < 42 ORDER BY id DESC LIMIT 10;',
    ],
    [
      '-- all\nSELECT id FROM t WHERE a /* b */ = 1',
      'SELECT id FROM t WHERE (a /* b */ = 1\n) AND id > 42 ORDER BY id ASC LIMIT 10;',
    ],
  ])('go on: %s', (sql, sent) => {
    expect(page(sql, next)).toBe(sent)
  })

  it.each([
    ['VARCHAR(40)', "it's", "id > 'it''s'"],
    ['UUID', '0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f01', 'id > CAST('],
    ['BLOB[8]', 'AAE=', "id > x'0001'"],
    ['INTEGER', '-9223372036854775808', 'id > -9223372036854775808'],
  ])('write a key of type %s', (type, last, condition) => {
    expect(page('SELECT * FROM t', { done: 1, last }, [{ name: 'id', type }])).toContain(condition)
  })

  it('stop at a limit of their own', () => {
    expect(page('SELECT * FROM t LIMIT 25', { done: 20, last: '3' })).toMatch(/LIMIT 5;$/)
    expect(page('SELECT * FROM t LIMIT 0', first)).toMatch(/LIMIT 10;$/)
  })
})

describe('pages by counting', () => {
  it.each([
    'SELECT n FROM t',
    'SELECT a AS id, n FROM t',
    'SELECT a id, id FROM t',
    'SELECT * FROM t ORDER BY n',
    'SELECT * FROM t ORDER BY id, n',
    'SELECT DISTINCT id FROM t',
    'SELECT id, COUNT(*) FROM t GROUP BY id',
    'SELECT t.id FROM t INNER JOIN u ON t.id = u.id',
    'SELECT t.id FROM t, u',
    'SELECT id FROM (SELECT id FROM t) AS s',
    'SELECT id FROM (HISTORY OF t)',
    'SELECT id FROM TABLES()',
    'WITH w AS (SELECT id FROM t) SELECT id FROM w',
    'SELECT id FROM t LIMIT 30 OFFSET 3',
  ])('%s', (sql) => {
    const shape = shapeOf(sql)
    expect(shape && planOf(sql, shape, id)).toEqual({ kind: 'offset' })
    expect(page(sql, next)).toMatch(/LIMIT \d+ OFFSET \d+;$/)
  })

  it('wrap a union, whose last part would take the limit for itself', () => {
    expect(page('SELECT a FROM t UNION SELECT a FROM u', next)).toBe(
      'SELECT * FROM (SELECT a FROM t UNION SELECT a FROM u\n) LIMIT 10 OFFSET 10;',
    )
  })

  it('add to an offset that was typed', () => {
    expect(page('SELECT n FROM t LIMIT 25 OFFSET 3', next)).toBe(
      'SELECT n FROM t LIMIT 10 OFFSET 13;',
    )
    expect(page('SELECT n FROM t OFFSET 3', first)).toBe('SELECT n FROM t LIMIT 10 OFFSET 3;')
  })

  it('are used for keys of two columns or of a type that cannot be written down', () => {
    const shape = shapeOf('SELECT * FROM t')
    const keys = [...id, { name: 'n', type: 'INTEGER' }]
    expect(shape && planOf('SELECT * FROM t', shape, keys)).toEqual({ kind: 'offset' })
    const float = [{ name: 'id', type: 'FLOAT' }]
    expect(shape && planOf('SELECT * FROM t', shape, float)).toEqual({ kind: 'offset' })
  })
})

it.each([
  'SHOW TABLES',
  'EXPLAIN SELECT 1',
  'SELECT * FROM t LIMIT 1 + 1',
  'SELECT * FROM t LIMIT @n',
  'SELECT a FROM t FETCH FIRST 3 ROWS ONLY',
  '',
])('no pages of %j', (sql) => {
  expect(shapeOf(sql)).toBeNull()
})

describe('rows of pages', () => {
  const rows = (...ids: string[]) =>
    readResult({
      columns: [{ name: '(t.id)', type: 'INTEGER' }],
      rows: ids.map((n) => ({ values: [{ n }] })),
    })

  it('are one table, in order', () => {
    const all = joinResults(rows('1', '2'), rows('3'))
    expect(all.rowCount).toBe(3)
    expect(all.columns[0]?.values).toEqual(['1', '2', '3'])
  })

  it('can be cut', () => {
    expect(firstRows(rows('1', '2', '3'), 2).columns[0]?.values).toEqual(['1', '2'])
    expect(firstRows(rows('1'), 2).rowCount).toBe(1)
  })
})
