// @vitest-environment node
import { expect, test } from 'vitest'
import { restoreSql } from '~/sql/restore'
import { keyOfCells } from '../support/whole-key'

const key = keyOfCells([
  { column: 'id', type: 'INTEGER', value: '1' },
  { column: 'table', type: 'UUID', value: '00000000-0000-4000-8000-000000000001' },
])
const cells = [
  { name: 'id', type: 'INTEGER', value: '1' },
  { name: 'table', type: 'UUID', value: '00000000-0000-4000-8000-000000000001' },
  { name: 'note', type: 'VARCHAR', value: "it's; DROP" },
  { name: 'gone', type: 'JSON', value: null },
  { name: 'odd', type: 'FLOAT', value: 'NaN' },
  { name: 'bytes', type: 'BLOB', value: 'AAE=' },
]

const now = {
  columns: cells.map(({ name, type }) => ({ name, type })),
  cells: new Map(cells.map(({ name, value }) => [name, name === 'note' ? 'theirs' : value])),
}

test('a row that is there is updated if it is as it was read, values as parameters', () => {
  const made = restoreSql('orders', key, cells, now)
  expect(made?.sql).toBe(
    `UPDATE orders
SET note = @p1, gone = NULL, odd = @p2, bytes = @p3
WHERE id = @p4 AND "table" = CAST(@p5 AS UUID)
LIMIT 1 / (SELECT COUNT(*) FROM orders WHERE id = @p4 AND "table" = CAST(@p5 AS UUID) AND NOT NOT (note = @p6 AND JSON_TYPEOF(gone) IS NULL AND odd <> odd AND bytes = @p7));`,
  )
  expect(made?.params).toEqual([
    { name: 'p1', value: { s: "it's; DROP" } },
    { name: 'p2', value: { f: 'NaN' } },
    { name: 'p3', value: { bs: 'AAE=' } },
    { name: 'p4', value: { n: '1' } },
    { name: 'p5', value: { s: '00000000-0000-4000-8000-000000000001' } },
    { name: 'p6', value: { s: 'theirs' } },
    { name: 'p7', value: { bs: 'AAE=' } },
  ])
})

test('a row that is not there is inserted with its key', () => {
  const made = restoreSql('orders', key, cells, null)
  expect(made?.sql).toBe(
    `INSERT INTO orders (id, "table", note, gone, odd, bytes)
VALUES (@p1, CAST(@p2 AS UUID), @p3, NULL, @p4, @p5);`,
  )
  expect(made?.params[0]).toEqual({ name: 'p1', value: { n: '1' } })
})

test('a row of nothing but its key needs no update', () => {
  expect(restoreSql('orders', key, cells.slice(0, 2), now)).toBeNull()
})

test('keeps the sign of zero, which a whole number has not', () => {
  const key = keyOfCells([{ column: 'id', type: 'INTEGER', value: '1' }])
  const made = restoreSql('t', key, [{ name: 'f', type: 'FLOAT', value: '-0' }], null)
  expect(made?.params[1]?.value).toEqual({ f: '-0' })
})
