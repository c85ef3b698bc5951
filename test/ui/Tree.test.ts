// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { actionOf } from '~/lib/shortcuts'
import { findTyped, typedSearch } from '~/ui/tree/DrawnTree'
import { rowName, type TreeNode, treeStep, visibleRows } from '~/ui/tree/tree-rows'

const nodes: TreeNode[] = [
  {
    id: 'a',
    label: 'accounts',
    children: [
      { id: 'a.id', label: 'id' },
      { id: 'a.to', label: 'to' },
    ],
  },
  { id: 'b', label: 'bills', children: 'loading' },
  { id: 'c', label: 'books', children: { error: 'No answer.', retry: () => {} } },
  { id: 'd', label: 'Zebra' },
]

describe('visibleRows', () => {
  test('closed, only the roots', () => {
    const rows = visibleRows(nodes, new Set())
    expect(rows.map((row) => row.id)).toEqual(['a', 'b', 'c', 'd'])
    expect(rows[0]).toMatchObject({ level: 1, position: 1, siblings: 4, open: false })
    expect(rows[3]).toMatchObject({ open: undefined })
  })

  test('open, with places for what is on its way or failed', () => {
    const rows = visibleRows(nodes, new Set(['a', 'b', 'c']))
    expect(rows.map((row) => [row.id, row.level, row.parent])).toEqual([
      ['a', 1, undefined],
      ['a.id', 2, 0],
      ['a.to', 2, 0],
      ['b', 1, undefined],
      ['b/loading', 2, 3],
      ['c', 1, undefined],
      ['c/error', 2, 5],
      ['d', 1, undefined],
    ])
    expect(rows[2]).toMatchObject({ position: 2, siblings: 2 })
  })

  test('a node that is listed as open but is a leaf stays a leaf', () => {
    expect(visibleRows(nodes, new Set(['d'])).at(-1)).toMatchObject({ open: undefined })
  })
})

describe('rowName', () => {
  test('says what is shown, then what the marks mean', () => {
    const node = { id: 'x', label: 'id', detail: 'INTEGER', badges: [{ text: 'PK', title: 'key' }] }
    const [row] = visibleRows([node], new Set())
    expect(row && rowName(row)).toBe('id INTEGER PK, key')
  })
})

describe('treeStep', () => {
  const rows = visibleRows(nodes, new Set(['a']))
  test.each([
    [0, 'ArrowDown', { kind: 'go', index: 1 }],
    [0, 'ArrowUp', { kind: 'go', index: 0 }],
    [0, 'ArrowRight', { kind: 'go', index: 1 }],
    [0, 'ArrowLeft', { kind: 'toggle', index: 0 }],
    [2, 'ArrowLeft', { kind: 'go', index: 0 }],
    [2, 'ArrowRight', undefined],
    [3, 'ArrowRight', { kind: 'toggle', index: 3 }],
    [3, 'ArrowLeft', undefined],
    [3, ' ', { kind: 'toggle', index: 3 }],
    [1, ' ', undefined],
    [0, 'End', { kind: 'go', index: 5 }],
    [5, 'Home', { kind: 'go', index: 0 }],
    [4, 'PageDown', { kind: 'go', index: 5 }],
    [1, 'Enter', { kind: 'activate', index: 1 }],
    [1, 'Tab', undefined],
  ])('on row %i, %s', (index, key, step) => {
    expect(treeStep(rows, index, actionOf('tree', { key }), 3)).toEqual(step)
  })
})

describe('typing to find', () => {
  const rows = visibleRows(nodes, new Set())
  test('letters typed quickly are one search, after a pause a new one', () => {
    const one = typedSearch({ text: '', at: 0 }, 'b', 1000)
    const two = typedSearch(one, 'o', 1200)
    expect(two.text).toBe('bo')
    expect(typedSearch(two, 'z', 5000).text).toBe('z')
  })

  test('finds the next match and goes round', () => {
    expect(findTyped(rows, 0, 'b')).toBe(1)
    expect(findTyped(rows, 1, 'b')).toBe(2)
    expect(findTyped(rows, 2, 'bb')).toBe(1)
    expect(findTyped(rows, 1, 'bo')).toBe(2)
    expect(findTyped(rows, 0, 'ZEB')).toBe(3)
    expect(findTyped(rows, 0, 'q')).toBeUndefined()
  })
})
