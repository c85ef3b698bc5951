// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { splitStatements } from '~/sql/statements'
import { tableReferences } from '~/sql/tables'
import { isTrivia, tokenize } from '~/sql/tokens'

describe('tables of a statement', () => {
  it.each([
    ['SELECT * FROM Orders', ['orders']],
    ['SELECT * FROM a, "B" AS x, c y WHERE f(a, b) > 1', ['a', 'b', 'c']],
    ['SELECT * FROM a INNER JOIN b ON a.id = b.id, c', ['a', 'b', 'c']],
    ['SELECT * FROM a LEFT JOIN LATERAL b ON true', ['a', 'b']],
    ['SELECT (SELECT MAX(x) FROM u) FROM t ORDER BY a, b', ['u', 't']],
    ['SELECT * FROM (SELECT * FROM t) AS s, v', ['t', 'v']],
    ['SELECT * FROM (HISTORY OF t)', ['t']],
    ['SELECT * FROM (DIFF OF t) SINCE TX 2 UNTIL TX 3', ['t']],
    ['WITH w AS (SELECT * FROM t) SELECT * FROM w, u', ['t', 'u']],
    ["SELECT * FROM COLUMNS('t')", []],
    ["SELECT EXTRACT(YEAR FROM created) FROM t WHERE x = ' FROM u'", ['t']],
    ['INSERT INTO t (a, b) SELECT a, b FROM u', ['t', 'u']],
    ['INSERT INTO t(a) VALUES (1) ON CONFLICT DO UPDATE SET a = 2', ['t']],
    ['UPSERT INTO __proto__ VALUES (1)', ['__proto__']],
    ['UPDATE t SET a = 1, b = 2 WHERE c IN (SELECT c FROM u)', ['t', 'u']],
    ['DELETE FROM t WHERE a = 1', ['t']],
    ['CREATE TABLE IF NOT EXISTS t (id INTEGER, FOREIGN KEY (a) REFERENCES u(b))', ['t', 'u']],
    ['DROP TABLE IF EXISTS t', ['t']],
    ['ALTER TABLE t RENAME TO u', ['t', 'u']],
    ['CREATE UNIQUE INDEX IF NOT EXISTS ON t(a)', ['t']],
    ['DROP INDEX t.a', ['t']],
    ['SELECT * FROM t USE INDEX ON (a) WHERE a = 1', ['t']],
    ['SHOW TABLE t', ['t']],
    ['GRANT SELECT, UPDATE ON DATABASE d TO USER u', []],
  ])('%s', (source, tables) => {
    expect(splitStatements(source)[0]?.tables).toEqual(tables)
  })

  it.each([
    ['SELECT * FROM orders o', 'o'],
    ['SELECT * FROM orders AS o', 'o'],
    ['SELECT * FROM orders UNTIL TX 5 AS o', 'o'],
    ['SELECT * FROM orders SINCE TX 5 WHERE a AS b', undefined],
    ['SELECT * FROM orders WHERE x', undefined],
  ])('reads the alias in %s', (source, alias) => {
    const tokens = tokenize(source).filter((token) => !isTrivia(token))
    expect(tableReferences(source, tokens)[0]?.alias).toBe(alias)
  })
})
