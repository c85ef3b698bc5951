// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStatement } from '~/atoms/scripts/script-file'
import type { ScriptDialect } from '~/sql/script-dialect'
import { signsOf } from '~/sql/script-dialect'
import { corpusBytes } from '../../support/corpus-bytes'
import { judged, transactionsOf } from '../../support/script-runs'

const hostile = corpusBytes()
  .filter(({ bytes }) => bytes.length < 2_000)
  .map(({ bytes }) => bytes.toString())

const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    "'); DROP TABLE a; --",
    '\\',
    "\\'",
    '*/;',
    '$$;',
    '-- x\n;',
    '\0',
    '\\.',
    '\n\\.\n',
  ),
)

/** A text in quotes that end where the dialect says, or anywhere. */
const quoted = (dialect: ScriptDialect) =>
  text.map((one) => {
    const doubled = one.replaceAll("'", "''")
    return `'${signsOf(dialect).hasBackslashes ? doubled.replaceAll('\\', '\\\\') : doubled}'`
  })

const value = (dialect: ScriptDialect) =>
  fc.oneof(
    { weight: 4, arbitrary: quoted(dialect) },
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.double().map(String),
    fc.constantFrom(
      'NULL',
      'DEFAULT',
      'TRUE',
      'now()',
      "X'00ff'",
      '0x41',
      "E'a\\n'",
      '(1)',
      '1+1',
      '?',
    ),
  )

const row = (dialect: ScriptDialect) =>
  fc.array(value(dialect), { minLength: 1, maxLength: 4 }).map((all) => `(${all.join(',')})`)

const statement = (dialect: ScriptDialect) => {
  const rows = fc.array(row(dialect), { minLength: 1, maxLength: 4 }).map((all) => all.join(', '))
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.constantFrom('INSERT INTO', 'REPLACE INTO', 'INSERT IGNORE INTO'),
          fc.constantFrom('a', '"b"', 'c'),
          rows,
        )
        .map(([verb, table, all]) => `${verb} ${table} VALUES ${all};`),
    },
    quoted(dialect).map((one) => `UPDATE a SET v = ${one} WHERE v = ${one};`),
    text.map((one) => `${one};`),
    text.map((one) => `COPY a FROM stdin;\n1\t${one}\n2\t\\N\n\\.\n`),
    fc.constantFrom(
      'CREATE TABLE c (id int PRIMARY KEY, v text);',
      'ALTER TABLE a ADD COLUMN w int;',
      'CREATE UNIQUE INDEX ON b (v);',
      'DROP TABLE IF EXISTS c;',
      'ALTER TABLE a RENAME TO z;',
      'BEGIN;',
      'COMMIT;',
      'SAVEPOINT s;',
      'ROLLBACK TO s;',
      'ROLLBACK;',
      '/*!40101 SET a = 1 */;',
      'SELECT 1;',
    ),
  )
}

const script = fc
  .constantFrom<ScriptDialect>('immudb', 'postgres', 'mysql', 'sqlite', 'standard')
  .chain((dialect) =>
    fc.record({
      dialect: fc.constant(dialect),
      statements: fc.array(statement(dialect), { maxLength: 25 }),
      end: fc.constantFrom('\n', '\r\n', ' '),
    }),
  )

const tables =
  'CREATE TABLE a (id int PRIMARY KEY, v varchar(300), f double precision, t timestamp);\nCREATE TABLE b (id int NOT NULL, v varchar(20));\n'

/** Compares what each statement shows with what is sent; returns how much that is. */
async function expectShown(file: File, dialect: ScriptDialect): Promise<number> {
  const found = await judged(file, { dialect })
  const shown: unknown[] = []
  for (let number = 0; number < found.index.count; number += 1) {
    const { judgement, rows, sent } = (await readStatement(file, found, number)).judged
    if (rows.length > 0) shown.push(...rows.map(({ target, values }) => [target.table, values]))
    else if (judgement === 'runs' || judgement === 'rewritten')
      shown.push(...sent.map(({ sql }) => sql))
    else expect(sent).toEqual([])
  }
  const sent: unknown[] = []
  for await (const items of transactionsOf(file, found))
    sent.push(...items.map(({ row, sql }) => (row ? [row.target.table, row.values] : sql?.sql)))
  expect(sent).toEqual(shown)
  expect(found.index.items).toBe(shown.length)
  return shown.length
}

test('what is sent of a script is what is shown of it, nothing more and in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(script, async ({ dialect, statements, end }) => {
      await expectShown(new File([tables, statements.join(end)], 'any.sql'), dialect)
    }),
    { numRuns: 150 },
  )
})

test('what is sent of a statement over several pieces of the file is what is shown of it', async () => {
  const rows = Array.from({ length: 25_000 }, (_, at) => `(${at}, 'it''s ${at}', ${at}.5, now())`)
  const file = new File([tables, `INSERT INTO a VALUES ${rows.join(',')};\n`, tables], 'long.sql')
  expect(file.size).toBeGreaterThan(3 * 262_144)
  expect(await expectShown(file, 'postgres')).toBe(2 + rows.length)
})
