// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSql, type QuoteMode, typedRange } from '~/sql/send'
import { splitStatements } from '~/sql/statements'
import { isTrivia, tokenize } from '~/sql/tokens'
import { sqlText } from './samples'

const known = { names: new Set(['orders', 'note', '__proto__']) }

const send = (text: string, mode: QuoteMode = 'automatic') => prepareSql(text, known, mode)

/** Tokens without spaces and comments, as texts. */
const meaning = (source: string) =>
  tokenize(source)
    .filter((token) => !isTrivia(token))
    .map(({ from, to }) => source.slice(from, to))

describe('a server that reads -- as two minus signs', () => {
  const old = (text: string) => prepareSql(text, { ...known, lacksLineComments: true }, 'automatic')

  it.each([
    ['SELECT id -- the key\nFROM orders', 'SELECT id  \nFROM orders;'],
    ['-- first\nSELECT 1', ' \nSELECT 1;'],
    ["SELECT '-- x' /* -- y */ FROM orders", "SELECT '-- x' /* -- y */ FROM orders;"],
    ['SELECT 1 - -2', 'SELECT 1 - -2;'],
  ])('gets %j as %j', (text, sql) => {
    expect(old(text).sql).toBe(sql)
  })

  it('keeps the places of what was typed', () => {
    const { sql, offsets } = old('SELECT id -- the key\nFROM x')
    const at = sql.indexOf('FROM')
    expect(typedRange(offsets, at, at + 4)).toEqual({ from: 21, to: 25 })
  })
})

describe('the semicolon', () => {
  it.each([
    ['SELECT 1', 'SELECT 1;'],
    ['SELECT 1;', 'SELECT 1;'],
    ['SELECT 1 ;; ', 'SELECT 1;'],
    ['SELECT 1 -- why', 'SELECT 1;'],
    ['SELECT 1; -- why', 'SELECT 1;'],
    ['SELECT 1 /* why */', 'SELECT 1;'],
    ['SELECT 1 /* why', 'SELECT 1;'],
    ["SELECT ';'", "SELECT ';';"],
    ['SELECT 1 -- a\n+ 2', 'SELECT 1 -- a\n+ 2;'],
    ['BEGIN;; INSERT INTO t VALUES (1); ;COMMIT;;', 'BEGIN; INSERT INTO t VALUES (1); COMMIT;'],
    ["SELECT 'open", "SELECT 'open"],
    ['-- nothing', ''],
    ['', ''],
  ])('%j is sent as %j', (text, sql) => {
    expect(send(text).sql).toBe(sql)
  })

  it('stands exactly once at the end, and the rest means what was typed', () => {
    fc.assert(
      fc.property(sqlText, (source) => {
        for (const { text, isBlock } of splitStatements(source)) {
          const isOpen = tokenize(text).at(-1)?.unfinished ?? false
          const sent = meaning(send(text, 'never').sql)
          const typed = meaning(text)
          if (!isOpen) expect(sent.pop()).toBe(';')
          if (isBlock) {
            expect(sent.filter((part) => part !== ';')).toEqual(
              typed.filter((part) => part !== ';'),
            )
            expect(sent.some((part, at) => part === ';' && sent[at + 1] === ';')).toBe(false)
          } else expect(sent).toEqual(typed)
        }
      }),
    )
  })
})

describe('double quotes', () => {
  it.each([
    [
      'SELECT "note" FROM "orders" WHERE "id" = "a2"',
      `SELECT "note" FROM "orders" WHERE 'id' = 'a2';`,
    ],
    ['SELECT "NOTE" FROM "__proto__"', 'SELECT "NOTE" FROM "__proto__";'],
    ['SELECT \'"\' AS "x", "it\'s", "a""b"', `SELECT '"' AS "x", 'it''s', 'a"b';`],
    ['SELECT "x" -- "y"\n, "two words"', `SELECT 'x' -- "y"\n, 'two words';`],
    [
      'CREATE TABLE "n" ("id" INTEGER, CHECK "id" <> "x", PRIMARY KEY ("id"))',
      `CREATE TABLE "n" ("id" INTEGER, CHECK "id" <> 'x', PRIMARY KEY ("id"));`,
    ],
    ['INSERT INTO "n" ("a", "b") VALUES ("1", "")', `INSERT INTO "n" ("a", "b") VALUES ('1', '');`],
    [
      'UPDATE n SET "a" = "x", "b" = "y" WHERE c = "z"',
      `UPDATE n SET "a" = 'x', "b" = 'y' WHERE c = 'z';`,
    ],
    [
      'WITH "w" AS (SELECT 1) SELECT * FROM "w" WHERE "w" = "v"',
      `WITH "w" AS (SELECT 1) SELECT * FROM "w" WHERE "w" = 'v';`,
    ],
    [
      'SELECT "t".a AS "total" FROM n "t" ORDER BY "total"',
      'SELECT "t".a AS "total" FROM n "t" ORDER BY "total";',
    ],
    ['SELECT EXTRACT(YEAR FROM "2024-01-01")', "SELECT EXTRACT(YEAR FROM '2024-01-01');"],
    ['CREATE INDEX ON "n" ("a")', 'CREATE INDEX ON "n" ("a");'],
    [
      'SELECT a FROM n USE INDEX ON ("a") GROUP BY "a", "b"',
      'SELECT a FROM n USE INDEX ON ("a") GROUP BY "a", "b";',
    ],
    ['SELECT * FROM n UNTIL "2024-01-01"', "SELECT * FROM n UNTIL '2024-01-01';"],
    ['SELECT meta->"a" FROM orders', "SELECT meta->'a' FROM orders;"],
  ])('%s', (text, sql) => {
    expect(send(text).sql).toBe(sql)
  })

  it('says what was sent as text, once each', () => {
    expect(send('SELECT "a2", "a2", "it\'s", "note"').notes).toEqual([
      `"a2" was sent as text 'a2'`,
      `"it's" was sent as text 'it''s'`,
    ])
    const [note] = send(`SELECT "${'long '.repeat(100)}"`).notes
    expect(note?.length).toBeLessThan(150)
  })

  it('always become text, or never', () => {
    expect(send('SELECT "note"', 'text').sql).toBe("SELECT 'note';")
    expect(send('SELECT "a2"', 'never')).toMatchObject({ sql: 'SELECT "a2";', notes: [] })
  })

  it('never melt into the text or the x beside them', () => {
    expect(send(`SELECT x"ab", 'a'"b", "c"'d'`, 'text').sql).toBe(
      `SELECT x 'ab', 'a' 'b', 'c' 'd';`,
    )
  })

  it('change nothing else', () => {
    fc.assert(
      fc.property(sqlText, (source) => {
        for (const { text, isBlock } of splitStatements(source)) {
          if (isBlock) continue
          const sent = meaning(send(text).sql)
          meaning(text).forEach((part, at) => {
            const literal = `'${part.slice(1, -1).replaceAll('""', '"').replaceAll("'", "''")}'`
            expect(part.startsWith('"') ? [part, literal] : [part]).toContain(sent[at])
          })
        }
      }),
    )
  })
})

describe('offsets', () => {
  it('lead each sent token back to the typed one', () => {
    fc.assert(
      fc.property(sqlText, (source) => {
        for (const { text, isBlock } of splitStatements(source)) {
          if (isBlock) continue
          const { sql, offsets } = send(text)
          const typed = tokenize(text).filter((token) => !isTrivia(token))
          const sent = tokenize(sql).filter((token) => !isTrivia(token))
          typed.forEach(({ from, to }, at) => {
            const token = sent[at]
            expect(token && typedRange(offsets, token.from, token.to)).toEqual({ from, to })
          })
        }
      }),
    )
  })

  it('lead the added semicolon to the end of the statement', () => {
    const { sql, offsets } = send('SELECT 1 -- why')
    expect(typedRange(offsets, sql.length - 1, sql.length)).toEqual({ from: 8, to: 8 })
  })
})
