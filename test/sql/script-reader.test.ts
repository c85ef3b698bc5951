import { describe, expect, it } from 'vitest'
import { guessDialect, type ScriptDialect } from '~/sql/script-dialect'
import { type ScriptPart, scriptReader } from '~/sql/script-reader'

function split(dialect: ScriptDialect, ...pieces: readonly string[]): ScriptPart[] {
  const reader = scriptReader(dialect)
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.end()]
}

const texts = (dialect: ScriptDialect, source: string) =>
  split(dialect, source).map(({ text }) => text)

describe('the reader of scripts', () => {
  it('splits at semicolons outside texts, names and comments', () => {
    const source = `SELECT 'a;b'; -- c;d
      /* e;f */ SELECT "g;h"; ; SELECT 'it''s;';`
    expect(texts('standard', source)).toEqual(["SELECT 'a;b'", 'SELECT "g;h"', "SELECT 'it''s;'"])
  })

  it('reads MySQL: backticks, backslashes, hashes, version comments and delimiters', () => {
    const source = [
      '# a comment; with a semicolon',
      '/*!40101 SET NAMES utf8 */;',
      'INSERT INTO `a;b` VALUES (\'it\\\'s; here\', "double\\";", 1--1);',
      '/*!50003 CREATE TRIGGER t BEGIN SET x = 1; END */;',
      'DELIMITER $$',
      'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END$$',
      'delimiter ;',
      'SELECT 3;',
    ].join('\n')
    expect(split('mysql', source).map(({ kind, text }) => [kind, text])).toEqual([
      ['statement', '/*!40101 SET NAMES utf8 */'],
      ['statement', 'INSERT INTO `a;b` VALUES (\'it\\\'s; here\', "double\\";", 1--1)'],
      ['statement', '/*!50003 CREATE TRIGGER t BEGIN SET x = 1; END */'],
      ['command', 'DELIMITER $$'],
      ['statement', 'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END'],
      ['command', 'delimiter ;'],
      ['statement', 'SELECT 3'],
    ])
  })

  it('reads PostgreSQL: dollar texts, E texts, nested comments, psql commands and COPY data', () => {
    const source = [
      '\\restrict abc',
      '/* a /* b; */ c; */ CREATE FUNCTION f() AS $x$ BEGIN; $$ ; $x$ LANGUAGE sql;',
      "SELECT E'it\\'s;', 'a\\';",
      'COPY public.t (a, b) FROM stdin;',
      "1\tit's; a \\N",
      '2\t\\\\.',
      '\\.',
      '',
      'SELECT 2;',
    ].join('\n')
    expect(split('postgres', source).map(({ kind, text, line }) => [kind, text, line])).toEqual([
      ['command', '\\restrict abc', 1],
      ['statement', 'CREATE FUNCTION f() AS $x$ BEGIN; $$ ; $x$ LANGUAGE sql', 2],
      ['statement', "SELECT E'it\\'s;', 'a\\'", 3],
      ['copy', 'COPY public.t (a, b) FROM stdin', 4],
      ['row', "1\tit's; a \\N", 5],
      ['row', '2\t\\\\.', 6],
      ['statement', 'SELECT 2', 9],
    ])
  })

  it('reads SQLite: brackets, triggers with bodies and commands of its shell', () => {
    const source = [
      '.mode list',
      'CREATE TABLE [a;b] ("c;d" TEXT, `e` INT);',
      'CREATE TRIGGER t AFTER INSERT ON x BEGIN UPDATE x SET a = CASE WHEN 1 THEN 2 END; DELETE FROM y; END;',
      'SELECT a[1];',
    ].join('\r\n')
    expect(split('sqlite', source).map(({ text, line }) => [line, text.slice(0, 22)])).toEqual([
      [1, '.mode list'],
      [2, 'CREATE TABLE [a;b] ("c'],
      [3, 'CREATE TRIGGER t AFTER'],
      [4, 'SELECT a[1]'],
    ])
    expect(split('sqlite', source)).toHaveLength(4)
  })

  it('ends a body with its own END, whatever its statements begin with', () => {
    const body =
      'BEGIN BEGIN SELECT 1; END; IF a THEN SELECT 2; END IF; CASE a WHEN 1 THEN SELECT 3; END CASE; END'
    const source = `CREATE PROCEDURE p() ${body}; SELECT 4;`
    expect(texts('mysql', source)).toEqual([`CREATE PROCEDURE p() ${body}`, 'SELECT 4'])
  })

  it('looks at each statement of a long body once', () => {
    const body = `BEGIN ${'UPDATE a SET b = 1; '.repeat(20_000)}END`
    expect(texts('sqlite', `CREATE TRIGGER t ${body}; SELECT 1;`)).toHaveLength(2)
  })

  it('names the line in which what is never closed begins', () => {
    for (const [dialect, open] of [
      ['standard', "SELECT 1;\nINSERT INTO t\nVALUES ('never; closed"],
      ['mysql', 'SELECT 1;\nINSERT INTO t\nVALUES ("never; \\" closed'],
      ['postgres', 'SELECT 1;\nINSERT INTO t\nVALUES ($a$ never; $b$'],
      ['standard', 'SELECT 1;\nINSERT INTO t\nVALUES ( /* never;'],
    ] as const) {
      const [, last, ...more] = split(dialect, open)
      expect(more).toEqual([])
      expect(last).toMatchObject({ line: 2, openLine: 3 })
    }
    expect(split('standard', '\n\n/* never')).toMatchObject([{ line: 3, openLine: 3 }])
  })

  it('counts lines of every kind of end', () => {
    const source = 'SELECT 1;\rSELECT 2;\r\nSELECT 3;\n\r\nSELECT\r4;'
    expect(split('standard', source).map(({ line }) => line)).toEqual([1, 2, 3, 5])
  })

  it('finds the same parts wherever the pieces are cut', () => {
    const sources: readonly (readonly [ScriptDialect, string])[] = [
      [
        'mysql',
        "/*!40101 SET a */;\r\nINSERT INTO `t` VALUES ('a\\\\','\\'',\"b\"\"\",1);# c\n-- d\r\nDELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\nDELIMITER ;\nSELECT '😀';",
      ],
      [
        'postgres',
        "/* a /* b */ */SELECT $q$ ; $$ $q$, E'\\'', 'x';\r\nCOPY t FROM stdin;\r\n1\ta;b\r\n\\.\r\n\\connect x\nSELECT a$b$c;$$",
      ],
      [
        'sqlite',
        "CREATE TRIGGER t BEGIN DELETE FROM a; END;\nINSERT INTO [a b] VALUES(X'00ff','''');SELECT \"a\"\"b\"",
      ],
    ]
    for (const [dialect, source] of sources) {
      const whole = split(dialect, source)
      for (let cut = 0; cut <= source.length; cut += 1) {
        expect(split(dialect, source.slice(0, cut), source.slice(cut))).toEqual(whole)
      }
      expect(split(dialect, ...source.split(''))).toEqual(whole)
    }
  })

  it('gives back statements that are put together, where they were', () => {
    const some = ["SELECT 'a;''b'", 'INSERT INTO "t;" VALUES (1, -2)', "UPDATE t SET a = '--'", 'x']
    const gaps = [';\n', ' ; -- c;\n', ';/* ; */', ';\r\n\r\n']
    for (let seed = 0; seed < 64; seed += 1) {
      const chosen = [0, 1, 2, 3].map((at) => some[(seed >> at) & 3] ?? '')
      const source = chosen.map((text, at) => text + (gaps[(seed + at) & 3] ?? '')).join('')
      const parts = split('standard', source)
      expect(parts.map(({ text }) => text)).toEqual(chosen)
      for (const { from, text } of parts) expect(source.startsWith(text, from)).toBe(true)
    }
  })
})

describe('the guess of a dialect', () => {
  it('knows dumps by what they say and how they are written', () => {
    expect(guessDialect('-- PostgreSQL database dump\nSET x;')).toBe('postgres')
    expect(guessDialect('-- MySQL dump 10.13\n/*!40101 SET x */;')).toBe('mysql')
    expect(guessDialect('CREATE TABLE `a` (`b` int) ENGINE=InnoDB;')).toBe('mysql')
    expect(guessDialect('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;')).toBe('sqlite')
    expect(guessDialect('CREATE TABLE t (id INTEGER, a VARCHAR[20], PRIMARY KEY id);')).toBe(
      'immudb',
    )
    expect(guessDialect('CREATE TABLE a (b int);')).toBe('standard')
  })
})
