// @vitest-environment node
import { expect, test } from 'vitest'
import { firstChecksum } from '~/lib/checksum'
import { type ImportSource, problemText, repeatedKeys, rowReader } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { plainSource, recordsOf } from '../support/import-file'

const integer = { name: 'INTEGER', length: null } as const
const text = { name: 'VARCHAR', length: 4 } as const
const target: ImportTarget = {
  table: 't',
  columns: [
    { name: 'id', type: integer, from: 1, isNullable: false, rule: null },
    { name: 'v', type: text, from: 0, isNullable: true, rule: null },
  ],
  key: ['id'],
  autoKey: null,
}

function read(content: string, of: Partial<ImportSource> = {}, into = target) {
  return rowReader(into, { ...plainSource, ...of }, firstChecksum)(recordsOf(content))
}

test('rows count without header and blank lines, and name their line', () => {
  const rows = read('v,id\n\na,1\n"b\nb",2\n,3\n')
  expect(rows.map(({ number, line, row }) => [number, line, row?.values])).toEqual([
    [1, 3, [{ n: '1' }, { s: 'a' }]],
    [2, 4, [{ n: '2' }, { s: 'b\nb' }]],
    [3, 6, [{ n: '3' }, null]],
  ])
})

test('a row that does not fit says why', () => {
  const rows = read('v,id\na,x\nabcde,1\na,\na\na,1,2\n"a"b,1\n')
  expect(rows.map(({ problem }) => problem && problemText(problem))).toEqual([
    'id: “x” is not a whole number.',
    'v: “abcde” is longer than 4 bytes.',
    'id is NULL.',
    'It has 1 field and not 2.',
    'It has 3 fields and not 2.',
    'Text stands behind a closing quote.',
  ])
  expect(rows.every(({ row }) => row === null)).toBe(true)
})

test('the checksum tells other rows apart, and NULL from a text', () => {
  const sums = ['v,id\na,1', 'v,id\nb,1', 'v,id\n,1', 'v,id\n"",1'].map(
    (of) => read(of)[0]?.checksum,
  )
  expect(new Set(sums).size).toBe(4)
  expect(read('v,id\na,1\nb,2')[1]?.checksum).not.toBe(read('v,id\nb,2')[0]?.checksum)
})

test('a key that comes twice is found, and one that the server makes is not looked for', () => {
  const rows = read('v,id\na,1\nb,1\n')
  const find = repeatedKeys(target)
  expect(rows.map(({ row }) => row && find(row)?.why)).toEqual([
    undefined,
    'It has the primary key of line 2 again.',
  ])
  const findNone = repeatedKeys({ ...target, autoKey: 'key' })
  expect(rows.map(({ row }) => row && findNone(row))).toEqual([null, null])
})
