// @vitest-environment node
import { expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { describeTable } from '~/api/tables'

const s = (text: string) => ({ s: text })
const b = (flag: boolean) => (flag ? { b: true } : {})

/** What becomes of one row of a table's description. */
async function columnOf(...values: object[]) {
  const client = createClient({
    baseURL: '/api',
    token: () => null,
    fetch: async () =>
      new Response(JSON.stringify({ columns: [{ name: 'COLUMN' }], rows: [{ values }] }), {
        headers: { 'content-type': 'application/json' },
      }),
  })
  return (await describeTable(client, { database: 'defaultdb', table: 't' }))[0]
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
