// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { keyOrder, noFilter } from '~/sql/row-filter'
import {
  countSql,
  pathOf,
  rowsSql,
  shownSql,
  typesOf,
  unsureTime,
  viewPath,
} from '~/sql/table-rows'

const columns = [
  { name: 'id', type: 'INTEGER', isPrimaryKey: true },
  { name: 'order', type: 'VARCHAR(20)', isPrimaryKey: false },
  { name: 'price', type: 'FLOAT', isPrimaryKey: false },
  { name: 'at', type: 'TIMESTAMP', isPrimaryKey: false },
]
const of = {
  columns,
  indexes: [
    { columns: ['id'], isPrimary: true },
    { columns: ['order', 'at'], isPrimary: false },
    { columns: ['order'], isPrimary: false },
    { columns: ['price'], isPrimary: false },
  ],
}
const byKey = { index: ['id'], key: [{ name: 'id', type: 'INTEGER' }], isDescending: false }
const typeOf = typesOf(columns)
const adults = {
  isAny: true,
  conditions: [
    { column: 'order', operator: '=', values: ["o'neil"] },
    { column: 'at', operator: '<', values: ['1767323045123456'] },
  ],
} as const

describe('the path of the rows', () => {
  test('is the primary key first', () => {
    expect(pathOf(of, keyOrder)).toEqual(byKey)
    expect(pathOf(of, { column: 'id', isDescending: true })).toEqual({
      ...byKey,
      isDescending: true,
    })
  })

  test('is the shortest index that begins with a column, and then the key', () => {
    expect(pathOf(of, { column: 'order', isDescending: false })).toEqual({
      index: ['order'],
      key: [
        { name: 'order', type: 'VARCHAR', length: 20 },
        { name: 'id', type: 'INTEGER' },
      ],
      isDescending: false,
    })
  })

  test('is sorted by the server where no index begins with a column', () => {
    expect(pathOf(of, { column: 'at', isDescending: true })).toEqual({
      index: ['at', 'id'],
      key: [
        { name: 'at', type: 'TIMESTAMP' },
        { name: 'id', type: 'INTEGER' },
      ],
      isDescending: true,
      isSorted: true,
    })
    // An index on it would be of no use: fractions cannot be sought.
    expect(pathOf(of, { column: 'price', isDescending: false })).toEqual({
      index: ['price', 'id'],
      key: null,
      isDescending: false,
      isSorted: true,
    })
  })

  test('is none by a column that is not there, or of JSON', () => {
    const json = { name: 'j', type: 'JSON', isPrimaryKey: false }
    expect(pathOf(of, { column: 'none', isDescending: false })).toBeNull()
    const more = { ...of, columns: [...of.columns, json] }
    expect(pathOf(more, { column: 'j', isDescending: false })).toBeNull()
  })

  test('of a view is by all its columns, so that only equal rows have no order', () => {
    const columns = ['a', 'j', 'b'].map((name) => ({
      name,
      type: name === 'j' ? 'JSON' : 'INTEGER',
    }))
    const path = { index: ['b', 'a'], key: null, isDescending: false, isSorted: true }
    expect(viewPath(columns, { column: 'b', isDescending: false })).toEqual(path)
    expect(viewPath(columns, { column: 'j', isDescending: false })).toBeNull()
    expect(viewPath(columns, keyOrder)).toBeNull()
  })

  test('counts the rows off where a key has fractions', () => {
    const floats = { columns: [{ name: 'f', type: 'FLOAT', isPrimaryKey: true }], indexes: null }
    expect(pathOf(floats, keyOrder)).toEqual({ index: ['f'], key: null, isDescending: false })
  })
})

describe('a statement', () => {
  const asked = {
    table: 'order',
    period: '',
    filter: noFilter,
    path: byKey,
    seek: null,
    skip: 0,
    limit: 11,
    isBackwards: false,
  }

  test('begins at the first row, quotes names, and may read the past', () => {
    expect(rowsSql(asked, typeOf)).toEqual({
      sql: 'SELECT * FROM "order" USE INDEX ON (id) ORDER BY id ASC LIMIT 11;',
      params: [],
    })
    expect(rowsSql({ ...asked, period: 'UNTIL TX 5', isBackwards: true }, typeOf).sql).toBe(
      'SELECT * FROM "order" UNTIL TX 5 USE INDEX ON (id) ORDER BY id DESC LIMIT 11;',
    )
  })

  test('has the filter in front of the seek, because an OR forgets what stood before it', () => {
    const seek = [{ name: 'id', type: 'INTEGER', sign: '>', value: '7' }] as const
    expect(rowsSql({ ...asked, filter: adults, seek }, typeOf)).toEqual({
      sql: 'SELECT * FROM "order" USE INDEX ON (id) WHERE ("order" = @p1 OR at < @p2) AND id > @p3 ORDER BY id ASC LIMIT 11;',
      params: [
        { name: 'p1', value: { s: "o'neil" } },
        { name: 'p2', value: { ts: '1767323045123456' } },
        { name: 'p3', value: { n: '7' } },
      ],
    })
  })

  test('skips rows of a view', () => {
    const path = { index: [], key: null, isDescending: false }
    expect(rowsSql({ ...asked, table: 'v', path, skip: 20 }, typeOf).sql).toBe(
      'SELECT * FROM v LIMIT 11 OFFSET 20;',
    )
  })

  test('sorts without an index, and NaN between NULL and the numbers', () => {
    const sorted = { key: null, isDescending: true, isSorted: true } as const
    const path = { ...sorted, index: ['at', 'id'] }
    expect(rowsSql({ ...asked, path }, typeOf).sql).toBe(
      'SELECT * FROM "order" ORDER BY at DESC, id DESC LIMIT 11;',
    )
    expect(rowsSql({ ...asked, path: { ...path, index: ['price', 'id'] } }, typeOf).sql).toBe(
      'SELECT * FROM "order" ORDER BY CASE WHEN price != price THEN NULL ELSE price END DESC, price != price DESC, id DESC LIMIT 11;',
    )
  })

  test('counts what the filter lets through', () => {
    expect(countSql({ table: 't', period: 'UNTIL TX 5', filter: adults }, typeOf).sql).toBe(
      'SELECT COUNT(*) FROM t UNTIL TX 5 WHERE "order" = @p1 OR at < @p2;',
    )
  })

  test('to be read has its values in it', () => {
    expect(shownSql({ table: 't', filter: adults, path: byKey }, typeOf)).toBe(
      `SELECT * FROM t\nWHERE "order" = 'o''neil' OR at < CAST('2026-01-02 03:04:05.123456' AS TIMESTAMP)\nORDER BY id ASC;`,
    )
  })
})

describe('a column of times for which rows may be missing', () => {
  const times = ['at', 'until'].map((name) => ({ name, type: 'TIMESTAMP', isPrimaryKey: false }))
  const all = [
    { name: 'id', type: 'INTEGER', isPrimaryKey: true },
    ...columns.slice(1, 3),
    ...times,
  ]
  const path = (...index: string[]) => ({
    index,
    key: [...index, 'id'].map((name) => ({
      name,
      type: all.find((one) => one.name === name)?.type ?? '',
    })),
    isDescending: false,
  })
  const where = (...conditions: [column: string, operator: '=' | '>' | '!='][]) => ({
    isAny: false,
    conditions: conditions.map(([column, operator]) => ({ column, operator, values: ['0'] })),
  })
  const anyOf = (...conditions: Parameters<typeof where>) => ({
    ...where(...conditions),
    isAny: true,
  })

  test.each([
    ['a bound in its own order', path('at'), where(['at', '>']), false, 'at'],
    ['an exact time', path('at'), where(['at', '=']), false, null],
    ['no filter, all on one page', path('at'), noFilter, false, null],
    ['no filter, on many pages', path('at'), noFilter, true, 'at'],
    ['many pages in another order', path('order'), where(['at', '>']), true, null],
    ['a bound behind a column without one', path('order', 'at'), where(['at', '>']), false, null],
    [
      'a bound behind a narrowed column',
      path('order', 'at'),
      where(['order', '='], ['at', '>']),
      false,
      'at',
    ],
    [
      'a bound that another condition opens',
      path('at'),
      anyOf(['at', '>'], ['id', '=']),
      false,
      null,
    ],
    ['bounds of which one must hold', path('at'), anyOf(['at', '>'], ['at', '=']), false, 'at'],
    ['a difference', path('until'), where(['until', '!=']), false, null],
  ])('%s', (_, of, filter, isPaged, found) => {
    expect(unsureTime({ columns: all }, of, filter, isPaged)).toBe(found)
  })
})
