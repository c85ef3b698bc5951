// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { newParams } from '~/sql/params'
import {
  filterSql,
  keyOrder,
  noFilter,
  type Operator,
  queryFromAddress,
  queryToAddress,
  type RowFilter,
  type RowQuery,
} from '~/sql/row-filter'
import { corpusBytes } from '../support/corpus-bytes'

const types: Record<string, string> = { age: 'INTEGER', tag: 'UUID', doc: 'JSON' }
const typeOf = (column: string) => types[column] ?? 'VARCHAR'

const filter: RowFilter = {
  isAny: false,
  conditions: [
    { column: 'age', operator: '>=', values: ['9007199254740993'] },
    { column: 'order', operator: 'LIKE', values: ["a%'; DROP TABLE t"] },
    { column: 'tag', operator: '=', values: ['0195a1b2-0000-7000-8000-000000000001'] },
    { column: 'note', operator: 'IS NOT NULL', values: [] },
  ],
}

test('a filter names columns and has its values as parameters', () => {
  const params = newParams()
  expect(filterSql(filter, params, typeOf)).toBe(
    'age >= @p1 AND "order" LIKE @p2 AND tag = CAST(@p3 AS UUID) AND note IS NOT NULL',
  )
  expect(params.list).toEqual([
    { name: 'p1', value: { n: '9007199254740993' } },
    { name: 'p2', value: { s: "a%'; DROP TABLE t" } },
    { name: 'p3', value: { s: '0195a1b2-0000-7000-8000-000000000001' } },
  ])
})

test('lists, ranges and parts of texts have each value as a parameter', () => {
  const sqlOf = (column: string, operator: Operator, values: readonly string[]) =>
    filterSql({ isAny: false, conditions: [{ column, operator, values }] }, newParams(), typeOf)
  expect(sqlOf('age', 'IN', ['1', '2'])).toBe('age IN (@p1, @p2)')
  expect(sqlOf('tag', 'IN', ['a'])).toBe('tag IN (CAST(@p1 AS UUID))')
  expect(sqlOf('age', 'BETWEEN', ['1', '2'])).toBe('(age BETWEEN @p1 AND @p2)')
  expect(sqlOf('name', 'CONTAINS', ['%_\\'])).toBe('POSITION(@p1, name) > 0')
  expect(sqlOf('name', 'STARTS WITH', ['a%'])).toBe('POSITION(@p1, name) = 1')
  expect(sqlOf('doc', 'CONTAINS', ['"a"'])).toBe('POSITION(@p1, CAST(doc AS VARCHAR)) > 0')
  expect(sqlOf('name', 'NOT LIKE', ['a%'])).toBe('name NOT LIKE @p1')
})

test('texts that look like numbers stay texts', () => {
  for (const value of ['00014', '14', ' 14', '1e3', '٣', 'NaN', 'NULL', 'true']) {
    const params = newParams()
    const conditions = [{ column: 'name', operator: 'IN' as const, values: [value, value] }]
    filterSql({ isAny: false, conditions }, params, typeOf)
    expect(params.list.map((one) => one.value)).toEqual([{ s: value }, { s: value }])
  }
})

test('NaN is found, which equals nothing on the server', () => {
  const sqlOf = (operator: Operator, values: readonly string[]) =>
    filterSql(
      { isAny: false, conditions: [{ column: 'f', operator, values }] },
      newParams(),
      () => 'FLOAT',
    )
  expect(sqlOf('=', ['NaN'])).toBe('f != f')
  expect(sqlOf('!=', ['NaN'])).toBe('f = f')
  expect(sqlOf('IN', ['1', 'NaN'])).toBe('(f IN (@p1) OR f != f)')
  expect(sqlOf('IN', ['NaN'])).toBe('(f != f)')
})

test('any of the conditions, or none', () => {
  expect(filterSql({ ...filter, isAny: true }, newParams(), typeOf)).toMatch(/ OR .* OR .* OR /)
  expect(filterSql(noFilter, newParams(), typeOf)).toBe('')
})

describe('an address', () => {
  const queries: RowQuery[] = [
    { filter, order: keyOrder },
    { filter: { ...filter, isAny: true }, order: { column: 'age', isDescending: true } },
    { filter: noFilter, order: { column: null, isDescending: true } },
    { filter: noFilter, order: { column: 'age', isDescending: false } },
    {
      filter: {
        isAny: false,
        conditions: [
          { column: 'a', operator: '=', values: [''] },
          { column: 'b', operator: '!=', values: [',%2C:\n^any,🙂'] },
          { column: 'c', operator: 'IS NULL', values: [] },
        ],
      },
      order: keyOrder,
    },
    {
      filter: {
        isAny: false,
        conditions: [
          { column: 'a', operator: 'IN', values: ['10:00', ',', '', '%3A', 'a\nb', '^by'] },
          { column: 'b', operator: 'BETWEEN', values: ['1', '2:3'] },
          { column: 'c', operator: 'CONTAINS', values: ['x:y,z'] },
          { column: 'c', operator: 'STARTS WITH', values: [''] },
          { column: 'c', operator: 'NOT LIKE', values: ['%'] },
        ],
      },
      order: { column: 'a', isDescending: true },
    },
  ]

  test.each(queries.map((query) => [queryToAddress(query) ?? '', query] as const))(
    'carries %s',
    (address, query) => {
      expect(queryFromAddress(address)).toEqual(query)
      const search = new URLSearchParams(new URLSearchParams({ q: address }).toString())
      expect(queryFromAddress(search.get('q') ?? '')).toEqual(query)
    },
  )

  test('says nothing of all rows in the order of the key', () => {
    expect(queryToAddress({ filter: noFilter, order: keyOrder })).toBeUndefined()
    expect(queryFromAddress('')).toEqual({ filter: noFilter, order: keyOrder })
  })

  test.each([
    'x',
    'a:gt',
    'a:in',
    'a:between:1',
    'a:between:1:2:3',
    'a:null:1',
    'a:drop:1',
    '^by',
    '^all',
    ',',
    ':eq:1',
  ])('refuses %j', (address) => {
    expect(queryFromAddress(address)).toBeNull()
  })
})

test('a filter takes every text of the corpus as a parameter, and through an address', () => {
  for (const { id, bytes } of corpusBytes()) {
    const value = bytes.toString()
    const hostile: RowFilter = {
      isAny: false,
      conditions: [
        { column: 'name', operator: '=', values: [value] },
        { column: 'name', operator: 'LIKE', values: [value] },
      ],
    }
    const params = newParams()
    expect(filterSql(hostile, params, typeOf), id).toBe('name = @p1 AND name LIKE @p2')
    expect(params.list, id).toEqual([
      { name: 'p1', value: { s: value } },
      { name: 'p2', value: { s: value } },
    ])
    const address = queryToAddress({ filter: hostile, order: keyOrder }) ?? ''
    expect(queryFromAddress(address)?.filter, id).toEqual(hostile)
  }
})
