// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { parameterUses } from '~/sql/parameter-types'

/** The uses of a text in short: a type, or the tables and the column. */
function uses(text: string): Record<string, string> {
  const found = [...parameterUses(text)].map(([name, of]) => [
    name,
    of
      .map((use) => (use.kind === 'type' ? use.type : `${use.tables.join('|')}.${use.column}`))
      .join(', '),
  ])
  return Object.fromEntries(found)
}

describe('a parameter has the type', () => {
  test.each([
    ['SELECT * FROM t WHERE id = @a', { a: 't.id' }],
    ['SELECT * FROM t WHERE @A >= id', { a: 't.id' }],
    [
      'SELECT * FROM t AS x, u WHERE x.id = @a AND u.n <> @b AND m < @c',
      { a: 't.id', b: 'u.n', c: 't|u.m' },
    ],
    ['SELECT * FROM t INNER JOIN u ON t.id = u.id WHERE @a = u.n', { a: 'u.n' }],
    ['SELECT * FROM t WHERE n BETWEEN @a AND @b', { a: 't.n', b: 't.n' }],
    ['SELECT * FROM t WHERE n NOT BETWEEN 1 AND @b', { b: 't.n' }],
    ['SELECT * FROM t WHERE n IN (1, @a, @b) OR m NOT IN (@c)', { a: 't.n', b: 't.n', c: 't.m' }],
    ['SELECT * FROM t WHERE s LIKE @a AND s NOT LIKE @b', { a: 'VARCHAR', b: 'VARCHAR' }],
    ['SELECT * FROM t LIMIT @a OFFSET @b', { a: 'INTEGER', b: 'INTEGER' }],
    ['SELECT * FROM t SINCE @a UNTIL TX @b', { a: 'TIMESTAMP', b: 'INTEGER' }],
    ['SELECT CAST(@a AS UUID), @b::FLOAT', { a: 'UUID', b: 'FLOAT' }],
    ['UPDATE t SET a = @a, "B" = @b WHERE id = @id', { a: 't.a', b: 't.b', id: 't.id' }],
    ['DELETE FROM t WHERE id = @id', { id: 't.id' }],
    [
      'INSERT INTO t (a, b, c) VALUES (@x, LENGTH(@no), @z), (1, @y, 2)',
      { x: 't.a', z: 't.c', y: 't.b' },
    ],
    ['UPSERT INTO t(id) VALUES (@id)', { id: 't.id' }],
    ['SELECT * FROM t WHERE n = @a; SELECT * FROM u WHERE m = @b', { a: 't.n', b: 'u.m' }],
    ['SELECT * FROM t WHERE (@a IS NULL OR n = @a)', { a: 't.n' }],
    ['SELECT * FROM t WHERE n = @a AND s <> @a', { a: 't.n, t.s' }],
    ['SELECT * FROM t WHERE n = (@a) OR n = -@b OR (n) = @c', { a: 't.n', b: 't.n', c: 't.n' }],
    ['SELECT * FROM t WHERE @a BETWEEN t.n AND m', { a: 't.n' }],
    ['UPDATE t SET n = n + @a, f = @b * f', { a: 't.n', b: 't.f' }],
    ['SELECT * FROM t WHERE n - @a > 3 AND n > @b + 1', { a: 't.n', b: 't.n' }],
    ['SELECT * FROM t WHERE LENGTH(s) = @a AND @b = length(t.s)', { a: 'INTEGER', b: 'INTEGER' }],
    [
      'SELECT s FROM t GROUP BY s HAVING COUNT(*) > @a AND MAX(ts) < @b AND @c < SUM(t.f)',
      { a: 'INTEGER', b: 't.ts', c: 't.f' },
    ],
    [
      'SELECT * FROM t WHERE CAST(s AS INTEGER) = @a AND s::FLOAT < @b AND @c = CAST(s AS UUID)',
      { a: 'INTEGER', b: 'FLOAT', c: 'UUID' },
    ],
    [
      'SELECT * FROM t WHERE EXTRACT(YEAR FROM ts) = @a AND ts < NOW() AND n = @b',
      { a: 'INTEGER', b: 't.n' },
    ],
  ])('of %s', (text, expected) => {
    expect(uses(text)).toEqual(expected)
  })

  test.each([
    'SELECT @a',
    "SELECT * FROM t WHERE j->'a' = @a",
    'SELECT * FROM t WHERE SOME(s) = @a',
    'SELECT * FROM t WHERE @a = SOME(s)',
    'SELECT * FROM t WHERE MAX(n + 1) = @a AND MAX(a, b) < @a',
    'SELECT * FROM t WHERE COALESCE(n, 1) = @a',
    'SELECT * FROM t WHERE n = SOME(@a)',
    'SELECT * FROM t WHERE (SELECT 1) = @a',
    'SELECT n FROM t WHERE ) = @a AND @a = (',
    'SELECT @a * 2 FROM t',
    'SELECT * FROM t WHERE @b = @a',
    "SELECT * FROM t WHERE 'n = @a'",
    'INSERT INTO t VALUES (@a)',
    'SELECT * FROM (SELECT 1) AS s WHERE o.n = @a',
  ])('of nothing in %s', (text) => {
    expect(uses(text)).toEqual({})
  })
})
