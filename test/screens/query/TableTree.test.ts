// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import type { Column } from '~/api/tables'
import { tableNode } from '~/screens/query/TableTree'

const plain: Column = {
  name: 'id',
  type: 'INTEGER',
  isNullable: true,
  isPrimaryKey: false,
  isForeignKey: false,
  isIndexed: false,
  isAutoIncrement: false,
  isUnique: false,
}

const actions = { open: vi.fn(), insert: vi.fn(), count: vi.fn(), preview: vi.fn(), retry: vi.fn() }

function nodeOf(...columns: Partial<Column>[]) {
  const data = { columns: columns.map((column) => ({ ...plain, ...column })), indexes: [] }
  return tableNode('orders', { data, error: null }, undefined, actions)
}

function childrenOf(...columns: Partial<Column>[]) {
  const { children } = nodeOf(...columns)
  if (!Array.isArray(children)) throw new Error('the columns are known')
  return children
}

describe('a table in the tree', () => {
  test('is a “tab” with its name, and its columns are “col” in the order of the server', () => {
    expect(nodeOf()).toMatchObject({ id: 'orders', label: 'orders', type: 'tab' })
    const children = childrenOf({ name: 'b', type: 'BLOB' }, { name: 'a', type: 'VARCHAR[64]' })
    expect(children).toMatchObject([
      { id: 'orders column b', label: 'b', type: 'col', detail: 'BLOB' },
      { id: 'orders column a', label: 'a', type: 'col', detail: 'VARCHAR[64]' },
    ])
  })

  test.each([
    ['isPrimaryKey', 'PK'],
    ['isForeignKey', 'FK'],
    ['isIndexed', 'IDX'],
    ['isAutoIncrement', 'AUTO'],
    ['isUnique', 'UNIQUE'],
  ] as const)('a column that %s has the tag %s', (flag, text) => {
    expect(childrenOf({})[0]?.badges).toEqual([])
    expect(childrenOf({ [flag]: true })[0]?.badges).toMatchObject([{ text }])
  })

  test('says of a column only what is rare: that it is never NULL', () => {
    expect(childrenOf({ isNullable: false })[0]?.badges).toMatchObject([{ text: 'NOT NULL' }])
  })

  test('opens by a press on its name', () => {
    nodeOf().show?.()
    expect(actions.open.mock.calls).toEqual([['orders']])
  })

  test('brings its name into the editor', () => {
    nodeOf().actions?.[0]?.run()
    childrenOf({ name: 'price' })[0]?.activate?.()
    expect(actions.insert.mock.calls).toEqual([['orders'], ['price']])
  })

  test('is there before its columns are, and says why when they cannot be had', () => {
    expect(tableNode('t', undefined, undefined, actions).children).toBe('loading')
    const failed = { data: undefined, error: new Error('x') }
    expect(tableNode('t', failed, undefined, actions).children).toEqual({
      error: 'Something went wrong.',
      retry: actions.retry,
    })
  })
})
