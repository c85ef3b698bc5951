// @vitest-environment node

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sentence } from '~/api/errors'
import { insertOf } from '~/atoms/revisions/revision-export'
import { readRowsByKey } from '~/atoms/tables/edits-rows'
import { rowSetOfPage } from '~/atoms/tables/table-rows'
import { ddlOf } from '~/atoms/transactions/ddl'
import * as comparison from '~/sql/comparison'
import { planEdits } from '~/sql/edit-statements'
import * as imports from '~/sql/import-statements'
import { literalOf } from '~/sql/literals'
import { lowerAscii, nameOf, quoteName, shownStatement, UnwritableName } from '~/sql/names'
import { pageSql, shapeOf } from '~/sql/paging'
import { restoreSql } from '~/sql/restore'
import { copiedRows } from '~/sql/result-text'
import { conditionOf } from '~/sql/row-key'
import * as source from '~/sql/row-source'
import { newColumn, type SchemaChange, schemaSql } from '~/sql/schema-changes'
import { tableDdl } from '~/sql/table-ddl'
import * as rows from '~/sql/table-rows'
import { isTrivia, type Token, tokenize } from '~/sql/tokens'
import { corpusBytes } from '../support/corpus-bytes'
import { keyOfCells } from '../support/whole-key'

const names = [
  ...new Set([
    'hostile" WHERE 1=0 --',
    'a" UNION SELECT * FROM "b',
    'Select',
    'select',
    'Users',
    "x'00'",
    '',
    ...corpusBytes()
      .filter(({ bytes }) => bytes.length < 100_000)
      .map(({ bytes }) => bytes.toString()),
  ]),
]

const typeOf = () => 'VARCHAR'
const cellsOf = (n: string) => keyOfCells([{ column: n, type: 'INTEGER', value: '1' }])
const keyed = (n: string) => ({
  index: [n],
  key: [{ name: n, type: 'INTEGER' }],
  isDescending: false,
})
const filterOf = (n: string) => ({
  isAny: false,
  conditions: [{ column: n, operator: '=' as const, values: ['v'] }],
})
const asked = (table: string, n: string): rows.RowsAsked => ({
  table,
  period: '',
  filter: filterOf(n),
  path: keyed(n),
  seek: [{ name: n, type: 'INTEGER', sign: '>', value: '1' }],
  skip: 0,
  limit: 5,
  isBackwards: false,
})
const target = (table: string, n: string): imports.ImportTarget => ({
  table,
  columns: [
    {
      name: n,
      type: { name: 'INTEGER', length: null } as never,
      from: 0,
      isNullable: false,
      rule: null,
    },
  ],
  key: [n],
  autoKey: null,
})
const record = { number: 1, line: 1, values: [{ n: '1' }] }
const result = (table: string, n: string) => ({
  rowCount: 1,
  columns: [{ name: `(${table}.${n})`, table, label: n, type: 'INTEGER', values: ['1'] }],
})
const described = (n: string) => ({
  columns: [
    { name: n, type: 'INTEGER', isNullable: false, isPrimaryKey: true, isAutoIncrement: false },
  ],
  indexes: [{ columns: [n], isUnique: false, isPrimary: false }],
})
const edits = (table: string, n: string) => {
  const of = { name: table, columns: described(n).columns, primaryKey: [n], indexes: null }
  const before = new Map([[n, '1']])
  const after = new Map([[n, { kind: 'value', value: '2' } as never]])
  const plan = planEdits(of as never, [
    { kind: 'delete', id: '1', before },
    { kind: 'change', id: '2', before, after },
    { kind: 'add', id: '3', after },
  ])
  return plan.statements.map(({ sql }) => sql).join('\n')
}
const changes = (table: string, n: string): SchemaChange[] => [
  { kind: 'create-table', table, columns: [{ ...newColumn, name: n, isPrimaryKey: true }] },
  { kind: 'add-column', table, column: { ...newColumn, name: n } },
  { kind: 'rename-column', table, column: n, to: 'other' },
  { kind: 'rename-column', table, column: 'other', to: n },
  { kind: 'drop-column', table, column: n },
  { kind: 'create-index', table, columns: [n], isUnique: true },
  { kind: 'drop-index', table, columns: [n] },
  { kind: 'drop-table', table },
]
const between = (table: string, from = '1') => ({ table, from, to: '9' })
const difference = (n: string, action: 'added' | null = null) => ({
  key: [{ name: n, type: 'INTEGER' }],
  action,
  place: comparison.firstPlace,
  size: 5,
  seek: [{ name: n, type: 'INTEGER', sign: '>' as const, value: '1' }],
})
const page = (n: string) => {
  const shape = shapeOf('SELECT * FROM people')
  const plan = { kind: 'key', column: n, type: 'INTEGER', isDescending: false, resultName: '' }
  return shape ? pageSql(shape, plan as never, { done: 1, last: '1' }, 5) : ''
}
const catalogue = (n: string) => {
  const write = { tx: '1', ts: '1', isOfCollections: false, isCopy: false, hValue: '', value: null }
  const of = { part: 'view', name: n }
  const [ddl] = ddlOf([{ ...write, of, isDeleted: true } as never], null)
  if (ddl?.kind !== 'sql') throw new UnwritableName(n)
  return ddl.sql
}
/** What an asynchronous reader sends first. */
const sentBy = async (read: (client: never) => Promise<unknown>) => {
  let sent: string | undefined
  const client = {
    call: async (_: unknown, { body }: { body: { sql: string } }) => {
      sent = body.sql
      throw new Error('enough')
    },
  }
  await read(client as never).catch((error: unknown) => {
    if (error instanceof UnwritableName) throw error
  })
  return sent ?? ''
}

/** Every writer of a statement, with a table and a column of its own. */
const builders: Readonly<Record<string, (table: string, n: string) => string | Promise<string>>> = {
  'rows of a table': (table, n) => rows.rowsSql(asked(table, n), typeOf).sql,
  'keys of a table': (table, n) =>
    rows.rowsSql({ ...asked(table, n), isKeyOnly: true }, typeOf).sql,
  'shown rows': (table, n) => rows.shownSql(asked(table, n), typeOf),
  'count of rows': (table, n) => rows.countSql(asked(table, n), typeOf).sql,
  'a page as rows to be proven': (table) =>
    rowSetOfPage({ database: 'd', table, period: '' }, { rows: result(table, 'qq_a') } as never)
      .sql,
  'rows by key': (table, n) =>
    sentBy((client) =>
      readRowsByKey(
        client,
        { database: 'd', table: { name: table, columns: [] }, period: '' } as never,
        [new Map([[n, '1']])],
      ),
    ),
  probes: (table, n) => source.rowProbe(table, cellsOf(n), 1n, 'UNTIL TX 5'),
  'newest revisions': (table, n) => source.newestRevisions(table, [cellsOf(n), cellsOf(n)]),
  'row as of several': (table, n) => source.rowAsOfEach(table, cellsOf(n), ['5', '6']),
  'newest revision': (table, n) => source.newestRevision(table, cellsOf(n)),
  'count of revisions': (table, n) => source.revisionCount(table, cellsOf(n)),
  'rows before': (table, n) => source.rowsBefore(table, [cellsOf(n)], '5'),
  revisions: (table, n) => source.revisionsOf(table, cellsOf(n), 5, 5),
  'row as of': (table, n) => source.rowAsOf(table, cellsOf(n), '5'),
  condition: (_, n) => conditionOf(cellsOf(n)),
  'restored row': (table, n) =>
    restoreSql(table, cellsOf(n), [{ name: n, type: 'INTEGER', value: '1' }], null)?.sql ?? '',
  'restored cells': (table, n) =>
    restoreSql(table, cellsOf('k'), [{ name: n, type: 'INTEGER', value: '1' }], {
      columns: ['k', n].map((name) => ({ name, type: 'INTEGER' })),
      cells: new Map([
        ['k', '1'],
        [n, '2'],
      ]),
    })?.sql ?? '',
  'row now': (table, n) => source.rowNow(table, cellsOf(n)),
  'made table': (table, n) => imports.createTableSql(target(table, n)),
  'made table that counts': (table, n) =>
    imports.createTableSql({ ...target(table, 'qq_b'), autoKey: n }),
  'imported rows': (table, n) => imports.insertSql(target(table, n), [record]).sql,
  'present keys': (table, n) => imports.presentKeysSql(target(table, n), [record], '5').sql,
  'last key': (table, n) => imports.lastKeySql({ ...target(table, 'qq_b'), autoKey: n }, '5'),
  'rows after': (table, n) =>
    imports.rowsAfterSql({ ...target(table, 'qq_b'), autoKey: n }, '1', 5).sql,
  'count of differences': (table) => comparison.countSql(between(table)),
  'count from nothing': (table) => comparison.countSql(between(table, '0')),
  differences: (table, n) => comparison.pageSql(between(table), difference(n)),
  'differences of a kind': (table, n) => comparison.pageSql(between(table), difference(n, 'added')),
  'differences from nothing': (table, n) => comparison.pageSql(between(table, '0'), difference(n)),
  'compared rows': (table, n) =>
    comparison.rowsSql(table, '5', [{ name: n, type: 'INTEGER' }], [['1']]),
  'page of a query': (_, n) => page(n),
  'staged edits': edits,
  'table as it is': (table, n) => tableDdl(table, described(n)),
  'check of a table': (table, n) =>
    tableDdl(table, described('qq_a'), {
      checks: [{ name: n, expression: '1 = 1' }],
      defaults: new Map(),
    }),
  'copied rows': (table, n) => copiedRows('insert', result(table, n), table),
  'copied revision': (table, n) => insertOf(table, [{ name: n, type: 'INTEGER', value: '1' }]),
  'change of the catalogue': (_, n) => catalogue(n),
  ...Object.fromEntries(
    changes('t', 'c').map(({ kind }, at) => [
      `schema: ${kind} ${at}`,
      (table: string, n: string) => schemaSql(changes(table, n)[at] as SchemaChange),
    ]),
  ),
}

const tokensOf = (sql: string) => tokenize(sql).filter((token) => !isTrivia(token))

/** Whether the lexer of the server would read the token as one, too. */
const isServers = (sql: string, token: Token) =>
  !token.unfinished &&
  token.kind !== 'unreadable' &&
  (token.kind !== 'quoted' || /^"[A-Za-z0-9_]+"$/.test(sql.slice(token.from, token.to)))

/** The statement, each name that was asked for in the same way. */
const shapeWith = (sql: string, name: string) =>
  tokensOf(sql).map((token) => {
    if (!isServers(sql, token)) return 'not of this server'
    const found = nameOf(sql, token)
    const isKept = token.kind === 'keyword' && sql.slice(token.from, token.to) === name
    return isKept || found === lowerAscii(name) ? '<name>' : sql.slice(token.from, token.to)
  })

const harmless = 'harmless'

describe('a statement with any name keeps its shape, or is refused:', () => {
  it.each(Object.entries(builders))('%s', async (_, build) => {
    const written = { table: 0, column: 0 }
    for (const place of ['table', 'column'] as const) {
      const make = (name: string) =>
        place === 'table' ? build(name, 'qq_column') : build('qq_table', name)
      const shape = shapeWith(await make(harmless), harmless)
      for (const name of names) {
        let sql: string
        try {
          sql = await make(name.trim())
        } catch (error) {
          expect(error).toBeInstanceOf(UnwritableName)
          expect(sentence(error)).toMatch(/statement.*was sent|Nothing was sent/)
          continue
        }
        expect(shapeWith(sql, name.trim())).toEqual(shape)
        written[place] += 1
      }
    }
    expect(written.table + written.column).toBeGreaterThan(20)
  })
})

describe('a name', () => {
  it.each([
    ['people', 'people'],
    ['select', '"select"'],
    ['1st', '"1st"'],
    ['Users', 'Users'],
    ['Timestamp', 'Timestamp'],
  ])('%s is written as %s', (name, written) => expect(quoteName(name)).toBe(written))

  it.each(['', ' ', 'a b', 'a"b', 'ä', 'a\n', 'Select', 'a.b', "a'"])('%j is refused', (name) => {
    expect(() => quoteName(name)).toThrow(UnwritableName)
  })

  it('that is only shown becomes a comment of one line', () => {
    const shown = shownStatement(() => quoteName('a"\nDROP TABLE people;'))
    expect(tokenize(shown).map(({ kind }) => kind)).toEqual(['comment'])
  })
})

describe('a value of a key that is no number', () => {
  it.each(['INTEGER', 'BOOLEAN', 'FLOAT'])('never becomes SQL: %s', (type) => {
    const kinds = tokensOf(literalOf(type, '1 OR 1=1 --')).map(({ kind }) => kind)
    expect(kinds).not.toContain('number')
    expect(kinds.filter((kind) => kind === 'string')).toHaveLength(1)
  })
})

it('no other file puts a name between quotes of its own', () => {
  // What knows no SQL quotes JSON, and fields of separated values; code of other languages has its own quotes.
  const knowsNoSql = /^src\/(lib|immudb|screens\/code)\//
  // An attribute of a picture is no name.
  const quoted = /(?<![\w-]=)"\$\{/
  const quotesNames = /^export function quoteName\b/m
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => /\.tsx?$/.test(path) && !knowsNoSql.test(path))
    .filter((path) => {
      const source = readFileSync(path, 'utf8')
      return quoted.test(source) && !quotesNames.test(source)
    })
  expect(found).toEqual([])
})
