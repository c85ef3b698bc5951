// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type ColumnPasts, columnNote, droppedParts } from '~/atoms/revisions/column-names'
import { encodeUtf8 } from '~/lib/bytes'

const named = (tx: string, name: string, type = 'VARCHAR') => ({ tx, name, type })
const pasts: ColumnPasts = new Map([
  [2, { names: [named('1', 'kind'), named('5', 'grade')], droppedTx: null }],
  [3, { names: [named('1', 'price'), named('4', 'cost')], droppedTx: '6' }],
  [4, { names: [], droppedTx: '7' }],
  // It took the name of one that was dropped.
  [5, { names: [named('8', 'cost')], droppedTx: null }],
])
const price = [{ id: 3, cell: encodeUtf8('9.50') }]

describe('a column that was dropped since', () => {
  test.each([
    ['2', 'price'],
    ['4', 'cost'],
    [null, 'cost'],
  ])('has the name and the cell that it had in tx %s', (tx, name) => {
    expect(droppedParts(price, pasts, tx)).toEqual([
      { name, type: 'VARCHAR', value: '9.50', dropped: 3 },
    ])
  })

  test('is a number with bytes as long as its name is not known', () => {
    const [part] = droppedParts(price, null, '2')
    expect(part).toEqual({ name: 'column 3', type: 'BLOB', value: btoa('9.50'), dropped: 3 })
  })

  test.each([
    [3, pasts, 'dropped since, in', '6'],
    [3, null, 'dropped since; its name is not known yet', null],
    [4, pasts, 'dropped since; the server no longer has its name', '7'],
  ])('says so: %i', (dropped, known, text, tx) => {
    expect(columnNote({ name: 'cost', dropped }, known, ['2'])).toEqual({ text, tx })
  })
})

test.each([
  ['grade', ['2'], { text: 'renamed since from kind, in', tx: '5' }],
  ['grade', ['5', '3'], { text: 'renamed since from kind, in', tx: '5' }],
  ['grade', ['5', '6'], null],
  ['cost', ['2'], null],
  ['unknown', ['2'], null],
])('a column %s of %j was renamed or not', (name, txs, note) => {
  expect(columnNote({ name }, pasts, txs)).toEqual(note)
  expect(columnNote({ name }, null, txs)).toBeNull()
})
