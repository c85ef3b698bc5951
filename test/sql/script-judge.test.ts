import { describe, expect, it } from 'vitest'
import type { Encoding } from '~/lib/encoding'
import { type ScriptDialect, signsOf } from '~/sql/script-dialect'
import { type JudgedPart, rowsSql, type ScriptRow, scriptJudge } from '~/sql/script-judge'
import { scriptReader } from '~/sql/script-reader'
import { rollbackFinder } from '~/sql/script-rollback'
import { isAboutTables, type ScriptTable, scriptTables } from '~/sql/script-tables'
import type { DecimalChoice } from '~/sql/script-types'

type Given = {
  there?: readonly ScriptTable[]
  decimals?: DecimalChoice
  firstRows?: readonly (readonly [string, readonly number[]])[]
  disordered?: readonly string[]
  encoding?: Encoding
}

function judgeAll(dialect: ScriptDialect, source: string, given: Given = {}): JudgedPart[] {
  const reader = scriptReader(dialect)
  const parts = [...reader.read(source), ...reader.end()]
  const statements = parts.flatMap(({ text, line }, number) =>
    isAboutTables(text) ? [{ number, line, text }] : [],
  )
  const { there = [], decimals = 'FLOAT', firstRows = [], disordered = [] } = given
  const rollbacks = rollbackFinder(dialect, signsOf(dialect))
  parts.forEach((part, number) => {
    rollbacks.look({ ...part, isAboutTables: isAboutTables(part.text) }, number)
  })
  const input = { dialect, decimals, statements, there, takenBack: rollbacks.takenBack }
  const rest = { firstRows: new Map(firstRows), disordered: new Set(disordered) }
  const tables = scriptTables({ ...input, ...rest }, signsOf(dialect))
  const { judge } = scriptJudge(dialect, tables, undefined, true, given.encoding)
  return parts.map(judge)
}

/** `judgement: what is sent`, without line ends, and the notes. */
const told = (parts: readonly JudgedPart[]) =>
  parts.map(({ judgement, sent, notes }) => {
    const sql = sent.map((one) => one.sql.replace(/\s+/g, ' ')).join(' ')
    return [judgement, sql || notes.join(' ')]
  })

const lastOf = (dialect: ScriptDialect, source: string, given?: Given) => {
  const all = judgeAll(dialect, source, given)
  return all.at(-1) as JudgedPart
}

describe('the judgement of tables', () => {
  it('lets run what is written for immudb', () => {
    const source = `
      CREATE TABLE IF NOT EXISTS orders (
        id INTEGER AUTO_INCREMENT,
        name VARCHAR[50] NOT NULL DEFAULT 'x',
        paid BOOLEAN,
        PRIMARY KEY (id)
      );
      create index on orders (name);
      INSERT INTO orders (name, paid) VALUES ('a', TRUE), ('it''s', NULL);
      UPDATE orders SET paid = FALSE WHERE id = 1;`
    expect(judgeAll('immudb', source).map(({ judgement }) => judgement)).toEqual([
      'runs',
      'runs',
      'runs',
      'runs',
    ])
  })

  it('rewrites a table of MySQL with its keys and indexes', () => {
    const source = `CREATE TABLE \`users\` (
      \`user_id\` int(10) UNSIGNED NOT NULL AUTO_INCREMENT,
      \`name\` varchar(64) BINARY NOT NULL DEFAULT '' COMMENT 'it''s, a (name)',
      \`created\` datetime NOT NULL DEFAULT '1000-01-01 00:00:00',
      \`role\` enum('admin','user') DEFAULT 'user',
      \`data\` longtext,
      \`order\` tinyint(1) DEFAULT '0',
      PRIMARY KEY (\`user_id\`),
      UNIQUE KEY \`n\` (\`name\`),
      KEY \`d\` (\`data\`(20)),
      KEY \`c\` (\`created\`) USING BTREE,
      CONSTRAINT \`fk\` FOREIGN KEY (\`user_id\`) REFERENCES \`x\` (\`id\`) ON DELETE CASCADE
    ) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4;`
    const table = lastOf('mysql', source)
    expect(table.sent.map(({ sql }) => sql)).toEqual([
      [
        'CREATE TABLE "users" (',
        '  user_id INTEGER NOT NULL AUTO_INCREMENT,',
        "  name VARCHAR[256] NOT NULL DEFAULT '',",
        "  created TIMESTAMP NOT NULL DEFAULT CAST('1000-01-01 00:00:00.000000' AS TIMESTAMP),",
        "  role VARCHAR[20] DEFAULT 'user',",
        '  data VARCHAR,',
        '  "order" INTEGER DEFAULT 0,',
        '  PRIMARY KEY (user_id)',
        ');',
      ].join('\n'),
      'CREATE UNIQUE INDEX ON "users" (name);',
      'CREATE INDEX ON "users" (created);',
    ])
    expect(table.notes).toEqual([
      'immudb does not check foreign keys.',
      'role: immudb does not check that a value is one of the list.',
      'The index on data is left out: immudb cannot index data, which has no maximum length.',
    ])
  })

  it('makes a table of pg_dump with the key that stands behind its rows', () => {
    const source = `
      CREATE TABLE public.item (id integer NOT NULL, name character varying(20) DEFAULT 'x y'::character varying COLLATE pg_catalog."C" NOT NULL, at timestamp without time zone DEFAULT now() NOT NULL, n numeric(10,2), tags text[]);
      CREATE SEQUENCE public.item_id_seq START WITH 1 CACHE 1;
      ALTER TABLE ONLY public.item ALTER COLUMN id SET DEFAULT nextval('public.item_id_seq'::regclass);
      COPY public.item (id, name) FROM stdin;
1\ta
2\tb
\\.
      SELECT pg_catalog.setval('public.item_id_seq', 2, true);
      ALTER TABLE ONLY public.item ADD CONSTRAINT item_pkey PRIMARY KEY (id);
      ALTER TABLE ONLY public.item ADD CONSTRAINT item_name UNIQUE (name);
      CREATE INDEX item_at ON public.item USING btree (at DESC);
      ALTER TABLE public.item OWNER TO me;`
    const given = { firstRows: [['item', [3]]] } as const
    expect(told(judgeAll('postgres', source, given))).toEqual([
      [
        'rewritten',
        "CREATE TABLE item ( id INTEGER NOT NULL AUTO_INCREMENT, name VARCHAR[80] NOT NULL DEFAULT 'x y', at TIMESTAMP NOT NULL DEFAULT NOW(), n FLOAT, tags VARCHAR, PRIMARY KEY (id) ); CREATE UNIQUE INDEX ON item (name);",
      ],
      ['left out', 'In immudb the key of a table counts up by itself (AUTO_INCREMENT).'],
      ['left out', 'Done where the table item is made.'],
      ['rewritten', 'Each line of its data is an INSERT.'],
      ['rewritten', "INSERT INTO item (id, name) VALUES (1, 'a');"],
      ['rewritten', "INSERT INTO item (id, name) VALUES (2, 'b');"],
      ['left out', 'immudb counts on from the largest key by itself.'],
      ['left out', 'Done where the table item is made.'],
      ['left out', 'Done where the table item is made.'],
      ['rewritten', 'CREATE INDEX ON item (at);'],
      ['left out', 'It sets an option of the database that wrote the script.'],
    ])
  })

  it('reads tables of SQLite with odd names, types and quotes', () => {
    const source = `CREATE TABLE [my table] ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "Größe" REAL, [select] TEXT UNIQUE, x, y DATETIME DEFAULT CURRENT_TIMESTAMP, CHECK (id > 0));
      INSERT INTO "my table" VALUES(1,2.5,'a',X'00ff','2024-05-06');`
    const [table, row] = judgeAll('sqlite', source)
    expect(told([table as JudgedPart])).toEqual([
      [
        'rewritten',
        'CREATE TABLE my_table ( id INTEGER NOT NULL AUTO_INCREMENT, groesse FLOAT, "select" VARCHAR, x VARCHAR, y TIMESTAMP DEFAULT NOW(), PRIMARY KEY (id) );',
      ],
    ])
    // The bytes are no text, and the column has no type.
    expect(row?.notes).toEqual(['Row 1: x: “0x00ff” has bytes that are no text.'])
  })

  it('gives a table without a key one that counts its rows', () => {
    const table = lastOf('mysql', 'CREATE TABLE log (row_id int, t text) ENGINE=MyISAM')
    expect(table.sent[0]?.sql).toContain('row_id_key INTEGER NOT NULL AUTO_INCREMENT')
    const unique = lastOf(
      'mysql',
      'CREATE TABLE l (a int NOT NULL, UNIQUE KEY u (a)) ENGINE=MyISAM',
    )
    expect(unique.sent.map(({ sql }) => sql.replace(/\s+/g, ' '))).toEqual([
      'CREATE TABLE l ( a INTEGER NOT NULL, PRIMARY KEY (a) );',
    ])
  })

  it('keeps keys and indexes as short as immudb takes them', () => {
    const key = lastOf('postgres', 'CREATE TABLE a (k text, l varchar(300), PRIMARY KEY (k, l));')
    // 11 bytes, and twice both with 5 bytes each: 1,024 at most.
    expect(key.sent[0]?.sql).toContain('k VARCHAR[248]')
    expect(key.sent[0]?.sql).toContain('l VARCHAR[248]')
    const index = judgeAll(
      'postgres',
      'CREATE TABLE b (k bigint PRIMARY KEY, t varchar(500), u varchar(600)); CREATE INDEX ON b (t); CREATE INDEX ON b (u, t);',
    )
    expect(told(index).map(([judgement]) => judgement)).toEqual([
      'rewritten',
      'left out',
      'left out',
    ])
    const inline = lastOf(
      'mysql',
      'CREATE TABLE c (k bigint PRIMARY KEY, t varchar(500), KEY (t), KEY (k)) ENGINE=x',
    )
    expect(inline.sent.map(({ sql }) => sql.replace(/\s+/g, ' '))).toEqual([
      'CREATE TABLE c ( k INTEGER NOT NULL, t VARCHAR[999], PRIMARY KEY (k) );',
      'CREATE INDEX ON c (t);',
    ])
  })

  it('says which statements need a table that cannot be made', () => {
    const source = `CREATE TABLE a AS SELECT 1; INSERT INTO a VALUES (1); CREATE INDEX ON a (x); INSERT INTO b VALUES (1); CREATE TABLE c (j json PRIMARY KEY); UPDATE c SET j = 1;`
    expect(
      judgeAll('postgres', source).map(({ judgement, notes }) => [judgement, ...notes]),
    ).toEqual([
      [
        'cannot run',
        'The console makes no table from a SELECT, from another table or as a part of one.',
      ],
      ['cannot run', expect.stringContaining('The table a cannot be made: ')],
      ['cannot run', expect.stringContaining('The table a cannot be made: ')],
      ['cannot run', 'There is no table b.'],
      ['cannot run', 'immudb cannot index j, which is JSON.'],
      ['cannot run', 'The table c cannot be made: immudb cannot index j, which is JSON.'],
    ])
  })

  it('names what a script destroys, and drops only what is there', () => {
    const there: ScriptTable = {
      name: 'old',
      columns: [],
      key: ['id'],
      autoKey: null,
      indexes: [],
      problem: null,
      isMade: false,
    }
    const source = `DROP TABLE IF EXISTS old, missing; DROP TABLE old; CREATE TABLE old (id int PRIMARY KEY); DELETE FROM old; UPDATE old SET id = 2; DELETE FROM old WHERE id = '3'; TRUNCATE TABLE old;`
    const parts = judgeAll('mysql', source, { there: [there] })
    expect(parts.map(({ danger }) => danger)).toEqual([
      'Drop table old',
      undefined,
      undefined,
      'Delete all rows of old',
      'Change all rows of old',
      undefined,
      'Truncate table old',
    ])
    expect(told(parts).slice(0, 2)).toEqual([
      ['rewritten', 'DROP TABLE old;'],
      ['cannot run', 'There is no table old.'],
    ])
    expect(told(parts)[5]).toEqual(['rewritten', 'DELETE FROM old WHERE id = 3;'])
  })
})

describe('the judgement of rows', () => {
  const valuesOf = ({ rows }: JudgedPart) => rows.map(({ values }) => values)

  it('sends every value exactly, or says what is lost', () => {
    const table =
      'CREATE TABLE t (i bigint PRIMARY KEY, d decimal(30,10), v varchar(20), b blob, f double, ts datetime, o boolean, j json) ENGINE=x;'
    const row = (values: string) => lastOf('mysql', `${table} INSERT INTO t VALUES (${values});`)
    const exact = row(
      "-9223372036854775808, 1.5, 'it\\'s \\\\ \\n 😀', 0x00ff, -0.1, '2024-05-06 07:08:09.123456', 1, '{\"a\":1}'",
    )
    expect(valuesOf(exact)).toEqual([
      [
        { n: '-9223372036854775808' },
        { f: 1.5 },
        { s: "it's \\ \n 😀" },
        { bs: 'AP8=' },
        { f: -0.1 },
        { ts: '1714979289123456' },
        { b: true },
        { s: '{"a":1}' },
      ],
    ])
    expect(exact.notes).toEqual([])
    const lossy = row("1, 12345678901234567890.123, '', '', 0, '0000-00-00 00:00:00', b'0', NULL")
    expect(lossy.notes).toEqual([
      'd: FLOAT keeps 12345678901234567000 of 12345678901234567890.123.',
      'ts: the date 0000-00-00 becomes NULL.',
    ])
    expect(row('18446744073709551615, 1, 1, 1, 1, NULL, 0, NULL')).toMatchObject({
      judgement: 'cannot run',
      notes: ['Row 1: i: “18446744073709551615” is beyond 64 bits.'],
    })
    const asText = lastOf(
      'mysql',
      `${table} INSERT INTO t (i, d) VALUES (1, 12345678901234567890.123)`,
      {
        decimals: 'VARCHAR',
      },
    )
    expect(valuesOf(asText)).toEqual([[{ n: '1' }, { s: '12345678901234567890.123' }]])
  })

  it('reads the texts of PostgreSQL and what its dumps write for bytes and times', () => {
    const table = 'CREATE TABLE t (i int PRIMARY KEY, a text, b bytea, ts timestamptz, o boolean);'
    const row = (values: string) =>
      valuesOf(lastOf('postgres', `${table} INSERT INTO t VALUES (${values});`))[0]
    expect(
      row("1, E'a\\tb\\u00e9\\303\\251\\'', '\\x00FF', '2024-05-06 07:08:09+02', 't'"),
    ).toEqual([
      { n: '1' },
      { s: "a\tbéé'" },
      { bs: 'AP8=' },
      { ts: '1714972089000000' },
      { b: true },
    ])
    expect(row("2, $q$it's $$ \\n$q$, decode('00ff','hex'), NULL, FALSE")?.slice(1, 3)).toEqual([
      { s: "it's $$ \\n" },
      { bs: 'AP8=' },
    ])
    expect(row("3, 'a\\nb'::text, NULL, NULL, CAST('f' AS boolean)")).toEqual([
      { n: '3' },
      { s: 'a\\nb' },
      null,
      null,
      { b: false },
    ])
    const copied = judgeAll(
      'postgres',
      `${table}COPY t (i, a) FROM stdin;\n1\ta\\tb\\\\\\N\n2\t\\N\n\\.\n`,
    )
    expect(copied.slice(2).map((part) => valuesOf(part)[0])).toEqual([
      [{ n: '1' }, { s: 'a\tb\\N' }],
      [{ n: '2' }, null],
    ])
  })

  it('reads the texts of SQLite with line ends, and its numbers beyond all others', () => {
    const table = 'CREATE TABLE t (a TEXT, r REAL, b INTEGER PRIMARY KEY AUTOINCREMENT);'
    const row = (values: string) =>
      valuesOf(lastOf('sqlite', `${table} INSERT INTO t VALUES(${values});`))[0]
    expect(
      row("replace(replace('it''s\\ntwo\\r\\nx','\\r',char(13)),'\\n',char(10)),1e999,1"),
    ).toEqual([{ s: "it's\ntwo\r\nx" }, { f: 'Infinity' }, { n: '1' }])
    expect(row("'a'||char(9)||'b',-9.0e+999,2")?.slice(0, 2)).toEqual([
      { s: 'a\tb' },
      { f: '-Infinity' },
    ])
    expect(lastOf('sqlite', "INSERT INTO sqlite_sequence VALUES('t',3)").judgement).toBe('left out')
  })

  it('keeps what an INSERT does with equal keys', () => {
    const table = 'CREATE TABLE t (i int PRIMARY KEY, a int);'
    const mode = (dialect: ScriptDialect, sql: string) => {
      const { judgement, rows, notes } = lastOf(dialect, `${table} ${sql}`)
      return rows[0]?.mode ?? `${judgement}: ${notes}`
    }
    expect(mode('mysql', 'INSERT IGNORE INTO t VALUES (1, 2)')).toBe('ignore')
    expect(mode('mysql', 'REPLACE INTO t VALUES (1, 2)')).toBe('replace')
    expect(mode('sqlite', 'INSERT OR REPLACE INTO t VALUES (1, 2)')).toBe('replace')
    expect(mode('postgres', 'INSERT INTO t VALUES (1, 2) ON CONFLICT (i) DO NOTHING')).toBe(
      'ignore',
    )
    expect(mode('postgres', 'INSERT INTO t VALUES (1, 2) ON CONFLICT (a) DO NOTHING')).toContain(
      'cannot run',
    )
    expect(mode('mysql', 'INSERT INTO t VALUES (1, 2) ON DUPLICATE KEY UPDATE a = 3')).toContain(
      'cannot run',
    )
    expect(mode('postgres', 'INSERT INTO t VALUES (1, 2) RETURNING i')).toContain('cannot run')
    expect(mode('postgres', 'INSERT INTO t SELECT 1, 2')).toContain('cannot run')
    expect(mode('postgres', "INSERT INTO t VALUES (1, nextval('x'))")).toContain('cannot run')
  })

  it('sends the good rows of a statement, and names the others', () => {
    const part = lastOf(
      'mysql',
      "CREATE TABLE t (i int PRIMARY KEY, a int NOT NULL); INSERT INTO t VALUES (1, 2), (2, NULL), ('x', 3), (4, 5), (5)",
    )
    expect(part).toMatchObject({ judgement: 'rewritten', badRows: 3 })
    expect(part.rows).toHaveLength(2)
    expect(part.notes).toEqual([
      'Row 2: a is NULL, and the column takes no NULL.',
      'Row 3: i: “x” is not a whole number.',
      'Row 5: it has 1 value for 2 columns.',
    ])
  })

  it('makes no column count up whose keys come in another order', () => {
    const source =
      'CREATE TABLE t (i int AUTO_INCREMENT PRIMARY KEY) ENGINE=x; INSERT INTO t VALUES (2), (1);'
    const order = { disordered: ['t'] }
    expect(judgeAll('mysql', source, order)[0]?.sent[0]?.sql).not.toContain('AUTO_INCREMENT')
  })
})

describe('the judgement of all else', () => {
  it.each([
    ['SET NAMES utf8', 'left out'],
    ['LOCK TABLES `a` WRITE', 'left out'],
    ['GRANT ALL ON a TO b', 'left out'],
    ['COMMENT ON TABLE a IS NULL', 'left out'],
    ['START TRANSACTION', 'left out'],
    ['CREATE VIEW v AS SELECT 1', 'left out'],
    ['CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET x = 1', 'left out'],
    ['CREATE EXTENSION x', 'left out'],
    ['DROP DATABASE production', 'left out'],
    ['ALTER USER a WITH PASSWORD 1', 'left out'],
    ['SELECT 1', 'left out'],
    ['ROLLBACK', 'cannot run'],
    ['FROBNICATE a', 'cannot run'],
    ["UPDATE a SET b = 'never closed", 'cannot run'],
    ['\0', 'cannot run'],
  ])('%s', (sql, judgement) => {
    expect(lastOf('mysql', sql)).toMatchObject({ judgement, sent: [], rows: [] })
    expect(lastOf('mysql', sql).notes).not.toEqual([])
  })

  it('writes conditions with the types of their columns, or says why not', () => {
    const table = 'CREATE TABLE t (i int PRIMARY KEY, a varchar(5), ts datetime NOT NULL);'
    const sent = (sql: string) => {
      const { sent, notes } = lastOf('mysql', `${table} ${sql}`)
      return sent[0]?.sql ?? notes[0]
    }
    expect(sent("UPDATE `t` SET `a` = \"x'y\" WHERE `i` IN ('1', 2) AND a LIKE '%z'")).toBe(
      "UPDATE t SET a = 'x''y' WHERE i IN (1, 2) AND a LIKE '%z';",
    )
    expect(sent("DELETE FROM t WHERE ts < '2024-01-01'")).toBe(
      "DELETE FROM t WHERE ts < CAST('2024-01-01 00:00:00.000000' AS TIMESTAMP);",
    )
    expect(sent('DELETE FROM t WHERE FOO(a) = 1')).toBe('immudb has no function FOO.')
    expect(sent('DELETE FROM t WHERE b = 1')).toBe('There is no column b in t.')
    expect(sent('UPDATE t JOIN u SET a = 1')).toBe('The console sends no statement of this form.')
  })

  it('leaves the texts of a change as they are', () => {
    const source = `CREATE TABLE t (i int PRIMARY KEY, a text);
      UPDATE t SET a = 'x , y ( z )AND (IN(' WHERE i = 1; UPDATE t SET a = ' WHERE ';
      DELETE FROM t WHERE UPPER ( a ) IN ( 'A','b , c' ) AND (i = 1)`
    const [, one, all, some] = judgeAll('postgres', source)
    expect(one?.sent[0]?.sql).toBe("UPDATE t SET a = 'x , y ( z )AND (IN(' WHERE i = 1;")
    expect(all?.danger).toBe('Change all rows of t')
    expect(some?.sent[0]?.sql).toBe("DELETE FROM t WHERE UPPER(a) IN ('A', 'b , c') AND (i = 1);")
  })

  it.each([
    'a < 5',
    'a <> 5',
    '5 > a',
    'b >= a',
    'NOT a = 5',
    'a NOT IN (5)',
    "s NOT LIKE 'x%'",
    'NOT (b = 1 AND a = 5)',
    'a = NULL',
    'b = 1 AND a IN (1, NULL)',
    'CASE WHEN a = 1 THEN FALSE ELSE TRUE END',
  ])('sends no change where NULL has another meaning: %s', (condition) => {
    const tables = 'CREATE TABLE t (b int PRIMARY KEY, a int, s text);'
    const judged = (dialect: ScriptDialect) =>
      lastOf(dialect, `${tables}DELETE FROM t WHERE ${condition}`)
    expect(judged('mysql').judgement).toBe('cannot run')
    expect(judged('mysql').notes.join()).toMatch(/where [as] is NULL|NULL equals NULL/)
    expect(judged('immudb').judgement).toMatch(/^(runs|rewritten)$/)
  })

  it.each([
    'b < 5',
    'a > 5',
    'a = 5 OR b <> 1',
    'a IS NOT NULL',
    'a IS NULL AND b < 5',
    'a BETWEEN 1 AND 5',
  ])('sends a change whose NULLs are as elsewhere: %s', (condition) => {
    const tables = 'CREATE TABLE t (b int PRIMARY KEY, a int);'
    const { judgement } = lastOf('mysql', `${tables}DELETE FROM t WHERE ${condition}`)
    expect(judgement).toMatch(/^(runs|rewritten)$/)
  })

  it('never mixes tables or columns that differ in capitals alone', () => {
    const source = `CREATE TABLE "Users" (id int PRIMARY KEY); CREATE TABLE users (id int PRIMARY KEY);
      INSERT INTO "Users" VALUES (1); INSERT INTO USERS VALUES (2);
      CREATE TABLE c ("A" int PRIMARY KEY, a int); INSERT INTO c VALUES (1, 2)`
    const parts = judgeAll('postgres', source)
    expect(parts.slice(2, 4).map(({ sent }) => sent[0]?.sql)).toEqual([
      'INSERT INTO "users" (id) VALUES (1);',
      'INSERT INTO users_2 (id) VALUES (2);',
    ])
    expect(parts[1]?.notes).toEqual(['The table is called users_2 in immudb.'])
    expect(parts.slice(4).map(({ judgement }) => judgement)).toEqual(['cannot run', 'cannot run'])
    expect(parts[4]?.notes).toEqual(['Two of its columns are called a, but for capital letters.'])
  })

  it.each(['SELECT * FROM b', 'ENGINE=InnoDB AS SELECT 1 AS id', 'AS TABLE b'])(
    'makes no table whose rows would be lost: %s',
    (tail) => {
      const [made, row] = judgeAll(
        'mysql',
        `CREATE TABLE a (id int PRIMARY KEY) ${tail}; INSERT INTO a VALUES (1)`,
      )
      expect(made?.notes.join()).toMatch(/makes no table from a SELECT/)
      expect(row?.judgement).toBe('cannot run')
    },
  )

  it('makes a table with words of others in its texts, comments and partitions', () => {
    const tail =
      "COMMENT='AS SELECT' /* SELECT */ PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (5))"
    expect(lastOf('mysql', `CREATE TABLE a (id int PRIMARY KEY) ${tail}`).judgement).toBe(
      'rewritten',
    )
  })

  it.each([
    ['mysql', "SET time_zone = '+02:00'", /read as UTC all the same/],
    ['postgres', "SET TIME ZONE 'Europe/Berlin'", /read as UTC all the same/],
    ['postgres', "SET timezone TO 'Asia/Tokyo'", /read as UTC all the same/],
    ['postgres', '\\connect other', /goes into the database that is open/],
    ['mysql', 'USE other', /goes into the database that is open/],
    ['mysql', 'CREATE TEMPORARY TABLE a (id int PRIMARY KEY)', /It stays/],
    [
      'mysql',
      'CREATE TABLE a (id int PRIMARY KEY, t timestamp NULL ON UPDATE CURRENT_TIMESTAMP(6))',
      /t: A change of a row does not set its time/,
    ],
    [
      'mysql',
      'CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a SET id = 1',
      /no statement of this form/,
    ],
  ] as const)('says what has another effect in %s: %s', (dialect, source, words) => {
    expect(lastOf(dialect, source).notes.join(' ')).toMatch(words)
  })

  it.each([
    "SET time_zone = '+00:00'",
    'SET TIME_ZONE=@OLD_TIME_ZONE',
    "/*!40103 SET TIME_ZONE='+00:00' */",
  ])('says nothing of times in UTC: %s', (source) => {
    expect(lastOf('mysql', source).notes).toEqual([
      'It sets an option of the program that wrote the script.',
    ])
  })

  it.each([
    "INSERT INTO t VALUES (1, _binary 'ÿØ', NULL)",
    "INSERT INTO t VALUES (1, 'ÿØ', NULL)",
    "UPDATE t SET b = 'ÿØ' WHERE id = 1",
  ])('sends no bytes that it knows only as letters of another encoding: %s', (source) => {
    const table = 'CREATE TABLE t (id int PRIMARY KEY, b blob, v text);'
    const { judgement, notes } = lastOf('mysql', table + source, { encoding: 'windows-1252' })
    expect([judgement, ...notes]).toEqual(['cannot run', expect.stringMatching(/in UTF-8 alone/)])
    expect(lastOf('mysql', table + source).judgement).toBe('rewritten')
  })

  it('sends texts and digits of bytes in every encoding', () => {
    const source =
      "CREATE TABLE t (id int PRIMARY KEY, b blob, v text); INSERT INTO t VALUES (1, 0xffd8, 'é'), (2, _binary 'a', 'b')"
    expect(lastOf('mysql', source, { encoding: 'windows-1252' })).toMatchObject({
      judgement: 'rewritten',
      badRows: 0,
    })
  })

  it('keeps the type of a column to the end of a range', () => {
    const table = 'CREATE TABLE t (i int PRIMARY KEY, a varchar(5), ts datetime NOT NULL);'
    const sql = "DELETE FROM t WHERE ts BETWEEN '2024-01-01' AND '2024-01-02' AND a = '1'"
    expect(lastOf('mysql', table + sql).sent[0]?.sql).toBe(
      "DELETE FROM t WHERE ts BETWEEN CAST('2024-01-01 00:00:00.000000' AS TIMESTAMP) AND CAST('2024-01-02 00:00:00.000000' AS TIMESTAMP) AND a = '1';",
    )
  })

  it.each([
    ['postgres', String.raw`'\x00fF'`, "x'00ff'"],
    ['postgres', String.raw`'a\\b\000\377'`, "x'615c6200ff'"],
    ['postgres', "'abc'", "x'616263'"],
    ['sqlite', String.raw`'\x41'`, "x'5c783431'"],
    ['mysql', String.raw`'\\x41'`, "x'5c783431'"],
  ] as const)('reads bytes as %s means them: %s', (dialect, written, literal) => {
    const { sent } = lastOf(
      dialect,
      `CREATE TABLE t (id int PRIMARY KEY, b ${dialect === 'postgres' ? 'bytea' : 'blob'}); INSERT INTO t VALUES (1, ${written})`,
    )
    expect(sent[0]?.sql).toBe(`INSERT INTO t (id, b) VALUES (1, ${literal});`)
  })

  it.each([String.raw`'a\1'`, String.raw`'\xf'`, String.raw`'\xzz'`])(
    'sends no bytes that PostgreSQL would not read: %s',
    (written) => {
      const source = `CREATE TABLE t (id int PRIMARY KEY, b bytea); INSERT INTO t VALUES (1, ${written})`
      expect(lastOf('postgres', source).judgement).toBe('cannot run')
    },
  )

  it('says of no index that it was made with its table when it was not', () => {
    const source = `CREATE TABLE t (id int PRIMARY KEY, a text, b varchar(9), c boolean); INSERT INTO t VALUES (1, 'x', 'y', true);
      CREATE UNIQUE INDEX ON t (a); CREATE UNIQUE INDEX ON t (b); CREATE UNIQUE INDEX ON t (c) WHERE c; ALTER TABLE t ADD UNIQUE (a)`
    const parts = judgeAll('postgres', source, { firstRows: [['t', [1]]] })
    expect(parts.slice(2).map(({ notes }) => notes.join())).toEqual([
      'The statement that makes the table t says why it is left out.',
      expect.stringMatching(/^Made together with the table t/),
      expect.stringMatching(/unique for some rows only/),
      'The statement that makes the table t says why it is left out.',
    ])
    expect(parts[0]?.notes.join()).toContain('The index on a is left out: immudb cannot index a')
  })

  it('reads the key of immudb without brackets, and lets it run', () => {
    const table = 'CREATE TABLE t (id INTEGER AUTO_INCREMENT, v VARCHAR[9], PRIMARY KEY id);'
    const [made, row] = judgeAll('immudb', `${table} INSERT INTO t (v) VALUES ('a');`)
    expect([made?.judgement, made?.notes, row?.judgement]).toEqual(['runs', [], 'runs'])
    expect(made?.sent[0]?.sql).toContain('PRIMARY KEY (id)')
    const key = lastOf('immudb', 'CREATE TABLE u (k INTEGER, PRIMARY KEY k, CHECK (k > 0));')
    expect(key.sent[0]?.sql.replace(/\s+/g, ' ')).toBe(
      'CREATE TABLE u ( k INTEGER, CHECK (k > 0), PRIMARY KEY (k) );',
    )
  })

  it.each([
    'INSERT INTO t (id, v) SELECT id + 10, v FROM t',
    "INSERT INTO t (id, v) VALUES (1, UPPER('a')), (2 + 1, 'b')",
    'CREATE VIEW w AS SELECT * FROM t',
    'DROP VIEW w',
    'CREATE SEQUENCE s',
  ])('lets run what only immudb can calculate, alone: %s', (sql) => {
    const table = 'CREATE TABLE t (id INTEGER, v VARCHAR[9], PRIMARY KEY id);'
    const part = lastOf('immudb', `${table} ${sql};`)
    expect(part).toMatchObject({ judgement: 'runs', rows: [], sent: [{ sql: `${sql};` }] })
    const other = lastOf('standard', `${table} ${sql};`)
    expect(other.sent).toEqual([])
  })

  it.each(['INSERT INTO t (id, v) VALUES (1, @v)', 'INSERT INTO t (id, v) VALUES (?, UPPER(?))'])(
    'sends no statement without its parameters: %s',
    (sql) => {
      const table = 'CREATE TABLE t (id INTEGER, v VARCHAR[9], PRIMARY KEY id);'
      expect(lastOf('immudb', `${table} ${sql};`)).toMatchObject({
        judgement: 'cannot run',
        sent: [],
      })
    },
  )

  it('lets the server count rows of SQLite whose key is the number of the row', () => {
    const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);'
    const parts = judgeAll(
      'sqlite',
      `${table} INSERT INTO t(v) VALUES('a'); INSERT INTO t VALUES(NULL,'b');`,
    )
    expect(told(parts).slice(1)).toEqual([
      ['runs', "INSERT INTO t (v) VALUES ('a');"],
      ['rewritten', "INSERT INTO t (v) VALUES ('b');"],
    ])
    const other = lastOf('sqlite', 'CREATE TABLE t (id INT PRIMARY KEY, v TEXT);')
    expect(other.sent[0]?.sql).not.toContain('AUTO_INCREMENT')
  })

  it.each([
    ['postgres', 'now()', 'NOW()'],
    ['postgres', 'pg_catalog.now()', 'NOW()'],
    ['mysql', 'CURRENT_TIMESTAMP(6)', 'NOW()'],
    ['sqlite', "datetime('now')", 'NOW()'],
    ['immudb', 'NOW()', 'NOW()'],
  ] as const)(
    'lets the server say what time it is, as %s writes it: %s',
    (dialect, written, sent) => {
      const table = 'CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, at TIMESTAMP, v TEXT);'
      const part = lastOf(dialect, `${table} INSERT INTO t (id, at) VALUES (1, ${written});`)
      expect(part.sent[0]?.sql).toBe(`INSERT INTO t (id, at) VALUES (1, ${sent});`)
      expect(
        rowsSql(part.rows[0] as ScriptRow, [
          { number: 1, line: 1, values: part.rows[0]?.values ?? [] },
        ]),
      ).toEqual({
        sql: `INSERT INTO t (id, at) VALUES (1,${sent});`,
        params: [],
      })
      const text = lastOf(dialect, `${table} INSERT INTO t (id, v) VALUES (1, ${written});`)
      expect(text.judgement).toBe('cannot run')
    },
  )

  it('lets the server make UUIDs, in rows and as a default', () => {
    const source =
      'CREATE TABLE t (id uuid DEFAULT public.uuid_generate_v4() PRIMARY KEY, v uuid); INSERT INTO t (v) VALUES (gen_random_uuid());'
    expect(told(judgeAll('postgres', source))).toEqual([
      [
        'rewritten',
        'CREATE TABLE t ( id UUID NOT NULL DEFAULT RANDOM_UUID(), v UUID, PRIMARY KEY (id) );',
      ],
      ['rewritten', 'INSERT INTO t (v) VALUES (RANDOM_UUID());'],
    ])
  })

  it.each([
    ['CREATE VIEW v AS SELECT * FROM user', /no views/],
    ['CREATE TRIGGER a AFTER INSERT ON user EXECUTE PROCEDURE f()', /no programs/],
    ['CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public', /nothing of this kind/],
    ['ALTER DATABASE user SET a = 1', /database that is open/],
    ['ALTER DEFAULT PRIVILEGES FOR ROLE a GRANT SELECT ON TABLES TO b', /set in Users/],
  ])('says why by what it makes, not by a name in it: %s', (sql, why) => {
    expect(lastOf('postgres', `${sql};`)).toMatchObject({
      judgement: 'left out',
      notes: [expect.stringMatching(why)],
    })
  })

  it.each([
    ['postgres', 'WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', /no statement of this form/],
    ['postgres', 'WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d', /of this form/],
    ['postgres', 'SELECT * INTO u FROM t', /of this form/],
    ['mysql', "LOAD DATA INFILE 'a.csv' INTO TABLE t", /another file/],
    ['postgres', String.raw`\copy t from 'a.csv'`, /another file/],
    ['postgres', String.raw`\i more.sql`, /another file/],
    ['sqlite', '.read more.sql', /another file/],
    ['postgres', 'SET standard_conforming_strings = off', /standard_conforming_strings on/],
    ['mysql', "SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES'", /without NO_BACKSLASH_ESCAPES/],
  ] as const)(
    'says that what writes or changes texts does not run: %s: %s',
    (dialect, sql, why) => {
      const isCommand = /^[\\.]/.test(sql)
      expect(lastOf(dialect, isCommand ? sql : `${sql};`)).toMatchObject({
        judgement: 'cannot run',
        notes: [expect.stringMatching(why)],
      })
    },
  )

  it.each([
    ['(', ')'],
    ['unhex(', ')'],
    ['a.', ''],
  ])('reads values in any number of brackets and names: %s', (open, close) => {
    const value = `${open.repeat(20_000)}1${close.repeat(20_000)}`
    const source = `CREATE TABLE t (a text PRIMARY KEY); INSERT INTO t VALUES (${value}); INSERT INTO t VALUES ((('b')));`
    const [, bad, good] = judgeAll('postgres', source)
    expect([bad?.judgement, good?.sent[0]?.sql]).toEqual([
      'cannot run',
      "INSERT INTO t (a) VALUES ('b');",
    ])
  })

  it('leaves out what only reads and locks', () => {
    expect(lastOf('postgres', 'SELECT * FROM t FOR UPDATE;').judgement).toBe('left out')
  })

  it('says that digits are lost only where the other database had them', () => {
    const table = 'CREATE TABLE t (id int PRIMARY KEY, d decimal(10,2));'
    const notes = (dialect: ScriptDialect, value: string) =>
      lastOf(dialect, `${table} INSERT INTO t (id, d) VALUES (1, ${value});`).notes
    expect(notes('sqlite', '1.1000000000000000888')).toEqual([])
    expect(notes('sqlite', '9007199254740993')).toEqual([
      'd: FLOAT keeps 9007199254740992 of 9007199254740993.',
    ])
    expect(notes('postgres', '1.1000000000000000888')).toHaveLength(1)
  })

  it('keeps the bytes of shapes of MySQL, which are no text', () => {
    const table = 'CREATE TABLE t (id int PRIMARY KEY, p point);'
    const [made, row] = judgeAll(
      'mysql',
      `${table} INSERT INTO t VALUES (1, 0x00000000010100000000000000000024c0);`,
    )
    expect(made?.notes).toEqual(['p: immudb has no shapes: their bytes are kept.'])
    expect(row?.sent[0]?.sql).toBe(
      "INSERT INTO t (id, p) VALUES (1, x'00000000010100000000000000000024c0');",
    )
  })

  it('changes as many rows as the script says', () => {
    const table = 'CREATE TABLE t (id int PRIMARY KEY, v varchar(9));'
    const { sent } = lastOf('mysql', `${table} UPDATE t SET v = 'x' WHERE v = 'y' LIMIT 1;`)
    expect(sent[0]?.sql).toBe("UPDATE t SET v = 'x' WHERE v = 'y' LIMIT 1;")
    const { notes } = lastOf('mysql', `${table} UPDATE t SET v = 'x' ORDER BY id;`)
    expect(notes).toEqual(['immudb has no ORDER here.'])
  })
})

describe('what a script takes back itself', () => {
  const table = 'CREATE TABLE t (id int PRIMARY KEY);'
  const row = (id: number) => `INSERT INTO t VALUES (${id});`
  const sentOf = (dialect: ScriptDialect, source: string) =>
    judgeAll(dialect, source).flatMap(({ sent }) => sent.map(({ sql }) => sql.replace(/\s+/g, ' ')))
  const ids = (dialect: ScriptDialect, source: string) =>
    sentOf(dialect, table + source).flatMap((sql) => /VALUES \((\d+)\)/.exec(sql)?.[1] ?? [])

  it('is left out, with its line', () => {
    const parts = judgeAll('postgres', `${table}\nBEGIN;\n${row(1)}\nROLLBACK;\n${row(2)}`)
    expect(parts.slice(2, 4).map(({ judgement, notes }) => [judgement, ...notes])).toEqual([
      ['left out', 'The script takes it back itself, by the ROLLBACK in line 4.'],
      ['left out', 'What it takes back is left out.'],
    ])
    expect(ids('postgres', `BEGIN;${row(1)}ROLLBACK;${row(2)}`)).toEqual(['2'])
  })

  it('is what stands behind a savepoint, and no more', () => {
    const part = `BEGIN;${row(1)}SAVEPOINT s;${row(2)}ROLLBACK TO SAVEPOINT s;${row(3)}`
    expect(ids('postgres', `${part}COMMIT;`)).toEqual(['1', '3'])
    expect(ids('postgres', `${part}ROLLBACK;${row(4)}`)).toEqual(['4'])
  })

  it('is nothing once it was committed, and where nothing was begun', () => {
    expect(ids('immudb', `BEGIN TRANSACTION;${row(1)}COMMIT;ROLLBACK;${row(2)}`)).toEqual([
      '1',
      '2',
    ])
    expect(lastOf('immudb', `${table}${row(1)}ROLLBACK;`)).toMatchObject({
      judgement: 'cannot run',
      notes: ['What stands before it is committed by then. Remove what it takes back.'],
    })
  })

  it('is every row of a COPY', () => {
    const copy = 'COPY t (id) FROM stdin;\n1\n2\n\\.\n'
    expect(ids('postgres', `BEGIN;\n${copy}ROLLBACK;\n${copy}`)).toEqual(['1', '2'])
  })

  it('is also a table, but not for MySQL, which commits before it makes one', () => {
    const made = `BEGIN;CREATE TABLE u (id int PRIMARY KEY);${row(1)}ROLLBACK;`
    expect(sentOf('postgres', table + made)).toHaveLength(1)
    const kept = sentOf(
      'mysql',
      `${table}BEGIN;${row(1)}CREATE TABLE u (id int PRIMARY KEY);${row(2)}ROLLBACK;`,
    )
    expect(kept.map((sql) => sql.slice(0, 14))).toEqual([
      'CREATE TABLE t',
      'INSERT INTO t ',
      'CREATE TABLE u',
      'INSERT INTO t ',
    ])
  })

  it.each(['UNLOCK TABLES', 'CREATE VIEW v AS SELECT 1', '/*!40000 ALTER TABLE t ENABLE KEYS */'])(
    'is nothing that MySQL has committed by itself: %s',
    (sql) => {
      expect(ids('mysql', `BEGIN;${row(1)}${sql};ROLLBACK;`)).toEqual(['1'])
    },
  )

  it('begins by itself where MySQL is told so', () => {
    const source = `SET AUTOCOMMIT = 0;${row(1)}COMMIT;${row(2)}ROLLBACK;${row(3)}`
    expect(ids('mysql', source)).toEqual(['1', '3'])
  })
})
