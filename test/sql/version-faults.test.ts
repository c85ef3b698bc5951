// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readSqlRefusal } from '~/api/sql-errors'
import { readVersion } from '~/immudb/server-versions'
import { newerWord, versionFaults } from '~/sql/version-faults'

const faults = (sql: string, version: string) => versionFaults(sql, readVersion(version))

describe('AND behind OR, which versions before 1.9.6 read from left to right', () => {
  test.each([
    'SELECT * FROM t WHERE a = 1 OR b = 1 AND c = 1',
    'DELETE FROM t WHERE (a = 1) OR b = 1 AND c = 1',
    'SELECT * FROM t WHERE a = 1 AND (b = 1 OR c = 1 AND d = 1)',
    'SELECT * FROM t INNER JOIN s ON t.a = s.a OR t.b = s.b AND t.c = 1',
    'SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1 OR a > 2 AND a < 9',
    'SELECT * FROM t WHERE a = 1 OR NOT b = 1 and c = 1',
  ])('%s is told', (sql) => {
    expect(faults(sql, '1.9.5')).toEqual([
      { text: expect.stringMatching(/from left to right/), isWrong: true },
    ])
    expect(faults(sql, '1.9.6')).toEqual([])
    expect(faults(sql, '1.11.1')).toEqual([])
    expect(faults(sql, '-')).toEqual([])
  })

  test.each([
    'SELECT * FROM t WHERE a = 1 AND b = 1 OR c = 1',
    'SELECT * FROM t WHERE a = 1 OR (b = 1 AND c = 1)',
    'SELECT * FROM t WHERE (a = 1 OR b = 1) AND c = 1',
    'SELECT * FROM t INNER JOIN s ON t.a = s.a OR t.b = s.b WHERE t.c = 1 AND t.d = 1',
    "SELECT * FROM t WHERE a = 'x OR y' AND b = 1",
    'SELECT * FROM t /* OR */ WHERE a = 1 AND b = 1',
    'BEGIN TRANSACTION; DELETE FROM t WHERE a = 1 OR b = 1; DELETE FROM t WHERE a = 1 AND b = 2; COMMIT',
  ])('%s is not', (sql) => {
    expect(faults(sql, '1.9.5')).toEqual([])
  })
})

test('COUNT of a column is told on 1.11.0 alone', () => {
  for (const sql of ['SELECT COUNT(a) FROM t', 'SELECT b, count("a") FROM t GROUP BY b']) {
    expect(faults(sql, '1.11.0')).toEqual([
      { text: expect.stringMatching(/answers 0 for COUNT/), isWrong: true },
    ])
    expect(faults(sql, '1.10.0')).toEqual([])
    expect(faults(sql, '1.11.1')).toEqual([])
  }
  expect(faults('SELECT COUNT(*) FROM t', '1.11.0')).toEqual([])
})

test('that LIKE takes a regular expression is told before 1.11, as a note', () => {
  const sql = "SELECT * FROM t WHERE a LIKE 'x%'"
  for (const version of ['1.3.2', '1.9.5', '1.10.0']) {
    expect(faults(sql, version)).toEqual([
      { text: expect.stringMatching(/regular expression/), isWrong: false },
    ])
  }
  expect(faults(sql, '1.11.0')).toEqual([])
  expect(faults("SELECT 'LIKE' FROM t", '1.9.5')).toEqual([])
})

test('a word that came later is named when a statement was not understood', () => {
  const word = (sql: string, version: string, answer = 'syntax error: unexpected IDENTIFIER') =>
    readSqlRefusal(answer).isNotUnderstood ? newerWord(sql, readVersion(version)) : undefined
  expect(word('explain SELECT 1', '1.10.0')).toBe(
    'EXPLAIN may be newer than this server. Needs immudb 1.11. This server runs 1.10.',
  )
  expect(word('SELECT CASE WHEN a = 1 THEN 2 END FROM t', '1.9.5')).toMatch(/^CASE .* 1\.9\.6/)
  expect(word('SELECT * FROM t', '1.9.5')).toBeUndefined()
  expect(word('EXPLAIN SELECT 1', '1.11.1')).toBeUndefined()
  expect(word("SELECT 'EXPLAIN' FROM t", '1.9.5')).toBeUndefined()
  expect(word('WITH x AS (SELECT id FROM t) SELECT id FROM x', '1.10.0')).toMatch(
    /^WITH .* 1\.11\./,
  )
  // Types of columns, too.
  expect(word('CREATE TABLE t (id INTEGER, j JSON)', '1.4.1')).toMatch(/^JSON .* 1\.9\.5\./)
  expect(word('CREATE TABLE t (id UUID, f FLOAT)', '1.5.0')).toMatch(/^UUID .* 1\.9\./)
  // CREATE USER … WITH PASSWORD is as old as users in SQL.
  expect(word("CREATE USER bob WITH PASSWORD 'Bob1!bobb' FOO", '1.10.0')).toBeUndefined()
  // A name, and an answer that understood the statement.
  const valued = 'invalid value provided (expecting boolean value): when evaluating WHERE clause'
  expect(word('SELECT id FROM users WHERE id = 1', '1.5.0', valued)).toBeUndefined()
  for (const answer of ['illegal arguments: unkown function coalesce', 'unsupported join type']) {
    expect(word('SELECT COALESCE(a, b) FROM t LEFT JOIN u', '1.9.5', answer)).toMatch(
      /may be newer/,
    )
  }
})
