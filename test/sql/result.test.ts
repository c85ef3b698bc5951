// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readResult } from '~/sql/result'
import { answerOf, answersOf } from './recorded'

const read = (name: string, group = 'sql') => readResult(answerOf(group, name).body)

const labels = (name: string) => read(name).columns.map(({ label }) => label)

const firstRow = (name: string) => read(name).columns.map(({ values }) => values[0])

const answers = answersOf('sql', 'sql-temporal', 'sql-limits').filter(
  ({ path, error }) =>
    error === '' && (path.endsWith('sqlquery') || /\/table(s|\/list)$/.test(path)),
)

describe('readResult', () => {
  it.each(answers)('reads the recorded answer "$name"', ({ body }) => {
    const { columns, rowCount } = readResult(body)
    for (const { values } of columns) {
      expect(values).toHaveLength(rowCount)
      for (const value of values) expect(value === null || typeof value === 'string').toBe(true)
    }
  })

  it('keeps every kind of value exact', () => {
    expect(firstRow('select all types')).toEqual([
      '1',
      'one',
      'it\'s "quoted"',
      'true',
      'AP8Q',
      '0e6a3a6e-6c1d-4f4e-9b5e-1d2c3b4a5f60',
      '1714979289123456',
      '1.5',
      '{"a":1,"b":[true,null,"x"]}',
      '9223372036854775807',
    ])
  })

  it('tells NULL, zero, empty and false apart', () => {
    expect(firstRow('constants')).toEqual([null, '0', '', 'false', '0', ''])
    expect(firstRow('not-finite floats')).toEqual(['NaN', 'Infinity'])
    expect(firstRow('timestamps')).toEqual(['-500000', '1709164800000000'])
  })

  it('reads an answer without rows', () => {
    expect(read('select empty result')).toMatchObject({
      rowCount: 0,
      columns: [{ label: 'id', values: [] }],
    })
    expect(readResult({})).toEqual({ columns: [], rowCount: 0 })
  })

  it('shortens headings unless two would be the same', () => {
    expect(labels('aliases and aggregates')).toEqual(['col0', 's', 'col2', 'col3'])
    expect(labels('json selector')).toEqual(['title', "meta->'a'"])
    expect(labels('join names')).toEqual(['a.id', 'b.id'])
    expect(labels('same column twice')).toEqual(['dup.id', 'dup.id'])
    expect(labels('describe')[0]).toBe('COLUMN')
    expect(read('join names').columns[1]).toMatchObject({ name: '(b.id)', table: 'b' })
  })

  it('handles names that objects have', () => {
    const answer = JSON.parse(
      '{"columns":[{"name":"(__proto__.__proto__)","type":"INTEGER"},{"name":"(t.constructor)","type":"VARCHAR"}],"rows":[{"values":[{"n":"1"},{"s":"x"}]}]}',
    )
    expect(readResult(answer).columns).toMatchObject([
      { label: '__proto__', table: '__proto__', values: ['1'] },
      { label: 'constructor', values: ['x'] },
    ])
  })

  it('takes the kind a value has when the column says ANY, and keeps minus zero', () => {
    const columns = [
      { name: 'a', type: 'ANY' },
      { name: 'f', type: 'FLOAT' },
    ]
    const rows = [{ values: [{ n: '5' }, { f: -0 }] }]
    expect(readResult({ columns, rows }).columns.map(({ values }) => values)).toEqual([
      ['5'],
      ['-0'],
    ])
  })

  it.each<[string, unknown]>([
    ['answer', null],
    ['answer', []],
    ['columns', { columns: 1 }],
    ['rows', { rows: {} }],
    ['columns[0].type', { columns: [{ name: 'a' }] }],
    ['columns[0].name', { columns: [{ name: 1, type: 'INTEGER' }] }],
    ['rows[0]', { columns: [], rows: [1] }],
    ['rows[0].values', { columns: [{ type: 'INTEGER' }], rows: [{ values: [] }] }],
    ['rows[0].values', { columns: [{ type: 'INTEGER' }], rows: [{}] }],
    [
      'rows[1].values[0]',
      { columns: [{ type: 'INTEGER' }], rows: [{ values: [{ n: '1' }] }, { values: [{}] }] },
    ],
    ['rows[0].values[0]', { columns: [{ type: 'INTEGER' }], rows: [{ values: [{ n: 2 ** 53 }] }] }],
    ['rows[0].values[0]', { columns: [{ type: 'VARCHAR' }], rows: [{ values: [{ s: {} }] }] }],
  ])('names %s when that has the wrong shape', (path, answer) => {
    expect(() => readResult(answer)).toThrow(
      expect.objectContaining({ name: 'ResultShapeError', path }),
    )
  })
})
