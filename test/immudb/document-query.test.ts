// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  type DocumentQuery,
  everything,
  type Operator,
  queryFromAddress,
  queryJson,
  queryToAddress,
} from '~/immudb/document-query'
import { corpusBytes } from '../support/corpus-bytes'

const query: DocumentQuery = {
  groups: [
    [
      { field: 'age', operator: 'GE', values: ['9007199254740993'] },
      { field: 'name', operator: 'LIKE', values: ['"a\\"%"'] },
    ],
    [{ field: 'vip', operator: 'NULL', values: [] }],
  ],
  orderBy: [{ field: 'age', isDescending: true }],
  limit: 5,
}

describe('a search', () => {
  test('is what the server takes, with every digit', () => {
    expect(queryJson(query)).toBe(
      '{"expressions":[{"fieldComparisons":[{"field":"age","operator":"GE","value":9007199254740993},{"field":"name","operator":"LIKE","value":"a\\"%"}]},{"fieldComparisons":[{"field":"vip","operator":"EQ","value":null}]}],"orderBy":[{"field":"age","desc":true}],"limit":5}',
    )
    expect(queryJson(everything)).toBe('{}')
  })

  test('is the same JSON in lines', () => {
    const lines = queryJson(query, '  ')
    expect(lines.split('\n').length).toBeGreaterThan(5)
    expect(JSON.parse(lines)).toEqual(JSON.parse(queryJson(query)))
  })

  test('comes back from an address as it was', () => {
    expect(queryFromAddress(queryToAddress(query))).toEqual(query)
    expect(queryToAddress(everything)).toBe('')
    expect(queryFromAddress('')).toEqual(everything)
  })

  test.each([
    'x',
    '[]',
    '{}',
    '[[],[],-1]',
    '[[],[],1.5]',
    '[[["age","EQ","1"]],[],0]',
    '[[[["age","NO","1"]]],[],0]',
    '[[[["age","EQ","{}"]]],[],0]',
    '[[[["age","EQ","1,\\"x\\":2"]]],[],0]',
    '[[[[1,"EQ","1"]]],[],0]',
    '[[],[[1]],0]',
    '[[[["age","IN"]]],[],0]',
    '[[[["age","BETWEEN","1"]]],[],0]',
    '[[[["age","NULL","1"]]],[],0]',
    '[[[["age","EQ","1","2"]]],[],0]',
    '[[[["age","IN","1",2]]],[],0]',
    '[[[["name","CONTAINS","1"]]],[],0]',
  ])('is not read from %s', (text) => {
    expect(queryFromAddress(text)).toBe(null)
  })
})

/** What the server is asked for one comparison: a group for each alternative. */
const sent = (operator: Operator, ...values: string[]) => {
  const groups = [[{ field: 'f', operator, values }]]
  const { expressions } = JSON.parse(queryJson({ groups, orderBy: [], limit: 0 }))
  return expressions.map((group: { fieldComparisons: Record<string, unknown>[] }) =>
    group.fieldComparisons.map(({ operator, value }) => [operator, value]),
  )
}

describe('what the server has no operator for', () => {
  test('is made of those that it has', () => {
    expect(sent('IN', '1', '2')).toEqual([[['EQ', 1]], [['EQ', 2]]])
    const between = [
      ['GE', 1],
      ['LE', 2],
    ]
    expect(sent('BETWEEN', '1', '2')).toEqual([between])
    expect(sent('NULL')).toEqual([[['EQ', null]]])
    expect(sent('NOT_NULL')).toEqual([[['NE', null]]])
    expect(sent('CONTAINS', '"50%_\\\\"')).toEqual([[['LIKE', '%50\\%\\_\\\\%']]])
    const starts = [
      ['GE', 'An'],
      ['LT', 'Ao'],
    ]
    expect(sent('STARTS', '"An"')).toEqual([starts])
    expect(sent('STARTS', '"\u{10ffff}"')).toEqual([[['GE', '\u{10ffff}']]])
  })

  test('combines with what else must hold', () => {
    const groups = [
      [
        { field: 'a', operator: 'IN', values: ['1', '2'] },
        { field: 'b', operator: 'IN', values: ['"x"', '"y"'] },
        { field: 'c', operator: 'GT', values: ['0'] },
      ],
      [{ field: 'd', operator: 'EQ', values: ['true'] }],
    ] satisfies DocumentQuery['groups']
    const { expressions } = JSON.parse(queryJson({ groups, orderBy: [], limit: 0 }))
    const found = expressions.map((group: { fieldComparisons: { value: unknown }[] }) =>
      group.fieldComparisons.map(({ value }) => value),
    )
    expect(found).toEqual([[1, 'x', 0], [1, 'y', 0], [2, 'x', 0], [2, 'y', 0], [true]])
  })

  test('keeps every digit of a list', () => {
    const groups = [[{ field: 'f', operator: 'IN', values: ['9007199254740993'] } as const]]
    expect(queryJson({ groups, orderBy: [], limit: 0 })).toContain('9007199254740993')
  })

  test('a link cannot ask for more than the server takes', () => {
    const many = Array.from({ length: 40 }, (_, at) => String(at))
    const line = ['a', 'IN', ...many]
    expect(queryFromAddress(JSON.stringify([[[line]], [], 0]))).not.toBe(null)
    expect(queryFromAddress(JSON.stringify([[[line, line]], [], 0]))).toBe(null)
  })
})

test('a link of before has null as a value', () => {
  const of = (operator: string) =>
    queryFromAddress(JSON.stringify([[[['a', operator, 'null']]], [], 0]))?.groups
  expect(of('EQ')).toEqual([[{ field: 'a', operator: 'NULL', values: [] }]])
  expect(of('NE')).toEqual([[{ field: 'a', operator: 'NOT_NULL', values: [] }]])
})

test('a search takes every text of the corpus as JSON, and through an address', () => {
  for (const { id, bytes } of corpusBytes()) {
    const text = bytes.toString()
    const value = JSON.stringify(text)
    const groups = [[{ field: 'name', operator: 'EQ', values: [value] } as const]]
    const hostile: DocumentQuery = { groups, orderBy: [], limit: 0 }
    expect(JSON.parse(queryJson(hostile)), id).toEqual({
      expressions: [{ fieldComparisons: [{ field: 'name', operator: 'EQ', value: text }] }],
    })
    expect(queryFromAddress(queryToAddress(hostile)), id).toEqual(hostile)
  }
})
