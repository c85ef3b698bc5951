// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { TxEntry } from '~/api/transactions'
import { cellsOf, keyCellsOf, keyOf, rowChange } from '~/atoms/transactions/changed-rows'
import type { TableView } from '~/atoms/transactions/tx-tables'
import { recorded } from '../../support/recorded'

const schema = {
  table: 'flour',
  tableId: 1,
  pk: [1, 2],
  cols: [
    { id: 1, name: 'region', type: 'VARCHAR', maxLen: 8 },
    { id: 2, name: 'sack', type: 'INTEGER', maxLen: 8 },
    { id: 3, name: 'kind', type: 'VARCHAR', maxLen: 0 },
    { id: 4, name: 'fine', type: 'BOOLEAN', maxLen: 1 },
    { id: 5, name: 'price', type: 'FLOAT', maxLen: 8 },
    { id: 6, name: 'at', type: 'TIMESTAMP', maxLen: 8 },
    { id: 7, name: 'tag', type: 'UUID', maxLen: 16 },
    { id: 8, name: 'raw', type: 'BLOB', maxLen: 0 },
    { id: 9, name: 'extra', type: 'JSON', maxLen: 0 },
  ],
  maxColId: 9,
}
const grade = { id: 3, name: 'grade', type: 'VARCHAR', maxLen: 0 }
const before = { ...schema, cols: schema.cols.map((one) => (one.id === 3 ? grade : one)) }
const view: TableView = { written: before, today: schema, isFromHistory: true }

/** A row of a recorded transaction. */
function stored(name: string) {
  const { entries } = recorded('past', `values of ${name}`).response.body as { entries: TxEntry[] }
  const [entry] = entries
  const cells = cellsOf(entry?.value)
  if (!entry || !cells) throw new Error('no row')
  return { entry: { ...entry, isDeleted: false }, cells }
}

const old = new Map(
  Object.entries({
    region: 'nord',
    sack: '1',
    kind: 'T45',
    fine: 'true',
    price: '1.50',
    at: '1767323045678901',
  }).map(([name, value]) => [name, { type: '', value }] as const),
)
const key = keyOf(['nord', '1'])

describe('a row before and after', () => {
  test('has its changed cells marked, by the names it had then', () => {
    const { entry, cells } = stored('changed row')
    const full = new Map([
      ...old,
      ['tag', { type: '', value: '11111111-2222-3333-4444-555555555555' }],
      ['raw', { type: '', value: 'AP8=' }],
      ['extra', { type: '', value: '{ "a": [1, 2] }' }],
    ])
    const change = rowChange(entry, cells, view, new Map([[key, full]]))
    expect(change.action).toBe('changed')
    expect(change.cells.filter(({ isChanged }) => isChanged)).toEqual([
      {
        id: 3,
        name: 'grade',
        type: 'VARCHAR',
        isKey: false,
        before: 'T45',
        after: 'T55',
        isChanged: true,
      },
      {
        id: 5,
        name: 'price',
        type: 'FLOAT',
        isKey: false,
        before: '1.50',
        after: '1.75',
        isChanged: true,
      },
    ])
    expect(keyCellsOf(cells, schema)).toEqual([
      { column: 'region', type: 'VARCHAR', value: 'nord' },
      { column: 'sack', type: 'INTEGER', value: '1' },
    ])
  })

  test('was inserted when it was not there', () => {
    const { entry, cells } = stored('changed row')
    expect(rowChange(entry, cells, view, new Map()).action).toBe('inserted')
  })

  test('says nothing of before while that is not known', () => {
    const { entry, cells } = stored('changed row')
    for (const rows of [undefined, null]) {
      const change = rowChange(entry, cells, view, rows)
      expect(change.action).toBeNull()
      expect(change.cells.map((cell) => cell.before)).toEqual(schema.cols.map(() => undefined))
    }
  })

  test('repeats what a deletion deleted', () => {
    const { entry, cells } = stored('changed row')
    const change = rowChange({ ...entry, isDeleted: true }, cells, view, null)
    expect(change.action).toBe('deleted')
    expect(change.cells[2]).toMatchObject({ before: 'T55', after: null, isChanged: false })
  })

  test('shows a dropped column by its number', () => {
    const { entry, cells } = stored('row with the new column')
    const change = rowChange(entry, cells, view, null)
    expect(change.cells.at(-1)).toMatchObject({ id: 10, name: '', after: 'TMO8YmVjaw==' })
  })

  test('has no key of today when the key is not stored as its type says', () => {
    const { cells } = stored('changed row')
    const cols = schema.cols.map((one) => (one.id === 1 ? { ...one, type: 'BOOLEAN' } : one))
    expect(keyCellsOf(cells, { ...schema, cols })).toBeNull()
  })
})

test.each([undefined, '', 'AAAA', 'AAAAAQ=='])('%j holds no cells', (value) => {
  expect(cellsOf(value)).toBeNull()
})
