// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { newParams } from '~/sql/params'
import {
  filterSql,
  keyOrder,
  noFilter,
  queryFromAddress,
  queryToAddress,
  type RowFilter,
  type RowQuery,
} from '~/sql/row-filter'
import { corpusBytes } from '../support/corpus-bytes'

const types: Record<string, string> = { age: 'INTEGER', tag: 'UUID' }
const typeOf = (column: string) => types[column] ?? 'VARCHAR'

const filter: RowFilter = {
  isAny: false,
  conditions: [
    { column: 'age', operator: '>=', value: '9007199254740993' },
    { column: 'order', operator: 'LIKE', value: "a%'; DROP TABLE t" },
    { column: 'tag', operator: '=', value: '0195a1b2-0000-7000-8000-000000000001' },
    { column: 'note', operator: 'IS NOT NULL', value: '' },
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
          { column: 'a', operator: '=', value: '' },
          { column: 'b', operator: '!=', value: ',%2C:\n^any,🙂' },
          { column: 'c', operator: 'IS NULL', value: '' },
        ],
      },
      order: keyOrder,
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

  test.each(['x', 'a:gt', 'a:null:1', 'a:drop:1', '^by', '^all', ',', ':eq:1'])(
    'refuses %j',
    (address) => {
      expect(queryFromAddress(address)).toBeNull()
    },
  )
})

test('a filter takes every text of the corpus as a parameter, and through an address', () => {
  for (const { id, bytes } of corpusBytes()) {
    const value = bytes.toString()
    const hostile: RowFilter = {
      isAny: false,
      conditions: [
        { column: 'name', operator: '=', value },
        { column: 'name', operator: 'LIKE', value },
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
