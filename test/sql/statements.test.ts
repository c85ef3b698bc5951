// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Statement, splitStatements, statementAt, withSemicolon } from '~/sql/statements'
import { isTrivia, tokenize } from '~/sql/tokens'
import { anyText } from './samples'

const texts = (source: string) => splitStatements(source).map(({ text }) => text)

function only(source: string): Statement {
  const statements = splitStatements(source)
  expect(statements).toHaveLength(1)
  const [statement] = statements
  if (!statement) throw new Error('there is no statement')
  return statement
}

describe('splitStatements', () => {
  it('leaves out nothing but spaces, comments and semicolons', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const statements = splitStatements(source)
        let at = 0
        for (const { from, to, text } of [
          ...statements,
          { from: source.length, to: 0, text: '' },
        ]) {
          const gap = tokenize(source.slice(at, from))
          expect(gap.every((token) => isTrivia(token) || token.kind === 'semicolon')).toBe(true)
          expect(from).toBeGreaterThanOrEqual(at)
          if (to > 0) expect(source.slice(from, to)).toBe(text)
          at = Math.max(to, from)
        }
      }),
    )
  })

  it('gives every piece again when it is split a second time', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        for (const { text, isBlock } of splitStatements(source)) {
          if (!isBlock) expect(texts(text)).toEqual([text])
        }
      }),
    )
  })

  it('splits by token and drops pieces without a statement', () => {
    expect(
      texts(`SELECT ';' AS "a;b" -- not here;
      ; /* nor; here */ ;; -- only a comment
      ; INSERT INTO t VALUES ('x''; y')`),
    ).toEqual([`SELECT ';' AS "a;b"`, `INSERT INTO t VALUES ('x''; y')`])
  })

  it('writes each statement down with its comments, and no comment twice', () => {
    const source = `-- head\n/* why */ SELECT 1 /* in */ + 1; -- ticket 42
-- next
\ufeffSELECT ';' -- rest
; -- last
-- of nobody`
    expect(splitStatements(source).map(({ written }) => written)).toEqual([
      '-- head\n/* why */ SELECT 1 /* in */ + 1; -- ticket 42',
      "-- next\n\ufeffSELECT ';' -- rest\n; -- last",
    ])
    expect(splitStatements('BEGIN; -- a\nSELECT 1; COMMIT -- b').map((one) => one.written)).toEqual(
      ['BEGIN; -- a\nSELECT 1; COMMIT -- b'],
    )
  })

  it.each([
    ['SELECT 1', 'SELECT 1;'],
    ['SELECT 1; -- x', 'SELECT 1; -- x'],
    ['SELECT 1 -- x', 'SELECT 1; -- x'],
    ["SELECT 'open", "SELECT 'open"],
  ])('a statement written as %j goes before others as %j', (written, whole) => {
    expect(withSemicolon(written)).toBe(whole)
  })

  it.each(['', ' \n', '-- nothing', '/* never closed', ';', ';;'])(
    'finds no statement in %j',
    (s) => {
      expect(splitStatements(s)).toEqual([])
    },
  )

  it('keeps an explicit transaction in one piece, with its rollback to a savepoint', () => {
    const block =
      'BEGIN TRANSACTION; INSERT INTO t VALUES (1); SAVEPOINT s; ROLLBACK TO s; select 1; commit'
    const [first, second, third] = splitStatements(`SELECT 1; ${block}; BEGIN; ROLLBACK;`)
    expect(first).toMatchObject({ kind: 'query', isBlock: false })
    expect(second).toMatchObject({ text: block, kind: 'exec', isBlock: true, tables: ['t'] })
    expect(second).not.toHaveProperty('unfinished')
    expect(third).toMatchObject({ text: 'BEGIN; ROLLBACK', isBlock: true })
  })

  it('says what is not finished', () => {
    expect(only('BEGIN; INSERT INTO t VALUES (1)').unfinished).toBe('transaction')
    expect(only("SELECT 'abc; SELECT 2").unfinished).toBe('string')
    expect(only('SELECT "abc; SELECT 2').unfinished).toBe('quoted')
    expect(only('SELECT 1 /* abc').unfinished).toBeUndefined()
  })

  it.each([
    ['SELECT 1', 'SELECT', 'query'],
    ['-- why\n/* not */ select 1', 'SELECT', 'query'],
    ['(SELECT 1)', 'SELECT', 'query'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'WITH', 'query'],
    ['SHOW TABLES', 'SHOW', 'query'],
    ['EXPLAIN SELECT 1', 'EXPLAIN', 'query'],
    ['\ufeffSELECT 1', 'SELECT', 'query'],
    ['INSERT INTO t SELECT * FROM u', 'INSERT', 'exec'],
    ['CREATE VIEW v AS SELECT 1', 'CREATE', 'exec'],
    ['USE SNAPSHOT SINCE TX 1', 'USE', 'exec'],
    ['USE', 'USE', 'exec'],
    ['SELEC 1', '', 'exec'],
    ['', undefined, undefined],
  ])('classifies %j', (source, verb, kind) => {
    const [statement] = splitStatements(source)
    expect(statement?.verb).toBe(verb)
    expect(statement?.kind).toBe(kind)
  })

  it.each([
    ['USE shop', 'shop'],
    ['use DATABASE Shop', 'shop'],
    ['USE database', 'database'],
    ['USE "shop"', 'shop'],
    ['USE аdmin', 'аdmin'],
    ['USE my-db', 'my-db'],
    ['USE __proto__', '__proto__'],
  ])('reads the database of %s', (source, database) => {
    expect(only(source)).toMatchObject({ kind: 'use', database })
  })

  it('knows RETURNING outside texts only', () => {
    expect(only("INSERT INTO t VALUES ('RETURNING')").returning).toBe(false)
    expect(only('DELETE FROM t returning id').returning).toBe(true)
  })
})

describe('statementAt', () => {
  const source = 'SELECT 1;SELECT 2; SELECT 3; -- c\n\n-- next\nSELECT\n4\n;\n\n'
  const statements = splitStatements(source)
  const at = (offset: number) => statementAt(statements, offset)?.text

  it.each([
    ['inside', source.indexOf('1'), 'SELECT 1'],
    ['right behind a semicolon, even where the next one starts', 9, 'SELECT 1'],
    ['inside the next', 10, 'SELECT 2'],
    ['behind a semicolon and a space', 18, 'SELECT 2'],
    ['at the start', 19, 'SELECT 3'],
    ['in a comment at the end of the line', source.indexOf('-- c') + 4, 'SELECT 3'],
    ['on an empty line', source.indexOf('\n\n') + 1, 'SELECT\n4'],
    ['in a comment above', source.indexOf('next'), 'SELECT\n4'],
    ['behind the semicolon on its own line', source.lastIndexOf(';') + 1, 'SELECT\n4'],
    ['behind everything', source.length, 'SELECT\n4'],
  ])('finds the statement for a caret %s', (_name, offset, expected) => {
    expect(at(offset)).toBe(expected)
  })

  it('finds nothing where there is nothing', () => {
    expect(statementAt([], 0)).toBeUndefined()
  })
})
