// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  type DocumentQuery,
  everything,
  queryFromAddress,
  queryJson,
  queryToAddress,
} from '~/immudb/document-query'
import { corpusBytes } from '../support/corpus-bytes'

const query: DocumentQuery = {
  groups: [
    [
      { field: 'age', operator: 'GE', value: '9007199254740993' },
      { field: 'name', operator: 'LIKE', value: '"a\\"%"' },
    ],
    [{ field: 'vip', operator: 'EQ', value: 'null' }],
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
  ])('is not read from %s', (text) => {
    expect(queryFromAddress(text)).toBe(null)
  })
})

test('a search takes every text of the corpus as JSON, and through an address', () => {
  for (const { id, bytes } of corpusBytes()) {
    const text = bytes.toString()
    const value = JSON.stringify(text)
    const groups = [[{ field: 'name', operator: 'EQ', value } as const]]
    const hostile: DocumentQuery = { groups, orderBy: [], limit: 0 }
    expect(JSON.parse(queryJson(hostile)), id).toEqual({
      expressions: [{ fieldComparisons: [{ field: 'name', operator: 'EQ', value: text }] }],
    })
    expect(queryFromAddress(queryToAddress(hostile)), id).toEqual(hostile)
  }
})
