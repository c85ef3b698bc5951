// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  countSql,
  exportTable,
  firstPlace,
  isChanged,
  pageSql,
  readCounts,
  readDifferences,
  rowsSql,
  seeksOf,
} from '~/sql/comparison'
import { soughtKey } from '~/sql/keyset'
import { ResultShapeError, type ResultTable } from '~/sql/result'
import { exportedRows, frameOf } from '~/sql/result-text'

const of = { table: 'order', from: '3', to: '9' }
const first = { ...of, from: '0' }

function answer(columns: Record<string, (string | null)[]>): ResultTable {
  const [values = []] = Object.values(columns)
  return {
    rowCount: values.length,
    columns: Object.entries(columns).map(([label, values]) => ({
      name: `(order.${label})`,
      table: 'order',
      label,
      type: label === 'id' ? 'INTEGER' : 'VARCHAR',
      values,
    })),
  }
}

describe('counting', () => {
  test('asks with both bounds, and quotes the name of the table', () => {
    expect(countSql(of)).toBe(
      'SELECT _diff_action, COUNT(*) FROM (DIFF OF "order") AFTER TX 3 UNTIL TX 9 GROUP BY _diff_action;',
    )
  })

  test('counts rows where the first moment is the empty database', () => {
    expect(countSql(first)).toBe('SELECT COUNT(*) FROM "order" UNTIL TX 9;')
    expect(readCounts(answer({ n: ['12'] }), '0')).toEqual({
      added: 12n,
      changed: 0n,
      deleted: 0n,
    })
  })

  test('reads the kinds that are there, beyond what a number holds', () => {
    const found = answer({ action: ['UPDATE', 'DELETE'], n: ['9007199254740993', '2'] })
    expect(readCounts(found, '3')).toEqual({
      added: 0n,
      changed: 9_007_199_254_740_993n,
      deleted: 2n,
    })
    expect(() => readCounts(answer({ action: ['MERGE'], n: ['1'] }), '3')).toThrow(ResultShapeError)
  })
})

describe('pages', () => {
  const size = 5

  test('go along a single key, whose last value is quoted', () => {
    const key = soughtKey([{ name: 'from', type: 'VARCHAR(20)' }])
    expect(key).toEqual([{ name: 'from', type: 'VARCHAR', length: 20 }])
    const place = { done: 5, last: ["o'neil"] }
    expect(seeksOf(key, place)).toHaveLength(1)
    expect(
      pageSql(of, { key, action: null, place, size, seek: seeksOf(key, place)[0] ?? null }),
    ).toBe(
      `SELECT * FROM (DIFF OF "order") AFTER TX 3 UNTIL TX 9 WHERE "from" > 'o''neil' LIMIT 5;`,
    )
  })

  test('go along a key of several columns and times, from the innermost outwards', () => {
    const key = soughtKey([
      { name: 'at', type: 'TIMESTAMP' },
      { name: 'done', type: 'BOOLEAN' },
      { name: 'id', type: 'INTEGER' },
    ])
    const place = { done: 5, last: ['1767323045123456', 'false', '7'] }
    const time = "CAST('2026-01-02 03:04:05.123456' AS TIMESTAMP)"
    expect(
      seeksOf(key, place).map((seek) => {
        const sql = pageSql(of, { key, action: null, place, size, seek })
        return /WHERE (.*) LIMIT 5;$/.exec(sql)?.[1]
      }),
    ).toEqual([
      `at = ${time} AND done = false AND id > 7`,
      `at = ${time} AND done >= true`,
      `at >= ${time.replace('456', '457')}`,
    ])
    expect(seeksOf(key, firstPlace)).toEqual([null])
  })

  test('are counted off where a key has fractions, of which two may be written alike', () => {
    const key = soughtKey([
      { name: 'a', type: 'INTEGER' },
      { name: 'b', type: 'FLOAT' },
    ])
    expect(key).toBeNull()
    const place = { done: 5, last: null }
    expect(seeksOf(key, place)).toHaveLength(1)
    expect(
      pageSql(of, { key, action: null, place, size, seek: seeksOf(key, place)[0] ?? null }),
    ).toMatch(/UNTIL TX 9 LIMIT 5 OFFSET 5;$/)
  })

  test('of one kind put the condition around, as DIFF itself takes none', () => {
    expect(pageSql(of, { key: null, action: 'deleted', place: firstPlace, size, seek: null })).toBe(
      `SELECT * FROM (SELECT * FROM (DIFF OF "order") AFTER TX 3 UNTIL TX 9) WHERE _diff_action = 'DELETE' LIMIT 5;`,
    )
  })

  test('from the empty database on are the rows themselves', () => {
    const page = { key: null, action: null, place: firstPlace, size, seek: null }
    expect(pageSql(first, page)).toBe('SELECT * FROM "order" UNTIL TX 9 LIMIT 5;')
    const { rows } = readDifferences(answer({ id: ['1'] }), '0')
    expect(rows).toEqual([{ action: 'added', before: null, after: ['1'] }])
  })

  test('give deleted rows as they were, and the others as they are', () => {
    const found = answer({ _diff_action: ['INSERT', 'DELETE'], id: ['1', '2'], v: [null, 'x'] })
    const { columns, rows } = readDifferences(found, '3')
    expect(columns.map(({ name }) => name)).toEqual(['id', 'v'])
    expect(rows).toEqual([
      { action: 'added', before: null, after: ['1', null] },
      { action: 'deleted', before: ['2', 'x'], after: null },
    ])
  })
})

test('old rows are found by whole keys of any type in one statement', () => {
  const columns = [
    { name: 'id', type: 'UUID' },
    { name: 'at', type: 'TIMESTAMP' },
    { name: 'b', type: 'BLOB' },
    { name: 'f', type: 'FLOAT' },
  ]
  const sql = rowsSql('t', '3', columns, [
    ['00112233-4455-6677-8899-aabbccddeeff', '1767323045123456', 'AP8=', '1e+300'],
    ['ffffffff-4455-6677-8899-aabbccddeeff', '0', '', '0.5'],
  ])
  expect(sql.split(' UNION ALL ')).toEqual([
    "SELECT * FROM t UNTIL TX 3 WHERE id = CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID) AND at = CAST('2026-01-02 03:04:05.123456' AS TIMESTAMP) AND b = x'00ff' AND f = CAST('1e+300' AS FLOAT)",
    "SELECT * FROM t UNTIL TX 3 WHERE id = CAST('ffffffff-4455-6677-8899-aabbccddeeff' AS UUID) AND at = CAST('1970-01-01 00:00:00.000000' AS TIMESTAMP) AND b = x'' AND f = 0.5;",
  ])
})

test('a cell counts as changed only where both values are known and differ', () => {
  const row = { action: 'changed', before: ['1', null, ''], after: ['1', '', ''] } as const
  expect([0, 1, 2].map((column) => isChanged(row, column))).toEqual([false, true, false])
  expect(isChanged({ ...row, before: null }, 1)).toBe(false)
  expect(isChanged({ action: 'added', before: null, after: ['1'] }, 0)).toBe(false)
})

test('an export has each column twice, and its transaction where it has steps', () => {
  const columns = [{ name: 'v', type: 'VARCHAR' }]
  const rows = [
    { action: 'changed', before: ['a'], after: [null], tx: '7' },
    { action: 'added', before: null, after: ['=1'], tx: '8' },
  ] as const
  const net = exportTable(columns, rows, false)
  expect(frameOf('csv', net).before).toBe('_change,v (old),v (new)\r\n')
  expect(exportedRows('csv', net)).toEqual(['changed,a,\r\n', "added,,'=1\r\n"])
  expect(exportedRows('json', exportTable(columns, rows, true))[0]).toBe(
    '  {"_tx": 7, "_change": "changed", "v (old)": "a", "v (new)": null}',
  )
})
