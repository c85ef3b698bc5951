// @vitest-environment node
import { expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { describeTable, listIndexes } from '~/api/tables'

const s = (text: string) => ({ s: text })
const b = (flag: boolean) => (flag ? { b: true } : {})

/** A server whose answers have this one row. */
const clientOf = (...values: object[]) =>
  createClient({
    baseURL: '/api',
    token: () => null,
    fetch: async () =>
      new Response(JSON.stringify({ columns: [{ name: 'COLUMN' }], rows: [{ values }] }), {
        headers: { 'content-type': 'application/json' },
      }),
  })

const table = { database: 'defaultdb', table: 't' }

/** What becomes of one row of a table's description. */
async function columnOf(...values: object[]) {
  return (await describeTable(clientOf(...values), table))[0]
}

test.each([
  ['YES', { isIndexed: true, isPrimaryKey: false, isForeignKey: false }],
  ['PRIMARY KEY', { isIndexed: false, isPrimaryKey: true, isForeignKey: false }],
  ['FOREIGN KEY', { isIndexed: false, isPrimaryKey: false, isForeignKey: true }],
  ['PRIMARY KEY, FOREIGN KEY', { isIndexed: false, isPrimaryKey: true, isForeignKey: true }],
  ['NO', { isIndexed: false, isPrimaryKey: false, isForeignKey: false }],
])('the fourth cell “%s” marks keys and indexes', async (mark, marks) => {
  expect(await columnOf(s('id'), s('INTEGER'), b(false), s(mark))).toMatchObject(marks)
})

test('the first three cells are name, type and whether it may be null', async () => {
  expect(await columnOf(s('title'), s('VARCHAR(64)'), b(true), s('NO'))).toMatchObject({
    name: 'title',
    type: 'VARCHAR(64)',
    isNullable: true,
  })
  expect(await columnOf(s('title'), s('BLOB'), b(false), s('NO'))).toMatchObject({
    type: 'BLOB',
    isNullable: false,
  })
})

test('lengths and indexes of immudb up to 1.5, in square brackets, are read like those of today', async () => {
  const { type } = (await columnOf(s('title'), s('VARCHAR[64]'), b(true), s('NO'))) ?? {}
  expect(type).toBe('VARCHAR(64)')
  for (const name of ['t[code,line]', 't(code,line)']) {
    expect(await listIndexes(clientOf(s('t'), s(name), b(true), b(true)), table)).toEqual([
      { columns: ['code', 'line'], isUnique: true, isPrimary: true },
    ])
  }
})
