// @vitest-environment node
import { expect, test } from 'vitest'
import { restoreSql } from '~/sql/restore'

const key = [
  { column: 'id', type: 'INTEGER', value: '1' },
  { column: 'table', type: 'UUID', value: '00000000-0000-4000-8000-000000000001' },
]
const cells = [
  { name: 'id', type: 'INTEGER', value: '1' },
  { name: 'table', type: 'UUID', value: '00000000-0000-4000-8000-000000000001' },
  { name: 'note', type: 'VARCHAR', value: "it's; DROP" },
  { name: 'gone', type: 'JSON', value: null },
  { name: 'odd', type: 'FLOAT', value: 'NaN' },
  { name: 'bytes', type: 'BLOB', value: 'AAE=' },
]

test('a row that is there is updated by its whole key, values as parameters', () => {
  const made = restoreSql('orders', key, cells, true)
  expect(made?.sql).toBe(
    `UPDATE orders
SET note = @p1, gone = NULL, odd = CAST('NaN' AS FLOAT), bytes = @p2
WHERE id = @p3 AND "table" = CAST(@p4 AS UUID);`,
  )
  expect(made?.params).toEqual([
    { name: 'p1', value: { s: "it's; DROP" } },
    { name: 'p2', value: { bs: 'AAE=' } },
    { name: 'p3', value: { n: '1' } },
    { name: 'p4', value: { s: '00000000-0000-4000-8000-000000000001' } },
  ])
})

test('a row that is not there is inserted with its key', () => {
  const made = restoreSql('orders', key, cells, false)
  expect(made?.sql).toBe(
    `INSERT INTO orders (id, "table", note, gone, odd, bytes)
VALUES (@p1, CAST(@p2 AS UUID), @p3, NULL, CAST('NaN' AS FLOAT), @p4);`,
  )
  expect(made?.params[0]).toEqual({ name: 'p1', value: { n: '1' } })
})

test('a row of nothing but its key needs no update', () => {
  expect(restoreSql('orders', key, cells.slice(0, 2), true)).toBeNull()
})

test('keeps the sign of zero, which a whole number has not', () => {
  const key = [{ column: 'id', type: 'INTEGER', value: '1' }]
  const made = restoreSql('t', key, [{ name: 'f', type: 'FLOAT', value: '-0' }], true)
  expect(made?.sql).toContain(`f = CAST('-0' AS FLOAT)`)
})
